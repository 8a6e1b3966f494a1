"""A FEIG reader in software: the far side of the wire, its antennas over the felt."""

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import Line, WireError
from dealerbox_drivers.listen import decoded
from dealerbox_drivers.rfid.feig.wire import CFG5, CONFIG_BYTES, ONT_BYTE, Command, Decoder, Frame, Status, encode
from dealerbox_drivers.rfid.reader_twin import Readable, ReaderTwin

GAP_MS: Final = 12
"""Characters of a frame that are further apart do not belong to it (H60301-3e, p. 18)."""
PAUSE_S: Final = 0.0049
"""Silence that a question must keep after the answer before: 5 ms (H60301-3e, p. 18), less a clock's grain."""
BOOT_S: Final = 0.6


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """What a real reader takes, ms."""

    answer: float = 2.0
    inventory: float = 28.0
    each_tag: float = 1.5
    """Anticollision and line time of one tag more."""
    rf_reset: float = 15.0
    config: float = 20.0


class FeigTwin(ReaderTwin[Frame]):
    """Answers as the manuals say, with the factory's ONT bit set; faults are its public attributes."""

    def __init__(self, line: Line, felt: Readable, zones: Mapping[int, str], timings: Timings | None = None) -> None:
        super().__init__(line, felt, zones)
        self.stubborn = False
        """Keeps ONT whatever is written."""
        self.page = 8
        """Most tags in one reply."""
        self.identity = bytes.fromhex("03030044530d30")
        self.address = 0x00
        """What it puts into its answers."""
        self._free_at = 0.0
        self._timings = timings or Timings()
        self._forget()

    def _forget(self) -> None:
        """Be as after power-on."""
        self.lit = True
        self._config = {CFG5: bytearray(CONFIG_BYTES)}
        self._config[CFG5][0] = 0x02
        self._config[CFG5][ONT_BYTE] = 0x01
        self._channel = 0
        self._quiet: set[Uid] = set()
        self._rest: list[Uid] = []

    def restart(self) -> None:
        """Lose power for a moment: what was set is forgotten, and nothing is heard while it starts."""
        self._forget()
        self._free_at = asyncio.get_running_loop().time() + BOOT_S

    async def run(self) -> None:
        """Serve until cancelled. DeviceGone when the line is closed."""
        loop = asyncio.get_running_loop()
        async for item in decoded(self._line, Decoder(), GAP_MS):
            if isinstance(item, WireError) or self.silent:
                continue
            if loop.time() < self._free_at:
                self.too_soon += 1
                continue
            status, data, ms = self._answer(item)
            await asyncio.sleep((ms + self._stalled_ms()) / 1000)
            sent = encode(Frame(self.address, item.command, bytes((status,)) + data))
            # From before the write: who was woken by it may run first, and must not be early for it.
            self._free_at = max(self._free_at, loop.time() + PAUSE_S)
            self._line.write(self._sent(item, sent))

    def _answer(self, question: Frame) -> tuple[int, bytes, float]:
        """Return status, data and the time it takes."""
        times, data = self._timings, question.payload
        match question.command:
            case Command.SOFTWARE_VERSION:
                return Status.OK, self.identity, times.answer
            case Command.RF_RESET:
                self._quiet.clear()
                return Status.OK, b"", times.rf_reset
            case Command.RF_OUTPUT if len(data) == 1:
                self.lit = bool(data[0])
                if not self.lit:
                    self._quiet.clear()
                return Status.OK, b"", times.answer
            case Command.READ_CONFIG if len(data) == 1:
                block = self._config.get(data[0] & 0x3F, bytearray(CONFIG_BYTES))
                return Status.OK, bytes(block), times.config
            case Command.WRITE_CONFIG if len(data) == 1 + CONFIG_BYTES:
                self._write(data[0] & 0x3F, data[1:])
                return Status.OK, b"", times.config
            case Command.MUX_SELECT if len(data) == 3:
                return self._select(data[1], data[2])
            case Command.ISO_HOST if data[:1] == b"\x01" and len(data) == 2:
                return self._inventory(more=bool(data[1] & 0x80))
            case Command.ISO_HOST | Command.MUX_SELECT | Command.READ_CONFIG | Command.WRITE_CONFIG:
                return Status.LENGTH, b"", times.answer
        return Status.UNKNOWN_COMMAND, b"", times.answer

    def _write(self, block: int, content: bytes) -> None:
        written = bytearray(content)
        if block == CFG5 and self.stubborn:
            written[ONT_BYTE] |= 1
        self._config[block] = written

    def _select(self, first: int, second: int) -> tuple[int, bytes, float]:
        if first == second or first > 8 or second > 8:
            return Status.PARAMETER_RANGE, b"", self._timings.answer
        self._channel = first
        return Status.OK, b"", self._timings.answer

    def _inventory(self, *, more: bool) -> tuple[int, bytes, float]:
        zone = self._zones.get(self._channel, "")
        if zone in self.deaf:
            return self.deaf[zone], b"", self._timings.inventory
        if not more:
            self.inventories += 1
            ont = self._config[CFG5][ONT_BYTE] & 1
            here = self._felt.readable(zone) if zone and self.lit else ()
            self._quiet &= set(here)  # a tag that leaves the field forgets that it was quiet
            self._rest = [uid for uid in here if not ont or uid not in self._quiet]
            if ont:
                self._quiet |= set(here)
        page, self._rest = self._rest[: self.page], self._rest[self.page :]
        took = self._timings.inventory + self._timings.each_tag * len(page)
        if not page:
            return Status.NO_TRANSPONDER, b"", took
        sets = b"".join(_data_set(uid) for uid in page)
        status = Status.MORE_DATA if self._rest else Status.OK
        return status, bytes((len(page),)) + sets, took


def _data_set(uid: Uid) -> bytes:
    raw = bytes.fromhex(uid)
    if len(raw) == 8:
        return b"\x03\x00" + raw
    return bytes((0x04, 0x20 if len(raw) == 10 else 0x00, 0x00)) + raw
