"""What may happen in a lawful hand, by name; each can be switched on alone.

`NOT_YET` is the one list of what the page has and the engine does not do yet: the proof leaves these out unless they
are asked for by `--only`, and the tests run the rest. Take a name out of it when the engine can do it.
"""

from typing import Final

VARIATIONS: Final[dict[str, str]] = {
    # Dispensing (C4).
    "single": "the machine lets out one card at a time",
    "group": "the machine lets out both cards of a seat, and the flop, as groups (1809, C4)",
    "hand": "the dealer has the whole shuffled deck in the hand (C4)",
    # The table.
    "dead_button": "button rule `dead`",
    "twenty": "up to 20 seats",
    "plain_machine": "a machine that brings no card ahead, and whose count loses the order",
    "seats": "players come and go between hands (H9)",
    "set_button": "the director sets the button (C11)",
    # A hand's own ways.
    "folds": "hands go to the muck at any time, together or card by card",
    "lifts": "players lift their cards, and a pile hides some (1810)",
    "all_in": "no more action: run-outs by NEXT alone",
    "early": "the pot is awarded with one live hand left (H8)",
    "rabbit": "one live hand is left and the cards are dealt out all the same (H8)",
    "idle_keys": "keys that mean nothing now",
    "pause": "hand-for-hand: PAUSE and RESUME",
    "showdown": "tabled cards cross the board and each other, burns are muck (H8, C18)",
    "crossing": "a fold crosses the board or another seat (H11)",
    "pulled": "a pile is pulled across other zones for a moment (H11)",
    "half_muck": "one card of two in the muck: ACK or RETRIEVE (H6)",
    "retrieve": "a mucked hand is retrieved (H6)",
    "unread_later": "a card stops being read where it lies",
    "claim": "the award is taken back and given again (1817)",
    "undo_start": "START is taken back before the first card leaves",
    "undo_action": "ACTION is taken back",
    "undo_next": "NEXT is taken back before the next card leaves",
    "undo_misdeal": "MISDEAL is taken back before a card moves",
    "next_twice": "NEXT pressed twice is ignored with a notice",
    "misdeal": "a misdeal before action: all cards back, same button (1811(3))",
    "misdeal_muck": "a misdeal with a hand in the muck: has that player acted?",
    "misdeal_late": "MISDEAL after action is refused",
    "misplaced": "a card in the wrong place, put right (C10)",
    "misplaced_strict": "the same where the house wants a ruling: MISDEAL, or STAND",
    "unseen": "a card not seen in time: laid better, or ACK (H10)",
    "unread": "a silent tag at the exit that is read after all (H10)",
    "button_moved": "the button strays for a moment, or longer and back",
    "flicker": "an unknown tag read once and never again (S5)",
    "no_feed": "the machine feeds none, a card is not taken, a command is void: nothing moved",
    "reader": "a reader is lost and found",
    "restart": "the station starts anew with a hand open: everything agrees, ACK",
    "shuffler_lost": "the shuffler is lost and found in mid-hand",
    "power": "the machine is without power in mid-hand and agrees: mid-hand proof, ACK (S2)",
    "door": "the machine's door is opened and shut in mid-hand: mid-hand proof, ACK (S2)",
    "jam": "the machine jams in mid-hand: a person looks, mid-hand proof, ACK",
    "manual": "the machine is lost, MANUAL, and the hand goes on by hand (C15)",
    "void": "the director voids a held hand: same button (C14)",
    # Between hands.
    "count": "counts by the clock, and one now and then before it (1804B(8), 1819, C2)",
    "overdue": "START is tried after the limit, refused, and the deck counted (C1, C3)",
    "breaks": "long breaks between hands (C12)",
    "change": "the deck is changed at two hours (1804B(8), C13)",
    "suspect": "a doubtful deck goes out after the hand (S4, C17)",
    "two_decks": "cards of both decks, jokers and cut cards lie about between hands (T6)",
    "short": "a card is forgotten when the deck is gathered, found and fed",
    "early_start": "START is tried before cards and button are back, and refused",
    "restart_between": "the station starts anew between hands",
    # The page's procedures.
    "exposed": "a hole card is flashed: dead, aside, replaced (C9)",
    "exposed_flop": "a flop card is flashed: dead, the next card takes its step",
    "exposed_free": "a burn, turn or river card is flashed: costs nothing (C9)",
    "exposed_misdeal": "house: the first card, or so many of them, is a misdeal (C9)",
    "off_table": "a card is dealt off the table (1811(1))",
    "faced": "a card lies face up in the deck (1820)",
    "faced_lies": "the card dealt last lay face up in the deck, and lies already (1820)",
    "exposed_group": "a card of a group on its way is flashed (1811(1), 1809)",
    "premature_flop": "C8, and the cut (C16)",
    "too_many_flop": "a fourth card with the flop: C8 (by hand)",
    "premature_turn": "C6",
    "premature_river": "C7",
    "premature_both": "C6, then C7",
    "premature_burn": "the round reopens, the burn stays",
    "unburn": "the burn goes back on top (1812, H4)",
    "round_open": "by hand: the next street's card before NEXT; NEXT then",
    "find": "FIND looks for a burn in the muck, card by card",
    "unidentified": "a silent tag at the exit goes to its step by ACK, the deck out after the hand (H10)",
}
"""Name and what it is."""

FAULTS: Final[dict[str, str]] = {
    "left_misplaced": "the released card stays in the wrong place: MISDEAL or VOID_HAND",
    "not_released": "a card that was never let out lies on the table (C5)",
    "burn_in_muck": "a burn lies in the muck when the next card is asked for",
    "card_strayed": "a live card lies steadily elsewhere when the next card is asked for",
    "dead_card_back": "a mucked card is steadily in play again",
    "brought": "a foreign card, a joker or one of the other deck is brought to the table (1824)",
    "in_the_deck": "one of these comes up at the exit: defective deck (1819)",
    "stolen": "a card is taken out of the machine: card_missing",
    "two_places": "a dealt card is read at its place and at the exit (S5)",
    "bleeding": "two zones read a card for good: proof, and the dealer says where it lies (S5)",
    "fed_in": "a dealt card goes into the machine outside a procedure",
    "double_feed": "two cards for one dispense",
    "unaccounted": "the machine's counter is ahead of the journal",
    "door_between": "the machine is opened between hands",
    "power_between": "the machine is without power between hands, and agrees (S2)",
    "stale_shuffle": "the machine forgets a shuffle that was not spent (S1)",
    "short_count": "a count that is not 52 (S3)",
    "reader_between": "a reader is lost between hands",
    "too_few_seats": "START with one player",
    "stand": "the director lets a misplaced card count where it lies",
    "hand_dead": "the director rules a hand dead",
    "unread_void": "a tag at the exit stays silent",
    "foreign_between": "a foreign tag on the table between hands",
    "unburn_other": "by hand: after UNBURN another card is burned",
    "premature_late": "PREMATURE after ACTION on the next round",
    "award_early": "AWARD with two live hands and cards to come",
}
"""The third part: what is put into lawful hands by `--faults`."""

NOT_YET: Final[frozenset[str]] = frozenset({})
"""Names that the engine does not do yet."""

MODES: Final = ("single", "group", "hand")


def chosen(
    only: frozenset[str] = frozenset(), without: frozenset[str] = frozenset(), faults: bool = False
) -> frozenset[str]:
    """Return the variations to play: those of `only` (and `single` where it names no mode), else all that work.

    `faults`: and every irregularity that works.

    ValueError: an unknown name.
    """
    unknown = sorted((only | without) - VARIATIONS.keys() - FAULTS.keys())
    if unknown:
        raise ValueError(f"no variation {', '.join(unknown)}; there are: {', '.join((*VARIATIONS, *FAULTS))}")
    names = only or VARIATIONS.keys() - NOT_YET
    if faults:
        names |= FAULTS.keys() - NOT_YET
    names = frozenset(names) - without
    return names if names & set(MODES) else names | {"single"}
