"""What the panel shows: one prompt at a time, the keys that would be taken, the lamp, and where the cards are."""

import pytest

from bench.narrator import deck
from dealerbox.law.custody import since_now
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Lamp
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.shuffler import Cap, Cycle
from dealerbox.model.zones import ASIDE, BOARD, BURN, INFEED, MUCK, seat

HOUR_NS = 3_600_000_000_000

PHASES = {
    "closed": ("closed", "The table is closed.", Lamp.GREEN, (), Key.START),
    "opening": ("meeting", "Wait for the shuffler to answer.", Lamp.AMBER, (), Key.ACK),
    "between": ("start", "Ready. START the hand.", Lamp.GREEN, (Key.START,), Key.START),
    "dealing": ("deal", "Deal to seat 3.", Lamp.GREEN, (Key.AWARD, Key.MISDEAL), Key.NEXT),
    "betting": (
        "round",
        "Betting. NEXT when the round is complete; AWARD when the pot is won.",
        Lamp.GREEN,
        (Key.NEXT, Key.ACTION, Key.AWARD),
        Key.NEXT,
    ),
    "held": (
        "held",
        "Feed the board cards into the shuffler, cut, finish the round.",
        Lamp.RED,
        (Key.NEXT, Key.ACTION, Key.AWARD, Key.UNDO),
        Key.ACK,
    ),
    "showdown": (
        "award",
        "All dealt. AWARD when every pot is awarded.",
        Lamp.GREEN,
        (Key.AWARD, Key.ACTION),
        Key.AWARD,
    ),
    "gathering": ("gather", "Feed every card into the shuffler.", Lamp.GREEN, (Key.UNDO,), Key.START),
    "by_hand": (
        "manual_empty",
        "Take the stub out, look into the shuffler. ACK when nothing is left in it.",
        Lamp.AMBER,
        (Key.ACK, Key.NEXT, Key.ACTION, Key.AWARD),
        Key.ACK,
    ),
}
HANDS = {"holes": {seat(n): 2 for n in (1, 2, 3)}}
WHERE = {
    "between": ("", 1, "", 0, 0, {"stub": 52}),
    "dealing": ("preflop", 1, seat(3), 0, 0, {seat(2): 1, "stub": 51}),
    "betting": ("flop", 1, "", 1, 1, {BOARD: 3, BURN: 1, **HANDS["holes"], "stub": 42}),
    "held": ("preflop", 1, "", 1, 0, {BOARD: 3, BURN: 1, **HANDS["holes"], "stub": 42}),
    "showdown": ("river", 1, "", 3, 3, {BOARD: 5, BURN: 3, **HANDS["holes"], "stub": 38}),
    "gathering": ("", 2, "", 0, 0, {**HANDS["holes"], "stub": 46}),
}
"""Street, button, where the next card is expected, burns, burns expected, and how many cards lie where."""


@pytest.mark.parametrize("phase", PHASES)
def test_in_each_phase_it_asks_for_one_thing_and_lights_what_would_be_taken(table, brought_to, phase) -> None:
    brought_to(table, phase)
    view = table.view
    assert (view.prompt_code, view.prompt, view.lamp, view.lit, view.go) == PHASES[phase]
    assert view.buzzer is bool(table.state.holds)


@pytest.mark.parametrize("phase", WHERE)
def test_it_shows_street_button_burns_and_where_the_cards_are_by_number_alone_P4(table, brought_to, phase) -> None:
    brought_to(table, phase)
    view = table.view
    shown = (view.street, view.button, view.expect, view.burns, view.burns_expected, view.counts)
    assert shown == WHERE[phase]
    assert list(view.counts) == sorted(view.counts)


def test_it_shows_whose_hands_are_folded_while_a_hand_is_open(table) -> None:
    cards = table.flop()
    for card in (cards[1], cards[4], cards[0], cards[3]):
        table.see(MUCK, card)
    assert table.view.folded == (2, 3)
    table.press(Key.AWARD)
    assert table.view.folded == ()


def test_a_card_is_on_its_way_once_it_has_passed_the_gate(table) -> None:
    table.begun()
    table.let_up()
    assert not table.view.released
    table.let_out()
    assert table.view.released


# The next card.


def burn_due(table, flop) -> None:
    table.holes()
    table.press(Key.NEXT)


def board_due(table, flop) -> None:
    burn_due(table, flop)
    table.deal()


def flop_group(table, flop) -> None:
    board_due(table, flop)


def holes_group(table, flop) -> None:
    table.begun()


def unburned(table, flop) -> None:
    dealt = flop(table)
    table.press(Key.NEXT)
    (card,) = dealt.lay(BURN)
    table.press(Key.UNBURN)
    table.lose(BURN, card)


def dead_in_the_air(table, flop) -> None:
    table.begun()
    table.let_out()
    table.press(Key.FACED)


@pytest.mark.parametrize(
    ("due", "by", "code", "prompt"),
    [
        (burn_due, Dispense.SINGLE, "deal", "Burn one card: lay it on the burns."),
        (board_due, Dispense.SINGLE, "deal", "Deal to the board."),
        (holes_group, Dispense.GROUP, "deal", "Deal both cards together to seat 2."),
        (flop_group, Dispense.GROUP, "deal", "Deal three cards together to the board."),
        (unburned, Dispense.HAND, "deal", "Burn the card that went back on top: lay it on the burns."),
        (dead_in_the_air, Dispense.SINGLE, "aside", "This card is dead: lay it aside."),
    ],
)
def test_it_says_which_card_is_due_where(make_table, flop, due, by, code, prompt) -> None:
    table = make_table(house=House(dispense=by))
    due(table, flop)
    assert (table.view.prompt_code, table.view.prompt) == (code, prompt)


# Cards that go back.


def test_it_says_how_many_cards_go_back_and_from_where(table) -> None:
    cards = table.flop()
    table.press(Key.ACTION)
    table.rule(Ruling.TO_STUB, tokens=(cards[7],))
    assert table.view.prompt == "The card on the board goes back into the stub. Feed them into the shuffler."
    table.rule(Ruling.TO_STUB, tokens=(cards[7], cards[8], cards[0]))
    prompt = "The 3 cards on the board and seat 2 go back into the stub. Feed them into the shuffler."
    assert (table.view.prompt_code, table.view.prompt) == ("return", prompt)


# Before START.


def overdue(table) -> None:
    table.state.counted = since_now(table.state.now_ns - HOUR_NS)


def count_owed(table) -> None:
    table.state.count_owed = True


def change_overdue(table) -> None:
    table.state.changed = since_now(table.state.now_ns - 3 * HOUR_NS)


def button_lifted(table) -> None:
    table.button()


def nobody_set_it(table) -> None:
    table.state.button_set = 0


def two_may_do(table) -> None:
    """A dead button."""
    table.state.button_set, table.state.button = 0, 1


def tag_on_the_table(table) -> None:
    table.see(seat(3), Token(17))


def reshuffling(table) -> None:
    table.meet(machine=52, token_id=0)


def card_seen_out(table) -> None:
    table.see(BOARD, token(1, 5))


def rebooted(table) -> None:
    table.tell(lambda at: ev.Started(at, setup=table.setup, memory=table.state.memory, boot_id="next"))
    table.meet(machine=52, token_id=table.state.shuffled)


@pytest.mark.parametrize(
    ("fault", "code", "prompt", "key", "lamp"),
    [
        (overdue, "count", "The count is overdue. Press COUNT.", Key.COUNT, Lamp.GREEN),
        (
            count_owed,
            "count",
            "The shuffler was opened or stopped: a full count is owed. Press COUNT.",
            Key.COUNT,
            None,
        ),
        (change_overdue, "change", "The deck change is overdue. Press DECK.", Key.DECK, Lamp.GREEN),
        (button_lifted, "button", "Put the button on seat 1.", None, Lamp.AMBER),
        (
            nobody_set_it,
            "set_button",
            "The director lays the button on a seat and confirms it there (SET_BUTTON).",
            None,
            Lamp.AMBER,
        ),
        (two_may_do, "button", "Put the button on seat 2.", None, Lamp.AMBER),
        (reshuffling, "shuffling", "The shuffler shuffles. Wait.", None, Lamp.AMBER),
        (card_seen_out, "count", "A card lies on the board, and the shuffler says 52. Press COUNT.", Key.COUNT, None),
        (rebooted, "count", "How long ago the deck was counted is not known. Press COUNT.", Key.COUNT, None),
    ],
)
def test_before_a_hand_it_says_what_is_still_to_be_done(table, fault, code, prompt, key, lamp) -> None:
    table.ready()
    if fault is nobody_set_it:
        table.button()
    fault(table)
    view = table.view
    assert (view.prompt_code, view.prompt) == (code, prompt)
    assert Key.START not in view.lit
    assert (key in view.lit) if key else not {Key.COUNT, Key.DECK} & set(view.lit)
    assert lamp in (None, view.lamp)


def test_a_tag_on_the_table_is_told_with_its_place(table) -> None:
    table.ready()
    tag_on_the_table(table)
    assert "seat 3" in table.view.prompt


def test_a_clock_that_is_not_known_asks_for_its_own_remedy_C12(table) -> None:
    table.begun()
    table.press(Key.AWARD)
    table.card_up()
    table.retracted()
    table.cycle(Cycle.SHUFFLE, 52)
    rebooted(table)
    assert table.view.prompt == "How long the tournament runs is not known. The director says when it began (BEGAN)."
    table.rule(Ruling.BEGAN, value=5)
    assert table.view.prompt_code == "count"
    table.state.counted = since_now(table.state.now_ns)
    assert table.view.prompt == "How long the deck is in play is not known. Press DECK."


# Opening and gathering, by hand or with a machine that takes no card in.


@pytest.mark.parametrize(
    ("caps", "manual", "opening"),
    [
        (0x7FFF, False, "Break the seal, take the jokers out, feed all 52 cards into the shuffler."),
        (
            int(Cap.SHUFFLE),
            False,
            "Break the seal, take the jokers out, feed in all 52 cards. NO if one cannot be found.",
        ),
    ],
)
def test_at_the_opening_it_says_how_the_cards_go_in(table, caps, manual, opening) -> None:
    table.started()
    table.meet(caps=caps)
    assert (table.view.prompt_code, table.view.prompt) == ("open", opening)
    assert (Key.NO in table.view.lit) is ("NO if" in opening)


def test_by_hand_each_card_is_shown_after_a_hand_and_at_the_opening_C15(table) -> None:
    table.started()
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    assert table.view.prompt == "Break the seal, take the jokers out, show each card singly at the burns."
    table.show(*deck(1))
    assert table.view.prompt_code == "seal"
    table.press(Key.ACK)
    table.press(Key.COUNT)
    shown = "Show each card singly at the burns."
    assert (table.view.prompt_code, table.view.prompt, Key.NO in table.view.lit) == ("gather", shown, False)
    table.show(*deck(1)[:1])
    assert table.view.prompt == f"{shown} NO if one cannot be found."
    assert Key.NO in table.view.lit


# Notices and lamps.


def test_time_to_act_is_told_in_amber_with_the_seconds_that_are_left_1821(make_table) -> None:
    table = make_table(house=House(action_clock_s=30, action_warning_s=10))
    table.holes()
    table.wait(20_000)
    view = table.view
    assert (view.prompt, view.lamp) == ("Warn the player: 10 seconds left. Then ACTION, or NEXT.", Lamp.AMBER)
    assert [notice.reason.value for notice in view.notices] == ["time_due"]
    table.wait(10_000)
    assert [notice.reason.value for notice in table.view.notices] == ["time_over"]


def test_a_hold_says_what_happened_what_to_do_and_why_and_red_is_lit(table) -> None:
    table.begun()
    card = table.let_out()
    table.see(seat(3), card)
    (held,) = table.view.holds
    assert (held.reason, held.clause, held.zone, held.to, held.device) == (
        "wrong_seat",
        "1804A(3)",
        seat(3),
        seat(2),
        "",
    )
    assert "seat 3" in held.what
    assert "seat 2" in held.remedy
    assert (table.view.prompt, table.view.lamp, table.view.buzzer) == (held.remedy, Lamp.RED, True)


def test_a_refusal_is_said_with_its_place_and_clause_until_the_next_key(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.press(Key.START)
    refused = table.view.refused
    assert (refused.reason, refused.zone) == ("cards_out", seat(2))
    assert "seat 2" in refused.what + refused.remedy


@pytest.mark.parametrize(
    ("zone", "said"),
    [(seat(4), "seat 4"), (BURN, "the burns"), (ASIDE, "the side"), (INFEED, "the infeed"), (BOARD, "the board")],
)
def test_zones_are_said_as_people_say_them(table, zone, said) -> None:
    table.holes()
    table.tell(lambda at: ev.ZoneUnknown(at, zone, "deaf"))
    (held,) = table.view.holds
    assert held.what == f"The reader of {said} does not answer."
