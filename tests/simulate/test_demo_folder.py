"""Where the demo keeps its files: nothing of an ended demo stays for longer than until the next one."""

import fcntl
import os
from pathlib import Path

from dealerbox.simulate.demo.folder import LOCK, PREFIX, UNLOCKED_S, own_folder


def left(above: Path, name: str, *, locked: bool = True) -> Path:
    folder = above / f"{PREFIX}{name}"
    (folder / "state").mkdir(parents=True)
    if locked:
        (folder / LOCK).touch()
    return folder


def test_it_is_gone_after_its_demo(tmp_path) -> None:
    with own_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert folder.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_demo_left_is_gone_at_the_next_start(tmp_path) -> None:
    killed = left(tmp_path, "killed")
    with own_folder(tmp_path):
        assert not killed.exists()


def test_the_folder_of_a_demo_that_lives_stays(tmp_path) -> None:
    with own_folder(tmp_path) as living, own_folder(tmp_path) as other:
        assert living.is_dir()
        assert other != living


def test_a_folder_that_is_just_being_made_stays_and_an_old_one_without_a_lock_does_not(tmp_path) -> None:
    young, old = left(tmp_path, "young", locked=False), left(tmp_path, "old", locked=False)
    long_ago = old.stat().st_mtime - UNLOCKED_S - 1
    os.utime(old, (long_ago, long_ago))
    with own_folder(tmp_path):
        assert young.is_dir()
        assert not old.exists()


def test_a_link_by_that_name_is_left_alone(tmp_path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / LOCK).touch()
    (tmp_path / f"{PREFIX}link").symlink_to(elsewhere)
    with own_folder(tmp_path):
        assert (elsewhere / LOCK).exists()


def test_the_lock_is_held_while_the_demo_lives(tmp_path) -> None:
    with own_folder(tmp_path) as folder, (folder / LOCK).open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        raise AssertionError("the lock is free")
