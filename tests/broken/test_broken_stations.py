"""Stations broken on purpose: the order of restrict, record and permit is judged from outside."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import pytest

from dealerbox.model.commands import Command, Hold, Permit, Release
from dealerbox.model.events import Tick
from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.station.core import Core
from dealerbox.station.tokens import Tokens

RELEASE = Release(2, card_id=1)
HOLD = Hold(key=1, reason=Reason.WRONG_SEAT, clause="1804A(3)")


class Diary:
    """A journal and a device in one: it keeps what was recorded, told and durable, in order."""

    name = "diary"

    def __init__(self) -> None:
        self.lines: list[str] = []

    def append(self, payload: bytes) -> int:
        self.lines.append("recorded")
        return sum(line == "recorded" for line in self.lines)

    def close(self) -> None: ...

    async def run(self, emit: Any) -> None: ...

    def obey(self, command: Command) -> None:
        if isinstance(command, Hold | Permit):
            self.lines.append(type(command).__name__)


def play(kind: type[Core[int]], decided: dict[int, tuple[Command, ...]], durable: tuple[int, ...]) -> list[str]:
    """Give a station one Tick for each decision, tell it what is durable after each, and return its diary."""
    diary = Diary()
    core = kind(
        0,
        step=lambda state, event: (state + 1, decided.get(state, ())),
        view=lambda _state: View(table="t", phase="dealing", hand=1),
        deck=lambda _state: 1,
        hand=lambda _state: 1,
        journal=diary,
        devices=[diary],
        clock=lambda: 1,
        tokens=Tokens((), bytes(32)),
        wake=lambda _at_ns: None,
        fault=pytest.fail,
    )
    for at_ns, seq in enumerate(durable, 1):
        core.handle(Tick(at_ns))
        core.durable(seq)
    return diary.lines


class PermitsFirst(Core[int]):
    """Gives a permit before its record is durable."""

    def _queue(self, seq: int, orders: Sequence[Command], *, held: bool) -> None:
        for command in orders:
            if isinstance(command, Permit):
                self._tell(command)


class RecordsFirst(Core[int]):
    """Lets the journal hear of a hold before the devices."""

    def _restrict(self, command: Any) -> None:
        self._waiting.append((0, command))


class DropsNothing(Core[int]):
    """Gives a release that waited for its record although a hold came meanwhile."""

    def _restrict(self, command: Any) -> None:
        kept = deque(self._waiting)
        super()._restrict(command)
        self._waiting = kept


def permit_is_last(kind: type[Core[int]]) -> bool:
    lines = play(kind, {0: (RELEASE,)}, (0, 1))
    return "Release" not in lines[: lines.index("recorded") + 2] and "Release" in lines


def hold_is_first(kind: type[Core[int]]) -> bool:
    return play(kind, {0: (HOLD,)}, (0,))[0] == "Hold"


def hold_drops_what_waits(kind: type[Core[int]]) -> bool:
    lines = play(kind, {0: (RELEASE,), 1: (HOLD,)}, (0, 3))
    return "Release" not in lines


@pytest.mark.parametrize("judged", [permit_is_last, hold_is_first, hold_drops_what_waits])
def test_the_station_as_it_is_keeps_the_order(judged: Any) -> None:
    assert judged(Core)


@pytest.mark.parametrize(
    ("broken", "judged"),
    [(PermitsFirst, permit_is_last), (RecordsFirst, hold_is_first), (DropsNothing, hold_drops_what_waits)],
)
def test_a_station_that_breaks_it_is_caught(broken: type[Core[int]], judged: Any) -> None:
    assert not judged(broken)
