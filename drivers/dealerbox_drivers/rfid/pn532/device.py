"""A PN532 at the table: one antenna, at most two cards."""

import asyncio
from typing import Protocol

from dealerbox.model.cards import Uid
from dealerbox.ports import Clock, OpenLine, WireError
from dealerbox_drivers.rfid.field import Field
from dealerbox_drivers.rfid.pn532 import chip
from dealerbox_drivers.rfid.pn532.talk import Talk, Timing
from dealerbox_drivers.rfid.reader import Reader


class Settings(Protocol):
    """What the driver reads of its table in the config."""

    @property
    def zone(self) -> str: ...
    @property
    def reference(self) -> str: ...


class Pn532Reader(Reader[Talk]):
    """Looks with a new field each time: a tag that was listed before is halted, and deaf to a second listing.

    Its checks are sums of eight bits, which two errors may cheat: a tag is told when two scans in a
    row have found it.
    """

    family = "PN532"
    appear = 2

    def __init__(
        self,
        name: str,
        open_line: OpenLine,
        clock: Clock,
        settings: Settings,
        field: Field | None = None,
        timing: Timing | None = None,
    ) -> None:
        self._own = timing or Timing()
        references = {0: settings.reference} if settings.reference else {}
        super().__init__(name, open_line, clock, {0: settings.zone}, self._own, references=references, field=field)

    async def _talk(self) -> Talk:
        return Talk(self.name, await self._open_line(), self._own)

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
        await asyncio.sleep(self._own.charge_ms / 1000)
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
