"""A journal that fills up: warn, no new hand, hold; and all of it goes once there is room again."""

import pytest

from dealerbox.model.commands import Clear, Hold, Lamp, Notice, Refuse
from dealerbox.model.events import Space, SpaceLeft
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason


def left(table, space: Space):
    return table.tell(lambda at: SpaceLeft(at, space, 7))


def test_a_journal_low_on_space_warns_and_stops_nothing(table) -> None:
    table.ready()
    assert [type(command) for command in left(table, Space.LOW)] == [Notice]
    assert (table.view.lamp, table.view.notices[0].reason) == (Lamp.AMBER, Reason.JOURNAL_FULL)
    table.press(Key.START)
    assert table.view.phase == "dealing"


def test_with_room_for_one_hand_alone_that_hand_is_dealt_on(table) -> None:
    table.begun()
    assert not [command for command in left(table, Space.LAST_HAND) if isinstance(command, Hold)]
    table.deal()
    table.deal()
    assert table.reasons == []


def test_a_full_journal_holds_and_room_made_lets_go(table) -> None:
    table.begun()
    (hold,) = [command for command in left(table, Space.FULL) if isinstance(command, Hold)]
    assert hold.reason is Reason.JOURNAL_FULL
    assert [type(command) for command in left(table, Space.ENOUGH)][:1] == [Clear]
    assert (table.reasons, table.view.notices) == ([], ())


@pytest.mark.parametrize("space", [Space.LAST_HAND, Space.FULL])
def test_no_hand_starts_on_a_journal_without_room_for_it(table, space) -> None:
    table.ready()
    left(table, space)
    (refused,) = table.press(Key.START)
    assert isinstance(refused, Refuse)
    assert refused.reason is Reason.JOURNAL_FULL
    table.started()
    assert (table.reasons, table.state.space) == ([], Space.ENOUGH)


def test_taking_a_key_back_makes_no_room(table) -> None:
    table.begun()
    left(table, Space.FULL)
    table.press(Key.UNDO)
    assert table.state.space is Space.FULL
    assert table.reasons == ["journal_full"]
