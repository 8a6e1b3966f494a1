"""The sockets as files: who may open them, and that nobody else has made their folder his."""

import grp
import os
import socket
import stat
from pathlib import Path
from typing import Final

from dealerbox.ports import ConfigError, DealerboxError
from dealerbox.station.state_dir import ours_alone

LONGEST: Final = 107
"""Bytes of a socket's path (unix(7): 108 with its end)."""
_OF_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def listen(path: Path, group: str | None) -> socket.socket:
    """Return a socket that listens at `path`: mode 0660 for `group` ('': the station's own), or 0600 (None).

    ConfigError when its folder is another's or others may write there, or its path is too long; DealerboxError when
    it cannot listen there.
    """
    length = len(os.fsencode(path))
    if length > LONGEST:
        raise ConfigError(
            f"{path}: {length} bytes, and the path of a socket may have {LONGEST}; choose a shorter runtime_dir "
            "(for the demo: a shorter TMPDIR)"
        )
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        ours_alone(path.parent, _OF_OTHERS)
        _take_over(path)
        before = os.umask(0o177)
        try:
            listening.bind(str(path))
        finally:
            os.umask(before)
        if group:
            os.chown(path, -1, grp.getgrnam(group).gr_gid)
        if group is not None:  # only now: before, it had another group
            path.chmod(0o660)
    except (OSError, KeyError) as error:
        listening.close()
        raise DealerboxError(f"{path}: cannot listen there: {error}") from error
    except DealerboxError:
        listening.close()
        raise
    return listening


def is_group(name: str) -> bool:
    """Tell whether the system has a group of this name."""
    try:
        grp.getgrnam(name)
    except KeyError:
        return False
    return True


def _take_over(path: Path) -> None:
    """Remove the socket of a station that is dead; OSError when one still answers."""
    if not path.exists():
        return
    if not path.is_socket():
        raise OSError("something that is no socket lies there; move it away")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise OSError("another station answers at this socket; stop it first")
