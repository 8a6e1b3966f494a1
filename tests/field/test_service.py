"""What service managers and clocks did to daemons."""

import ast
import asyncio
import configparser
import os
import socket
import struct
from pathlib import Path

import pytest

import dealerbox
from dealerbox.diagnostics.verdict import Step, Verdict
from dealerbox.diagnostics.watchdog import watchdog
from dealerbox.station import running
from dealerbox.station.notify import Notify, watch
from dealerbox.station.virtual import virtual_clock, virtual_run

ROOT = Path(dealerbox.__file__).parents[1]
CLOCKS = {("time", "time"), ("time", "time_ns"), ("datetime", "now"), ("datetime", "utcnow"), ("date", "today")}
PEER = struct.Struct("3i")


@pytest.fixture
def manager(tmp_path):
    """The far side of NOTIFY_SOCKET, which asks the kernel who speaks."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    listening.bind(str(tmp_path / "notify"))
    listening.setblocking(False)

    def heard() -> list[tuple[str, int]]:
        said = []
        while True:
            try:
                data, more, _, _ = listening.recvmsg(4096, socket.CMSG_SPACE(PEER.size))
            except BlockingIOError:
                return said
            said.append((data.decode(), PEER.unpack(more[0][2])[0]))

    yield str(tmp_path / "notify"), heard
    listening.close()


def test_every_word_to_the_manager_is_said_by_the_main_process_SD_02(live, actor, manager) -> None:
    path, heard = manager
    live(actor(), {"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "200000"})
    said = heard()
    assert [text for text, _ in said][0] == "READY=1"
    assert {pid for _, pid in said} == {os.getpid()}


def test_an_hour_of_pings_and_a_status_that_never_rests_are_no_flood_SD_06(manager) -> None:
    """With the unit's own limit of 5 s."""
    path, heard = manager
    said: list[str] = []

    async def hour() -> None:
        notify = Notify({"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "5000000"})
        notify.send = said.append
        watching = asyncio.create_task(watch(notify, lambda: (), virtual_clock, lambda: f"{len(said)} words"))
        await asyncio.sleep(3600)
        watching.cancel()
        notify.close()

    virtual_run(hour())
    assert 3600 < len(said) <= 5 * 3600
    assert heard() == []


def test_the_pis_own_watchdog_is_asked_for_no_more_than_it_can_SD_07() -> None:
    """Above 15 s a Pi's watchdog stays off without a word."""
    asked = configparser.ConfigParser()
    asked.read(ROOT / "systemd" / "watchdog.conf")
    assert 5 < int(asked["Manager"]["RuntimeWatchdogSec"]) <= 15


@pytest.mark.parametrize(
    ("kernel", "verdict", "found"),
    [
        ({"watchdog0": ("active", "14")}, Verdict.PASSED, "watchdog0: active, 14 s"),
        ({"watchdog0": ("inactive", "15")}, Verdict.FAILED, "watchdog0: inactive, 15 s"),
        ({"watchdog0": ("active", "30")}, Verdict.FAILED, "watchdog0: active, 30 s"),
        ({"watchdog0": ("inactive", "60"), "watchdog1": ("active", "15")}, Verdict.PASSED, "watchdog1: active, 15 s"),
        ({"watchdog0": ("", "")}, Verdict.UNTESTED, "the kernel does not say how it is: `wdctl` does"),
        ({}, Verdict.UNTESTED, "the kernel lists none"),
    ],
)
def test_the_self_test_reads_back_whether_the_watchdog_is_armed_SD_07(tmp_path, kernel, verdict, found) -> None:
    for name, files in kernel.items():
        (tmp_path / name).mkdir()
        for file, said in zip(("state", "timeout"), files, strict=True):
            (tmp_path / name / file).write_text(said + "\n")

    async def read() -> list[Step]:
        return [step async for step in watchdog(tmp_path)]

    (step,) = asyncio.run(read())
    assert (step.code, step.verdict) == ("watchdog-armed", verdict)
    assert step.found.startswith(found)


def test_the_unit_lets_the_station_give_its_sockets_to_their_groups() -> None:
    """Of the calls that want privilege on other files, chown is left: without it no group gets its socket."""
    unit = (ROOT / "systemd" / "dealerbox.service").read_text("utf-8").splitlines()
    filters = [line.partition("=")[2] for line in unit if line.startswith("SystemCallFilter=")]
    taken = next(place for place, each in enumerate(filters) if each.startswith("~") and "@privileged" in each)
    assert "@chown" in filters[taken + 1 :]
    groups = next(line for line in unit if line.startswith("SupplementaryGroups=")).partition("=")[2].split()
    assert {"dealerbox-tech", "dealerbox-director"} <= set(groups)


@pytest.mark.parametrize(("name", "task"), [("tell_wall_clock", "wall clock"), ("watch", "watchdog")])
def test_a_task_that_dies_is_a_fault_that_is_named_AS_01(live, actor, monkeypatch, name: str, task: str) -> None:
    async def dies(*_: object) -> None:
        raise LookupError("gone")

    monkeypatch.setattr(running, name, dies)
    code, said = live(actor(end=False))
    assert code == 70
    assert f"a fault of the station itself, in its {task}: LookupError" in said[0]


def test_the_wall_clock_is_read_in_one_place_CK_02() -> None:
    """Nothing else of the station can count with it."""
    read = []
    for room in ("model", "law", "engine", "journal", "config", "station"):
        for path in (ROOT / "dealerbox" / room).rglob("*.py"):
            read += [path.name for _ in wall_readings(path)]
    for path in (ROOT / "drivers").rglob("*.py"):
        read += [path.name for _ in wall_readings(path)]
    assert set(read) <= {"loop.py"}


def wall_readings(path: Path) -> list[ast.Attribute]:
    """Where a module reads the wall clock, or names what does."""
    return [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and (getattr(node.value, "id", getattr(node.value, "attr", "")), node.attr) in CLOCKS
    ]


def test_a_reading_of_the_wall_clock_is_noticed(tmp_path) -> None:
    file = tmp_path / "x.py"
    file.write_text("import time, datetime\ntime.time()\ndatetime.datetime.now()\ntime.monotonic()\n")
    assert len(wall_readings(file)) == 2
