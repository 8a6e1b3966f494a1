"""An R321 in software: the far side of the wire, its antennas over the felt."""

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import Line, WireError
from dealerbox_drivers.listen import decoded
from dealerbox_drivers.rfid.r321.wire import ANY_ADDRESS, HOST, Command, Decoder, Frame, encode
from dealerbox_drivers.rfid.reader_twin import Readable, ReaderTwin

GAP_MS: Final = 20
APART_S: Final = 0.0499
"""From one request to the next: 50 ms (V1.1, 1.1), less a clock's grain."""
BOOT_S: Final = 0.6
REPORT_S: Final = 0.2
"""How often a reader that speaks unasked tells a tag."""
DONE, FAILED = b"\x00\x00", b"\x01\x00"


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """What a captured reader took, ms."""

    answer: float = 7.0
    inventory: float = 23.0
    each_tag: float = 3.0
    """Anticollision and line time of one tag more."""
    rf_reset: float = 22.0
    config: float = 40.0


class R321Twin(ReaderTwin[Frame]):
    """Answers as V1.1 says; speaks unasked and quiets tags, as it may come. Faults are its public attributes."""

    def __init__(self, line: Line, felt: Readable, zones: Mapping[int, str], timings: Timings | None = None) -> None:
        super().__init__(line, felt, zones)
        self.stubborn = False
        """Keeps its settings whatever is written."""
        self.page = 25
        """Most tags in one reply."""
        self.identity = b"R321 V1.1 V1.0".ljust(50, b"\0") + DONE
        self.address = 0x0001
        self.config = bytes.fromhex("02 0100 0B01 00")
        """Kept over power cuts: ISO15693 inventory, address 1, speaks unasked, quiets tags, 115200, buzzer."""
        self.writes = 0
        """Times that its settings were written: a memory that wears."""
        self._timings = timings or Timings()
        self._free_at = 0.0
        self._forget()

    def _forget(self) -> None:
        """Be as after power-on."""
        self.lit = True
        self._antennas = frozenset(self._zones)
        self._quiet: set[Uid] = set()
        self._rest: list[Uid] = []

    def restart(self) -> None:
        """Lose power for a moment: nothing is heard while it starts."""
        self._forget()
        self._free_at = asyncio.get_running_loop().time() + BOOT_S

    async def run(self) -> None:
        """Serve until cancelled. DeviceGone when the line is closed."""
        speaking = asyncio.create_task(self._speak())
        try:
            async for item in decoded(self._line, Decoder(), GAP_MS):
                if not isinstance(item, WireError) and not self.silent and not item.is_reply:
                    await self._hear(item)
        finally:
            speaking.cancel()
            await asyncio.gather(speaking, return_exceptions=True)

    async def _hear(self, question: Frame) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() < self._free_at:
            self.too_soon += 1
            return
        if question.target not in (ANY_ADDRESS, self.address):
            return
        self._free_at = loop.time() + APART_S
        answer = self._answer(question)
        if answer is None:
            return
        params, ms = answer
        await asyncio.sleep((ms + self._stalled_ms()) / 1000)
        sent = encode(Frame(self.address, HOST, question.command, params, is_reply=True))
        self._line.write(self._sent(question, sent))

    def _answer(self, question: Frame) -> tuple[bytes, float] | None:
        """Return the parameters and the time it takes; None: it does not answer that."""
        times, data = self._timings, question.params
        match question.command:
            case Command.VERSION if not data:
                return self.identity, times.answer
            case Command.READ_CONFIG if data == b"\x00":
                return self.config, times.answer
            case Command.WRITE_CONFIG if len(data) == 6:
                self.writes += 1
                if not self.stubborn:
                    self.config = data
                return DONE, times.config
            case Command.RF if len(data) == 2 and data[0] <= 2:
                self.lit = data[0] != 0
                if data[0] != 1:
                    self._quiet.clear()
                return DONE, times.rf_reset if data[0] == 2 else times.answer
            case Command.ANTENNAS if len(data) == 6:
                self._antennas = frozenset(number for number, on in enumerate(data, 1) if on == 1)
                return DONE, times.answer
            case Command.INVENTORY if len(data) == 1 and self.config[3] & 0x20:
                return self._inventory()
        return None

    def _inventory(self) -> tuple[bytes, float]:
        took = self._timings.inventory
        zones = [zone for channel, zone in self._zones.items() if channel in self._antennas]
        if any(zone in self.deaf for zone in zones):
            return FAILED[:1], took
        if not self._rest:
            self.inventories += 1
            here = [uid for zone in zones for uid in self._felt.readable(zone)] if self.lit else []
            self._quiet &= set(here)  # a tag that leaves the field forgets that it was quiet
            quiets = not self.config[3] & 0x10
            self._rest = [uid for uid in here if not quiets or uid not in self._quiet]
            if quiets:
                self._quiet |= set(here)
        page, self._rest = self._rest[: self.page], self._rest[self.page :]
        data = b"".join(bytes.fromhex(uid)[::-1] + b"\xaa" for uid in page)
        return data + bytes((len(self._rest), 0x00)), took + self._timings.each_tag * len(page)

    async def _speak(self) -> None:
        """Tell tags unasked, as long as the settings say so."""
        while True:
            await asyncio.sleep(REPORT_S)
            here = [uid for zone in self._zones.values() for uid in self._felt.readable(zone)]
            if here and not self.silent and not self.config[3] & 0x20:
                params = b"\x00" + bytes.fromhex(here[0])[::-1] + b"\x00\x00"
                self._line.write(encode(Frame(self.address, HOST, Command.TAG_CAME, params)))
