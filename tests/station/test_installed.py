"""Twins beside the station: told by status, panel and journal; without them no device is in software."""

import asyncio
import gc
import json
import os

import pytest
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from dealerbox import __version__
from dealerbox.config import DeviceConfig
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.export import export
from dealerbox.journal.recover import recover
from dealerbox.model.commands import Show
from dealerbox.model.events import Started
from dealerbox.model.shuffler import Memory
from dealerbox.ports import ConfigError, DeviceWrong
from dealerbox.station import daemon
from dealerbox.station.build import devices_of
from dealerbox.station.entry import decode
from dealerbox.station.installed import FACTORY, real, real_pins, refuse_pretence, twins_installed
from dealerbox_drivers.pins.sensors import DirectSettings
from dealerbox_drivers.registry import DRIVERS, ShufflerSettings


@pytest.fixture
def port():
    """The path of a pseudo-terminal."""
    far, near = os.openpty()
    yield os.ttyname(near)
    os.close(near)
    os.close(far)


def at(config, port: str):
    shuffler = DeviceConfig("shuffler", DRIVERS["shuffler-v1"], ShufflerSettings(port=port))
    return replace(config, devices=(shuffler,))


def test_in_this_tree_there_are_twins() -> None:
    assert twins_installed()


@pytest.mark.parametrize("twins", [True, False])
def test_status_journal_and_panel_say_whether_there_are_twins(config, actor, twins: bool) -> None:
    async def ask(emit) -> None:
        reader, writer = await asyncio.open_unix_connection(config.socket)
        writer.write(b'{"ask":"status"}\n')
        asked.append(json.loads(await reader.readline())["twins"])
        writer.close()

    asked: list[bool] = []
    there = actor(ask)
    daemon.run(config, say=print, environ={}, build=there.build, twins=twins)
    gc.unfreeze()
    assert asked == [twins]
    software = f"{__version__} with twins" if twins else __version__
    disk = RealDisk(config.state_dir / "journal")
    lines: list[bytes] = []
    export(disk, lines.append)
    started = decode(lines[0]).event
    assert isinstance(started, Started)
    assert started.software == software
    heads: list[bytes] = []
    recover(disk, lambda record: heads.append(record.payload) if record.seq == 1 else None)
    assert f'"software": "{software}"'.encode() in heads[0]
    shown = [command.head for command in there.given if isinstance(command, Show)]
    assert [head.startswith("Twins") for head in shown] == [twins] * len(shown) != []


def test_a_port_that_is_a_pseudo_terminal_refuses_the_start_without_twins(config, port) -> None:
    there = at(config, port)
    refuse_pretence(there, {}, twins=True)
    with pytest.raises(ConfigError, match=rf"devices.shuffler.port: {port} is a pseudo-terminal, and no device"):
        refuse_pretence(there, {}, twins=False)
    refuse_pretence(at(config, "/dev/null"), {}, twins=False)


def test_a_port_that_became_one_since_is_the_wrong_device(port) -> None:
    async def never():
        raise AssertionError("opened")

    with pytest.raises(DeviceWrong, match="is a pseudo-terminal, and no device"):
        asyncio.run(real(port, never)())


def test_a_link_to_one_is_one(config, port, tmp_path) -> None:
    (tmp_path / "usb-shuffler").symlink_to(port)
    with pytest.raises(ConfigError, match=f"{port} is a pseudo-terminal"):
        refuse_pretence(at(config, str(tmp_path / "usb-shuffler")), {}, twins=False)


@pytest.mark.parametrize("twins", [True, False])
def test_the_environment_chooses_no_pins(config, twins: bool) -> None:
    with pytest.raises(ConfigError, match="GPIOZERO_PIN_FACTORY=mock: pins are those"):
        refuse_pretence(config, {FACTORY: "mock"}, twins)


def test_mock_pins_are_none_of_a_table_without_twins(config) -> None:
    panel = replace(config, devices=(DeviceConfig("button", DRIVERS["button-pins"], DirectSettings(seats={1: 4})),))
    with pytest.raises(ConfigError, match="mock pins are none of a table's"):
        devices_of(panel, Memory(), lambda: 1, pin_factory=MockFactory, twins=False)
    assert len(devices_of(panel, Memory(), lambda: 1, pin_factory=MockFactory, twins=True)) == 1
    other = object()
    assert real_pins(other) is other
