"""The memory of the running station is locked, page by page as it is touched; where it cannot be, that is said."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dealerbox.station import resident
from dealerbox.station.resident import keep_resident

ROOT = Path(__file__).parents[2]
WATCHED = {"NOTIFY_SOCKET": "/run/systemd/notify"}


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A kernel of the test's own: its limit, what was locked, whether it refuses."""
    asked: dict[str, Any] = {"limit": resource.RLIM_INFINITY, "refuses": False, "locked": []}

    class Libc:
        def mlockall(self, flags: int) -> int:
            asked["locked"].append(flags)
            return -1 if asked["refuses"] else 0

    monkeypatch.setattr(resident.ctypes, "CDLL", lambda *_, **__: Libc())
    monkeypatch.setattr(resource, "getrlimit", lambda _: (asked["limit"], asked["limit"]))
    return asked


def test_all_of_it_is_locked_as_it_is_touched(kernel: dict[str, Any]) -> None:
    """MCL_CURRENT 1, MCL_FUTURE 2, MCL_ONFAULT 4 (mlockall(2))."""
    assert keep_resident(WATCHED) == ""
    assert kernel["locked"] == [7]


def test_under_a_limit_nothing_is_locked_since_a_later_allocation_would_fail(kernel: dict[str, Any]) -> None:
    kernel["limit"] = 8 << 20
    assert "set LimitMEMLOCK=infinity in the unit" in keep_resident(WATCHED)
    assert kernel["locked"] == []


def test_what_the_kernel_refuses_is_said_to_who_asked_for_it(kernel: dict[str, Any]) -> None:
    kernel["refuses"] = True
    assert keep_resident(WATCHED).startswith("memory is not locked (")
    assert keep_resident({}) == ""


def test_a_limit_says_nothing_to_a_station_that_was_started_by_hand(kernel: dict[str, Any]) -> None:
    kernel["limit"] = 0
    assert keep_resident({}) == ""


def test_a_daemon_that_is_watched_says_it_once_on_standard_error() -> None:
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_MEMLOCK, (4096, 4096));"
        "from dealerbox.station import daemon; print(daemon.main(['--config', 'none.toml']))"
    )
    environ = {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "drivers"))), **WATCHED}
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environ)
    assert told.stdout == "78\n"
    assert [line.split(" (")[0] for line in told.stderr.splitlines()][0] == "memory is not locked"
