"""The segments as one tape: blocks go on one after another, the next segments are made ahead of time."""

import threading
import time
from collections.abc import Callable
from typing import Final

from dealerbox.journal.disk import Disk
from dealerbox.journal.record import BLOCK
from dealerbox.journal.segment import claims, is_full, make, name_of, numbers, write_all

LOOK_S: Final = 0.05
"""Between two looks whether the segment that is waited for is there; those behind it may still be made."""
AGAIN_S: Final = 30.0
"""From a segment for which the disk had no room to the next try: somebody may have made some."""


class Tape:
    """Writes where a recovery ended. Not for two threads at once; makes segments on a thread of its own.

    `reserve`: blocks that should stay ready. A disk too full to make more is no fault while there are some:
    `left` tells how many.
    """

    def __init__(
        self,
        disk: Disk,
        number: int,
        offset: int,
        size: int,
        reserve: int = 0,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._disk, self._number, self._offset, self._size = disk, number, offset, size
        self._reserve, self._clock_s = reserve, clock_s
        self._full_s: float | None = None
        """When the disk last had no room for another segment; None: it had."""
        self._file = disk.open_straight(name_of(number))
        self._last = numbers(disk)[-1]
        self._claimed = self._last
        while self._claimed + 1 in claims(disk):
            self._claimed += 1
        self._closing = False
        self._making: threading.Thread | None = None
        self._busy = False
        self._error: Exception | None = None

    @property
    def name(self) -> str:
        return f"{self._disk.where}/{name_of(self._number)}"

    @property
    def left(self) -> int:
        """Blocks made or claimed, and not used; what a record leaves at a segment's end counts as if it could be."""
        return ((self._claimed - self._number + 1) * self._size - self._offset) // BLOCK

    def write(self, data: bytes) -> None:
        """Write one record's blocks, not yet synced. OSError."""
        if self._offset + len(data) > self._size:
            self._roll()
        write_all(self._disk, self._file, data, self._offset)
        self._offset += len(data)

    def sync(self) -> None:
        """Return when all that was written is on the disk. OSError, also of the segment that was made meanwhile."""
        self._disk.fdatasync(self._file)
        if self._error:
            raise self._error

    def prepare(self) -> None:
        """Begin to make what will be needed: nobody waits for it."""
        if self._must_make():
            number = self._last + 1
            self._busy = True
            self._making = threading.Thread(target=self._make, args=(number,), name="journal-next", daemon=True)
            self._making.start()

    def close(self) -> None:
        """Stop making a segment, then close. OSError."""
        self._closing = True
        if self._making:
            self._making.join()
        self._disk.close(self._file)

    def _must_make(self) -> bool:
        """Tell whether a segment is to be made now: one is claimed, or the last is half used, or half the reserve."""
        if self._busy or self._closing:
            return False
        if self._full_s is not None and self._clock_s() - self._full_s < AGAIN_S:
            return False
        return self._last < self._claimed or self.left <= max(self._size // BLOCK, self._reserve) // 2

    def _make(self, number: int) -> None:
        """Make this segment, and then all that are claimed."""
        try:
            while make(self._disk, number, self._size, claimed=number <= self._claimed, stopped=lambda: self._closing):
                self._full_s, self._last = None, number
                self._claimed = max(self._claimed, number)
                number += 1
                if number > self._claimed:
                    break
        except Exception as error:  # told by the next sync
            if is_full(error):
                self._full_s, self._claimed = self._clock_s(), self._last
            else:
                self._error = error
        finally:
            self._busy = False

    def _roll(self) -> None:
        """Go on in the next segment, which is there unless the whole of this one was written at once."""
        if self._offset:
            self._disk.fdatasync(self._file)
        while self._last == self._number and self._busy and self._making:
            self._making.join(LOOK_S)
        if self._error:
            raise self._error
        if self._last == self._number:
            make(self._disk, self._last + 1, self._size, claimed=self._last < self._claimed)
            self._last += 1
            self._claimed = max(self._claimed, self._last)
        file = self._disk.open_straight(name_of(self._number + 1))
        self._disk.close(self._file)
        self._file, self._number, self._offset = file, self._number + 1, 0
