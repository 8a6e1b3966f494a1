"""The demo's temporary folder: gone when the demo ends, and those of demos that were killed gone at the next start."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PREFIX: Final = "dealerbox-demo-"
LOCK: Final = "lock"
"""Held for as long as its demo lives: the kernel lets it go, however the demo ends."""
UNLOCKED_S: Final = 3600
"""A folder without a lock may be one that is just being made; so old, it is not."""


@contextlib.contextmanager
def own_folder(above: Path | None = None) -> Iterator[Path]:
    """Give a folder within `above` (default: where temporary files go), first removing what killed demos left there."""
    above = above or Path(tempfile.gettempdir())
    for left in above.glob(f"{PREFIX}*"):
        _clear(left)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=above) as name:
        folder = Path(name)
        with (folder / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder


def _clear(folder: Path) -> None:
    """Remove a folder of this user's of which no demo lives; another's, or one in use, stays."""
    with contextlib.suppress(OSError):
        found = folder.lstat()
        if found.st_uid != os.getuid() or folder.is_symlink() or not folder.is_dir():
            return
        if not (folder / LOCK).exists():
            if time.time() - found.st_mtime > UNLOCKED_S:
                shutil.rmtree(folder)
            return
        with (folder / LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # BlockingIOError: its demo lives
            shutil.rmtree(folder)
