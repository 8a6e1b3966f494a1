"""A PN532 at the table: one antenna, at most two cards."""

import asyncio

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.pn532 import chip
from dealerbox_drivers.rfid.pn532.talk import Talk, Timing
from dealerbox_drivers.rfid.reader import Reader
from dealerbox_drivers.rfid.settings import Pn532Settings


class Pn532Reader(Reader[Talk, Pn532Settings, Timing]):
    """Looks with a new field each time: a tag that was listed before is halted, and deaf to a second listing.

    Its checks are sums of eight bits, which two errors may cheat: a tag is told when two scans in a
    row have found it.
    """

    pace = Timing
    family = "PN532"
    appear = 2

    async def _talk(self) -> Talk:
        return Talk(self.name, await self._open_line(), self._timing)

    async def _ask_who(self, talk: Talk) -> str | None:
        answer = await talk.command(chip.FIRMWARE_VERSION)
        if answer is None:
            return None
        return self._met(chip.version_of(answer))

    async def _prepare(self, talk: Talk) -> None:
        await talk.command(chip.FEW_TRIES)

    async def _look(self, talk: Talk, channel: int) -> tuple[Uid, ...] | WireError:
        if await talk.command(chip.FIELD_ON) is None:
            return WireError("field on: no answer")
        await asyncio.sleep(self._timing.charge_ms / 1000)
        answer = await talk.command(chip.LIST_TYPE_A)
        if answer is None:
            return WireError("list of targets: no answer")
        await talk.command(chip.RELEASE_ALL)
        if not await self._go_dark(talk):
            return WireError("field off: no answer")
        uids = []
        for item in chip.targets_of(answer):
            if isinstance(item, WireError):
                return item
            uids.append(item)
        return tuple(uids)

    async def _go_dark(self, talk: Talk) -> bool:
        return await talk.command(chip.FIELD_OFF) is not None
