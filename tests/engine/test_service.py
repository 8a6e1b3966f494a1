"""A technician takes the table between hands: what the machine held is not known any more, and what is refused (S2)."""

import pytest

from dealerbox.engine.state import Condition
from dealerbox.model import events as ev
from dealerbox.model.commands import Clear, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Cycle
from dealerbox.station.show import show


def refused(commands):
    return [(c.reason.value, c.asked) for c in commands if isinstance(c, Refuse)]


def began(table):
    return table.tell(lambda at: ev.ServiceBegan(at, "ann"))


def ended(table):
    return table.tell(lambda at: ev.ServiceEnded(at, "ann"))


def lent(table):
    return table.tell(lambda at: ev.DeviceLent(at, "feig-1", "ann"))


@pytest.fixture
def counted(table):
    """A hand is over and its cards are back; the machine has counted 52, and nobody confirmed it."""
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    table.press(Key.NEXT)
    assert (table.state.shuffled > 0, table.state.count_read, table.state.refused is None) == (True, True, False)
    return table


def test_shuffle_and_count_of_before_are_worth_nothing_and_the_machine_is_to_be_emptied(counted) -> None:
    assert refused(began(counted)) == []
    state = counted.state
    assert (state.shuffled, state.count_read, state.empty_owed, state.undo, state.refused) == (
        0,
        False,
        True,
        None,
        None,
    )
    assert [(h.reason, h.needs) for h in state.holds] == [("service", Condition.DEVICE)]


def test_its_end_is_a_recount_of_that_machine(counted) -> None:
    began(counted)
    counted.press(Key.NEXT)
    assert refused(ended(counted)) == []
    assert [(h.reason, h.needs, h.device) for h in counted.state.holds] == [("recount", Condition.DECK, "shuffler")]
    assert counted.state.refused is None


def test_a_closed_table_has_no_deck_to_read_anew_and_is_given_back_by_a_person(table) -> None:
    table.ready()
    table.rule(Ruling.CLOSE)
    began(table)
    (clear,) = [command for command in ended(table) if isinstance(command, Clear)]
    assert (clear.person, table.reasons, table.state.empty_owed) == (1, [], False)


def test_no_table_is_taken_in_mid_hand_and_none_is_given_back_that_was_not_taken(table) -> None:
    table.holes()
    assert refused(began(table)) == [("service", "service")]
    assert refused(ended(table)) == [("service", "service")]
    assert table.reasons == []


@pytest.mark.parametrize("asks", [began, ended, lent])
def test_what_a_technician_is_refused_in_mid_hand_changes_nothing_at_the_dealers_panel(table, asks) -> None:
    table.holes()
    before = show(table.view)
    assert refused(asks(table))
    assert show(table.view) == before


def test_a_device_is_lent_while_the_table_is_in_service(counted) -> None:
    assert refused(lent(counted)) == [("not_now", "lend")]
    began(counted)
    counted.press(Key.NEXT)
    assert refused(lent(counted)) == []
    assert counted.state.refused is None


def test_an_award_is_not_taken_back_once_a_technician_has_had_the_table(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    began(table)
    assert refused(table.press(Key.UNDO)) == [("not_now", "undo")]
