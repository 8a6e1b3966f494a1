"""Every irregularity: its clause, what it is and what to do about it, in the words of the panel.

`{zone}` is where it was seen, `{to}` where the card belongs, `{device}` what is concerned.
"""

from typing import Final

import msgspec

from dealerbox.model.reasons import Reason


class Irregularity(msgspec.Struct, frozen=True):
    """One row of the law page."""

    clause: str
    what: str
    remedy: str
    outlives: bool = False
    """It outlives MISDEAL, VOID_HAND and AWARD and refuses START (of decks, clocks, devices, 1824: C14)."""
    why: str = ""
    """What a house rule asks, since no clause says it; '': the clause says it."""


_MISPLACED = "Put it on {to}. If you cannot, press MISDEAL; after action call the director."

IRREGULARITIES: Final[dict[Reason, Irregularity]] = {
    Reason.WRONG_SEAT: Irregularity("1804A(3)", "A card for {to} was dealt to {zone}.", _MISPLACED),
    Reason.WRONG_ZONE: Irregularity("1804A(3)", "A card for {to} was put on {zone}.", _MISPLACED),
    Reason.BURN_MISSING: Irregularity(
        "1804A(4)", "The burn card was put on the board.", "Put it on {to}. If you cannot, call the director."
    ),
    Reason.BURN_EXTRA: Irregularity(
        "1804A(4)", "A board card was put on the burns.", "Put it on {to}. If you cannot, call the director."
    ),
    Reason.ROUND_OPEN: Irregularity(
        "1804A(4)",
        "A card was dealt to {zone}: was the round complete?",
        "Press NEXT if it was; PREMATURE if it was not.",
    ),
    Reason.NOT_RELEASED: Irregularity(
        "1804B(7)",
        "A card that was never let out lies on {zone}.",
        "Hold it to the exit, or call the director.",
    ),
    Reason.TOO_MANY_CARDS: Irregularity(
        "1815(1)", "{zone} was dealt more than two cards.", "Press MISDEAL; after action the director: HAND_DEAD."
    ),
    Reason.TOO_FEW_CARDS: Irregularity(
        "1815(1)", "{zone} was dealt fewer than two cards.", "Press MISDEAL; after action the director: HAND_DEAD."
    ),
    Reason.UNBURN_OTHER: Irregularity(
        "1812",
        "Another card was burned after UNBURN.",
        "Put it back; burn the first one. Or call the director.",
    ),
    Reason.BURN_IN_MUCK: Irregularity(
        "1812", "A burn card lies in the muck.", "Put it back on {to}. If you cannot, call the director."
    ),
    Reason.CARD_STRAYED: Irregularity(
        "1804B(10)",
        "A live card lies on {zone}; it belongs on {to}.",
        "Put it back on {to}. If you cannot, call the director.",
    ),
    Reason.DEAD_CARD_BACK: Irregularity(
        "1815(3)",
        "A dead card lies on {zone} again.",
        "Put it back in {to}. If that hand lives: RETRIEVE. In doubt: the director.",
    ),
    Reason.CARD_UNSEEN: Irregularity(
        "1804A(3)", "The card for {to} was not seen there.", "Lay it flat on {to}. If it lies there, press ACK."
    ),
    Reason.CARD_UNREAD: Irregularity(
        "1804A(1)",
        "The card at the exit cannot be read.",
        "Wait for it to be read. If it never is, press MISDEAL; after action call the director.",
    ),
    Reason.PREMATURE_FLOP: Irregularity(
        "1811(2)",
        "The flop came before the round was complete.",
        "Feed the board cards into the shuffler, cut, finish the round.",
    ),
    Reason.TOO_MANY_FLOP: Irregularity(
        "1811(2)",
        "Four cards came for the flop.",
        "Put the board cards back into the stub, shuffle, cut.",
    ),
    Reason.PREMATURE_TURN: Irregularity(
        "1811(2)",
        "The turn came before the round was complete.",
        "Lay that card aside, finish the round.",
    ),
    Reason.PREMATURE_RIVER: Irregularity(
        "1811(2)",
        "The river came before the round was complete.",
        "Lay that card aside, finish the round.",
    ),
    Reason.PREMATURE_BURN: Irregularity(
        "1812", "A card was burned before the round was complete.", "Finish the round; the burn stays."
    ),
    Reason.PREMATURE_LATE: Irregularity(
        "1811(2)", "That street came too early, and players have acted on it.", "Call the director."
    ),
    Reason.EXPOSED_CARD: Irregularity(
        "1811(1)", "A card for {zone} was flashed: it is dead.", "Lay it aside. Another card is dealt for it."
    ),
    Reason.OFF_TABLE: Irregularity(
        "1811(1)", "A card for {zone} left the table: it is dead.", "Lay it aside. Another card is dealt for it."
    ),
    Reason.FACED_CARD: Irregularity(
        "1820", "A card lay face up in the deck: it is dead.", "Lay it aside. The next card takes its place."
    ),
    Reason.FOREIGN_CARD: Irregularity(
        "1824",
        "A card that is not of this table was brought to {zone}.",
        "Take it away, wait for the count, then call the director.",
        True,
    ),
    Reason.JOKER_PRESENT: Irregularity(
        "1824",
        "A joker was brought to {zone}.",
        "Take it away, wait for the count, then call the director.",
        True,
    ),
    Reason.OTHER_DECK: Irregularity(
        "1824",
        "A card of the other deck was brought to {zone}.",
        "Take it away, wait for the count, then call the director.",
        True,
    ),
    Reason.DEFECTIVE_DECK: Irregularity(
        "1819",
        "A wrong card was in the deck.",
        "Press ACK: hand void, chips go back as contributed. Then the other deck.",
        True,
    ),
    Reason.CARD_MISSING: Irregularity(
        "1819",
        "A card is missing from the deck.",
        "Press ACK: hand void, chips go back as contributed. Then the other deck.",
        True,
    ),
    Reason.DUPLICATE_TAG: Irregularity(
        "1819", "Two cards of the deck have the same tag.", "Both to the director; then the other deck.", True
    ),
    Reason.DOUBLE_FEED: Irregularity(
        "1804A(3)",
        "Two cards came up for one.",
        "Both go back unseen: wait for the count, press ACK. If a face was seen call the director.",
    ),
    Reason.UNACCOUNTED_DISPENSE: Irregularity(
        "1804A(3)",
        "The shuffler gave a card that nobody ordered.",
        "Look where the cards are, wait for the count, press ACK.",
    ),
    Reason.RECOUNT: Irregularity(
        "1804A(1)",
        "The deck does not add up.",
        "Take every card out of the shuffler, press ACK, feed all 52 in.",
        True,
    ),
    Reason.JAM: Irregularity(
        "house",
        "The shuffler is jammed.",
        "Clear the jam, shut the door, wait for the count, press ACK. Or MANUAL.",
        True,
        why="A shuffler that jammed is proved before it deals on.",
    ),
    Reason.DOOR_OPEN: Irregularity(
        "house",
        "The shuffler was opened.",
        "Shut the door, wait for the count, press ACK. Or MANUAL.",
        True,
        why="A shuffler that was opened is proved before it deals on.",
    ),
    Reason.DEVICE_LOST: Irregularity(
        "house",
        "{device} does not answer.",
        "Check the plug and power of {device}.",
        True,
        why="No card is dealt while a device that must watch it is away.",
    ),
    Reason.RESTARTED: Irregularity(
        "house",
        "The station started anew in the middle of a hand.",
        "Wait for shuffler and readers, look at the table, then press ACK.",
        why="After a new start a person looks at the table before the next card.",
    ),
    Reason.JOURNAL_FAULT: Irregularity(
        "house",
        "The station can no longer record.",
        "Stop play here; call the technician.",
        True,
        why="No card is dealt that cannot be put on record.",
    ),
    Reason.JOURNAL_FULL: Irregularity(
        "house",
        "The station's disk is nearly full.",
        "Call the technician: make room on it.",
        True,
        why="No hand is begun that cannot be put on record to its end.",
    ),
    Reason.BUTTON_MISSING: Irregularity("1804A(3)", "There is not exactly one button.", "Put one button on {to}."),
    Reason.BUTTON_WRONG: Irregularity(
        "1804A(3)", "The button is on {zone}.", "Move it to {to}. If it must stay, the director sets it."
    ),
    Reason.BUTTON_MOVED: Irregularity(
        "1804A(3)", "The button was moved to {zone}.", "Put it back on {to}. If you cannot, call the director."
    ),
    Reason.NOT_SHUFFLED: Irregularity(
        "house",
        "The deck is not shuffled.",
        "Wait for the shuffle to end.",
        why="Each hand is dealt from a deck that was shuffled whole.",
    ),
    Reason.NOT_EMPTY: Irregularity(
        "house",
        "What is in the shuffler is not known.",
        "Open the shuffler, take every card out, look. Then press ACK.",
        True,
        why="A count of 52 begins with a shuffler that is known to be empty.",
    ),
    Reason.COUNT_DUE: Irregularity("1804B(8)", "The deck must soon be counted.", "After this hand press COUNT."),
    Reason.COUNT_OVERDUE: Irregularity("1804B(8)", "The count is overdue.", "Press COUNT."),
    Reason.DECK_CHANGE_DUE: Irregularity("1804B(8)", "The deck must soon be changed.", "After this hand press DECK."),
    Reason.DECK_CHANGE_OVERDUE: Irregularity("1804B(8)", "The deck change is overdue.", "Press DECK."),
    Reason.CLOCK_UNSURE: Irregularity(
        "1804B(8)",
        "How much time has passed is not known.",
        "As the prompt says: COUNT, DECK, or BEGAN by the director.",
    ),
    Reason.OUTSIDE_HOURS: Irregularity(
        "1827",
        "No tournament begins before 13:30.",
        "Wait. If the clock is not known to be right, the director confirms HOUR.",
    ),
    Reason.TOURNAMENT_OVER: Irregularity(
        "1827", "The six hours of the tournament are over.", "No hand starts any more: CLOSE."
    ),
    Reason.PAUSED: Irregularity("1830(2)", "Hand-for-hand: the table waits for the others.", "Wait for RESUME."),
    Reason.NO_NAME: Irregularity(
        "1804B(8)", "A count is confirmed by name.", "Show your badge with ACK, or have the director name the dealer."
    ),
    Reason.CARDS_OUT: Irregularity("1804B(9)", "Cards are still out, last seen on {zone}.", "Feed every card in."),
    Reason.NOT_VERIFIED: Irregularity("1804A(1)", "No deck is verified.", "Feed a new sealed deck in, then press ACK."),
    Reason.ONE_DECK: Irregularity("1804B(6)", "There are not two decks at the table.", "Enrol a second deck."),
    Reason.DECKS_ALIKE: Irregularity("1804B(6)", "The two decks have the same back.", "Bring a deck of another back."),
    Reason.DECK_USED: Irregularity(
        "1804B(8)", "This deck was in play before.", "Take it out; feed a new deck of this table."
    ),
    Reason.DECK_DEFECTIVE: Irregularity("1819", "This deck is out as defective.", "Take it out; feed the other deck."),
    Reason.DECK_NOT_ENROLLED: Irregularity(
        "1804A(1)", "This deck is not enrolled for this table.", "Take it out; feed an enrolled one, or enrol it."
    ),
    Reason.DECK_NOT_NEW: Irregularity(
        "1804A(1)", "This deck is not new and sealed.", "Take it out; feed a new sealed deck."
    ),
    Reason.DECK_SUSPECT: Irregularity("1804A(1)", "This deck is doubtful.", "It goes out after this hand."),
    Reason.NEW_SET_REQUIRED: Irregularity("1804B(8)", "Both decks are used or out.", "Enrol a new set of two decks."),
    Reason.TOO_FEW_SEATS: Irregularity("1804A(3)", "Fewer than two seats are taken.", "Seat at least two players."),
    Reason.TOO_MANY_SEATS: Irregularity("1823", "More seats are taken than the house allows.", "Seat fewer players."),
    Reason.MISDEAL: Irregularity("1811(3)", "Misdeal.", "Feed every card in; the same button deals again."),
    Reason.MISDEAL_TOO_LATE: Irregularity(
        "1811(3)", "Action has occurred: no misdeal.", "Play on, or call the director."
    ),
    Reason.AWARD_EARLY: Irregularity(
        "1817", "The pot was awarded with cards to come.", "Press UNDO if that was not meant."
    ),
    Reason.TIME_DUE: Irregularity(
        "1821", "A player's time to act is nearly over.", "Warn the player. ACTION when the player has acted."
    ),
    Reason.TIME_OVER: Irregularity(
        "1821",
        "A player's time to act is over.",
        "Without a bet the player checks; facing one the hand is dead. Then ACTION.",
    ),
    Reason.FOULED_HAND: Irregularity(
        "1810",
        "The director asks where the cards of {zone} lie.",
        "RETRIEVE brings the hand back; FIND tells its cards from others.",
    ),
    Reason.POT_RETURNED: Irregularity(
        "1819",
        "The deck was defective: this pot is void.",
        "Each player gets back what the player put in.",
    ),
    Reason.POT_FORFEITED: Irregularity(
        "1819",
        "Who knew it and bet to win gets none back.",
        "Those chips stay in the pot, for the next game.",
    ),
    Reason.POT_STANDS: Irregularity(
        "1819",
        "Pots won before stand.",
        "Who won one keeps it, though the deck was defective.",
    ),
    Reason.TABLE_CLOSED: Irregularity("house", "The table is closed.", "Start the station."),
    Reason.KEY_STUCK: Irregularity("house", "A key of the panel is stuck.", "Free it, or call the technician."),
    Reason.NOT_NOW: Irregularity("house", "There is nothing for that key to do now.", "Do what the panel asks."),
    Reason.SERVICE: Irregularity(
        "house",
        "A technician has the table.",
        "Wait until the technician gives it back. The deck is then counted whole.",
        True,
        why="Nobody opens a table's devices in mid-hand, and a table that was opened is proved before it deals.",
    ),
    Reason.SECOND_PERSON: Irregularity(
        "house",
        "One person has ruled, and this house asks for two.",
        "Another person gives the same ruling within two minutes.",
        why="A ruling that ends a hold is given by two persons.",
    ),
    Reason.NO_AUTHORITY: Irregularity("1830(2)", "That ruling does not fit here.", "The director may rule otherwise."),
}
"""Reason -> row: each with its remedy (P7). Reasons that no rule raises yet have no row."""
