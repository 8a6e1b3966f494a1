"""A FEIG OBID reader at the table: one antenna, or up to eight behind its multiplexer."""

import asyncio
from typing import Final

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.feig import wire
from dealerbox_drivers.rfid.feig.talk import Talk, Timing
from dealerbox_drivers.rfid.feig.wire import Frame, Status
from dealerbox_drivers.rfid.reader import Reader
from dealerbox_drivers.rfid.settings import FeigSettings

MOST_PAGES: Final = 16
"""MORE_DATA replies followed before a scan is given up: no antenna holds so many tags."""


class FeigReader(Reader[Talk, FeigSettings, Timing]):
    """Polls its antennas one after another and tells what comes and goes. One field is on at a time.

    The ONT bit (on by default: a tag once read stays quiet) is cleared and read back; a reader that
    keeps it gets an RF reset before every inventory. Behind a multiplexer each look has one after its
    switch, whatever the bit says: there it is left alone, and a start is shorter by those questions.
    """

    pace = Timing
    family = "FEIG"
    check = "`port`, `baud`, `parity` and `address`"
    _reset_always = True
    """Tags stay quiet after a look, for all that is known: the field is reset before each."""

    async def _talk(self) -> Talk:
        return Talk(self.name, await self._open_line(), self._settings.address, self._timing)

    async def _ask_who(self, talk: Talk) -> str | None:
        self._reset_always = True
        reply = await talk.mark()
        if reply is None:
            return None
        return self._met(wire.version_of(reply))

    def _named(self, version: wire.Version) -> tuple[str, str]:
        return f"FEIG reader of type {version.reader_type:02X}, hardware {version.hardware:02X}", version.firmware

    async def _prepare(self, talk: Talk) -> None:
        """Clear ONT where looks have no RF reset of their own, and find out whether they still need one."""
        if 0 in self._zones:
            self._reset_always = await self._keeps_quiet_tags(talk)

    async def _keeps_quiet_tags(self, talk: Talk) -> bool:
        block = await talk.ask(wire.read_config(self._settings.address, wire.CFG5))
        if block is None or len(block) != 1 + wire.CONFIG_BYTES or block[0] != Status.OK:
            return True
        content = bytearray(block[1:])
        if not content[wire.ONT_BYTE] & 1:
            return False
        content[wire.ONT_BYTE] &= 0xFE
        await talk.ask(wire.write_config(self._settings.address, wire.CFG5, bytes(content)), self._timing.longest_ms)
        again = await talk.ask(wire.read_config(self._settings.address, wire.CFG5))
        return again is None or again != bytes((Status.OK,)) + bytes(content)

    async def _look(self, talk: Talk, channel: int) -> tuple[Uid, ...] | WireError:
        if self._field is not None:
            why = await self._done(talk, wire.rf(self._settings.address, on=True), "RF on")
            if why:
                return why
        return await self._point(talk, channel) or await self._inventory(talk)

    async def _go_dark(self, talk: Talk) -> bool:
        return await self._done(talk, wire.rf(self._settings.address, on=False), "RF off") is None

    async def _point(self, talk: Talk, channel: int) -> WireError | None:
        """Switch to an antenna; return why not, or None."""
        if channel:
            why = await self._done(
                talk, wire.select_channel(self._settings.address, channel), f"multiplexer channel {channel}"
            )
            if why:
                return why
            await asyncio.sleep(self._timing.settle_ms / 1000)
        if channel or self._reset_always:
            return await self._done(talk, Frame(self._settings.address, wire.Command.RF_RESET), "RF reset")
        return None

    async def _done(self, talk: Talk, question: Frame, what: str) -> WireError | None:
        reply = await talk.ask(question)
        return None if reply and reply[0] == Status.OK else WireError(f"{what}: {_said(reply)}")

    async def _inventory(self, talk: Talk) -> tuple[Uid, ...] | WireError:
        """Return all tags in the field, or why it could not look."""
        uids: list[Uid] = []
        for page in range(MOST_PAGES):
            reply = await talk.ask(wire.inventory(self._settings.address, more=page > 0))
            status = reply[0] if reply else None
            if status == Status.NO_TRANSPONDER:
                return tuple(uids)
            if status not in (Status.OK, Status.MORE_DATA) or reply is None:
                return WireError(f"inventory: {_said(reply)}")
            for item in wire.tags_of(reply):
                if isinstance(item, WireError):
                    return item
                if item not in uids:
                    uids.append(item)
            if status == Status.OK:
                return tuple(uids)
        return WireError(f"inventory: more than {MOST_PAGES} replies")


def _said(reply: bytes | None) -> str:
    if not reply:
        return "no answer"
    names = {status.value: status.name.lower().replace("_", " ") for status in Status}
    return f"status {reply[0]:02X} ({names.get(reply[0], 'unknown')})"
