"""Who has a device node open, as far as /proc tells this user."""

import contextlib
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
MOST_PROCESSES: Final = 2_000
"""Looked at before it is given up: the answer is for a message alone."""


def holders(node: str, proc: Path = PROC) -> list[str]:
    """Return `name (process N)` of every process that has `node` (a link is followed) open, our own left out.

    Of other users' processes only root is told. Reads files of the kernel alone: never waits for a device.
    """
    try:
        wanted = Path(node).resolve(strict=True)
        own = (proc / "self").resolve().name
        numbers = sorted((each.name for each in proc.iterdir() if each.name.isdigit()), key=int)
    except OSError:
        return []
    found = []
    for number in numbers[:MOST_PROCESSES]:
        if number != own and _has(proc / number, wanted):
            found.append(f"{_name(proc / number)} (process {number})")
    return found


def _has(process: Path, wanted: Path) -> bool:
    with contextlib.suppress(OSError):  # another user's, or ended meanwhile
        for descriptor in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                if descriptor.readlink() == wanted:
                    return True
    return False


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text("utf-8").strip()
    except OSError:
        return "a process"
