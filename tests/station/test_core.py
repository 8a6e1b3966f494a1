import msgspec
import pytest

from dealerbox.model.commands import (
    Clear,
    Dispense,
    Hold,
    Lamp,
    Notice,
    Release,
    Retract,
    Show,
    Shuffle,
    WakeAt,
)  # fmt: skip
from dealerbox.model.events import (
    ButtonAt,
    CardsSeen,
    CommandVoid,
    DeviceBack,
    DeviceLost,
    DoorClosed,
    JournalFailed,
    TagsSeen,
    Tick,
)  # fmt: skip
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Scope
from dealerbox.model.zones import BOARD
from dealerbox.station.entry import decode

HOLD = Hold(key=11, reason=Reason.WRONG_ZONE, clause="1804A(4)")
DISPENSE = Dispense(5, 1, True)
RELEASE = Release(6, 5)


def given(table, name: str = "gate") -> list:
    return [command for who, command in table.diary if who == name]


def test_a_hold_reaches_every_device_before_the_journal(table) -> None:
    table.answers[Tick] = (HOLD,)
    table.core.handle(Tick(1))
    assert table.diary == [("gate", HOLD), ("panel", HOLD), ("journal", 1)]


def test_a_permit_reaches_the_devices_only_when_its_record_is_durable(table) -> None:
    table.slow = True
    table.answers[Tick] = (DISPENSE,)
    table.core.handle(Tick(1))
    table.core.handle(ButtonAt(2, (1,)))
    assert table.diary == [("journal", 1), ("journal", 2)]
    table.core.durable(1)
    assert table.diary[2:] == [("gate", DISPENSE), ("panel", DISPENSE)]
    table.core.durable(2)
    assert given(table) == [DISPENSE]


def test_one_durable_record_gives_the_permits_of_all_before_it_in_order(table) -> None:
    table.slow = True
    shuffle = Shuffle(7, 52, Scope.DECK)
    table.answers = {Tick: (DISPENSE,), ButtonAt: (shuffle,)}
    table.core.handle(Tick(1))
    table.core.handle(ButtonAt(2, (1,)))
    table.core.durable(2)
    assert given(table) == [DISPENSE, shuffle]


@pytest.mark.parametrize("permit", [DISPENSE, RELEASE])
def test_a_hold_drops_cards_that_wait_for_their_record_and_says_so_to_the_engine(table, permit) -> None:
    table.slow = True
    table.answers = {Tick: (permit,), ButtonAt: (HOLD,)}
    table.core.handle(Tick(1))
    table.core.handle(ButtonAt(2, (3,)))
    table.core.durable(9)
    assert given(table) == [HOLD]
    assert table.events[-1] == CommandVoid(7, permit.id, "held")


def test_a_hold_leaves_commands_waiting_that_let_no_card_out(table) -> None:
    table.slow = True
    retract = Retract(8, 5)
    table.answers = {Tick: (retract,), ButtonAt: (HOLD,)}
    table.core.handle(Tick(1))
    table.core.handle(ButtonAt(2, (3,)))
    table.core.durable(2)
    assert given(table) == [HOLD, retract]


def test_a_clear_that_waits_is_dropped_by_the_next_hold(table) -> None:
    table.slow = True
    later = msgspec.structs.replace(HOLD, key=12)
    table.answers = {Tick: (Clear(0, 11, 0),), ButtonAt: (later,)}
    table.core.handle(Tick(1))
    table.core.handle(ButtonAt(2, (3,)))
    table.core.durable(2)
    assert given(table) == [later]
    table.answers = {Tick: (Clear(0, 12, 0),)}
    table.core.handle(Tick(3))
    table.core.durable(3)
    assert given(table) == [later, Clear(0, 12, 0)]


def test_a_clear_before_a_new_hold_in_one_step_is_never_given(table) -> None:
    table.answers = {Tick: (Clear(0, 10, 0), HOLD)}
    table.core.handle(Tick(1))
    assert given(table) == [HOLD]


def test_a_card_let_out_by_the_step_that_holds_is_void(table) -> None:
    table.answers = {Tick: (HOLD, RELEASE)}
    table.core.handle(Tick(1))
    assert given(table) == [HOLD]
    assert table.events[-1] == CommandVoid(7, 6, "held")


def test_events_that_come_while_one_is_answered_wait_their_turn(table) -> None:
    def answer(event):
        table.core.handle(DoorClosed(2))
        return (HOLD,)

    table.answers[Tick] = answer
    table.core.handle(Tick(1))
    assert table.events == (Tick(1), DoorClosed(2))


def test_the_engine_and_the_journal_see_tokens_and_never_tags(table, decks) -> None:
    kept = []
    table.journal._keep = lambda seq, payload: kept.append(payload)
    uid = decks[0].cards[4]
    table.core.handle(TagsSeen(3, BOARD, (uid,)))
    assert table.events == (CardsSeen(3, BOARD, (table.tokens.of(uid),)),)
    assert uid.encode() not in kept[0]
    assert decode(kept[0]).event == table.events[0]


def test_a_new_hand_renumbers_the_deck_in_play(table, decks) -> None:
    before = [table.tokens.of(uid) for uid in decks[0].cards]
    table.hand = (1, 1)
    table.core.handle(Tick(1))
    assert [table.tokens.of(uid) for uid in decks[0].cards] != before
    table.hand = (1, 0)
    table.core.handle(Tick(2))
    assert [table.tokens.of(uid) for uid in decks[0].cards] == before, "a START taken back"


def test_a_change_of_decks_between_hands_renumbers_nothing(table, decks) -> None:
    table.hand = (1, 3)
    table.core.handle(Tick(1))
    before = [table.tokens.of(uid) for uid in (*decks[0].cards, *decks[1].cards)]
    table.hand = (2, 3)
    table.core.handle(Tick(2))
    assert [table.tokens.of(uid) for uid in (*decks[0].cards, *decks[1].cards)] == before


def test_the_panel_is_told_what_to_show_when_it_changes_and_only_then(table) -> None:
    shown = []
    table.panel.obey = lambda command: shown.append(command)
    for at_ns in (1, 2):
        table.core.handle(Tick(at_ns))
    table.lamp = Lamp.AMBER
    table.core.handle(Tick(3))
    assert [type(command) for command in shown] == [Show, Show]
    assert [command.lamp for command in shown] == [Lamp.GREEN, Lamp.AMBER]
    assert table.core.view.lamp is Lamp.AMBER


def test_the_panels_words_can_wait_until_the_loop_is_idle_but_no_hold_does(table) -> None:
    idle, shown = [], []
    table.core._later = idle.append
    table.panel.obey = shown.append
    table.answers[Tick] = (HOLD,)
    table.core.handle(Tick(1))
    table.lamp = Lamp.RED
    table.core.handle(ButtonAt(2, (1,)))
    assert shown == [HOLD]
    assert len(idle) == 1
    idle[0]()
    assert [command.lamp for command in shown[1:]] == [Lamp.RED]


def test_a_view_that_raises_is_a_fault(table) -> None:
    def broken(state):
        raise KeyError("prompt")

    table.core._view = broken
    table.core.handle(Tick(1))
    (said,) = table.faults
    assert said.startswith("a fault of the station itself, at the view: KeyError in broken (station/test_core.py:")
    assert said.endswith("); the table is held")


def test_times_asked_for_go_to_the_alarm_and_notices_to_nobody(table) -> None:
    table.answers[Tick] = (WakeAt(99), Notice(Reason.COUNT_DUE, "1804B(8)"))
    table.core.handle(Tick(1))
    assert table.wakes == [99]
    assert table.diary == [("journal", 1)]


def test_a_device_that_comes_back_is_told_the_hold_that_stands(table) -> None:
    table.answers[Tick] = (HOLD,)
    table.core.handle(Tick(1))
    table.core.handle(DeviceLost(2, "gate", "unplugged"))
    table.core.handle(DeviceBack(3, "gate"))
    assert given(table) == [HOLD, HOLD]
    assert given(table, "panel") == [HOLD]
    table.answers = {ButtonAt: (Clear(0, 11, 7),)}
    table.core.handle(ButtonAt(4, (1,)))
    table.core.handle(DeviceBack(5, "gate"))
    assert given(table) == [HOLD, HOLD, Clear(0, 11, 7)]


def test_a_journal_that_fails_holds_at_once_and_lets_nothing_out_again(table) -> None:
    table.slow = True
    table.answers = {Tick: (DISPENSE,), JournalFailed: (HOLD,)}
    table.core.handle(Tick(1))
    table.core.journal_failed("No space left on device")
    assert given(table) == [HOLD]
    assert table.events[-1] == JournalFailed(7, "No space left on device")
    table.core.durable(1)
    assert given(table) == [HOLD]


def test_a_journal_that_fails_holds_even_if_the_engine_does_not(table) -> None:
    table.core.journal_failed("I/O error")
    assert given(table) == [Hold(key=11, reason=Reason.JOURNAL_FAULT, clause="house")]


def test_an_engine_that_raises_holds_everything_and_decides_nothing_more(table) -> None:
    def broken(event):
        raise KeyError("plan")

    table.slow = True
    table.answers = {ButtonAt: (DISPENSE,), Tick: broken}
    table.core.handle(ButtonAt(0, (1,)))
    table.core.handle(Tick(1))
    table.core.durable(1)
    table.core.handle(ButtonAt(2, (1,)))
    assert given(table) == [Hold(key=11, reason=Reason.RESTARTED, clause="house")]
    assert table.events == (ButtonAt(0, (1,)),)
    (said,) = table.faults
    assert said.startswith("a fault of the station itself, at Tick: KeyError in broken (station/test_core.py:")
    assert said.endswith("); the table is held")


def test_a_device_that_raises_keeps_no_other_from_its_hold(table) -> None:
    def broken(command):
        raise ValueError("pin")

    table.gate.obey = broken
    table.answers[Tick] = (HOLD,)
    table.core.handle(Tick(1))
    assert given(table, "panel")[0] == HOLD
    assert "gate was given Hold" in table.faults[0]
    assert len(table.faults) == 1


def test_the_end_holds_with_a_key_above_all_and_answers_nothing_more(table) -> None:
    table.answers[Tick] = (HOLD,)
    table.core.handle(Tick(1))
    table.core.stop()
    table.core.stop()
    table.core.handle(Tick(2))
    assert given(table) == [HOLD, Hold(key=12, reason=Reason.RESTARTED, clause="house")]
    assert table.events == (Tick(1),)
