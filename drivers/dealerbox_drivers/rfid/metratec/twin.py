"""A metraTec reader in software: the far side of the wire, its antenna over the felt."""

import asyncio
from collections.abc import Mapping

import msgspec

from dealerbox.ports import Line, WireError
from dealerbox_drivers.listen import decoded
from dealerbox_drivers.rfid.metratec.wire import Decoder, encode
from dealerbox_drivers.rfid.reader_twin import Readable, ReaderTwin


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """How long things take, ms: a hundred tags a second."""

    answer: float = 3.0
    inventory: float = 20.0
    each_tag: float = 10.0


class MetratecTwin(ReaderTwin[str]):
    """Answers as the page says; after power-on its field is off. Faults are its public attributes."""

    def __init__(self, line: Line, felt: Readable, zones: Mapping[int, str], timings: Timings | None = None) -> None:
        super().__init__(line, felt, zones)
        self.identity = b"DESKID_ISO     01000218"
        self._timings = timings or Timings()

    def restart(self) -> None:
        """Lose power for a moment."""
        self.lit = False

    async def run(self) -> None:
        """Serve until cancelled. DeviceGone when the line is closed."""
        async for question in decoded(self._line, Decoder(), 20):
            if not isinstance(question, WireError) and not self.silent:
                answer, took_ms = self._answer(question)
                await asyncio.sleep((took_ms + self._stalled_ms()) / 1000)
                self._line.write(self._sent(question, encode(answer)))

    def _answer(self, question: str) -> tuple[str, float]:
        if question == "INV" and self.lit:
            return self._inventory()
        if question in ("SRI OFF", "SRI SS 100"):
            self.lit = question == "SRI SS 100"
            return "OK!", self._timings.answer
        words = {"REV": self.identity.decode(), "BRK": "NCM", "INV": "RNW"}
        return words.get(question, "UCO"), self._timings.answer

    def _inventory(self) -> tuple[str, float]:
        self.inventories += 1
        tags = [tag for zone in self._zones.values() for tag in self._felt.readable(zone)]
        end = "CLE" if self.deaf.keys() & set(self._zones.values()) else f"IVF {len(tags):02}"
        return "\r".join((*tags, end)), self._timings.inventory + self._timings.each_tag * len(tags)
