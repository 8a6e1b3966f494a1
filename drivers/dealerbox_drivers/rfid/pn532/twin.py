"""A PN532 in software: the far side of the wire, its antenna over the felt."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import DeviceGone, Line, WireError
from dealerbox_drivers.rfid.pn532.wire import CHIP, ERROR, HOST, Decoder, Frame, Sign, encode
from dealerbox_drivers.rfid.reader_twin import Readable, ReaderTwin

GAP_S: Final = 0.015
DEAF_S: Final = 0.010
"""After it was broken off: what comes at once may be lost (libnfc issue 167)."""
FOR_EVER: Final = 0xFF


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """What a real chip takes, ms, with the bytes of question and answer at 115200 baud in them."""

    ack: float = 1.0
    answer: float = 2.0
    each_try: float = 5.0
    """One look that finds no tag."""
    each_tag: float = 8.0
    """Anticollision and selection of one tag."""


class Pn532Twin(ReaderTwin[Frame]):
    """Answers as UM0701-02 says; asleep, and looking for ever, as after power-on. Faults are its public attributes."""

    def __init__(self, line: Line, felt: Readable, zones: Mapping[int, str], timings: Timings | None = None) -> None:
        super().__init__(line, felt, zones)
        self.identity = bytes.fromhex("32010607")
        self._zone = zones[0]
        self._timings = timings or Timings()
        self._decoder = Decoder()
        self._work: asyncio.Task[None] | None = None
        self._last = b""
        self._deaf_until = self._sent_until = 0.0
        self._forget()

    def _forget(self) -> None:
        """Be as after power-on."""
        self._awake = self._normal = self.lit = False
        self._tries = FOR_EVER
        self._halted: set[Uid] = set()

    def restart(self) -> None:
        """Lose power for a moment: what was set is forgotten, and it sleeps until it is woken."""
        self._stop()
        self._forget()

    async def run(self) -> None:
        """Serve until cancelled. DeviceGone when the line is closed."""
        try:
            while True:
                for item in await self._next():
                    if isinstance(item, WireError) or self.silent:
                        continue
                    self._hear(item)
        finally:
            self._stop()

    async def _next(self) -> list[Frame | Sign | WireError]:
        try:
            async with asyncio.timeout(GAP_S if self._decoder.begun else None):
                data = await self._line.read()
        except TimeoutError:
            return self._decoder.gap()
        if not self._awake:
            if b"\x55" not in data:
                return []
            self._awake = True
            data = data[data.index(b"\x55") :]
        return self._decoder.feed(data)

    def _hear(self, item: Frame | Sign) -> None:
        now_s = asyncio.get_running_loop().time()
        if now_s < self._deaf_until:
            self.too_soon += 1
        elif item is Sign.ACK:
            if self._stop():
                self._deaf_until = now_s + DEAF_S
        elif item is Sign.NACK:
            self._send(self._last, 0)
        elif isinstance(item, Frame) and item.sender == HOST:
            self._stop()
            self._work = asyncio.create_task(self._do(item))

    def _stop(self) -> bool:
        """Break off what is being done; return whether there was anything."""
        working = self._work is not None and not self._work.done()
        if self._work is not None:
            self._work.cancel()
        return working

    async def _do(self, question: Frame) -> None:
        code, data = question.payload[0], question.payload[1:]
        if code == 0x14 and data[:1] == b"\x01":
            self._normal = True
        if not self._normal:
            return
        await asyncio.sleep(self._timings.ack / 1000)
        self._send(Sign.ACK.value, 0)
        answer = await self._answer(code, data)
        sent = encode(Frame(ERROR) if answer is None else Frame(CHIP, bytes((code + 1,)) + answer))
        self._last = sent
        self._send(self._sent(question, sent), self._stalled_ms())

    async def _answer(self, code: int, data: bytes) -> bytes | None:
        """Return what the answer says behind its code; None: it is an error frame."""
        if code == 0x4A and len(data) >= 2:
            return await self._list(data[0])
        await asyncio.sleep(self._timings.answer / 1000)
        match code:
            case 0x00 if data[:1] == b"\x00":
                return data
            case 0x02 if not data:
                return self.identity
            case 0x14 if data:
                return b""
            case 0x32 if len(data) == 2 and data[0] == 0x01:
                self.lit = bool(data[1] & 1)
                if not self.lit:
                    self._halted.clear()
                return b""
            case 0x32 if len(data) == 4 and data[0] == 0x05:
                self._tries = data[3]
                return b""
            case 0x52 if len(data) == 1:
                return b"\x00"
        return None

    async def _list(self, most: int) -> bytes | None:
        """Look for tags until one is there or it has looked often enough."""
        self.inventories += 1
        self.lit = True
        tries = 0
        while not (here := self._tags(most)):
            tries += 1
            await asyncio.sleep(self._timings.each_try / 1000)
            if self._tries != FOR_EVER and tries > self._tries:
                break
        await asyncio.sleep(self._timings.each_tag * len(here) / 1000)
        if self._zone in self.deaf:
            return None
        self._halted |= set(here)
        return bytes((len(here),)) + b"".join(_target(number, uid) for number, uid in enumerate(here, 1))

    def _tags(self, most: int) -> list[Uid]:
        """Return the tags that answer: those listed in this field are halted."""
        return [uid for uid in self._felt.readable(self._zone) if uid not in self._halted][:most]

    def _send(self, data: bytes, stall_ms: float) -> None:
        loop = asyncio.get_running_loop()
        self._sent_until = max(self._sent_until, loop.time() + stall_ms / 1000)
        loop.call_at(self._sent_until, self._write, data)

    def _write(self, data: bytes) -> None:
        with suppress(DeviceGone):  # `run` is told by its own read
            self._line.write(data)


def _target(number: int, uid: Uid) -> bytes:
    """Return a target as listed: an Ultralight or NTAG with 7 bytes, else a card with 4 or 10."""
    raw = bytes.fromhex(uid)
    return bytes((number, 0x00, 0x44 if len(raw) == 7 else 0x04, 0x00, len(raw))) + raw
