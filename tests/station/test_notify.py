import asyncio
import itertools
import os
import socket

import pytest

from dealerbox.station.notify import Notify, watch
from dealerbox.station.virtual import virtual_clock


@pytest.fixture
def manager(tmp_path):
    """The far side of NOTIFY_SOCKET: its path, and what was said to it."""
    path = str(tmp_path / "notify")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.bind(path)
    listening.setblocking(False)

    def heard() -> list[str]:
        said = []
        while True:
            try:
                said.append(listening.recv(4096).decode())
            except BlockingIOError:
                return said

    yield path, heard
    listening.close()


def test_ready_status_and_stopping_are_said_as_the_manual_has_them(manager) -> None:
    path, heard = manager
    notify = Notify({"NOTIFY_SOCKET": path})
    notify.ready()
    for text in ("all well", "all well", "held"):
        notify.status(text)
    notify.stopping()
    notify.close()
    assert heard() == ["READY=1", "STATUS=all well", "STATUS=held", "STOPPING=1"]


def test_an_abstract_address_is_understood() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0dealerbox-test")
        notify = Notify({"NOTIFY_SOCKET": "@dealerbox-test"})
        notify.ready()
        assert listening.recv(99) == b"READY=1"
        notify.close()


def test_without_a_manager_or_with_a_dead_one_nothing_happens(tmp_path) -> None:
    for environ in ({}, {"NOTIFY_SOCKET": str(tmp_path / "nobody")}):
        notify = Notify(environ)
        notify.ready()
        notify.close()


@pytest.mark.parametrize(
    ("environ", "limit_s"),
    [
        ({}, 0),
        ({"WATCHDOG_USEC": "5000000"}, 5),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": str(os.getpid())}, 0.5),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": "1"}, 0),
        ({"WATCHDOG_USEC": "soon"}, 0),
    ],
)
def test_the_limit_is_the_managers_and_for_this_process(environ, limit_s) -> None:
    assert Notify(environ).watchdog_s == limit_s


@pytest.mark.parametrize("limit_s", [0.5, 2, 10])
def test_pings_come_well_within_the_limit_while_all_parts_progress(run, manager, limit_s) -> None:
    path, heard = manager
    pings = []

    async def live() -> None:
        notify = Notify({"NOTIFY_SOCKET": path, "WATCHDOG_USEC": str(int(limit_s * 1e6))})
        send = notify.send
        notify.send = lambda text: (send(text), text == "WATCHDOG=1" and pings.append(virtual_clock()))
        watching = asyncio.create_task(watch(notify, lambda: (), virtual_clock, lambda: "all well"))
        await asyncio.sleep(20)
        watching.cancel()
        notify.close()

    run(live())
    gaps = [b - a for a, b in itertools.pairwise(pings)]
    assert max(gaps) < limit_s / 2 * 1e9
    assert len(pings) <= 20 * 6 + 1
    assert "STATUS=all well" in heard()


def test_a_part_without_progress_starves_the_watchdog_and_is_named(run, manager) -> None:
    path, heard = manager
    stuck = []

    async def live() -> None:
        notify = Notify({"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "3000000"})
        watching = asyncio.create_task(watch(notify, lambda: tuple(stuck), virtual_clock, lambda: "all well"))
        await asyncio.sleep(5.5)
        before = heard()
        assert before.count("WATCHDOG=1") == 5
        stuck.append("journal")
        await asyncio.sleep(5)
        watching.cancel()
        notify.close()

    run(live())
    assert heard() == ["STATUS=no progress: journal"]
