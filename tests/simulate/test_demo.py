"""The demo as a person starts it, where standard output is no terminal. The longest test of the suite: one hand."""

import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.simulate.demo.run import is_taken

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder():
    """A folder with a short name: that of a socket in it may have 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="demo-") as name:
        yield Path(name)


@pytest.fixture
def start(folder):
    """Start the demo; whatever it leaves behind would lie in the folder returned."""
    sources = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "drivers")))}

    def demo(*arguments: str):
        return subprocess.Popen(
            [sys.executable, "-m", "dealerbox.simulate.demo", *arguments],
            cwd=ROOT,
            env=sources | {"TMPDIR": str(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return demo


def daemons(folder: Path) -> list[int]:
    """Return the processes whose command names something in `folder`."""
    commands = {int(place.name): place / "cmdline" for place in Path("/proc").iterdir() if place.name.isdecimal()}
    found = []
    for pid, command in commands.items():
        try:
            if str(folder).encode() in command.read_bytes():
                found.append(pid)
        except OSError:
            continue
    return found


def test_a_hand_goes_wrong_is_held_put_right_and_ends_with_everything_proved(start, folder) -> None:
    with start("--hands", "1", "--fault", "wrong_seat", "--speed", "20") as demo:
        said, _ = demo.communicate(timeout=60)
    assert demo.returncode == 0, said
    assert re.search(
        r"HOLD wrong_seat: A card for seat \d was dealt to seat \d\.\n"
        r".*why: Delaware Title 28 §1804A\(3\): Each player gets two cards, .*\n"
        r".*do: Put it on seat \d",
        said,
    )
    opening = ["Wait for the shuffler", "Open the shuffler, take every card out", "Break the seal", "52 cards read"]
    heard = [words for words in opening if words in said]  # on a loaded machine one may stand for less than a look
    assert sorted(heard, key=said.index) == heard
    assert "52 cards read" in heard
    assert re.search(
        r"somebody moves a card from seat \d to seat \d\n.*hold wrong_seat has ended: the deal goes on", said
    )
    began, ended = (int(re.search(rf"0:(\d\d)  {words}", said)[1]) for words in ("HOLD wrong", "hold wrong"))
    assert ended - began >= 2
    assert "1 hand played" in said
    assert re.search(r"hand 1: wrong_seat \(§1804A\(3\)\): a reader saw the card at seat:\d, after", said)
    assert re.search(r"journal: clean, \d+ records; played again: equal", said)
    assert "gate: locked, as it must be when the table is stopped" in said
    assert list(folder.iterdir()) == []
    assert daemons(folder) == []


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_or_a_closed_terminal_ends_it_cleanly(start, folder, told) -> None:
    with start() as demo:
        first = demo.stdout.readline()
        demo.send_signal(told)
        said, _ = demo.communicate(timeout=20)
    assert demo.returncode == 0, first + said
    assert "journal: clean" in said
    assert "gate: locked" in said
    assert list(folder.iterdir()) == []
    assert daemons(folder) == []


def test_a_pipe_that_is_closed_ends_it_cleanly(start, folder) -> None:
    with start("--hands", "3", "--speed", "20") as demo:
        demo.stdout.readline()
        demo.stdout.close()
        assert demo.wait(timeout=20) == 130
    assert list(folder.iterdir()) == []
    assert daemons(folder) == []


def test_a_demo_that_is_killed_leaves_no_daemon_and_the_next_one_clears_up_its_files(start, folder) -> None:
    with start() as demo:
        demo.stdout.readline()
        (daemon,) = daemons(folder)
        watched = os.pidfd_open(daemon)
        demo.kill()
        assert select.select([watched], [], [], 5)[0], "the daemon lives on"
        os.close(watched)
        demo.communicate(timeout=20)
    (left,) = folder.iterdir()
    with start() as demo:
        demo.stdout.readline()
        assert not left.exists()
        demo.send_signal(signal.SIGINT)
        demo.communicate(timeout=20)
    assert list(folder.iterdir()) == []


def test_a_daemon_that_dies_is_told_with_how_it_ended(start, folder) -> None:
    with start() as demo:
        demo.stdout.readline()
        (daemon,) = daemons(folder)
        os.kill(daemon, signal.SIGKILL)
        said, _ = demo.communicate(timeout=20)
    assert demo.returncode == 69
    assert "the demo ended: the daemon was killed by SIGKILL" in said
    assert list(folder.iterdir()) == []


def test_a_fault_that_nobody_knows_is_refused_with_those_that_are_known(start) -> None:
    with start("--fault", "earthquake") as demo:
        said, _ = demo.communicate(timeout=20)
    assert demo.returncode == 2
    assert "unknown fault earthquake; known: wrong_seat" in said


@pytest.mark.parametrize(("reason", "taken"), [(Reason.SERVICE, True), (Reason.JAM, False)])
def test_a_technician_may_have_the_table_for_as_long_as_he_likes(reason, taken) -> None:
    hold = Standing(reason=reason, clause="house", what="It is held.", remedy="Wait.")
    assert is_taken(View(table="Demo", phase="between", hand=3, holds=(hold,))) is taken
    assert not is_taken(None)
