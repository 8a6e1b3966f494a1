"""Restrict first, record second, permit last: whatever comes in whatever order."""

from hypothesis import given
from hypothesis import strategies as st

from dealerbox.journal.memory import MemoryJournal
from dealerbox.model.commands import Clear, Dispense, Hold, Release, Show, Shuffle
from dealerbox.model.events import CommandVoid, DoorClosed, Tick
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Scope
from dealerbox.model.view import View
from dealerbox.station.core import Core
from dealerbox.station.tokens import Tokens

WORDS = ("hold", "clear", "dispense", "release", "shuffle")
STEPS = st.lists(st.lists(st.sampled_from(WORDS), max_size=3) | st.integers(1, 4), max_size=30)


class Gate:
    """Judges each command as it is given."""

    name = "gate"

    def __init__(self) -> None:
        self.durable = 0
        self.recorded: dict[int, int] = {}
        self.newest_hold = 0
        self.holds_at: dict[int, int] = {}
        self.given: list[int] = []

    def obey(self, command) -> None:
        match command:
            case Show():
                return
            case Hold():
                assert command.key > self.newest_hold
                self.newest_hold = command.key
            case Clear():
                assert command.key == self.newest_hold, "a clear let a newer hold go"
            case Dispense() | Release():
                assert self.recorded[command.id] <= self.durable, "let out before its record was durable"
                assert self.holds_at[command.id] == self.newest_hold, "let out although a hold came after it"
                self.given.append(command.id)
            case _:
                assert self.recorded[command.id] <= self.durable
                self.given.append(command.id)

    async def run(self, emit) -> None: ...


class Engine:
    """Says what it is told to say, with keys and ids as the real one gives them."""

    def __init__(self, gate: Gate) -> None:
        self.gate, self.key, self.id, self.next, self.seq = gate, 0, 0, (), 0
        self.voids: list[int] = []

    def step(self, state, event):
        self.seq += 1
        if isinstance(event, CommandVoid):
            self.voids.append(event.id)
        if not isinstance(event, Tick):
            return state, ()
        return state, tuple(self.say(word) for word in self.next)

    def say(self, word: str):
        if word == "hold":
            self.key += 1
            return Hold(key=self.key, reason=Reason.JAM, clause="house")
        if word == "clear":
            return Clear(0, self.key, 0)
        self.id += 1
        self.gate.recorded[self.id] = self.seq
        self.gate.holds_at[self.id] = self.key
        return {
            "dispense": Dispense(self.id, 1, False),
            "release": Release(self.id, 1),
            "shuffle": Shuffle(self.id, 52, Scope.DECK),
        }[word]


@given(STEPS)
def test_no_order_of_events_and_disk_lets_a_card_past_a_hold_or_its_record(steps) -> None:
    gate, faults = Gate(), []
    engine = Engine(gate)
    core = Core(
        0,
        step=engine.step,
        view=lambda state: View(table="T", phase="dealing", hand=0),
        deck=lambda state: 0,
        hand=lambda state: 0,
        journal=MemoryJournal(lambda seq: None),
        devices=[gate],
        clock=lambda: 1,
        tokens=Tokens((), b"k"),
        wake=lambda at_ns: None,
        fault=faults.append,
    )
    for item in steps:
        if isinstance(item, int):
            gate.durable = min(gate.durable + item, engine.seq)
            core.durable(gate.durable)
        else:
            engine.next = item
            core.handle(Tick(1))
            core.handle(DoorClosed(1))
    gate.durable = engine.seq
    core.durable(engine.seq)
    core.durable(engine.seq)
    assert faults == []
    assert sorted(gate.given + engine.voids) == list(range(1, engine.id + 1)), "each id is given or void, once"
