"""A device for a tool alone: directly where no station runs, on loan in service, and never while a hand is open."""

import asyncio
import contextlib
import os
import socket
import threading
from collections.abc import Callable

import msgspec
import pytest

from bench.kept_journal import kept
from dealerbox.diagnostics.borrowed import borrowed, named, port_alone
from dealerbox.model.view import View
from dealerbox.ports import ConfigError, DeviceGone, NotAllowed
from dealerbox.station.asked import Answer
from dealerbox.station.state_dir import LOCK, own

LENT = msgspec.json.encode(Answer(ok=True, view=View(table="T", phase="between", hand=1)))


@pytest.fixture
def station(config):
    """`station(answer)`: a technician's socket that answers each line so; what is returned hangs up."""
    config.runtime_dir.mkdir()
    ended: list[Callable[[], None]] = []
    heard: list[bytes] = []

    def serve(answer: bytes, name: str = "tech.sock") -> list[bytes]:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(str(config.runtime_dir / name))
        listening.listen()
        callers: list[socket.socket] = []

        def answers() -> None:
            try:
                while True:
                    caller, _ = listening.accept()
                    with caller:
                        callers.append(caller)
                        while line := caller.recv(4096):
                            heard.append(line)
                            caller.sendall(answer + b"\n")
                        heard.append(b"hung up")
            except OSError:
                return

        thread = threading.Thread(target=answers)
        thread.start()

        def end() -> None:
            while thread.is_alive():  # it may just be taking a call
                for one in (listening, *callers):
                    with contextlib.suppress(OSError):
                        one.shutdown(socket.SHUT_RDWR)
                thread.join(0.05)
            listening.close()

        ended.append(end)
        return heard

    serve.end = lambda: [end() for end in ended]
    yield serve
    serve.end()


def test_where_no_station_runs_it_is_opened_directly(config) -> None:
    with borrowed(config, "outlet") as loan:
        assert not loan.lent
        with pytest.raises(DeviceGone, match="platform-xhci"):
            asyncio.run(loan.line()())


def test_a_reader_is_named_by_its_zone_too_and_what_there_is_not_is_said(config) -> None:
    assert named(config, "seat:7").name == "seats-right"
    said = "no device and no zone is called 'gate'; devices: shuffler, seats-left.*; zones: .*seat:7"
    with pytest.raises(DeviceGone, match=said), borrowed(config, "gate"):
        pass


def test_a_panel_has_no_line(config) -> None:
    with borrowed(config, "panel") as loan, pytest.raises(ConfigError, match="has no line of bytes"):
        loan.line()


def test_in_service_the_station_lends_it_until_the_with_ends(config, station) -> None:
    heard = station(LENT)
    with borrowed(config, "seat:7") as loan:
        assert loan.lent
        assert heard == [b'{"ask":"lend","device":"seats-right"}\n']
    station.end()
    assert heard[-1] == b"hung up"


def test_in_play_the_station_says_what_to_do(config, station) -> None:
    said = "outlet is lent in service alone: `dealerbox diag service begin`, between hands"
    station(msgspec.json.encode(Answer(error=said)))
    with pytest.raises(NotAllowed, match=said), borrowed(config, "outlet"):
        pass


def test_a_station_without_a_technicians_socket_lends_nothing(config, station) -> None:
    station(LENT, "control.sock")
    with pytest.raises(NotAllowed, match="make the group 'dealerbox-tech'"), borrowed(config, "outlet"):
        pass


def test_a_loan_ends_with_its_station(config, station) -> None:
    station(LENT)

    async def watched(loan) -> None:
        waiting = asyncio.create_task(loan.ended())
        await asyncio.sleep(0)
        assert not waiting.done()
        station.end()
        with pytest.raises(DeviceGone, match="the loan with it"):
            await waiting

    with borrowed(config, "outlet") as loan:
        asyncio.run(watched(loan))


def test_a_station_that_was_stopped_in_mid_hand_is_to_be_started_first(config, evening) -> None:
    begun, ended = evening
    config.state_dir.mkdir()
    kept(config.state_dir / "journal", begun)
    with pytest.raises(NotAllowed, match="stopped in mid-hand; start it, end the hand"), borrowed(config, "outlet"):
        pass
    kept(config.state_dir / "journal", [ended])
    with borrowed(config, "outlet"):
        pass


def test_a_station_that_is_starting_keeps_its_devices(config) -> None:
    lock = own(config.state_dir)
    try:
        with pytest.raises(NotAllowed, match="starting or ending"), borrowed(config, "outlet"):
            pass
    finally:
        os.close(lock)
    assert (config.state_dir / LOCK).exists()
    with borrowed(config, "outlet"):
        pass


def test_a_port_of_the_table_is_borrowed_and_any_other_is_nobodys(config, station, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("dealerbox.diagnostics.borrowed.load", lambda file, drivers, decks: config)
    file = tmp_path / "station.toml"
    port = named(config, "outlet").settings.port
    with port_alone(str(file), port):
        pass
    file.touch()
    heard = station(msgspec.json.encode(Answer(error="in service alone")))
    with port_alone(str(file), "/dev/ttyNONE9"):
        assert heard == []
    with pytest.raises(NotAllowed, match="in service alone"), port_alone(str(file), port):
        pass
