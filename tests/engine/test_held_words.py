"""What a hold, a refusal and a notice say: what happened, what to do, and why, each word of it."""

from typing import Any

import pytest

from dealerbox.engine.state import Condition, Standing
from dealerbox.model.events import Space, SpaceLeft
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, Zone, seat

BROUGHT = "1824"
COUNTED = "1804A(1)"
LIVE = "1804B(10)"
BOTH = "A card is read at seat 3 and at seat 2."
IN_THERE = "It is in there: ACK, then count, shuffle, cut."
IN_ORDER = "Each player gets two cards, face down, one at a time, in order from the button's left."
STRANGER = "A card that is not of this table was brought to seat 2."


def held(reason: Reason, clause: str, needs: Condition, **where: Any) -> Standing:
    return Standing(reason, clause, needs, **where)


STANDS = {
    "a stranger between hands": (
        held(Reason.RECOUNT, BROUGHT, Condition.DECK, zone=BOARD),
        "A card of no deck of this table lies on the board.",
        "Take it away. The deck is then read anew.",
    ),
    "a stranger in mid-hand, until the stub is proved": (
        held(Reason.FOREIGN_CARD, BROUGHT, Condition.PROOF, zone=seat(2)),
        STRANGER,
        "Take it away, wait for the count, then call the director.",
    ),
    "a stranger in mid-hand, the stub proved": (
        held(Reason.FOREIGN_CARD, BROUGHT, Condition.DIRECTOR, zone=seat(2)),
        STRANGER,
        "Take it away. Then the director lets the hand go on (STAND).",
    ),
    "what else waits for the director": (
        held(Reason.BURN_MISSING, "1804A(4)", Condition.DIRECTOR, zone=BOARD, to=BURN),
        "The burn card was put on the board.",
        "Put it on the burns. If you cannot, call the director.",
    ),
    "a deck that does not add up": (
        held(Reason.RECOUNT, COUNTED, Condition.DECK, device="shuffler"),
        "The deck does not add up.",
        "Take every card out of the shuffler, press ACK, feed all 52 in.",
    ),
    "a card that two zones read": (
        held(Reason.RECOUNT, COUNTED, Condition.SIGHT, zone=seat(3), to=seat(2)),
        BOTH,
        "Take it off seat 3; lay it on seat 2. Both still read it: ACK.",
    ),
    "a card that two zones read, to be proved": (
        held(Reason.RECOUNT, COUNTED, Condition.PROOF, zone=seat(3), to=seat(2)),
        BOTH,
        "Wait for the count, press ACK.",
    ),
    "a live card astray on the table": (
        held(Reason.CARD_STRAYED, LIVE, Condition.SIGHT, zone=BOARD, to=seat(2)),
        "A live card lies on the board; it belongs on seat 2.",
        "Put it back on seat 2. If you cannot, call the director.",
    ),
    "a live card in the shuffler": (
        held(Reason.CARD_STRAYED, LIVE, Condition.SIGHT, zone=INFEED, to=BOARD),
        "A card of the board went into the shuffler.",
        f"Put it back on the board. {IN_THERE}",
    ),
    "a house that calls a flashed card a misdeal": (
        held(Reason.MISDEAL, "1811(3)", Condition.DIRECTOR, zone=seat(2)),
        "A card was exposed, and this house calls that a misdeal.",
        "Press MISDEAL.",
    ),
    "the shuffler away": (
        held(Reason.DEVICE_LOST, "house", Condition.DEVICE, device="shuffler"),
        "The shuffler does not answer.",
        "Check the plug and power of the shuffler. Or by hand: MANUAL.",
    ),
    "the shuffler back from being without power": (
        held(Reason.DEVICE_LOST, "house", Condition.PROOF, device="shuffler"),
        "The shuffler was without power.",
        "Wait for the count, press ACK. Or by hand: MANUAL.",
    ),
    "a reader away": (
        held(Reason.DEVICE_LOST, "house", Condition.DEVICE, device="reader of seat:4"),
        "The reader of seat 4 does not answer.",
        "Check the plug and power of the reader of seat 4.",
    ),
    "another device away": (
        held(Reason.DEVICE_LOST, "house", Condition.DEVICE, device="feig-1"),
        "The device feig-1 does not answer.",
        "Check the plug and power of the device feig-1.",
    ),
    "something else of the shuffler": (
        held(Reason.JAM, "1809", Condition.PROOF, device="shuffler"),
        "The shuffler is jammed.",
        "Clear the jam, shut the door, wait for the count, press ACK. Or MANUAL.",
    ),
}


@pytest.mark.parametrize("which", STANDS)
def test_a_hold_says_what_happened_and_what_to_do(table, which) -> None:
    table.flop()
    stands, what, remedy = STANDS[which]
    table.state.holds = (stands,)
    (told,) = table.view.holds
    assert (told.what, told.remedy) == (what, remedy)
    assert (told.reason, told.zone, told.to, told.device) == (stands.reason, stands.zone, stands.to, stands.device)


@pytest.mark.parametrize(
    ("home", "acted", "remedy"),
    [
        (seat(2), False, f"Put it back on seat 2. {IN_THERE}"),
        (seat(2), True, "Put it back on seat 2. If you cannot, the director rules the hand dead (HAND_DEAD)."),
        (BOARD, True, f"Put it back on the board. {IN_THERE}"),
        (BURN, False, f"Put it back on the burns. {IN_THERE}"),
    ],
)
def test_a_players_card_that_went_in_costs_the_hand_once_players_have_acted_1815_1(table, home, acted, remedy) -> None:
    table.flop()
    table.state.acted = acted
    table.state.holds = (held(Reason.CARD_STRAYED, LIVE, Condition.SIGHT, zone=INFEED, to=home),)
    assert table.view.holds[0].remedy == remedy


@pytest.mark.parametrize(
    ("reason", "clause", "why"),
    [
        (
            Reason.WRONG_SEAT,
            "1804A(3)",
            IN_ORDER,
        ),
        (Reason.RECOUNT, BROUGHT, "No card may come into the game that the dealer did not deal in this hand."),
        (Reason.DEVICE_LOST, "house", "No card is dealt while a device that must watch it is away."),
    ],
)
def test_why_is_the_clause_or_the_house_rules_own_reason(table, reason, clause, why) -> None:
    table.flop()
    table.state.holds = (held(reason, clause, Condition.SIGHT, zone=seat(3), to=seat(2)),)
    assert table.view.holds[0].why == why


# Refusals.


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        (EXIT, "the exit"),
        (INFEED, "the infeed"),
        (BURN, "the burns"),
        (ASIDE, "the side"),
        (MUCK, "the muck"),
        (seat(9), "seat 9"),
        (Zone(""), "the table"),
    ],
)
def test_a_refusal_names_the_device_by_the_place_that_it_watches(table, zone, said) -> None:
    table.holes()
    table.state.refused = (Reason.DEVICE_LOST, zone)
    told = table.view.refused
    assert told.what == f"The device at {said} does not answer."
    assert told.remedy == f"Check the plug and power of the device at {said}."
    assert told.why == "No card is dealt while a device that must watch it is away."


@pytest.mark.parametrize(
    ("reason", "what", "remedy", "why"),
    [
        (
            Reason.BUTTON_MISSING,
            "There is not exactly one button.",
            "Put one button on its place.",
            IN_ORDER,
        ),
        (
            Reason.BUTTON_WRONG,
            "The button is on seat 3.",
            "Move it to its place. If it must stay, the director sets it.",
            IN_ORDER,
        ),
        (
            Reason.MISDEAL_TOO_LATE,
            "Action has occurred: no misdeal.",
            "Play on, or call the director.",
            "After a misdeal all cards come back for a redeal; none may be called once a player has acted.",
        ),
    ],
)
def test_a_refusal_says_what_is_in_the_way_and_by_which_clause(table, reason, what, remedy, why) -> None:
    table.holes()
    table.state.refused = (reason, seat(3))
    told = table.view.refused
    assert (told.what, told.remedy, told.why) == (what, remedy, why)


# Notices.


@pytest.mark.parametrize("left", [Space.LOW, Space.LAST_HAND, Space.FULL])
def test_a_disk_that_fills_up_is_told_with_its_own_reason(table, left) -> None:
    table.ready()
    table.tell(lambda at: SpaceLeft(at, left, 100))
    (told,) = (notice for notice in table.view.notices if notice.reason is Reason.JOURNAL_FULL)
    assert (told.what, told.remedy, told.why) == (
        "The station's disk is nearly full.",
        "Call the technician: make room on it.",
        "No hand is begun that cannot be put on record to its end.",
    )


def test_what_becomes_of_a_pot_is_told_by_its_clause_1819(table) -> None:
    table.holes()
    assert table.view.notices == ()
    table.state.pots = (Reason.POT_RETURNED,)
    (told,) = table.view.notices
    assert (told.clause, told.what, told.remedy, told.why) == (
        "1819",
        "The deck was defective: this pot is void.",
        "Each player gets back what the player put in.",
        "If the deck was defective, the chips in the pot go back to the players as contributed.",
    )
