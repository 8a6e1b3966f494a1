"""CCID readers at the table, one antenna each: the ACR122U, and the ACR1552U, which shows one card at a time."""

import asyncio

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.ccid import apdu
from dealerbox_drivers.rfid.ccid.talk import Talk, Timing
from dealerbox_drivers.rfid.ccid.wire import MUTE, Answer, Ask, Card, Outcome
from dealerbox_drivers.rfid.pn532 import chip
from dealerbox_drivers.rfid.reader import Given, Reader
from dealerbox_drivers.rfid.settings import Acr122Settings, Acr1552Settings


class _CcidReader(Reader[Talk, Given, Timing]):
    """What both have."""

    pace = Timing
    check = "`port`"

    async def _talk(self) -> Talk:
        return Talk(self.name, await self._open_line(), self._timing)


class Acr122Reader(_CcidReader[Acr122Settings]):
    """Looks through the PN532 inside, with a new field each time, as `pn532.device` does.

    Its own looking for cards is switched off. It is asked for two tags, so that a second one is told.
    """

    family = "ACR122U"

    async def _ask_who(self, talk: Talk) -> str | None:
        answer = await talk.said(Ask.TRANSFER, apdu.ACR122_FIRMWARE)
        return None if answer is None else self._met(apdu.acr122_version_of(answer.data))

    async def _prepare(self, talk: Talk) -> None:
        await talk.said(Ask.POWER_ON)  # without a card it fails, and commands are taken none the less
        await talk.said(Ask.TRANSFER, apdu.ACR122_NO_POLLING)
        await self._command(talk, chip.FEW_TRIES)

    async def _look(self, talk: Talk, channel: int) -> tuple[Uid, ...] | WireError:
        lit = await self._command(talk, chip.FIELD_ON)
        if isinstance(lit, WireError):
            return WireError(f"field on: {lit}")
        await asyncio.sleep(self._timing.charge_ms / 1000)
        answer = await talk.said(Ask.TRANSFER, apdu.direct(chip.LIST_TYPE_A))
        if not await self._go_dark(talk):
            return WireError("field off: not done")
        if answer is None:
            return WireError("list of targets: no answer")
        if answer.outcome == Outcome.FAILED and answer.error == MUTE and not answer.data:
            return ()
        if answer.outcome != Outcome.DONE:
            return WireError(f"list of targets: {answer}")
        listed = apdu.direct_of(answer.data, chip.LIST_TYPE_A)
        if isinstance(listed, WireError):
            return WireError(f"list of targets: {listed}")
        uids = []
        for item in chip.targets_of(listed):
            if isinstance(item, WireError):
                return item
            uids.append(item)
        return tuple(uids)

    async def _go_dark(self, talk: Talk) -> bool:
        return not isinstance(await self._command(talk, chip.FIELD_OFF), WireError)

    async def _command(self, talk: Talk, command: bytes) -> bytes | WireError:
        """Give the PN532 a command; return its answer, or why there is none."""
        answer = await talk.said(Ask.TRANSFER, apdu.direct(command))
        if answer is None:
            return WireError("no answer")
        return apdu.direct_of(answer.data, command) if answer.outcome == Outcome.DONE else WireError(str(answer))


class Acr1552Reader(_CcidReader[Acr1552Settings]):
    """Asks what its slot has found: the reader looks for cards by itself, and shows one of them."""

    family = "ACR1552U"

    async def _ask_who(self, talk: Talk) -> str | None:
        answer = await talk.said(Ask.ESCAPE, apdu.ACR1552_FIRMWARE)
        return None if answer is None else self._met(apdu.acr1552_version_of(answer.data))

    async def _prepare(self, talk: Talk) -> None:
        await talk.said(Ask.ESCAPE, apdu.ACR1552_TAGS)

    async def _look(self, talk: Talk, channel: int) -> tuple[Uid, ...] | WireError:
        if self._field is not None:
            if not await self._escape(talk, apdu.ACR1552_LIT):
                return WireError("field on: not done")
            await asyncio.sleep(self._timing.relight_ms / 1000)
        moved, talk.broken = talk.moved, 0
        found = await self._shown(talk)
        if talk.broken:
            return WireError(f"the reader tells of its hardware's error {talk.broken:02X}")
        return found if moved == talk.moved else WireError("a card came or went while it was read")

    async def _shown(self, talk: Talk) -> tuple[Uid, ...] | WireError:
        """Return the uid of the card in the slot, none where it is empty."""
        slot = await talk.said(Ask.SLOT_STATUS)
        if _is_empty(slot):
            return ()
        if slot is not None and slot.outcome == Outcome.DONE and slot.card == Card.INACTIVE:
            slot = await talk.said(Ask.POWER_ON)
        if slot is None or slot.outcome != Outcome.DONE:
            return WireError(f"slot: {slot or 'no answer'}")
        answer = await talk.said(Ask.TRANSFER, apdu.GET_UID)
        if answer is None or answer.outcome != Outcome.DONE:
            return WireError(f"uid: {answer or 'no answer'}")
        uid = apdu.uid_of(answer.data, last_first=self._settings.last_first)
        return uid if isinstance(uid, WireError) else (uid,)

    async def _go_dark(self, talk: Talk) -> bool:
        return await self._escape(talk, apdu.ACR1552_DARK)

    async def _escape(self, talk: Talk, command: bytes) -> bool:
        answer = await talk.said(Ask.ESCAPE, command)
        return answer is not None and not isinstance(apdu.escape_of(answer.data), WireError)


def _is_empty(slot: Answer | None) -> bool:
    """Tell whether a slot was looked at and found empty: a question that failed says nothing of it."""
    return slot is not None and slot.outcome == Outcome.DONE and slot.card == Card.ABSENT
