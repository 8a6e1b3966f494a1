"""A ReShuffled board in software over the felt: it answers OK, and prints text where something is wrong."""

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any, Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.ports import DeviceGone, Line
from dealerbox_drivers.felt import MACHINE, OUTLET, Felt

INFEED: Final = "infeed"
TRAY: Final = 52
_MOST: Final = 64


class Pace(msgspec.Struct, frozen=True):
    """How long things take, in milliseconds."""

    answer_ms: int = 5
    dwell_ms: int = 120
    """How long a card that is put in lies where the infeed reader sees it."""
    shuffle_ms: int = 30_000
    card_ms: int = 400


PACE: Final = Pace()


class ReshuffledTwin:
    """A tray that shuffles. Made within a running loop; `jams`: so many of the next shuffles stop halfway."""

    def __init__(self, line: Line, felt: Felt, rng: Random, pace: Pace = PACE) -> None:
        self.jams = 0
        self.busy = False
        self.heard: list[bytes] = []
        """Frames that came in whole."""
        self._line, self._felt, self._rng, self._pace = line, felt, rng, pace
        self._plugged = asyncio.Event()
        self._kept = bytearray()
        self._work: asyncio.Task[None] | None = None
        felt.watch(self._moved)

    @property
    def has_room(self) -> bool:
        """The tray takes cards: it is not shuffling, and not full."""
        return not self.busy and len(self._felt.at(MACHINE)) < TRAY

    async def run(self) -> None:
        """Serve until cancelled. When the line goes, wait for another to be plugged in."""
        while True:
            self._plugged.clear()
            try:
                while True:
                    for byte in await self._line.read():
                        self._take(byte)
            except DeviceGone:
                await self._plugged.wait()

    def plug(self, line: Line) -> None:
        """Put another line in."""
        self._line = line
        self._plugged.set()

    def open_door(self, *, is_open: bool = True) -> None:
        """It has a lid, and no sensor that would know."""

    def power_off(self) -> None:
        """Stop where it is."""
        if self._work is not None:
            self._work.cancel()
        self.busy = False
        self._kept.clear()

    def power_on(self) -> None:
        """Wait to be asked."""

    def _take(self, byte: int) -> None:
        if byte == ord(":"):
            if self._kept:
                self._say("Error")
            self._kept[:] = b":"
        elif not self._kept or len(self._kept) >= _MOST:
            self._say("Error")
        else:
            self._kept.append(byte)
            if byte == ord("\n"):
                frame = bytes(self._kept)
                self._kept.clear()
                self._request(frame)

    def _request(self, frame: bytes) -> None:
        data, mark, check = frame[1:-1].partition(b"#")
        if not mark or check.lstrip(b"0") != b"%X" % _crc32b(data):
            self._say("Fehler: 4\r\n")
            self._say("Error")
            return
        self.heard.append(frame)
        if data[:1] in (b"D", b"A") and data[1:].isdigit():
            self._begin(self._deal(int(data[1:])))
        elif data == b"SH":
            self._begin(self._shuffle())
        self._say(f":OK#{_crc32b(b'OK'):X}\n")

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        if self._work is not None:
            self._work.cancel()
        self._work = asyncio.ensure_future(work)

    async def _shuffle(self) -> None:
        self.busy = True
        if self.jams:
            self.jams -= 1
            await asyncio.sleep(self._pace.shuffle_ms / 2000)
            self._say("Error")
        else:
            await asyncio.sleep(self._pace.shuffle_ms / 1000)
            self._felt.shuffle()
        self.busy = False

    async def _deal(self, number: int) -> None:
        for _ in range(number):
            await asyncio.sleep(self._pace.card_ms / 1000)
            for uid in self._felt.at(MACHINE)[:1]:
                self._felt.put(uid, OUTLET)

    def _moved(self, uid: Uid, _before: str, now: str) -> None:
        if now == INFEED:
            asyncio.get_running_loop().call_later(self._pace.dwell_ms / 1000, self._drop, uid)

    def _drop(self, uid: Uid) -> None:
        if self._felt.place_of(uid) == INFEED:
            self._felt.put(uid, MACHINE)

    def _say(self, text: str) -> None:
        asyncio.get_running_loop().call_later(self._pace.answer_ms / 1000, self._write, text.encode())

    def _write(self, data: bytes) -> None:
        try:
            self._line.write(data)
        except DeviceGone:
            return


def _crc32b(data: bytes) -> int:
    """CRC-32/ISO-HDLC bit by bit, as the board does it."""
    check = 0xFFFFFFFF
    for byte in data:
        check ^= byte
        for _ in range(8):
            check = (check >> 1) ^ (0xEDB88320 if check & 1 else 0)
    return check ^ 0xFFFFFFFF
