import asyncio
import gc
import json
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from dealerbox.config import Config, Deck
from dealerbox.config.deck import Technology
from dealerbox.journal.memory import MemoryJournal
from dealerbox.model.cards import Uid
from dealerbox.model.commands import Command, Lamp, Show
from dealerbox.model.setup import House
from dealerbox.model.view import View
from dealerbox.station import daemon
from dealerbox.station.core import Core
from dealerbox.station.tokens import DeckTags, Tokens
from dealerbox.station.virtual import virtual_run


@pytest.fixture
def run() -> Callable[..., Any]:
    """`run(coroutine, limit_s=...)`: in virtual time, on a fresh loop."""
    return virtual_run


def deck(slot: int) -> DeckTags:
    return DeckTags(slot, tuple(Uid(f"E00401000000{slot:02X}{n:02X}") for n in range(52)), (Uid(f"E0FF0{slot}"),))


@pytest.fixture
def decks() -> tuple[DeckTags, DeckTags]:
    return deck(1), deck(2)


class Panel:
    """A device that notes what it is given, in one diary with everybody else."""

    def __init__(self, name: str, diary: list) -> None:
        self.name = name
        self.diary = diary

    def obey(self, command: Command) -> None:
        if not isinstance(command, Show):
            self.diary.append((self.name, command))

    async def run(self, emit) -> None: ...


class Table:
    """A Core over a scripted engine: `answers[event type]` is a tuple of commands or a function of the event.

    The state is the list of events answered; `diary` tells in which order everything happened.
    """

    def __init__(self, decks, *, delay_ms: float | None = None) -> None:
        self.diary: list = []
        self.answers: dict[type, Any] = {}
        self.hand = (1, 0)
        self.lamp = Lamp.GREEN
        self.faults: list[str] = []
        self.wakes: list[int] = []
        self.now_ns = 7
        self.held_back: list[int] = []
        self.gate = Panel("gate", self.diary)
        self.panel = Panel("panel", self.diary)
        self.journal = MemoryJournal(self._durable, delay_ms=delay_ms, keep=self._keep)
        self.slow = False
        self.tokens = Tokens(decks, b"k" * 32)
        self.core: Core = Core(
            (),
            step=self._step,
            view=lambda state: View(table="T", phase="dealing", hand=self.hand[1], lamp=self.lamp, prompt="Deal."),
            deck=lambda state: self.hand[0],
            hand=lambda state: self.hand[1],
            journal=self.journal,
            devices=(self.gate, self.panel),
            clock=lambda: self.now_ns,
            tokens=self.tokens,
            wake=self.wakes.append,
            fault=self.faults.append,
            last_key=10,
        )

    @property
    def events(self) -> tuple:
        return self.core.state

    def _step(self, state, event):
        commands = self.answers.get(type(event), ())
        return (*state, event), commands(event) if callable(commands) else commands

    def _durable(self, seq: int) -> None:
        self.held_back.append(seq)
        if not self.slow:
            self.core.durable(seq)

    def _keep(self, seq: int, payload: bytes) -> None:
        self.diary.append(("journal", seq))


@pytest.fixture
def table(decks) -> Table:
    return Table(decks)


@pytest.fixture
def config(tmp_path):
    """A table of two decks and no devices, with its state under tmp_path."""
    cards = [tuple(f"E004{slot}0000000{n:04X}" for n in range(52)) for slot in (1, 2)]
    decks = tuple(
        Deck(name=f"deck {slot}", back=back, technology=Technology.ISO15693, slot=slot, tags=tags)
        for slot, back, tags in zip((1, 2), ("red", "blue"), cards, strict=True)
    )
    return Config(
        file="station.toml",
        table="T1",
        time_zone="America/New_York",
        seats=(1, 2, 3),
        state_dir=tmp_path / "state",
        runtime_dir=tmp_path / "run",
        socket=tmp_path / "run" / "control.sock",
        watchers="",
        technicians="no-such-group",
        directors="no-such-group",
        house=House(),
        house_file="house.toml",
        decks=decks,
        deck_files=("a.toml", "b.toml"),
        devices=(),
        sha256="0" * 64,
    )


class Actor:
    """A device that does what the test says once it is run, and then ends the daemon."""

    name = "shuffler"

    def __init__(self, act=None, end=True) -> None:
        self.given: list = []
        self._act, self._end = act, end
        self.memory = None
        self.runs = 0

    def build(self, config, memory, clock):
        self.memory = memory
        return [self]

    def obey(self, command) -> None:
        self.given.append(command)

    async def run(self, emit) -> None:
        self.runs += 1
        if self._act:
            await self._act(emit)
        if self._end:
            os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()


@pytest.fixture
def actor() -> type[Actor]:
    return Actor


@pytest.fixture
def live(config):
    """Run the daemon over `config` with an Actor; return the exit code and what was said."""

    def run(actor: Actor, environ=None, config=config, reread=None):
        said: list[str] = []
        code = daemon.run(
            config,
            say=said.append,
            environ=environ or {},
            build=actor.build,
            wall=lambda: (1_750_000_000, 72_000, True),
            reread=reread,
        )
        return code, said

    yield run
    gc.unfreeze()


async def _asked(path, *questions: bytes) -> list:
    reader, writer = await asyncio.open_unix_connection(path)
    answers = []
    for question in questions:
        writer.write(question + b"\n")
        answers.append(json.loads(await reader.readline()))
    writer.close()
    return answers


@pytest.fixture
def asked() -> Callable[..., Any]:
    """`await asked(path, *questions)`: what a control socket answers to each."""
    return _asked
