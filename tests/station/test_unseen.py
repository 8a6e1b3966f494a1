"""Nothing of the running station is written down by the system: no core, no debugger, no trace (P4)."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dealerbox.station import unseen
from dealerbox.station.unseen import TRACES, keep_unseen

SOURCES = {"PYTHONPATH": os.pathsep.join(str(Path(__file__).parents[2] / room) for room in ("", "drivers"))}
DAEMON = """
import ctypes, os, resource, sys
from dealerbox.station import daemon
code = daemon.main(["--config", "none.toml"])
print(code, resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), sorted(os.environ))
"""


def test_the_daemon_leaves_no_core_and_cannot_be_attached_to() -> None:
    told = subprocess.run(
        [sys.executable, "-c", DAEMON], capture_output=True, text=True, check=True, env={**SOURCES, "LIBUSB_DEBUG": "4"}
    )
    assert told.stdout.startswith("78 (0, 0) 0 ")
    assert "LIBUSB_DEBUG" not in told.stdout
    assert told.stderr.startswith("LIBUSB_DEBUG is not heeded: it would write down what readers say; take it away\n")


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A kernel of the test's own: what it is asked for, and what it refuses."""
    asked: dict[str, Any] = {"limit": (1, 1), "refuses": False, "dumpable": 1}

    class Libc:
        def prctl(self, option: int, value: int, *_: int) -> int:
            asked["dumpable"] = value if option == 4 else 1
            return -1 if asked["refuses"] else 0

    def set_limit(_: int, limits: tuple[int, int]) -> None:
        if asked["refuses"]:
            raise PermissionError(1, "Operation not permitted")
        asked["limit"] = limits

    monkeypatch.setattr(unseen.ctypes, "CDLL", lambda *_, **__: Libc())
    monkeypatch.setattr(resource, "getrlimit", lambda _: asked["limit"])
    monkeypatch.setattr(resource, "setrlimit", set_limit)
    return asked


def test_no_core_no_debugger_no_trace(kernel: dict[str, Any]) -> None:
    environ = dict.fromkeys(TRACES, "1") | {"HOME": "here"}
    said = keep_unseen(environ)
    assert (kernel["limit"], kernel["dumpable"], environ) == ((0, 0), 0, {"HOME": "here"})
    assert [sentence.split()[0] for sentence in said] == list(TRACES)


def test_a_limit_that_the_unit_has_set_is_not_asked_for_again(kernel: dict[str, Any]) -> None:
    """The unit's own filter refuses setrlimit (systemd/dealerbox.service)."""
    kernel["limit"] = (0, 0)
    kernel["refuses"] = True
    assert [sentence.partition(" (")[0] for sentence in keep_unseen({})] == [
        "other processes of this user can look into the station"
    ]


def test_what_the_kernel_refuses_is_said(kernel: dict[str, Any]) -> None:
    kernel["refuses"] = True
    assert len(keep_unseen({})) == 2
