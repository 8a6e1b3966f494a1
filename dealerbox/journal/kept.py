"""A head kept elsewhere: the one thing by which a journal that was put back, whole and too short, is known."""

import contextlib
import os
import queue
import threading
from pathlib import Path
from typing import Final

import msgspec

from dealerbox.journal.recover import Head
from dealerbox.journal.signed import Signed, read_signed
from dealerbox.ports import JournalError

CLOSE_S: Final = 1.0
"""Longest wait for a slow medium at closing."""


def said(head: Head) -> str:
    """Return a head as people hand it on: `SEQ:HASH`, the hash in hex."""
    return f"{head.seq}:{head.digest.hex()}"


def read_kept(file: Path) -> Head | None:
    """Return the head that is kept in `file`; None when there is no such file. JournalError when it is none."""
    try:
        return read_signed(file.read_bytes()).head()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(
            f"{file}: cannot read the kept head: {error.strerror}; mend that, or take it away"
        ) from error
    except (msgspec.MsgspecError, ValueError) as error:
        raise JournalError(f"{file}: no head is kept in it; the director looks why, and takes it away") from error


def write_kept(file: Path, head: Signed) -> None:
    """Put `head` in the place of what `file` holds, for good. OSError."""
    new = file.with_name(file.name + ".new")
    with open(new, "wb") as out:
        out.write(msgspec.json.encode(head) + b"\n")
        out.flush()
        os.fsync(out.fileno())
    new.replace(file)
    directory = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


class Keeper:
    """Keeps heads on a thread of its own: another medium may be slow, or gone, and delays nothing.

    `why`: what kept the last head from being kept; '' when it was. The next one is tried all the same.
    """

    def __init__(self, file: Path) -> None:
        self.why = ""
        self._file = file
        self._queue: queue.SimpleQueue[Signed | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="kept head", daemon=True)
        self._thread.start()

    def keep(self, head: Signed) -> None:
        """Take a head, and return at once."""
        self._queue.put(head)

    def close(self) -> str:
        """Keep what was taken; return why the last could not be kept, '' when it was. At most CLOSE_S."""
        self._queue.put(None)
        self._thread.join(CLOSE_S)
        return f"{self._file}: did not answer for {CLOSE_S} s" if self._thread.is_alive() else self.why

    def _serve(self) -> None:
        going = True
        while going:
            newest, going = self._next()
            if newest is None:
                continue
            try:
                write_kept(self._file, newest)
            except OSError as error:
                self.why = f"{self._file}: the journal's head cannot be kept there: {error.strerror or error}"
            else:
                self.why = ""

    def _next(self) -> tuple[Signed | None, bool]:
        """Wait for heads and return the newest; False with the last of them."""
        newest = self._queue.get()
        if newest is None:
            return None, False
        with contextlib.suppress(queue.Empty):
            while True:
                later = self._queue.get_nowait()
                if later is None:
                    return newest, False
                newest = later
        return newest, True
