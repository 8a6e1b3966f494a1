"""What went wrong with state machines in the field cannot happen where there is a table and nothing else."""

import ast
import asyncio
import inspect
import threading
from pathlib import Path

import pytest

from dealerbox.engine import phases
from dealerbox.engine.phases import TABLE, Phase, Trigger, move
from dealerbox.engine.state import State
from dealerbox.journal.memory import MemoryJournal
from dealerbox.model import events as ev
from dealerbox.model.commands import Refuse
from dealerbox.model.keys import Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.station.build import core_of
from dealerbox.station.entry import decode
from dealerbox.station.tokens import Tokens

ENGINE = Path(inspect.getfile(phases)).parent
SETUP = Setup(
    table="7",
    seats=(1, 2),
    decks=(DeckInfo(slot=1, name="a", back="red"), DeckInfo(slot=2, name="b", back="blue")),
)


class Kept:
    """A core over the real engine, and what its journal got."""

    def __init__(self, **more) -> None:
        self.entries: list = []
        self.faults: list[str] = []
        self.core = core_of(
            State(),
            journal=MemoryJournal(lambda seq: None, keep=lambda seq, payload: self.entries.append(decode(payload))),
            devices=(),
            clock=lambda: 1,
            tokens=Tokens((), b"k" * 32),
            wake=lambda at_ns: None,
            fault=self.faults.append,
            **more,
        )
        self.core.handle(ev.Started(1, setup=SETUP, memory=Memory(session=1)))


def test_no_callback_can_leave_a_new_phase_behind_TR_01() -> None:
    """A callback of the library's that raises leaves the new state in place: the machine has none, of any kind."""
    machine = phases._machine
    for name in ("before_state_change", "after_state_change", "prepare_event", "finalize_event", "on_exception"):
        assert not getattr(machine, name), name
    assert not machine.send_event
    for event in machine.events.values():
        for transitions in event.transitions.values():
            for one in transitions:
                assert not any((one.prepare, one.conditions, one.before, one.after))
    for state in machine.states.values():
        assert not any((state.on_enter, state.on_exit))


def test_an_event_whose_answer_raises_is_not_on_record_and_nothing_after_it_is_decided_TR_01_TR_02(monkeypatch) -> None:
    kept = Kept()
    before = kept.core.state
    monkeypatch.setattr(kept.core, "_step", lambda state, event: 1 / 0)
    for at_ns in (2, 3):
        kept.core.handle(ev.Tick(at_ns))
    assert kept.core.state is before
    assert [type(entry.event) for entry in kept.entries] == [ev.Started]
    assert len(kept.faults) == 1


def test_as_many_events_are_recorded_as_came_in_whatever_they_are_TR_02() -> None:
    kept = Kept()
    told = [ev.CardUp(2, 99), ev.Ruled(3, ruling=Ruling.STAND, by="d", reason="so"), ev.Misfed(4, 7, Result.JAM)] * 20
    for event in told:
        kept.core.handle(event)
    assert len(kept.entries) == 1 + len(told)


def test_of_one_ruling_from_eight_threads_each_is_answered_once_and_in_turn_TR_05() -> None:
    """Threads hand over to the loop, as the pins and the USB readers do: the loop is the queue."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        threads = [threading.Thread(target=loop.call_soon_threadsafe, args=(kept.core.handle, close)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            await asyncio.to_thread(thread.join)
        await asyncio.sleep(0)

    close = ev.Ruled(2, ruling=Ruling.CLOSE, by="d", reason="the end")
    for _ in range(20):
        kept = Kept()
        asyncio.run(run())
        refused = [any(isinstance(command, Refuse) for command in entry.commands) for entry in kept.entries[1:]]
        assert refused == [False] + [True] * 7


def test_nothing_in_the_engine_awaits_so_no_effect_is_left_half_done_TR_06_TR_07() -> None:
    for path in ENGINE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith), path


def test_an_answer_that_comes_late_moves_no_card_of_the_books_TR_09() -> None:
    """It is about a command that is settled: on record, and the same cards where they were."""
    kept = Kept()
    met = {"serial": 1, "epoch": 9, "last_id": 0, "machine": 0, "exit_id": 0, "token_id": 0, "deal_id": 0}
    kept.core.handle(ev.ShufflerMet(2, **met, caps=0x7FFF, agreed=True))
    pending = kept.core.state.memory.pending
    assert pending
    kept.core.handle(ev.CommandVoid(3, pending, "fenced"))
    asked_anew = kept.core.state.memory.pending
    before = kept.core.state.out, kept.core.state.phase
    kept.core.handle(ev.CommandVoid(4, pending, "fenced"))
    assert asked_anew != pending
    assert kept.core.state.memory.pending == asked_anew
    kept.core.handle(ev.CycleEnded(5, pending, Cycle.RETURN, Result.DONE, 0))
    assert kept.core.state.memory.pending == asked_anew
    assert (kept.core.state.out, kept.core.state.phase) == before
    assert len(kept.entries) == 5


def test_each_transition_of_the_table_fires_to_its_own_phase_and_no_other_TR_11() -> None:
    for trigger, sources, dest in TABLE:
        for source in sources:
            assert move(source, trigger) is dest
    pairs = {(source, trigger) for trigger, sources, _ in TABLE for source in sources}
    refused = [(phase, trigger) for phase in Phase for trigger in Trigger if (phase, trigger) not in pairs]
    for phase, trigger in refused:
        with pytest.raises(ValueError, match=phase.value):
            move(phase, trigger)
    assert len(pairs) + len(refused) == len(Phase) * len(Trigger)
