"""Two decks, in sets of two; what comes to the table, and what is refused there (1804A(1), 1804B(6),(8), C13, C17)."""

import pytest

from dealerbox.model.cards import Token, token
from dealerbox.model.commands import Refuse
from dealerbox.model.events import DecksEnrolled, PlacesSet, Started
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cycle, Memory


def info(slot, name, back="", mark=""):
    return DeckInfo(slot=slot, name=name, back=back or name, mark=mark)


RED, BLUE = info(1, "red"), info(2, "blue")
GREEN, BLACK = info(3, "green"), info(4, "black")


def reasons(commands):
    return [command.reason for command in commands if isinstance(command, Refuse)]


def statuses(table):
    return {deck.name: deck.status.value for deck in table.state.decks}


def enrol(table, *infos):
    return reasons(table.tell(lambda at: DecksEnrolled(at, infos, "ann")))


def cards(slot):
    return tuple(token(slot, number) for number in range(1, 53))


def emptied(table):
    """The dealer has taken every card out of the machine and said so."""
    table.press(Key.ACK)
    if table.state.memory.pending_kind == "Places":
        number = table.state.memory.pending
        table.tell(lambda at: PlacesSet(at, number))
        table.meet(machine=0)


def verified(table, slot):
    """The deck of `slot` goes in, is read whole, and its seal confirmed."""
    if table.view.prompt_code == "empty":
        emptied(table)
    table.feed(*cards(slot))
    table.returned(52)
    refusals = reasons(table.press(Key.ACK))
    if not refusals:
        table.cycle(Cycle.SHUFFLE, 52)
    return refusals


@pytest.fixture
def open_with(make_table):
    """A table whose decks are these, its first one to be verified."""

    def make(*infos):
        table = make_table()
        table.setup = Setup(table="7", seats=(1, 2, 3), decks=infos)
        table.started()
        table.meet()
        return table

    return make


@pytest.fixture
def both_used(open_with):
    """Red was used, blue is in play."""
    table = open_with(RED, BLUE)
    verified(table, 1)
    table.press(Key.DECK)
    verified(table, 2)
    assert statuses(table) == {"red": "used", "blue": "in_play"}
    return table


def test_either_new_deck_of_the_set_may_be_put_down_first(open_with) -> None:
    table = open_with(RED, BLUE)
    assert verified(table, 2) == []
    assert statuses(table) == {"red": "new", "blue": "in_play"}
    assert table.state.deck == 2


def test_two_decks_mixed_are_a_recount_and_the_one_begun_is_the_one_opened(open_with) -> None:
    table = open_with(RED, BLUE)
    table.feed(token(1, 1), token(2, 1))
    assert (table.state.deck, table.reasons) == (1, ["recount"])


def test_a_used_deck_is_refused_at_the_infeed_and_counts_as_one_of_the_two(open_with) -> None:
    table = open_with(RED, BLUE)
    verified(table, 1)
    table.press(Key.DECK)
    emptied(table)
    commands = table.see("infeed", token(1, 1))
    assert reasons(commands) == [Reason.DECK_USED]
    assert reasons(table.see("infeed", token(1, 2))) == []
    assert table.reasons == ["recount"]
    table.returned(2)
    assert (table.view.refused, table.view.prompt_code) != (None, "seal")


def test_a_deck_that_is_out_as_defective_is_refused(open_with) -> None:
    table = open_with(RED, BLUE, GREEN)
    verified(table, 1)
    table.press(Key.SUSPECT)
    emptied(table)
    assert reasons(table.see("infeed", token(1, 1))) == [Reason.DECK_DEFECTIVE]


def test_a_deck_that_is_not_enrolled_is_refused(open_with) -> None:
    table = open_with(RED, BLUE)
    assert reasons(table.see("infeed", Token(17))) == [Reason.DECK_NOT_ENROLLED]
    assert table.reasons == ["recount"]


def test_one_strange_card_in_a_deck_is_a_recount_and_no_other_deck(open_with) -> None:
    table = open_with(RED, BLUE)
    table.feed(token(1, 1))
    assert reasons(table.see("infeed", Token(17))) == []
    assert table.reasons == ["recount"]


def test_a_deck_whose_seal_was_broken_is_refused_as_not_new_and_out(open_with) -> None:
    table = open_with(RED, BLUE)
    table.feed(*cards(1))
    table.returned(52)
    assert table.view.prompt_code == "seal"
    assert reasons(table.press(Key.NO)) == [Reason.DECK_NOT_NEW]
    assert (statuses(table), table.state.deck) == ({"red": "quarantined", "blue": "new"}, 2)


def test_two_decks_that_look_alike_are_refused_at_verification(open_with) -> None:
    table = open_with(info(1, "one", "Blue  stars"), info(2, "two", "blue Stars"))
    assert verified(table, 1) == [Reason.DECKS_ALIKE]
    assert table.view.phase == "opening"


def test_with_both_decks_used_there_is_no_hand_and_no_change_without_a_new_set(both_used) -> None:
    assert reasons(both_used.press(Key.DECK)) == [Reason.NEW_SET_REQUIRED]
    both_used.wait(116 * 60_000)
    both_used.press(Key.COUNT)
    both_used.cycle(Cycle.COUNT, 52)
    both_used.press(Key.ACK)
    assert reasons(both_used.press(Key.START)) == [Reason.NEW_SET_REQUIRED]
    assert both_used.view.prompt_code == "new_set_required"


def test_one_new_deck_is_no_new_set(both_used) -> None:
    assert enrol(both_used, RED, BLUE, GREEN) == []
    assert reasons(both_used.press(Key.DECK)) == [Reason.NEW_SET_REQUIRED]
    assert enrol(both_used, RED, BLUE, GREEN, BLACK) == []
    assert reasons(both_used.press(Key.DECK)) == []
    assert verified(both_used, 3) == []
    assert statuses(both_used) == {"red": "used", "blue": "used", "green": "in_play", "black": "new"}
    both_used.press(Key.DECK)
    assert verified(both_used, 4) == []
    assert reasons(both_used.press(Key.DECK)) == [Reason.NEW_SET_REQUIRED]


def test_a_new_set_in_the_slots_of_the_old_one_takes_its_place(both_used) -> None:
    assert enrol(both_used, info(1, "red two", "red")) == [Reason.NEW_SET_REQUIRED]
    assert enrol(both_used, info(1, "red two", "red"), info(2, "blue two", "blue")) == []
    assert (both_used.state.deck, both_used.view.phase) == (1, "opening")
    assert verified(both_used, 1) == []
    assert statuses(both_used) == {"red two": "in_play", "blue two": "new"}


def test_a_deck_known_by_its_name_alone_is_known_when_its_tags_are_told(open_with) -> None:
    table = open_with(RED, BLUE)
    verified(table, 1)
    setup = Setup(table="7", seats=(1, 2, 3), decks=(info(1, "red", mark="aa"), info(2, "blue", mark="bb")))
    table.tell(lambda at: Started(at, setup=setup, memory=Memory(session=5)))
    assert statuses(table) == {"red": "in_play", "blue": "new"}
    assert table.state.deck == 1


def test_a_set_that_is_replaced_early_leaves_a_whole_new_set(open_with) -> None:
    table = open_with(RED, BLUE)
    verified(table, 1)
    assert enrol(table, GREEN, BLACK) == []
    verified(table, 3)
    assert reasons(table.press(Key.DECK)) == []
    assert verified(table, 4) == []
    assert statuses(table) == {"green": "used", "black": "in_play"}


def test_a_deck_that_was_in_play_never_comes_back_under_any_name(open_with) -> None:
    table = open_with(info(1, "red", mark="aa"), info(2, "blue", mark="bb"))
    verified(table, 1)
    table.press(Key.DECK)
    verified(table, 2)
    assert enrol(table, info(1, "green", mark="cc"), info(2, "black", mark="dd")) == []
    again = info(3, "as good as new", mark="aa")
    assert enrol(table, info(1, "green", mark="cc"), info(2, "black", mark="dd"), again) == [Reason.DECK_USED]
    setup = Setup(table="7", seats=(1, 2, 3), decks=(info(1, "green", mark="cc"), again))
    table.tell(lambda at: Started(at, setup=setup, memory=Memory(session=5)))
    assert statuses(table)["as good as new"] == "used"


@pytest.mark.parametrize(
    ("infos", "reason"),
    [
        ((RED, BLUE, info(3, "a", "same"), info(4, "b", " SAME")), Reason.DECKS_ALIKE),
        ((RED, BLUE, info(2, "a")), Reason.DECK_NOT_ENROLLED),
        ((RED, BLUE, info(0, "a")), Reason.DECK_NOT_ENROLLED),
        ((RED, BLUE, info(10, "a")), Reason.DECK_NOT_ENROLLED),
        ((RED,), Reason.NEW_SET_REQUIRED),
        ((), Reason.NEW_SET_REQUIRED),
    ],
)
def test_a_list_of_decks_that_cannot_be_is_refused_whole(both_used, infos, reason) -> None:
    before = both_used.state.decks
    assert enrol(both_used, *infos) == [reason]
    assert both_used.state.decks == before


def test_decks_are_enrolled_between_hands_only(open_with) -> None:
    table = open_with(RED, BLUE)
    verified(table, 1)
    table.rule("set_button", seat=1)
    table.button(1)
    table.press(Key.START)
    assert enrol(table, RED, BLUE, GREEN) == [Reason.NOT_NOW]


def test_one_deck_out_and_no_second_one_is_one_deck_until_one_is_enrolled(open_with) -> None:
    table = open_with(RED, BLUE)
    verified(table, 1)
    table.press(Key.SUSPECT)
    verified(table, 2)
    assert reasons(table.press(Key.START)) == [Reason.ONE_DECK]
    assert enrol(table, RED, BLUE, GREEN) == []
    assert reasons(table.press(Key.START)) == [Reason.BUTTON_MISSING]
    assert reasons(table.press(Key.DECK)) == []
    assert table.state.deck == 3


def test_a_table_whose_deck_in_play_is_no_longer_listed_opens_another(open_with) -> None:
    table = open_with(RED, BLUE)
    verified(table, 1)
    setup = Setup(table="7", seats=(1, 2, 3), decks=(BLUE, GREEN))
    table.tell(lambda at: Started(at, setup=setup, memory=Memory(session=5)))
    assert (table.state.deck, table.view.phase) == (2, "opening")


def test_a_table_without_decks_waits_until_some_are_enrolled(open_with) -> None:
    table = open_with()
    assert table.view.prompt_code == "new_set_required"
    assert enrol(table, RED, BLUE) == []
    assert verified(table, 1) == []


def test_the_decks_are_shown_with_what_became_of_them(both_used) -> None:
    assert [(deck.name, deck.back, deck.status) for deck in both_used.view.decks] == [
        ("red", "red", "used"),
        ("blue", "blue", "in_play"),
    ]


def test_a_deck_of_unknown_age_behind_which_no_other_is_asks_for_a_new_set(both_used) -> None:
    """1804B(8), C12: DECK would be refused, so the panel does not ask for it."""
    table = both_used
    table.now_ns = 0
    table.started("another boot")
    table.meet(machine=52)
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    table.press(Key.ACK)
    assert table.view.prompt_code == "new_set_required"
    assert reasons(table.press(Key.DECK)) == [Reason.NEW_SET_REQUIRED]
