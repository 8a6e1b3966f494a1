"""A CCID reader in software: the far side of the wire, its antenna over the felt."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import DeviceGone, Line
from dealerbox_drivers.listen import Gapped, decoded
from dealerbox_drivers.rfid.ccid.wire import ANSWERS, Ask, Decoder, Message, Notice, encode
from dealerbox_drivers.rfid.reader_twin import Readable, ReaderTwin

GAP_MS: Final = 12
FOR_EVER: Final = 0xFF
BOOT_S: Final = 0.3
MUTE: Final = bytes((0x40, 0xFE, 0x00))
UNSUPPORTED: Final = bytes((0x40, 0x00, 0x00))
DONE: Final = b"\x90\x00"
FAILED: Final = b"\x63\x00"

Answered = tuple[bytes, bytes, float]
"""Parameters, data and the time it takes, ms."""


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """What a real reader takes, ms."""

    answer: float = 2.0
    each_try: float = 5.0
    """One look that finds no tag."""
    each_tag: float = 8.0
    """Anticollision and selection of one tag."""
    round: float = 40.0
    """Between two looks of a reader that looks by itself."""


class CcidTwin(ReaderTwin[Message], ABC):
    """What both readers have. Faults are its public attributes."""

    identity = b""
    """How it introduces itself."""

    def __init__(
        self,
        line: Line,
        felt: Readable,
        zones: Mapping[int, str],
        timings: Timings | None = None,
        notify: Callable[[bytes], None] | None = None,
    ) -> None:
        """`notify`: takes what is said unasked; None: it goes over the same line."""
        super().__init__(line, felt, zones)
        self.waits: list[int] = []
        """Time extensions told before the next answer, each with its factor."""
        self.wait_ms = 200.0
        """Time between two of them."""
        self.stale: bytes = b""
        """Sent before each answer, as what is left of an exchange before."""
        self._zone = zones[0]
        self._timings = timings or Timings()
        self._notify = notify or line.write
        self._off_until = 0.0
        self._forget()

    def _forget(self) -> None:
        """Be as after power-on."""

    def restart(self) -> None:
        """Lose power for a moment: what was set is forgotten, and nothing is heard while it starts."""
        self._forget()
        self._off_until = asyncio.get_running_loop().time() + BOOT_S

    async def run(self) -> None:
        """Serve until cancelled. DeviceGone when the line is closed."""
        watching = asyncio.create_task(self._watch())
        try:
            decoder: Gapped[Message | Notice] = Decoder()
            async for item in decoded(self._line, decoder, GAP_MS):
                if isinstance(item, Message) and not self.silent and not self._off():
                    await self._serve(item)
        finally:
            watching.cancel()

    def _off(self) -> bool:
        return asyncio.get_running_loop().time() < self._off_until

    async def _serve(self, question: Message) -> None:
        if question.kind not in ANSWERS:
            return
        answered = self._answer(Ask(question.kind), question.data)
        if answered is None:
            return
        parameters, data, ms = answered
        kind = ANSWERS[Ask(question.kind)]
        waits, self.waits = self.waits, []
        for factor in waits:
            self._line.write(encode(Message(kind, question.slot, question.seq, bytes((0x80, factor, 0)))))
            await asyncio.sleep(self.wait_ms / 1000)
        await asyncio.sleep((ms + self._stalled_ms()) / 1000)
        sent = encode(Message(kind, question.slot, question.seq, parameters, data))
        self._line.write(self.stale + self._sent(question, sent))

    @abstractmethod
    def _answer(self, kind: Ask, data: bytes) -> Answered | None:
        """Return what a question is answered with; None: it is not."""

    def _here(self) -> tuple[Uid, ...]:
        return self._felt.readable(self._zone)

    def _looks(self) -> bool:
        """Tell whether it looks for cards by itself."""
        return True

    async def _watch(self) -> None:
        """Tell of cards that come and go, as long as it looks for them."""
        before: tuple[Uid, ...] = ()
        with suppress(DeviceGone):  # the line is told by whoever reads it
            while True:
                await asyncio.sleep(self._timings.round / 1000)
                here = self._here()[:1] if self._looks() and not self.silent else ()
                if here != before and not self._off():
                    self._notify(bytes((0x50, 0x02 | bool(here))))
                before = here


class Acr122Twin(CcidTwin):
    """An ACR122U: a PN532 behind pseudo-APDUs, which looks for ever as after power-on."""

    identity = b"ACR122U203"

    def _forget(self) -> None:
        self._polling = True
        self._tries = FOR_EVER
        self.lit = False
        self._listed: set[Uid] = set()

    def _looks(self) -> bool:
        return self._polling

    def _answer(self, kind: Ask, data: bytes) -> Answered | None:
        ms = self._timings.answer
        icc = bytes((0 if self._here() else 2, 0x81, 0))
        match kind:
            case Ask.POWER_ON:
                return icc, b"\x3b\x00", ms
            case Ask.SLOT_STATUS | Ask.POWER_OFF:
                return icc, b"", ms
            case Ask.TRANSFER | Ask.ESCAPE if data[:2] == b"\xff\x00":
                return self._apdu(data, icc, ms)
        return UNSUPPORTED, b"", ms

    def _apdu(self, apdu: bytes, icc: bytes, ms: float) -> Answered | None:
        match apdu[2], apdu[3], apdu[4:]:
            case 0x48, 0x00, b"\x00":
                return icc, self.identity, ms
            case 0x51, parameters, b"\x00":
                self._polling = bool(parameters & 0x80)
                return icc, bytes((parameters,)), ms
            case 0x00, 0x00, rest if rest[:2] == bytes((len(rest) - 1, 0xD4)):
                return self._command(rest[2], rest[3:], icc, ms)
        return icc, FAILED, ms

    def _command(self, code: int, data: bytes, icc: bytes, ms: float) -> Answered | None:
        head = bytes((0xD5, code + 1))
        match code, tuple(data):
            case 0x32, (0x01, field):
                self.lit = bool(field & 1)
                if not self.lit:
                    self._listed.clear()
                return icc, head + DONE, ms
            case 0x32, (0x05, _, _, tries):
                self._tries = tries
                return icc, head + DONE, ms
            case 0x4A, (most, 0x00) if 1 <= most <= 2:
                return self._list(most, head, icc)
        return icc, FAILED, ms

    def _list(self, most: int, head: bytes, icc: bytes) -> Answered | None:
        """List tags; one that was listed before is halted until the field goes off."""
        self.inventories += 1
        if self._zone in self.deaf:
            return bytes((0x40, self.deaf[self._zone], 0)), b"", self._timings.each_try
        self.lit = True
        new = [uid for uid in self._here() if uid not in self._listed][:most]
        if not new and self._tries == FOR_EVER:
            return None
        self._listed.update(new)
        targets = b"".join(_target(number, bytes.fromhex(uid)) for number, uid in enumerate(new, 1))
        took = self._timings.each_tag * len(new) + self._timings.each_try * (len(new) < most) * (
            1 + self._tries % FOR_EVER
        )
        return icc, head + bytes((len(new),)) + targets + DONE, took


class Acr1552Twin(CcidTwin):
    """An ACR1552U: it looks for cards by itself, and shows the first; their uids as on the air, or turned round."""

    identity = b"ACR1552 R FW 1.06.00"
    last_first = True
    """Gives ISO15693 uids least significant byte first."""

    def _forget(self) -> None:
        self._kinds = bytes((0x07, 0x05))
        self.lit = True
        self._active: tuple[Uid, ...] = ()

    def _looks(self) -> bool:
        return self.lit

    def _answer(self, kind: Ask, data: bytes) -> Answered | None:
        ms = self._timings.answer
        if kind is Ask.ESCAPE:
            said = self._escape(data)
            return (UNSUPPORTED, b"", ms) if said is None else (b"\x02\x00\x00", said, ms)
        here = self._here()[:1] if self.lit else ()
        if here != self._active:
            self._active = ()
        state = 2 if not here else 0 if self._active else 1
        self.inventories += kind is Ask.SLOT_STATUS
        if self._zone in self.deaf and kind not in (Ask.ABORT, Ask.POWER_OFF):
            return bytes((0x40 | state, self.deaf[self._zone], 0)), b"", ms
        match kind:
            case Ask.SLOT_STATUS:
                return bytes((state, 0, 0)), b"", ms
            case Ask.POWER_ON if here:
                self._active = here
                return bytes(3), bytes.fromhex("3B8F8001804F0CA000000306"), self._timings.each_tag
            case Ask.TRANSFER if self._active and data == bytes.fromhex("FFCA000000"):
                raw = bytes.fromhex(here[0])
                return bytes(3), (raw[::-1] if len(raw) == 8 and self.last_first else raw) + DONE, ms
            case Ask.POWER_ON | Ask.TRANSFER:
                return bytes((0x40 | state, MUTE[1], 0)), b"", ms
            case Ask.POWER_OFF:
                self._active = ()
                return bytes((state, 0, 0)), b"", ms
        return UNSUPPORTED, b"", ms

    def _escape(self, data: bytes) -> bytes | None:
        """Return what is said to one of its own commands."""
        match data[:5], data[5:]:
            case b"\xe0\x00\x00\x18\x00", b"":
                said = self.identity
            case b"\xe0\x00\x01\x20\x02", kinds if len(kinds) == 2:
                said = self._kinds = kinds
            case b"\xe0\x00\x00\x25\x01", field if len(field) == 1:
                self.lit = bool(field[0])
                said = field
            case _:
                return None
        return b"\xe1\x00\x00\x00" + bytes((len(said),)) + said


def _target(number: int, uid: bytes) -> bytes:
    """Return one target of a list: number, SENS_RES of an Ultralight, SEL_RES, and its uid."""
    return bytes((number, 0x00, 0x44, 0x00, len(uid))) + uid
