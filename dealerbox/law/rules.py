"""The numbered readings of the chapter that docstrings cite: C1, H6, S3 ...

C: a choice where the text leaves room. T: the table. H: the hand. S: the shuffler and the readers.
P: what must hold in every state that can be reached.
"""

from typing import Final, NamedTuple


class Rule(NamedTuple):
    """One reading: the clauses it stands on (none: it is ours alone) and what it says, in a sentence or two."""

    clauses: tuple[str, ...]
    text: str


RULES: Final[dict[str, Rule]] = {
    "C1": Rule(
        ("1804B(8)", "1819"),
        "Of an hour and 30 minutes the shorter counts. No hand begins so close to a limit that it could run over it.",
    ),
    "C2": Rule(
        ("1804B(8)",),
        "The machine reads, the dealer starts the count and confirms it by name; only then it counts.",
    ),
    "C3": Rule(("1804B(9)", "1817"), "A limit that passes in mid-hand lets that hand end and the next one not begin."),
    "C4": Rule(
        ("1804A(3)", "1809"),
        "The house chooses: single cards, intact groups, or the whole shuffled deck in the dealer's hand.",
    ),
    "C5": Rule(("1804B(7)",), "A card of the deck that turns up outside without having been let out is a hold."),
    "C6": Rule(
        ("1811(2)",),
        "A fourth board card too early waits aside; burn, the next is the turn; "
        "it goes back before the river: shuffle, cut, burn, deal.",
    ),
    "C7": Rule(
        ("1811(2)",),
        "A fifth board card that came too early goes back before the river: shuffle, cut, burn, deal.",
    ),
    "C8": Rule(
        ("1811(2)",),
        "A flop too early or of too many cards goes back: shuffle, cut, three new cards, no second burn.",
    ),
    "C9": Rule(("1811(1)",), "When a flashed card is replaced, and how many make a misdeal, is the house's choice."),
    "C10": Rule((), "A card put right before the next one comes ends its own hold, unless the house says otherwise."),
    "C11": Rule(
        ("1804A(3)",),
        "The button moves to the next taken seat, or by house rule to an empty one on the way; after a misdeal or "
        "a void hand it stays.",
    ),
    "C12": Rule(("1804B(8)", "1819", "1827"), "The clocks count on through breaks, and while the station is off."),
    "C13": Rule(
        ("1804A(1)", "1804B(8)"),
        "A deck that went out never comes back; when both are out, two new ones come.",
    ),
    "C14": Rule(
        ("1830(2)",),
        "The director decides this hand's disputes, but waives no wrong deck, no overdue count or change, no hour.",
    ),
    "C15": Rule(
        ("1809",),
        "When the machine fails, cards go on by hand: shown to the reader one by one, counted, confirmed.",
    ),
    "C16": Rule(
        ("1811(2)",),
        "The cut is the dealer's press, or the dealer's hand where the machine gives the stub out.",
    ),
    "C17": Rule(
        ("1804B(6)",),
        "With one deck out no hand begins; an open one is finished, a void one dealt again with the other deck.",
    ),
    "C18": Rule(("1812", "1802(23)"), "Burn cards count as muck only when every card has been dealt."),
    "T1": Rule(
        ("1804A(1)",),
        "A deck is in play after 52 of its cards and nothing else were read and the dealer confirmed the seal.",
    ),
    "T2": Rule(("1804B(6)",), "Two decks, whose backs differ."),
    "T3": Rule(
        ("1827",),
        "The first hand not before 13:30; the last one no later than six hours after it, less the margin.",
    ),
    "T4": Rule(("1823",), "The house says how many seats: ten unless told, twenty at most."),
    "T5": Rule(("1804B(15)",), "Seats are dealt to by entry, whether or not somebody sits there."),
    "T6": Rule((), "Between hands the table's own cards lie where they like: no holds."),
    "H1": Rule(
        ("1804A(3)",),
        "Before the first card: whole deck, shuffled, clocks in time, one button in its place, no stranger.",
    ),
    "H2": Rule(
        ("1804A(3)",),
        "Two cards to each seat, one at a time, clockwise from the button's left; the button last.",
    ),
    "H3": Rule(
        ("1804A(4)", "1804A(6)"),
        "Burn and three; burn and one; burn and one: each when the round before is over.",
    ),
    "H4": Rule(("1812",), "A burn card stays on the burns; one put back on top is the next to be burned."),
    "H5": Rule(
        ("1804A(3)", "1804A(4)", "1804A(6)"),
        "Between two steps the seats hold two cards each, the board none, three, four or five.",
    ),
    "H6": Rule(("1815(3)",), "A hand seen in the muck is folded, until the dealer or the director retrieves it."),
    "H7": Rule(("1804B(9)", "1817"), "After the award the next hand waits until every card is back and counted."),
    "H8": Rule(("1804B(9)", "1817"), "With one hand left alive, or nothing left to deal, cards may lie anywhere."),
    "H9": Rule(("1804B(2)",), "Seats change between hands only, and it is recorded who said so."),
    "H10": Rule(
        ("1804A(3)", "1804A(1)"),
        "A card that no reader sees in its place is asked for; one that cannot be read at the exit is read again.",
    ),
    "H11": Rule(
        (),
        "Only the card just let out is judged by where it arrives; others only if they lie there when the next is due.",
    ),
    "S1": Rule((), "A finished shuffle earns one deal; the first card spends it."),
    "S2": Rule(
        (),
        "A machine that was opened or off is proved before it deals: empty and counted, or in mid-hand by its stub.",
    ),
    "S3": Rule((), "How many and which are two witnesses. No card is called missing before a second full look agrees."),
    "S4": Rule(("1804A(1)",), "A deck that the dealer doubts goes out after the hand."),
    "S5": Rule((), "An unknown tag is read twice before it is a stranger; one card seen in two places is looked for."),
    "P1": Rule((), "No card is let out but the next one of the plan, and none while a hold stands."),
    "P2": Rule((), "No lawful hand, with whatever lawful remedy, is held without cause."),
    "P3": Rule((), "Every card of the deck is in one place, or named as unaccounted for."),
    "P4": Rule((), "Other faces change no byte that leaves the station."),
    "P5": Rule((), "A start after a crash is never freer than before it."),
    "P6": Rule((), "The same events give the same decisions."),
    "P7": Rule((), "Every hold has a way back to play."),
}
"""Number -> reading."""
