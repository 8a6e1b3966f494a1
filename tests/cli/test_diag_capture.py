"""`dealerbox diag capture`: a device of the table, borrowed, written down while its own driver speaks to it."""

import asyncio
import grp
import shutil
import stat
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dealerbox.diagnostics.captures.file import read
from dealerbox.diagnostics.captures.played import played
from dealerbox.ports import Line, OpenLine
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.rfid.feig.twin import FeigTwin

CONFIG = Path(__file__).parents[2] / "config"
CARD = "E0040150A05F0007"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The shipped example without its station; its serial ports lead to FEIG readers with a card at channel 1."""
    shutil.copytree(CONFIG, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "station.toml"
    text = file.read_text().replace('"/var/lib/dealerbox"', f'"{tmp_path}/state"')
    file.write_text(text.replace('"/run/dealerbox"', f'"{tmp_path}/run"'))
    serving = []

    def open_serial(port: str, baud: int, parity: str = "N") -> OpenLine:
        async def opened() -> Line:
            near, far = memory_pair()
            felt = Felt([(CARD,)], Random(1))
            felt.put(CARD, "seat:1")
            twin = FeigTwin(far, felt, {channel: f"seat:{channel}" for channel in range(1, 9)})
            serving.append(asyncio.create_task(twin.run()))
            return near

        return opened

    monkeypatch.setattr("dealerbox_drivers.line.open_serial", open_serial)
    return str(file)


def test_a_wire_is_written_down_and_plays_again(dealerbox: Any, table: str, tmp_path: Path) -> None:
    file = tmp_path / "seats.capture"
    answer = dealerbox("diag", "capture", "--file", table, "--device", "seat:1", "--seconds", "0.4", str(file))
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"{file}: ")
    assert answer.out.endswith(" bytes came from seats-left\n")
    capture = read(file).whole()
    assert capture.header.device == "seats-left"
    assert any(entry.told and entry.told["event"] == "TagsSeen" for entry in capture.entries)
    assert played(capture).difference == ""
    assert CARD.lower() not in file.read_text().lower()


def test_a_port_that_is_not_there_is_69_and_no_file_is_left(
    dealerbox: Any, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    file = tmp_path / "none.capture"
    answer = dealerbox("diag", "capture", "--file", table, "--device", "seats-left", str(file))
    assert (answer.code, file.exists()) == (69, False)
    assert "there is no such port: plug the device in" in answer.err


def test_a_panel_has_no_wire_and_no_file_is_left(dealerbox: Any, table: str, tmp_path: Path) -> None:
    file = tmp_path / "panel.capture"
    answer = dealerbox("diag", "capture", "--file", table, "--device", "panel", str(file))
    assert (answer.code, file.exists()) == (65, False)
    assert answer.err.startswith("driver panel-pins has no wire of bytes: it reads and sets pins; with one: ")


def test_a_device_is_to_be_named_where_there_are_several(dealerbox: Any, table: str, tmp_path: Path) -> None:
    answer = dealerbox("diag", "capture", "--file", table, str(tmp_path / "x.capture"))
    assert (answer.code, "--device NAME: one of shuffler, seats-left, " in answer.err) == (2, True)


def test_no_number_of_seconds_is_none(dealerbox: Any, table: str, tmp_path: Path) -> None:
    file = tmp_path / "seats.capture"
    answer = dealerbox("diag", "capture", "--file", table, "--device", "seat:1", "--seconds", "nan", str(file))
    assert answer.code == 2
    assert "--seconds: a number from 0.1 to 3600" in answer.err
    assert not file.exists()


def test_a_file_that_is_there_is_not_written_over(dealerbox: Any, table: str, tmp_path: Path) -> None:
    file = tmp_path / "there.capture"
    file.write_text("mine")
    answer = dealerbox("diag", "capture", "--file", table, "--device", "seats-left", str(file))
    assert (answer.code, file.read_text()) == (2, "mine")


def test_tags_as_they_are_read_are_for_directors(
    dealerbox: Any, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "plain.capture"
    ask = ("diag", "capture", "--file", table, "--device", "seats-left", "--seconds", "0.4", "--as-read", str(file))
    monkeypatch.setattr("os.getuid", lambda: 65534)
    monkeypatch.setattr("os.getgroups", list)
    answer = dealerbox(*ask)
    assert (answer.code, file.exists()) == (77, False)
    assert answer.err.endswith("is not in the group 'dealerbox-director'\n")
    monkeypatch.setattr("os.getgroups", lambda: [1])
    monkeypatch.setattr("grp.getgrgid", lambda number: grp.struct_group(("dealerbox-director", "x", number, [])))
    answer = dealerbox(*ask)
    assert answer.code == 0
    assert not read(file).header.is_masked
    assert CARD.lower() in file.read_text().lower()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
