"""Who is on the other end of a socket, by the kernel's word alone."""

import os
import pwd
import socket
import struct
from pathlib import Path
from typing import Final

import msgspec

_CREDENTIALS: Final = struct.Struct("3i")
_OVERFLOW: Final = Path("/proc/sys/kernel/overflowuid")
NOBODY: Final = 65534
"""What the kernel says of a user whom it cannot name here, where it does not tell another number."""


class Peer(msgspec.Struct, frozen=True):
    """Somebody the system knows. A pid is never an identity: it is somebody else's a moment later."""

    uid: int
    name: str

    def __str__(self) -> str:
        """Return what is recorded: the name may be given to another number one day."""
        return f"{self.name} ({self.uid})"


def peer_of(connection: socket.socket) -> Peer | None:
    """Return who connected; None when the kernel does not say, or the system has no user of that number.

    A user of another namespace comes as the kernel's overflow user, who is anybody.
    """
    try:
        told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        _, uid, _ = _CREDENTIALS.unpack(told)
    except (OSError, struct.error):
        return None
    return named(uid)


def named(uid: int, overflow: Path = _OVERFLOW) -> Peer | None:
    """Return the user of this number, None when there is none or it stands for anybody."""
    if uid < 0 or uid == _anybody(overflow):
        return None
    try:
        return Peer(uid, pwd.getpwuid(uid).pw_name)
    except KeyError:
        return None


def myself() -> Peer | None:
    """Return who runs this program."""
    return named(os.geteuid())


def _anybody(overflow: Path) -> int:
    try:
        return int(overflow.read_text())
    except (OSError, ValueError):
        return NOBODY
