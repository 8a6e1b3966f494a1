"""What the panel asks, word by word, where the words hang on something: a place, a number, who has the cards."""

import pytest

from bench.narrator import deck
from dealerbox.engine.state import Card, change, kept
from dealerbox.law.custody import since_now
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.commands import Lamp
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import ButtonRule, Dispense, House
from dealerbox.model.shuffler import Cap, Cycle, Memory, Result
from dealerbox.model.zones import ASIDE, BOARD, EXIT, MUCK, seat


def asked(table) -> tuple[str, str]:
    return table.view.prompt_code, table.view.prompt


def test_a_card_that_was_not_seen_is_asked_for_by_its_place(table) -> None:
    table.begun()
    table.let_out()
    table.wait(2000)
    assert asked(table) == ("unseen", "Lay the card flat on seat 2. If it lies there, press ACK.")


def test_one_card_of_two_in_the_muck_is_asked_about_H6(table) -> None:
    cards = table.holes()
    table.see(MUCK, cards[0])
    said = "One card of a hand is in the muck. ACK: the hand is dead. RETRIEVE: it lives."
    assert asked(table) == ("half_muck", said)


def test_a_stranger_between_hands_is_held_with_its_own_remedy_1824(table) -> None:
    table.ready()
    table.see(BOARD, Token(77))
    table.wait(200)
    assert asked(table) == ("held", "Take it away. The deck is then read anew.")


def test_a_reader_away_between_hands_is_held_though_no_hand_is_open(table) -> None:
    table.ready()
    table.tell(lambda at: ev.DeviceLost(at, "feig-1", "cable"))
    assert asked(table) == ("held", "Check the plug and power of the device feig-1.")


def test_while_the_machine_is_told_that_it_is_empty_the_dealer_waits(table) -> None:
    table.ready()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))
    table.meet(machine=52, unpowered=True)
    table.press(Key.ACK)
    assert table.state.memory.pending_kind == "Places"
    assert asked(table) == ("meeting", "Wait for the shuffler to answer.")


def test_by_hand_a_card_that_goes_back_is_shown_and_not_fed_in(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    flop(table)
    card = next(card for card, record in table.state.out.items() if record.at == BOARD)
    table.press(Key.ACTION)
    table.rule(Ruling.TO_STUB, tokens=(card,))
    assert asked(table) == ("return", "The card on the board goes back into the stub. Show them singly at the burns.")


def test_dealt_in_groups_turn_and_river_are_a_card_each_1809(make_table) -> None:
    table = make_table(house=House(dispense=Dispense.GROUP))
    table.flop()
    for _ in range(2):
        table.press(Key.NEXT)
        table.deal()
        assert asked(table) == ("deal", "Deal to the board.")
        table.deal_street()


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (ButtonRule.MOVING, "Put the button on seat 5."),
        (ButtonRule.DEAD, "Put the button on seat 3 or 4 or 5."),
    ],
)
def test_where_the_button_may_lie_on_an_empty_seat_each_one_is_named_C11(make_table, rule, said) -> None:
    table = make_table(seats=(1, 2, 5), house=House(button_rule=rule))
    table.ready(button=2)
    table.state.button_set, table.state.button = 0, 2
    table.button()
    assert asked(table) == ("button", said)
    assert table.view.button == (5 if rule is ButtonRule.MOVING else 0)


@pytest.mark.parametrize(
    ("clock", "code", "said"),
    [
        ("tournament", "began", "How long the tournament runs is not known. The director says when it began (BEGAN)."),
        ("counted", "count", "How long ago the deck was counted is not known. Press COUNT."),
        ("changed", "change", "How long the deck is in play is not known. Press DECK."),
    ],
)
def test_each_clock_that_is_not_known_is_asked_for_under_its_own_code_C12(table, clock, code, said) -> None:
    table.begun()
    table.press(Key.AWARD)
    table.card_up()
    table.retracted()
    table.cycle(Cycle.SHUFFLE, 52)
    memory = table.state.memory
    table.tell(lambda at: ev.Started(at, setup=table.setup, memory=memory, boot_id="next"))
    table.meet(machine=52, token_id=table.state.shuffled)
    for other in ("counted", "changed"):
        if clock not in (other, "tournament"):
            setattr(table.state, other, since_now(table.state.now_ns))
    if clock != "tournament":
        table.rule(Ruling.BEGAN, value=5)
    assert asked(table) == (code, said)


def test_after_a_restart_between_hands_a_shuffler_that_does_not_answer_is_named_by_its_place(table) -> None:
    table.ready()
    table.tell(lambda at: ev.Started(at, setup=table.setup, memory=Memory(session=2), boot_id="next"))
    said = "The device at the exit does not answer. Check the plug and power of the device at the exit."
    assert asked(table) == ("device_lost", said)


# Cards that go in without a machine that counts them.


def test_by_hand_the_opening_is_asked_for_as_an_opening(table) -> None:
    table.started()
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    said = "Break the seal, take the jokers out, show each card singly at the burns."
    assert asked(table) == ("open", said)


def test_after_a_hand_a_machine_that_takes_none_in_is_filled_by_hand(make_table) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    table.started()
    table.meet(caps=Cap.SHUFFLE)
    assert table.view.counts == {"stub": 0, "table": 52}
    table.feed(*deck(1))
    pending = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, pending))
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    table.meet(caps=Cap.SHUFFLE, agreed=False, why="content")
    table.press(Key.ACK)
    places = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, places))
    table.meet(caps=Cap.SHUFFLE)
    table.feed(*deck(1)[:-1])
    assert asked(table) == ("gather", "Feed every card into the shuffler. NO if one cannot be found.")


# What is lit and shown besides.


def test_at_the_showdown_a_proof_is_confirmed_first_and_the_pot_awarded_after_it(table, brought_to) -> None:
    brought_to(table, "showdown")
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(machine=table.view.counts["stub"])
    table.cycle(Cycle.COUNT, table.view.counts["stub"])
    assert table.view.lit[:3] == (Key.ACK, Key.AWARD, Key.ACTION)


def test_the_burns_of_a_hand_are_shown_while_it_is_open_and_not_after_it(table) -> None:
    table.flop()
    assert (table.view.burns, table.view.burns_expected) == (1, 1)
    table.press(Key.AWARD)
    assert (table.view.burns, table.view.burns_expected) == (0, 0)


def test_seats_button_and_decks_are_shown_as_they_are(table) -> None:
    table.ready()
    view = table.view
    assert (view.seats, view.button_seen, view.lamp) == ((1, 2, 3), (1,), Lamp.GREEN)
    assert [(shown.name, shown.back, shown.status) for shown in view.decks] == [
        ("first", "red", "in_play"),
        ("second", "blue", "new"),
    ]


def test_a_machine_to_be_emptied_is_asked_for_without_a_word_of_a_cut_card_S2(table) -> None:
    table.ready()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))
    table.meet(machine=52, unpowered=True)
    assert asked(table) == ("empty", "Open the shuffler, take every card out, look. Then press ACK.")


def test_a_deck_that_the_shuffler_gives_is_taken_out_whole_C4(make_table, opened) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    opened(table)
    said = "Open the shuffler, take the whole deck out, look. ACK when nothing is left in it."
    assert asked(table) == ("given", said)


def test_by_hand_the_stub_is_taken_out_shown_and_its_order_asked_for_C15(table, brought_to) -> None:
    brought_to(table, "by_hand")
    said = "Take the stub out, look into the shuffler. ACK when nothing is left in it."
    assert asked(table) == ("manual_empty", said)
    table.press(Key.ACK)
    assert asked(table) == ("manual_show", "Show each card of the stub singly at the burns.")
    table.show(*[card for card in deck(1) if card not in table.state.out])
    said = "Stub complete. ACK if its order was kept; NO once it is shuffled and cut."
    assert asked(table) == ("manual_order", said)


# Cards that go back into the stub, and what is held besides.


def by_ruling(table) -> None:
    table.press(Key.ACTION)
    table.rule(Ruling.TO_STUB, cards=("board:1",))


def premature_turn(table) -> None:
    table.press(Key.NEXT)
    table.deal()
    card = table.deal()
    table.press(Key.PREMATURE)
    table.see(ASIDE, card)
    table.press(Key.NEXT)
    table.deal_street()
    table.press(Key.NEXT)


GOES_BACK = [
    (by_ruling, "The card on the board goes back into the stub. Feed them into the shuffler."),
    (premature_turn, "The card on the side goes back into the stub. Feed them into the shuffler."),
]


@pytest.mark.parametrize(("sent", "words"), GOES_BACK)
def test_after_a_restart_the_panel_asks_for_the_cards_that_go_back_and_then_for_ACK_1811_2(table, sent, words) -> None:
    table.flop()
    sent(table)
    table.card_up()
    table.retracted()
    assert table.pending == "Return"
    table.started()
    assert asked(table)[0] == "held"
    open_return, machine = table.state.memory.pending, table.state.memory.machine
    table.tell(lambda at: ev.CycleEnded(at, open_return, Cycle.RETURN, Result.DONE, 0))
    table.meet(machine=machine)
    assert (table.pending, asked(table)) == ("Return", ("return", words))
    table.feed(*table.state.returning)
    table.returned(1)
    table.cycle(Cycle.SHUFFLE, machine + 1)
    assert asked(table)[0] == "restarted"
    table.press(Key.ACK)
    assert asked(table)[0] == "cut"


def test_a_misplaced_card_that_is_ruled_into_the_stub_is_asked_for_there_and_not_where_it_was_due_1830_2(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    card = table.let_out()
    table.see(BOARD, card)
    assert asked(table)[0] == "held"
    table.rule(Ruling.TO_STUB)
    said = "The card on the board goes back into the stub. Feed them into the shuffler."
    assert (table.reasons, asked(table)) == (["burn_missing"], ("return", said))


def test_while_the_machine_is_to_be_counted_first_no_card_is_asked_for_S2(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    card = table.let_out()
    table.see(BOARD, card)
    table.rule(Ruling.TO_STUB)
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    assert asked(table)[0] == "held"


@pytest.mark.parametrize("why", ["bound", "exit"])
def test_ACK_is_not_lit_where_only_the_director_may_say_that_an_unseen_card_lies_there_H10(make_table, why) -> None:
    table = make_table(house=House(unseen_per_hand=0 if why == "bound" else 2))
    table.begun()
    card = table.let_out()
    if why == "exit":
        table.see(EXIT, card)
    table.wait(2000)
    assert (table.view.prompt_code, Key.ACK in table.view.lit) == ("unseen", False)
    assert table.view.prompt == "Lay the card flat on seat 2. If it is not read there, call the director: STAND."
    table.rule(Ruling.STAND)
    assert table.view.prompt_code == "deal"


@pytest.mark.parametrize(
    ("acted", "says"),
    [
        (False, "No card is left to deal. Press MISDEAL."),
        (True, "No card is left to deal. The director voids the hand (VOID_HAND)."),
    ],
)
def test_with_all_cards_dealt_and_one_more_owed_the_panel_says_what_ends_the_hand_1811_3(table, acted, says) -> None:
    table.begun()
    table.let_out()
    out = {card: Card(seat(1), seat(1), seat(1)) for card in deck(1)}
    table.state = change(kept(table.state), out=out, released=None, acted=acted)
    assert (table.view.prompt_code, table.view.prompt) == ("none_left", says)
