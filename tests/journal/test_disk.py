"""Files opened straight: writes that go past the kernel's cache, and what is done where there is no way past it."""

import errno
import fcntl
import os
from pathlib import Path

import pytest

from dealerbox.journal import disk as disk_module
from dealerbox.journal.disk import STRAIGHT_BYTES, RealDisk
from dealerbox.journal.segment import make, name_of, write_all

SIZE = 4 * STRAIGHT_BYTES


@pytest.fixture
def disk(tmp_path: Path) -> RealDisk:
    made = RealDisk(tmp_path)
    make(made, 1, SIZE)
    return made


def is_straight(file: int) -> bool:
    return bool(fcntl.fcntl(file, fcntl.F_GETFL) & os.O_DIRECT)


def test_what_is_written_straight_is_what_a_reader_through_the_cache_finds(disk: RealDisk) -> None:
    cached = disk.open(name_of(1))
    assert disk.pread(cached, SIZE, 0) == bytes(SIZE)
    file = disk.open_straight(name_of(1))
    data = os.urandom(STRAIGHT_BYTES + 4096)
    write_all(disk, file, data, 4096)
    disk.fdatasync(file)
    assert disk.pread(cached, SIZE, 0) == (bytes(4096) + data).ljust(SIZE, b"\0")
    disk.close(file)
    disk.close(cached)


@pytest.mark.parametrize("refused", ["open", "preadv"])
def test_a_file_system_without_a_way_past_its_cache_is_written_through_it(disk, monkeypatch, refused: str) -> None:
    """Some refuse O_DIRECT at once, some only when blocks of this size are read or written."""
    real = getattr(os, refused)

    def without(*given):
        if refused == "preadv" or given[1] & os.O_DIRECT:
            raise OSError(errno.EINVAL, "Invalid argument")
        return real(*given)

    monkeypatch.setattr(disk_module.os, refused, without)
    file = disk.open_straight(name_of(1))
    assert not is_straight(file)
    assert disk.pwrite(file, b"x" * 4096, 0) == 4096
    disk.close(file)


def test_a_file_that_cannot_be_opened_straight_for_another_reason_is_an_error(disk: RealDisk) -> None:
    with pytest.raises(FileNotFoundError):
        disk.open_straight(name_of(2))
