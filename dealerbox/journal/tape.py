"""The segments as one tape: blocks go on one after another, the next segment is made ahead of time."""

import threading

from dealerbox.journal.disk import Disk
from dealerbox.journal.segment import make, name_of, numbers, write_all


class Tape:
    """Writes where a recovery ended. Not for two threads at once; makes segments on a thread of its own."""

    def __init__(self, disk: Disk, number: int, offset: int, size: int) -> None:
        self._disk, self._number, self._offset, self._size = disk, number, offset, size
        self._file = disk.open(name_of(number))
        self._last = numbers(disk)[-1]
        self._making: threading.Thread | None = None
        self._error: Exception | None = None

    @property
    def name(self) -> str:
        return f"{self._disk.where}/{name_of(self._number)}"

    def write(self, data: bytes) -> None:
        """Write one record's blocks, not yet synced. OSError."""
        if self._offset + len(data) > self._size:
            self._roll()
        write_all(self._disk, self._file, data, self._offset)
        self._offset += len(data)

    def sync(self) -> None:
        """Return when all that was written is on the disk. OSError."""
        self._disk.fdatasync(self._file)
        if self._error:
            raise self._error
        if self._offset * 2 >= self._size and self._last == self._number:
            self._last += 1
            self._making = threading.Thread(target=self._make, args=(self._last,), name="journal-next", daemon=True)
            self._making.start()

    def close(self) -> None:
        """Wait for a segment that is being made, then close. OSError."""
        if self._making:
            self._making.join()
        self._disk.close(self._file)

    def _make(self, number: int) -> None:
        try:
            make(self._disk, number, self._size)
        except Exception as error:  # told by the next sync: no room for tomorrow is a reason to stop today
            self._error = error

    def _roll(self) -> None:
        """Go on in the next segment, which is there unless the whole of this one was written at once."""
        if self._offset:
            self._disk.fdatasync(self._file)
        if self._making:
            self._making.join()
            self._making = None
        if self._error:
            raise self._error
        if self._last == self._number:
            self._last += 1
            make(self._disk, self._last, self._size)
        file = self._disk.open(name_of(self._number + 1))
        self._disk.close(self._file)
        self._file, self._number, self._offset = file, self._number + 1, 0
