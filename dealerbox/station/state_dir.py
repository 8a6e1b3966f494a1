"""What a station owns while it runs: its folder, and this boot."""

import fcntl
import os
import stat
import uuid
from pathlib import Path
from typing import Final

from dealerbox.ports import ConfigError, JournalError

LOCK: Final = "lock"
"""The file in a station's folder that a running station keeps locked."""
SECRET_BYTES: Final = 32
OTHERS: Final = 0o077
"""What group and others may do."""
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


def boot_id_of(file: Path = _BOOT_ID) -> str:
    """Return this boot's id; where the system hides it, a new one: elapsed time then counts as not known."""
    try:
        return str(uuid.UUID(file.read_text().strip()))
    except (OSError, ValueError):
        return str(uuid.uuid4())


def own(state_dir: Path) -> int:
    """Return the locked descriptor that makes `state_dir` ours. JournalError when another station has it.

    ConfigError when the folder is another's, or others may look into it.
    """
    state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    ours_alone(state_dir, OTHERS)
    lock = os.open(state_dir / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise JournalError(f"{state_dir}: another station runs with this state; stop it first") from error
    return lock


def ours_alone(path: Path, forbidden: int) -> None:
    """ConfigError unless `path` is ours, no link, and none of the `forbidden` bits is in its mode. OSError."""
    there = path.lstat()
    mode = stat.S_IMODE(there.st_mode)
    if stat.S_ISLNK(there.st_mode):
        raise ConfigError(f"{path}: is a link; name the place itself")
    if there.st_uid != os.geteuid():
        raise ConfigError(f"{path}: belongs to user {there.st_uid}, and the station runs as {os.geteuid()}; chown it")
    if mode & forbidden:
        raise ConfigError(f"{path}: is open to others (mode {mode:04o}); chmod {mode & ~forbidden:04o} it")


def secret(file: Path) -> bytes:
    """Return a secret key of the station's, made anew (0600) where there is none.

    ConfigError when it is another's, others may read it or it is no key; OSError when the disk says no.
    """
    try:
        ours_alone(file, OTHERS)
        with open(file, "rb") as stream:
            key = stream.read(SECRET_BYTES + 1)
    except FileNotFoundError:
        return _new_secret(file)
    if len(key) != SECRET_BYTES:
        raise ConfigError(f"{file}: {len(key)} bytes are no key; restore it, or remove it between hands")
    return key


def _new_secret(file: Path) -> bytes:
    key = os.urandom(SECRET_BYTES)
    making = file.with_name(file.name + ".making")
    making.unlink(missing_ok=True)
    descriptor = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as stream:
        stream.write(key)
        stream.flush()
        os.fsync(descriptor)
    making.rename(file)
    directory = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
    return key
