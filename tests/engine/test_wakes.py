"""WakeAt: a Tick is asked for at a time to come, once, whoever else asked for it (P6)."""

from dealerbox.engine.holds import wake
from dealerbox.engine.state import State
from dealerbox.model.commands import WakeAt


def test_a_time_to_come_is_asked_for_once_and_kept_in_order() -> None:
    state = wake(wake(wake(State(now_ns=5), 9), 7), 9)
    assert (state.out_commands, state.wakes) == ((WakeAt(9), WakeAt(7)), (7, 9))


def test_now_is_not_a_time_to_come() -> None:
    state = wake(wake(State(now_ns=5), 5), 4)
    assert (state.out_commands, state.wakes) == ((), ())
    assert wake(state, 6).wakes == (6,)
