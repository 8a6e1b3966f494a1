"""The daemon as a whole, with a device of the test's own and real time, disk, signals and sockets."""

import asyncio
import contextlib
import gc
import json
import os
import signal
import socket
import threading
import time

import msgspec
import pytest

from dealerbox.journal.disk import RealDisk
from dealerbox.journal.export import export
from dealerbox.journal.recover import Verdict
from dealerbox.model.commands import Hold, Show
from dealerbox.model.events import ButtonAt, Started, WallClock
from dealerbox.model.reasons import Reason
from dealerbox.ports import ConfigError, DeviceGone, JournalError
from dealerbox.station import daemon
from dealerbox.station.entry import decode
from dealerbox.station.past import recall


def entries(config) -> list:
    lines: list[bytes] = []
    assert export(RealDisk(config.state_dir / "journal"), lines.append).verdict is Verdict.CLEAN
    return [decode(line) for line in lines]


def test_sigterm_ends_it_held_with_the_journal_closed_in_under_two_seconds(live, actor, config) -> None:
    there = actor()
    began = time.monotonic()
    assert live(there) == (0, [])
    assert time.monotonic() - began < 2
    holds = [command for command in there.given if isinstance(command, Hold)]
    assert [hold.reason for hold in holds] == [Reason.RESTARTED]
    assert [type(entry.event) for entry in entries(config)] == [Started, WallClock]
    assert not config.socket.exists()


def test_whoever_watches_hears_that_it_is_ready_and_where_it_answers(config, actor) -> None:
    news: list[str] = []
    daemon.run(config, say=news.append, news=news.append, environ={}, build=actor().build)
    assert news[-1:] == [f"{config.table}: ready, answers at {config.socket}; opening shuffler"]
    gc.unfreeze()


def test_each_run_has_a_session_of_its_own_that_is_durable_before_devices_run(live, actor, config) -> None:
    async def look(emit) -> None:
        started = [entry.event for entry in entries(config) if isinstance(entry.event, Started)]
        assert started[-1].memory == there.memory
        seen.append(there.memory.session)

    seen: list[int] = []
    for _ in range(3):
        there = actor(look)
        assert live(there) == (0, [])
    assert seen == [1, 2, 3]


def test_a_restart_comes_back_to_the_same_state(live, actor, config) -> None:
    async def act(emit) -> None:
        emit(ButtonAt(time.clock_gettime_ns(time.CLOCK_BOOTTIME), (2,)))

    live(actor(act))
    live(actor())
    state = recall(RealDisk(config.state_dir / "journal")).state
    assert state.memory.session == 2
    assert state.setup.table == "T1"
    assert [type(entry.event).__name__ for entry in entries(config)].count("ButtonAt") == 1


def test_ready_comes_with_the_socket_whatever_the_devices_do(live, actor, config, tmp_path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(5)

        async def absent(emit) -> None:
            if there.runs < 3:
                raise DeviceGone("nothing there")
            reader, writer = await asyncio.open_unix_connection(config.socket)
            writer.write(b'{"ask":"health"}\n')
            asked.append(json.loads(await reader.readline()))
            writer.close()

        asked: list = []
        there = actor(absent)
        environ = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "150000"}
        assert live(there, environ) == (0, [])
        assert asked[0]["devices"][0]["condition"] == "lost"
        heard = [manager.recv(999).decode() for _ in range(3)]
        manager.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                heard.append(manager.recv(999).decode())
    assert heard[0] == "READY=1"
    assert heard.count("WATCHDOG=1") >= 2
    assert heard[-1] == "STOPPING=1"


def test_a_second_set_of_decks_is_brought_to_the_open_table_and_outlasts_a_restart(live, actor, config, asked) -> None:
    fresh = tuple(
        msgspec.structs.replace(
            config.decks[0], name=name, back=name, slot=slot, tags=tuple(f"E004{slot}0000000{n:04X}" for n in range(52))
        )
        for slot, name in ((3, "green"), (4, "black"))
    )
    config = msgspec.structs.replace(config, directors="")
    larger = msgspec.structs.replace(config, decks=config.decks + fresh, deck_files=(*config.deck_files, "c", "d"))

    async def bring(emit) -> None:
        answers.extend(await asked(config.socket.with_name("director.sock"), b'{"ask":"decks"}', b'{"ask":"status"}'))

    answers: list = []
    assert live(actor(bring), config=config, reread=lambda: larger) == (0, [])
    assert answers[0]["ok"]
    assert [deck["name"] for deck in answers[1]["decks"]] == ["deck 1", "deck 2", "green", "black"]
    live(actor(), config=larger)
    assert len(recall(RealDisk(config.state_dir / "journal")).state.decks) == 4


def test_decks_that_cannot_be_are_refused_and_the_table_keeps_its_own(live, actor, config, asked) -> None:
    config = msgspec.structs.replace(config, directors="")
    alike = msgspec.structs.replace(config.decks[0], name="third", slot=3)
    answers: list = []

    async def bring(emit) -> None:
        answers.extend(await asked(config.socket.with_name("director.sock"), b'{"ask":"decks"}', b'{"ask":"status"}'))

    def wrong():
        raise ConfigError("station.toml: files.decks: no such file")

    live(actor(bring), config=config, reread=lambda: msgspec.structs.replace(config, decks=(*config.decks, alike)))
    live(actor(bring), config=config, reread=wrong)
    assert answers[0]["error"] == (
        "The two decks have the same back. Bring a deck of another back. (decks_alike, 1804B(6))"
    )
    assert answers[2]["error"] == "station.toml: files.decks: no such file"
    assert [deck["name"] for deck in answers[1]["decks"]] == ["deck 1", "deck 2"]


def test_a_device_that_dies_is_exit_70_and_a_sentence(live, actor) -> None:
    async def act(emit) -> None:
        raise ValueError("pin 99")

    code, said = live(actor(act))
    assert code == 70
    (sentence,) = said
    assert sentence.startswith("a fault of the station itself, in device shuffler: ValueError in ")
    assert sentence.endswith("; start again, and report this with the journal")
    assert "99" not in sentence


def test_a_stray_exception_in_the_loop_is_a_fault_too(live, actor) -> None:
    async def act(emit) -> None:
        asyncio.get_running_loop().call_soon([].pop)
        await asyncio.Event().wait()

    code, said = live(actor(act))
    assert code == 70
    assert said[0].startswith("a fault of the station itself, in its loop: IndexError")


def test_a_journal_that_fails_is_held_and_exit_74(live, actor, monkeypatch) -> None:
    async def act(emit) -> None:
        monkeypatch.setattr(RealDisk, "fdatasync", broken)
        emit(ButtonAt(1, (2,)))
        await asyncio.Event().wait()

    def broken(self, file) -> None:
        raise OSError(5, "Input/output error")

    there = actor(act)
    code, said = live(there)
    assert code == 74
    assert "Input/output error; the journal cannot be written: the table is held" in said[0]
    assert Reason.JOURNAL_FAULT in [command.reason for command in there.given if isinstance(command, Hold)]


def test_a_disk_that_hangs_does_not_keep_sigterm_waiting(live, actor, monkeypatch) -> None:
    go_on = threading.Event()

    async def act(emit) -> None:
        monkeypatch.setattr(RealDisk, "fdatasync", lambda disk, file: go_on.wait(10))
        emit(ButtonAt(1, (2,)))

    began = time.monotonic()
    code, said = live(actor(act))
    assert time.monotonic() - began < 2
    assert (code, len(said)) == (74, 1)
    assert "the journal's disk did not answer for 1.0 s" in said[0]
    go_on.set()


def test_a_device_that_will_not_close_is_named_and_left(live, actor) -> None:
    loops, stubborn = [], [True]

    async def act(emit) -> None:
        loops.append(asyncio.get_running_loop())
        os.kill(os.getpid(), signal.SIGTERM)
        while stubborn:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
        raise asyncio.CancelledError

    began = time.monotonic()
    code, said = live(actor(act, end=False))
    assert time.monotonic() - began < 2
    assert (code, said) == (0, ["shuffler: did not end when told to"])
    stubborn.clear()
    left = asyncio.all_tasks(loops[0])
    for task in left:
        task.cancel()
    loops[0].run_until_complete(asyncio.wait(left, timeout=5))
    loops[0].close()


def test_a_damaged_journal_refuses_the_start_and_names_the_place(live, actor, config) -> None:
    live(actor())
    segment = config.state_dir / "journal" / "00000001.journal"
    with segment.open("r+b") as file:
        file.seek(4096 + 100)
        file.write(b"\xff")
    with pytest.raises(JournalError, match=r"corrupt: .*00000001.journal, offset 4096: record 2: its check is wrong"):
        live(actor())
    os.truncate(segment, 5000)
    with pytest.raises(JournalError, match=r"00000001.journal has 5000 bytes and must have 16777216"):
        live(actor())


def test_a_torn_tail_is_said_dropped_and_noted(live, actor, config) -> None:
    live(actor())
    with (config.state_dir / "journal" / "00000001.journal").open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"DLBX torn")
    code, said = live(actor())
    assert code == 0
    assert said[0].startswith("the journal had a torn tail: ")
    assert "offset 12288" in said[0]
    assert len(entries(config)) == 4


def test_two_stations_never_share_a_state(live, actor, config) -> None:
    async def second(emit) -> None:
        with pytest.raises(JournalError, match="another station runs with this state"):
            daemon.run(config, say=print, environ={})

    assert live(actor(second)) == (0, [])


def test_the_token_key_is_kept_in_the_state(live, actor, config) -> None:
    live(actor())
    key = config.state_dir / "token.key"
    assert key.stat().st_mode & 0o777 == 0o600
    key.chmod(0o644)
    with pytest.raises(ConfigError, match=r"token.key: is open to others \(mode 0644\); chmod 0600 it"):
        live(actor())


def test_the_panel_is_shown_the_state_of_the_start(live, actor) -> None:
    there = actor()
    live(there)
    assert isinstance(there.given[0], Show)


def test_a_boot_has_one_id_and_a_hidden_one_is_never_taken_for_another(tmp_path) -> None:
    assert daemon.boot_id_of() == daemon.boot_id_of()
    hidden = tmp_path / "boot_id"
    assert daemon.boot_id_of(hidden) != daemon.boot_id_of(hidden)
    hidden.write_text("rubbish\n")
    assert daemon.boot_id_of(hidden) != daemon.boot_id_of(hidden)


def test_main_says_what_is_wrong_with_a_config_in_sentences(tmp_path, capsys) -> None:
    missing = tmp_path / "station.toml"
    assert daemon.main(["--config", str(missing)]) == 78
    assert capsys.readouterr().err == f"{missing}: No such file or directory; name a station.toml that can be read\n"
    assert daemon.main([]) == 2
    missing.write_text("[table\n")
    assert daemon.main(["--config", str(missing)]) == 78
    assert "not TOML" in capsys.readouterr().err
