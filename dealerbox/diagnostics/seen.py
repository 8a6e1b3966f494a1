"""What a running station shows of itself, looked at again and again over one connection."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterator
from typing import Final, TypeVar

import msgspec

from dealerbox.diagnostics.asking import LONGEST_ANSWER, PATIENCE_S, decoded
from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.ports import DeviceGone, NotAllowed
from dealerbox.station.asked import Answer
from dealerbox.station.condition import Condition, DeviceHealth
from dealerbox.station.gauges import Gauges, Wire

T = TypeVar("T")

WINDOW: Final = 10
"""Looks over which rates are reckoned."""


class Seen(msgspec.Struct, frozen=True):
    """A station at one moment."""

    view: View
    devices: tuple[DeviceHealth, ...]
    gauges: Gauges

    @property
    def in_hand(self) -> bool:
        """A hand is open."""
        return bool(self.view.street)

    @property
    def in_service(self) -> bool:
        """The table is a technician's."""
        return any(hold.reason is Reason.SERVICE for hold in self.view.holds)


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """How a wire has done lately."""

    health: DeviceHealth
    wire: Wire | None = None
    polls_s: float | None = None
    """Looks a second; None: not known yet."""
    bad: float | None = None
    """Share of messages that were spoilt or did not come; None: none was looked for."""


class Lookout:
    """One connection to a station's control socket; opened anew when it was lost."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._lately: deque[Seen] = deque(maxlen=WINDOW)

    async def look(self) -> Seen:
        """Return what the station shows now. DeviceGone when none answers, NotAllowed when it turns us away."""
        try:
            seen = await self._look()
        except BaseException:  # what comes later would be taken for the answer to the next question
            await self.end()
            raise
        if self._lately and seen.gauges.clocks.up_s < self._lately[-1].gauges.clocks.up_s:
            self._lately.clear()  # another run of the station: its counters begin anew
        self._lately.append(seen)
        return seen

    async def _look(self) -> Seen:
        try:
            async with asyncio.timeout(PATIENCE_S):
                if self._line is None:
                    self._line = await asyncio.open_unix_connection(self.path, limit=LONGEST_ANSWER)
                view = await self._answer(b'{"ask":"status"}', View)
                health = await self._answer(b'{"ask":"health"}', Answer)
                gauges = await self._answer(b'{"ask":"gauges"}', Answer)
        except PermissionError as error:
            raise NotAllowed(f"{self.path}: you may not ask; join the group of the socket") from error
        except (OSError, asyncio.IncompleteReadError) as error:
            raise DeviceGone(f"{self.path}: {_why(error)}; see `systemctl status dealerbox`") from error
        if gauges.gauges is None:
            raise DeviceGone(f"{self.path}: this station has no gauges; is it of an older version?")
        return Seen(view, health.devices, gauges.gauges)

    def rates(self) -> list[Rate]:
        """Return how each wire has done since the oldest look that is remembered."""
        return list(_rates(self._lately[0], self._lately[-1])) if self._lately else []

    async def end(self) -> None:
        """Hang up."""
        line, self._line = self._line, None
        if line:
            line[1].close()
            with contextlib.suppress(OSError):
                await line[1].wait_closed()

    async def _answer(self, question: bytes, kind: type[T]) -> T:
        assert self._line is not None
        reader, writer = self._line
        writer.write(question + b"\n")
        return decoded(self.path, await reader.readuntil(b"\n"), kind)


def _rates(before: Seen, now: Seen) -> Iterator[Rate]:
    past_s = (now.gauges.at_ns - before.gauges.at_ns) / 1e9
    old = {gauge.name: gauge.wire for gauge in before.gauges.devices}
    new = {gauge.name: gauge.wire for gauge in now.gauges.devices}
    for health in now.devices:
        wire, was = new.get(health.name), old.get(health.name)
        if wire is None or was is None or past_s <= 0:
            yield Rate(health=health, wire=wire)
            continue
        bad = wire.faults + wire.missing - was.faults - was.missing
        good = wire.frames - was.frames
        polls_s = (wire.looks - was.looks) / past_s
        yield Rate(health=health, wire=wire, polls_s=polls_s, bad=bad / (bad + good) if bad + good else None)


def is_well(health: DeviceHealth) -> bool:
    """Tell whether a device needs nobody."""
    return health.condition is Condition.WORKING


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "the station does not answer"
    if isinstance(error, asyncio.IncompleteReadError):
        return "the station hung up"
    return (getattr(error, "strerror", None) or str(error)).lower()
