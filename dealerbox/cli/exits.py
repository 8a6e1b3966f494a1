"""What the process says to whoever started it: docs/codes.md, after sysexits.h where that has a word for it."""

import errno
from enum import IntEnum
from typing import Final

from dealerbox.ports import ConfigError, DealerboxError, DeviceGone, DeviceWrong, JournalError, NotAllowed, NotInstalled


class Exit(IntEnum):
    """Exit codes of every `dealerbox` command."""

    DONE = 0
    FOUND = 1
    """The command ran, and what it looked for is there: a difference, a missed hold, a missing port."""
    USAGE = 2
    ROLLED_BACK = 3
    """A journal is whole, and older than it is known to have been."""
    DATA = 65
    NO_INPUT = 66
    NOT_RUNNING = 69
    FAULT = 70
    JOURNAL = 74
    NOT_ALLOWED = 77
    """Not by this person, not here, or not now."""
    CONFIG = 78
    INTERRUPTED = 130


_INPUT: Final = (errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.EACCES, errno.EPERM)


def exit_of(error: DealerboxError | OSError) -> Exit:
    """Return the code for an error that reached the edge."""
    match error:
        case ConfigError():
            return Exit.CONFIG
        case JournalError():
            return Exit.JOURNAL
        case NotAllowed():
            return Exit.NOT_ALLOWED
        case DeviceGone() | DeviceWrong() | NotInstalled():
            return Exit.NOT_RUNNING
        case DealerboxError():
            return Exit.DATA
    return Exit.NO_INPUT if error.errno in _INPUT else Exit.JOURNAL


_WHAT_TO_DO: Final = {
    errno.ENOENT: "check the path",
    errno.EISDIR: "name a file in it",
    errno.ENOTDIR: "check the path",
    errno.EACCES: "ask for leave, or run as the user who may",
    errno.EPERM: "ask for leave, or run as the user who may",
    errno.ENOSPC: "free some space and try again",
}


def sentences_of(error: DealerboxError | OSError) -> list[str]:
    """Return what to tell the person: what, where, what to do; a sentence a line."""
    if isinstance(error, DealerboxError):
        return str(error).splitlines()
    what = (error.strerror or str(error)).lower()
    where = f"{error.filename}: " if error.filename else ""
    todo = _WHAT_TO_DO.get(error.errno or 0, "mend that and try again")
    return [f"{where}{what}; {todo}"]
