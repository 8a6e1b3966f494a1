"""What refuses START or is told without a hold, each by its own name (T2, C13, C17, S2, S4)."""

from msgspec.structs import replace

from bench.narrator import deck
from dealerbox.model.commands import Notice, Refuse
from dealerbox.model.events import KeyStuck, PlacesSet
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle


def told(commands):
    return [(type(c), c.reason) for c in commands if isinstance(c, Refuse | Notice)]


def test_a_deck_that_is_doubted_between_hands_goes_out_at_once_and_one_deck_starts_no_hand_by_1804B6(table) -> None:
    table.ready()
    assert told(table.press(Key.SUSPECT)) == [(Notice, Reason.DECK_SUSPECT)]
    assert table.state.deck == 2
    assert told(table.press(Key.START)) == [(Refuse, Reason.ONE_DECK)]


def test_a_deck_that_is_doubted_in_a_hand_goes_out_after_it(table) -> None:
    """S4, 1804A(1)."""
    table.holes()
    assert told(table.press(Key.SUSPECT)) == [(Notice, Reason.DECK_SUSPECT)]
    assert table.state.deck == 1
    table.press(Key.AWARD)
    assert table.state.deck == 2


def test_two_decks_with_one_back_start_no_hand_by_1804B6(table) -> None:
    table.setup = replace(table.setup, decks=tuple(replace(one, back="red") for one in table.setup.decks))
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)
    assert told(table.press(Key.ACK)) == [(Refuse, Reason.DECKS_ALIKE)]
    assert told(table.press(Key.START)) == [(Refuse, Reason.DECKS_ALIKE)]


def test_a_used_deck_never_comes_back_and_two_used_need_a_new_set_by_1804B8(table) -> None:
    """C13."""
    table.ready()
    table.press(Key.DECK)
    table.press(Key.ACK)
    table.tell(lambda at: PlacesSet(at, table.state.memory.pending))
    table.meet()
    table.feed(*deck(2))
    table.returned(52)
    table.press(Key.ACK)
    table.cycle(Cycle.SHUFFLE, 52)
    assert (table.state.deck, table.view.phase) == (2, "between")
    assert told(table.press(Key.DECK)) == [(Refuse, Reason.NEW_SET_REQUIRED)]


def test_a_deck_whose_seal_nobody_confirmed_starts_no_hand_by_1804A1(table) -> None:
    """T1."""
    table.started()
    table.meet()
    assert told(table.press(Key.START)) == [(Refuse, Reason.NOT_VERIFIED)]


def test_a_machine_that_disagrees_between_hands_is_held_not_empty(table) -> None:
    """S2: what is in it is not known until somebody has looked."""
    table.ready()
    table.meet(machine=52, agreed=False, why="content")
    assert table.reasons == [Reason.NOT_EMPTY]
    assert told(table.press(Key.START)) == [(Refuse, Reason.NOT_EMPTY)]


def test_a_machine_ahead_of_the_record_in_a_hand_has_given_a_card_that_nobody_ordered(table) -> None:
    table.holes()
    table.meet(machine=table.state.memory.machine - 1, agreed=False, why="count", last_id=900)
    assert table.reasons == [Reason.UNACCOUNTED_DISPENSE]


def test_more_seats_than_the_house_allows_start_no_hand_by_1823(make_table) -> None:
    """T4."""
    table = make_table(house=House(max_seats=2))
    table.ready()
    assert told(table.press(Key.START)) == [(Refuse, Reason.TOO_MANY_SEATS)]


def test_seats_change_between_hands_only(table) -> None:
    """H9, 1804B(2): told by the director, on record."""
    table.ready()
    table.rule(Ruling.SEATS, seats=(1, 2))
    assert table.state.seats == (1, 2)
    table.press(Key.START)
    assert told(table.rule(Ruling.SEATS, seats=(1, 2, 3))) == [(Refuse, Reason.NO_AUTHORITY)]


def test_an_award_with_two_live_hands_and_cards_to_come_is_taken_and_told_by_1817(table) -> None:
    table.flop()
    assert told(table.press(Key.AWARD)) == [(Notice, Reason.AWARD_EARLY)]
    assert table.view.phase == "gathering"


def test_a_stuck_key_is_told_and_holds_nothing(table) -> None:
    table.ready()
    assert told(table.tell(lambda at: KeyStuck(at, Key.START))) == [(Notice, Reason.KEY_STUCK)]
    assert table.reasons == []
