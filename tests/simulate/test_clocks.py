"""C1, C12: what the station's own clocks make of steps of the wall clock and of reboots, in virtual time.

A table that has played one hand and waits for START; the real core, alarm and minute of the station.
"""

import asyncio
import io
from functools import cache

import pytest

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.journal.memory import MemoryJournal
from dealerbox.model.events import ButtonAt, Event, KeyPressed, Ruled, ShufflerMet, Started, ZoneKnown
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.simulate.clocks import Clocks
from dealerbox.simulate.run import simulate
from dealerbox.station.build import core_of
from dealerbox.station.entry import decode
from dealerbox.station.loop import Alarm, tell_wall_clock
from dealerbox.station.tokens import Tokens
from dealerbox.station.virtual import virtual_clock, virtual_run

MINUTE_S = 60
HOUR_S = 3_600
YEAR_S = 31_536_000
EITHER_WAY = [sign * step_s for step_s in (1, 90, HOUR_S, 6 * HOUR_S, YEAR_S) for sign in (1, -1)]
TAKEN = None


@cache
def evening() -> tuple[Event, ...]:
    """One lawful hand, from the first start to the moment at which the next may start."""
    log = io.StringIO()
    simulate(2, "2", seed=4, log=log)
    events = [decode(line.encode()).event for line in log.getvalue().splitlines()]
    starts = [at for at, event in enumerate(events) if isinstance(event, KeyPressed) and event.key is Key.START]
    return tuple(events[: starts[1]])


class Box:
    """The station with its clocks, and what it has written down."""

    def __init__(self) -> None:
        self.clocks = Clocks(virtual_clock)
        self.written = list(evening())
        self._minutes: asyncio.Task[None] | None = None

    async def up(self) -> None:
        """Start from what was written, and let every device answer."""
        state = State()
        for event in self.written:
            state, _ = step(state, event)
        journal = MemoryJournal(lambda seq: self._core.durable(seq), keep=self._keep)
        self._core = core_of(
            state,
            journal=journal,
            devices=(),
            clock=self.clocks.boot_ns,
            tokens=Tokens((), b"k" * 32),
            wake=lambda at_ns: self._alarm.set(at_ns),
            fault=pytest.fail,
        )
        self._alarm = Alarm(self._core.handle, self.clocks.boot_ns)
        memory, setup, now = state.memory, state.setup, self.clocks.boot_ns
        boot_id = self.clocks.boot_id
        self._core.handle(Started(at_ns=now(), setup=setup, memory=memory, boot_id=boot_id))
        self._core.handle(
            ShufflerMet(
                at_ns=now(), serial=memory.serial, epoch=memory.epoch, last_id=memory.next_id, machine=memory.machine,
                exit_id=0, token_id=state.shuffled, deal_id=0, caps=state.caps, agreed=True,
            )
        )  # fmt: skip
        for zone in setup.readers:
            self._core.handle(ZoneKnown(now(), zone))
        self._core.handle(ButtonAt(now(), state.button_seen))
        minutes = tell_wall_clock(self._core.handle, self.clocks.boot_ns, self.clocks.wall)
        self._minutes = asyncio.create_task(minutes)
        await asyncio.sleep(1)

    def heard(self, event: Event) -> None:
        self._core.handle(event)

    def cut(self) -> None:
        """Take the power away."""
        if self._minutes:
            self._minutes.cancel()
        self._alarm.clear()

    def start(self) -> Reason | None:
        """Press START; return why it was refused, None: it was taken."""
        self._core.handle(KeyPressed(self.clocks.boot_ns(), Key.START))
        refused = self._core.view.refused
        return refused.reason if refused else None

    def _keep(self, seq: int, payload: bytes) -> None:
        self.written.append(decode(payload).event)


def answers(*acts) -> Reason | None:
    """Return what START is answered after all that."""

    async def main() -> Reason | None:
        box = Box()
        await asyncio.sleep((box.written[-1].at_ns - virtual_clock()) / 1e9)
        await box.up()
        for act in acts:
            await act(box)
        answer = box.start()
        box.cut()
        return answer

    return virtual_run(main())


def shows(wrong_s: int, *, sure: bool):
    async def act(box: Box) -> None:
        box.clocks.set_wall(wrong_s, sure=sure)
        await asyncio.sleep(MINUTE_S + 1)

    return act


def wait(minutes: float):
    async def act(box: Box) -> None:
        await asyncio.sleep(minutes * MINUTE_S)

    return act


def reboot(away_s: int, *, wrong_s: int = 0, sure: bool):
    async def act(box: Box) -> None:
        box.cut()
        await asyncio.sleep(away_s)
        box.clocks.reboot()
        box.clocks.set_wall(wrong_s, sure=sure)
        await box.up()

    return act


async def began(box: Box) -> None:
    """Let the director say when the tournament began, as he must where nobody can know it."""
    at_ns = box.clocks.boot_ns()
    box.heard(Ruled(at_ns=at_ns, ruling=Ruling.BEGAN, by="director", reason="the floor's clock", value=60))


@pytest.mark.parametrize("sure", [True, False])
@pytest.mark.parametrize("step_s", EITHER_WAY)
def test_no_step_of_the_wall_clock_moves_a_clock_of_the_law(step_s, sure) -> None:
    assert answers(wait(5), shows(step_s, sure=sure), wait(5)) is TAKEN
    assert answers(wait(5), shows(step_s, sure=sure), wait(20)) is Reason.COUNT_OVERDUE


@pytest.mark.parametrize(("away_s", "answer"), [(0, TAKEN), (5 * MINUTE_S, TAKEN), (3 * HOUR_S, Reason.COUNT_OVERDUE)])
def test_over_a_reboot_a_good_clock_gives_the_right_answer(away_s, answer) -> None:
    assert answers(wait(5), reboot(away_s, sure=True)) is answer


@pytest.mark.parametrize("wrong_s", [0, *EITHER_WAY])
@pytest.mark.parametrize("away_s", [0, 5 * MINUTE_S, 3 * HOUR_S])
def test_over_a_reboot_a_clock_that_is_not_known_to_be_right_proves_nothing(away_s, wrong_s) -> None:
    assert answers(wait(5), reboot(away_s, wrong_s=wrong_s, sure=False)) is Reason.CLOCK_UNSURE


@pytest.mark.parametrize(("away_s", "answer"), [(0, TAKEN), (5 * MINUTE_S, TAKEN), (3 * HOUR_S, Reason.COUNT_OVERDUE)])
def test_once_the_clock_is_set_right_the_answer_is_too(away_s, answer) -> None:
    after = reboot(away_s, wrong_s=-YEAR_S, sure=False)
    assert answers(wait(5), after, shows(0, sure=True)) is answer


def test_of_what_the_station_saw_pass_a_cut_takes_a_minute_at_most() -> None:
    dark = [reboot(0, sure=False), began]
    assert answers(wait(23), *dark) is Reason.CLOCK_UNSURE
    assert answers(wait(26), *dark) is Reason.COUNT_OVERDUE


@pytest.mark.parametrize(("wrong_s", "answer"), [(-YEAR_S, Reason.CLOCK_UNSURE), (YEAR_S, Reason.TOURNAMENT_OVER)])
def test_a_clock_that_wrongly_says_it_is_right_gives_the_stricter_answer_when_it_is_far_out(wrong_s, answer) -> None:
    assert answers(wait(5), reboot(0, wrong_s=wrong_s, sure=True)) is answer


@pytest.mark.parametrize("cuts", [2, 3])
def test_over_several_reboots_in_a_row_the_date_before_the_first_counts(cuts) -> None:
    dark = [reboot(5 * MINUTE_S, sure=False)] * (cuts - 1)
    assert answers(wait(5), *dark, reboot(0, sure=True)) is TAKEN
    assert answers(wait(5), *dark, reboot(20 * MINUTE_S, sure=True)) is Reason.COUNT_OVERDUE
