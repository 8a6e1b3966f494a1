"""What every reader does at the table, whatever its family: look, and tell what comes and goes."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

from dealerbox.model.cards import Uid
from dealerbox.model.commands import Command
from dealerbox.model.events import Event
from dealerbox.model.zones import Zone
from dealerbox.ports import Clock, DeviceGone, DeviceWrong, Emit, OpenLine, WireError
from dealerbox_drivers.rfid.field import Field
from dealerbox_drivers.rfid.presence import NO_REFERENCE, Glance, Glancing, Presence
from dealerbox_drivers.rfid.settings import ReaderSettings
from dealerbox_drivers.rfid.talk import Talk, Timing
from dealerbox_drivers.traffic import Traffic

Spoken = TypeVar("Spoken", bound=Talk[Any])
Given = TypeVar("Given", bound=ReaderSettings)
Pace = TypeVar("Pace", bound=Timing)

VANISH: Final = 3
"""Scans in a row that must miss a tag before it counts as gone: a resting tag is missed now and then."""
GREETINGS: Final = 5
"""Times that a reader is asked who it is: the opening of its port may have reset it, and it takes a second to start."""
SURE: Final = 3
"""Wrong answers after which it is another."""
LOOKS: Final = 2
"""Looks of one antenna in a row where an answer was lost: at its next turn it would be known a whole round later."""
TURN_MS: Final = 200
"""Longest single wait for the field."""
TICK_S: Final = 0.1
"""Between two looks at the age of what is known: another antenna's trouble is no excuse for silence."""


class Reader(ABC, Generic[Spoken, Given, Pace]):
    """Looks at its zones one after another (satisfies `Device`).

    A reader is known by its answer, never by the name of its port. A scan that could not look is no
    absence. Readers that share a `field` look one at a time, each dark before the next begins.
    """

    pace: type[Pace]
    """How long the family waits for what, unless it is told."""
    family = "RFID"
    """What the reader is called in messages."""
    appear = 1
    """Scans in a row that must find a tag before it is told."""
    check = "`port` and `baud`"
    """Keys of the config that may be wrong where something else answers, or nothing."""

    def __init__(
        self,
        name: str,
        open_line: OpenLine,
        clock: Clock,
        settings: Given,
        field: Field | None = None,
        timing: Pace | None = None,
    ) -> None:
        self.name = name
        self.version: Any = None
        """What the reader says of itself, as its family's page has it; None before it was met."""
        self.faults = 0
        """Frames and answers that could not be used."""
        self.traffic = Traffic()
        self._open_line, self._clock, self._settings, self._field = open_line, clock, settings, field
        self._timing: Pace = timing or self.pace()
        self._zones = {channel: Zone(zone) for channel, zone in settings.antennas().items()}
        self._references = {channel: Uid(uid) for channel, uid in settings.references_at().items()}

    def watches(self) -> tuple[Zone, ...]:
        """Return the zones that it looks at."""
        return tuple(self._zones.values())

    def fixed(self) -> tuple[Uid, ...]:
        """Return the tags that are fixed at its antennas."""
        return tuple(self._references.values())

    def obey(self, command: Command) -> None:
        """A reader only looks: no command is for it."""

    @abstractmethod
    async def _talk(self) -> Spoken:
        """Open the line."""

    @abstractmethod
    async def _ask_who(self, talk: Spoken) -> str | None:
        """Ask who is there: '' the right reader, what is wrong with the answer, or None without one."""

    def _met(self, version: Any) -> str:
        """Keep what the reader says of itself; return '' for the right one, or what is wrong with the answer."""
        if isinstance(version, WireError):
            return str(version)
        self.version = version
        self.traffic.met(*self._named(version))
        return ""

    def _named(self, version: Any) -> tuple[str, str]:
        """Return identity and firmware as a person reads them."""
        return self.family, str(getattr(version, "firmware", version))

    @abstractmethod
    async def _prepare(self, talk: Spoken) -> None:
        """Set what the reader must be told after its start, and again whenever an answer was missing."""

    @abstractmethod
    async def _look(self, talk: Spoken, channel: int) -> tuple[Uid, ...] | WireError:
        """Look once with one antenna: the tags in its field, or why it could not look."""

    @abstractmethod
    async def _go_dark(self, talk: Spoken) -> bool:
        """Switch the field off, for neighbours to look; return whether the reader says that it is."""

    async def introduce(self, tries: int) -> bool:
        """Ask so often who is there, and nothing else; tell whether it is one of this family: `traffic` says which.

        No field is lit and nothing is set. DeviceGone when the line is.
        """
        talk = await self._talk()
        talk.traffic = self.traffic
        try:
            for _ in range(tries):
                if await self._ask_who(talk) == "":
                    return True
            return False
        finally:
            await talk.close()

    async def run(self, emit: Emit) -> None:
        """Serve until cancelled. DeviceGone when the line or the reader is silent, DeviceWrong when it is another."""
        talk = await self._talk()
        talk.traffic = self.traffic
        self.traffic.opened += 1
        now_ns = self._clock()
        presences = {
            channel: Presence(
                zone, now_ns, appear=self.appear, vanish=VANISH, reference=self._references.get(channel, NO_REFERENCE)
            )
            for channel, zone in self._zones.items()
        }
        ticking = self._ticking(presences.values(), emit)
        try:
            await self._meet(talk)
            missing = -1
            while True:
                for channel in presences:
                    for _ in range(LOOKS):
                        if talk.missing != missing:  # a reader that was silent may have started anew
                            missing = talk.missing
                            await self._prepare(talk)
                            await self._darken(talk)
                        answered = talk.missing
                        await self._scan(talk, channel, presences, emit)
                        if talk.missing == answered:
                            break
                self.faults += talk.faults
                talk.faults = 0
                await asyncio.sleep(self._timing.rest_ms / 1000)
        finally:
            ticking()
            self.faults += talk.faults
            await talk.close()
            for presence in presences.values():
                for event in presence.lost(f"{self.name} is gone", self._clock()):
                    emit(event)

    async def looks(self) -> AsyncGenerator[Glance, None]:
        """Look at the zones in turn, for a technician: every look as it comes out, reference tags and all.

        In place of `run`, with its errors; to be closed (`aclose`).
        """
        talk = await self._talk()
        talk.traffic = self.traffic
        self.traffic.opened += 1
        glances = {channel: Glancing(zone, self._clock()) for channel, zone in self._zones.items()}
        try:
            await self._meet(talk)
            missing = -1
            while True:
                for channel, glancing in glances.items():
                    if talk.missing != missing:
                        missing = talk.missing
                        await self._prepare(talk)
                        await self._darken(talk)
                    await self._scan(talk, channel, glances, _nobody)
                    yield glancing.last
                await asyncio.sleep(self._timing.rest_ms / 1000)
        finally:
            self.faults += talk.faults
            await talk.close()

    def _ticking(self, presences: Iterable[Presence], emit: Emit) -> Callable[[], None]:
        """Tell zones whose turn does not come in time, whatever is waited for; return what ends that."""
        loop = asyncio.get_running_loop()
        timers: list[asyncio.TimerHandle] = []

        def tick() -> None:
            timers[:] = [loop.call_later(TICK_S, tick)]
            now_ns = self._clock()
            for presence in presences:
                for event in presence.aged(now_ns):
                    emit(event)

        tick()
        return lambda: timers[0].cancel()

    async def _meet(self, talk: Spoken) -> None:
        """Ask who is there: three times where another answers, five where nobody does, who may be starting."""
        why = ""
        for asked in range(GREETINGS):
            if why and asked >= SURE:
                break
            answer = await self._ask_who(talk)
            if answer == "":
                return
            why = answer or why
        if why or talk.heard:
            raise DeviceWrong(
                f"{self.name}: what answers is no {self.family} reader ({why or 'no frame in its bytes'}): "
                f"check {self.check}"
            )
        raise DeviceGone(f"{self.name}: no answer: check the reader's power, {self.check}")

    async def _scan(self, talk: Spoken, channel: int, presences: Mapping[int, Presence], emit: Emit) -> None:
        """Look once with one antenna, when no neighbour does, and tell what has changed."""
        while self._field and not await self._field.taken(TURN_MS):
            continue
        try:
            found = await self._look(talk, channel)
            await self._darken(talk)
        finally:
            if self._field:
                self._field.free()
        self.traffic.looks += 1
        if isinstance(found, WireError):
            self.faults += 1
        elif strays := [zone for zone, uid in self._strangers(channel) if uid in found]:
            found = WireError(f"the reference tag of {strays[0]} is read here: move the antennas apart")
        now_ns, presence = self._clock(), presences[channel]
        told = (
            presence.could_not_look(str(found), now_ns)
            if isinstance(found, WireError)
            else presence.looked(found, now_ns)
        )
        for event in told:
            emit(event)

    async def _darken(self, talk: Spoken) -> None:
        """Leave no field on beside a neighbour's: three times at most: one that never says so must not stop all."""
        if self._field:
            for _ in range(3):
                if await self._go_dark(talk):
                    return

    def _strangers(self, channel: int) -> Iterable[tuple[Zone, Uid]]:
        """Yield the zones and tags of the other references."""
        return ((self._zones[other], uid) for other, uid in self._references.items() if other != channel)


def _nobody(event: Event) -> None:
    """Nothing is told of a look but what it found."""
