"""A FEIG OBID reader at the table: one antenna, or up to eight behind its multiplexer."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from dealerbox.model.cards import Uid
from dealerbox.model.commands import Command
from dealerbox.model.zones import Zone
from dealerbox.ports import Clock, DeviceGone, DeviceWrong, Emit, OpenLine, WireError
from dealerbox_drivers.rfid.feig import wire
from dealerbox_drivers.rfid.feig.talk import Talk, Timing
from dealerbox_drivers.rfid.feig.wire import Frame, Status
from dealerbox_drivers.rfid.presence import Presence


class Settings(Protocol):
    """What the driver reads of its table in the config."""

    @property
    def address(self) -> int: ...
    @property
    def zones(self) -> Mapping[int, str]: ...


VANISH: Final = 3
"""Scans in a row that must miss a tag before it counts as gone: a resting tag is missed now and then."""
MOST_PAGES: Final = 16
"""MORE_DATA replies followed before a scan is given up: no antenna holds so many tags."""


class FeigReader:
    """Polls its antennas one after another and tells what comes and goes. One field is on at a time.

    A reader is known by its answer to SOFTWARE_VERSION, never by the name of its port. The ONT bit
    (on by default: a tag once read stays quiet) is cleared and read back; a reader that keeps it gets
    an RF reset before every inventory, as every reader does after a switch of antennas.
    """

    def __init__(
        self, name: str, open_line: OpenLine, clock: Clock, settings: Settings, timing: Timing | None = None
    ) -> None:
        self.name = name
        self.version: wire.Version | None = None
        """What the reader says of itself; None before it was met."""
        self.faults = 0
        """Frames and answers that could not be used."""
        self._open_line, self._clock = open_line, clock
        self._address = settings.address
        self._zones = {channel: Zone(zone) for channel, zone in settings.zones.items()}
        self._timing = timing or Timing()

    def obey(self, command: Command) -> None:
        """A reader only looks: no command is for it."""

    async def run(self, emit: Emit) -> None:
        """Serve until cancelled. DeviceGone when the line or the reader is silent, DeviceWrong when it is no FEIG."""
        talk = Talk(self.name, await self._open_line(), self._address, self._timing)
        presences = {channel: Presence(zone, self._clock(), vanish=VANISH) for channel, zone in self._zones.items()}
        try:
            await self._meet(talk)
            missing = talk.missing
            reset_always = await self._keeps_quiet_tags(talk)
            while True:
                for channel, presence in presences.items():
                    if not channel and talk.missing != missing:  # a reader that was silent may have started anew
                        missing = talk.missing
                        reset_always = await self._keeps_quiet_tags(talk)
                    await self._scan(talk, channel, presence, reset_always, emit)
                    self._tell_stale(presences.values(), emit)
                self.faults += talk.faults
                talk.faults = 0
                await asyncio.sleep(self._timing.rest_ms / 1000)
        finally:
            await talk.close()
            for presence in presences.values():
                for event in presence.lost(f"{self.name} is gone", self._clock()):
                    emit(event)

    async def _meet(self, talk: Talk) -> None:
        """Ask who is there, three times at most."""
        why = ""
        for _ in range(3):
            reply = await talk.mark()
            if reply is None:
                continue
            version = wire.version_of(reply)
            if isinstance(version, wire.Version):
                self.version = version
                return
            why = str(version)
        if why or talk.heard:
            raise DeviceWrong(
                f"{self.name}: what answers is no FEIG reader ({why or 'no frame in its bytes'}): "
                "check `port`, `baud` and `parity`"
            )
        raise DeviceGone(f"{self.name}: no answer: check the reader's power, `baud`, `parity` and `address`")

    def _tell_stale(self, presences: Iterable[Presence], emit: Emit) -> None:
        """Tell zones whose turn does not come in time: another antenna's trouble is no excuse for silence."""
        now_ns = self._clock()
        for presence in presences:
            for event in presence.aged(now_ns):
                emit(event)

    async def _keeps_quiet_tags(self, talk: Talk) -> bool:
        """Clear ONT; return whether each inventory still needs an RF reset of its own."""
        block = await talk.ask(wire.read_config(self._address, wire.CFG5), self._timing.answer_ms)
        if block is None or len(block) != 1 + wire.CONFIG_BYTES or block[0] != Status.OK:
            return True
        content = bytearray(block[1:])
        if not content[wire.ONT_BYTE] & 1:
            return False
        content[wire.ONT_BYTE] &= 0xFE
        await talk.ask(wire.write_config(self._address, wire.CFG5, bytes(content)), self._timing.config_ms)
        again = await talk.ask(wire.read_config(self._address, wire.CFG5), self._timing.answer_ms)
        return again is None or again != bytes((Status.OK,)) + bytes(content)

    async def _scan(self, talk: Talk, channel: int, presence: Presence, reset: bool, emit: Emit) -> None:
        """Look once with one antenna and tell what has changed."""
        why = await self._point(talk, channel, reset)
        uids: list[Uid] = []
        if not why:
            why = await self._inventory(talk, uids)
        now_ns = self._clock()
        events = presence.could_not_look(why, now_ns) if why else presence.looked(tuple(uids), now_ns)
        for event in events:
            emit(event)

    async def _point(self, talk: Talk, channel: int, reset: bool) -> str:
        """Switch to an antenna; return why not, or ''."""
        if channel:
            reply = await talk.ask(wire.select_channel(self._address, channel), self._timing.answer_ms)
            if reply is None or reply[:1] != bytes((Status.OK,)):
                return f"multiplexer channel {channel}: {_said(reply)}"
            await asyncio.sleep(self._timing.settle_ms / 1000)
        if channel or reset:
            reply = await talk.ask(Frame(self._address, wire.Command.RF_RESET), self._timing.answer_ms)
            if reply is None or reply[:1] != bytes((Status.OK,)):
                return f"RF reset: {_said(reply)}"
        return ""

    async def _inventory(self, talk: Talk, uids: list[Uid]) -> str:
        """Fill `uids` with all tags in the field; return why it could not look, or ''."""
        for page in range(MOST_PAGES):
            reply = await talk.ask(wire.inventory(self._address, more=page > 0), self._timing.answer_ms)
            status = reply[0] if reply else None
            if status == Status.NO_TRANSPONDER:
                return ""
            if status not in (Status.OK, Status.MORE_DATA) or reply is None:
                return f"inventory: {_said(reply)}"
            for item in wire.tags_of(reply):
                if isinstance(item, WireError):
                    self.faults += 1
                    return str(item)
                if item not in uids:
                    uids.append(item)
            if status == Status.OK:
                return ""
        return f"inventory: more than {MOST_PAGES} replies"


def _said(reply: bytes | None) -> str:
    if not reply:
        return "no answer"
    names = {status.value: status.name.lower().replace("_", " ") for status in Status}
    return f"status {reply[0]:02X} ({names.get(reply[0], 'unknown')})"
