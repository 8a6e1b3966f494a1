"""Devices that come back under another name, or in each other's place."""

import asyncio
import os
import termios
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dealerbox.model.events import DeviceBack, DeviceLost, TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.model.shuffler import Memory
from dealerbox.ports import DeviceWrong
from dealerbox.station.health import Health
from dealerbox.station.virtual import virtual_clock, virtual_run
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import open_serial, pty_pair
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.rfid.settings import FeigSettings
from dealerbox_drivers.shuffler.device import Shuffler
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.usb.line import open_usb
from dealerbox_drivers.usb.twin import CCID_CLASS, TwinBus

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))


class Table:
    """A reader and a shuffler, each opened by the link of its socket, and their twins on terminals of their own."""

    def __init__(self, folder: Path) -> None:
        self.felt = Felt([CARDS], Random(1))
        self.felt.put(CARDS[0], "outlet")
        self.links = {"reader": folder / "socket-1", "shuffler": folder / "socket-2"}
        self.told: list[Any] = []
        self.fars: dict[str, Any] = {}
        self.twins: list[asyncio.Task[None]] = []
        settings = FeigSettings(port=str(self.links["reader"]), zones={0: "exit"})
        reader = FeigReader("reader", open_serial(str(self.links["reader"]), 38_400), virtual_clock, settings)
        shuffler = Shuffler(
            "shuffler", open_serial(str(self.links["shuffler"]), 115_200), virtual_clock, Memory(session=1)
        )
        self.health = Health([reader, shuffler], self.told.append, virtual_clock, pytest.fail)

    def plug(self, twin: str, socket: str = "") -> str:
        """Plug a twin in: it gets a terminal of a new name, and the link of a socket leads there."""
        path, self.fars[twin] = pty_pair()
        far = self.fars[twin]
        made = FeigTwin(far, self.felt, {0: "exit"}) if twin == "reader" else ShufflerTwin(far, self.felt, Random(2))
        self.twins.append(asyncio.create_task(made.run()))
        link = self.links[socket or twin]
        link.unlink(missing_ok=True)
        link.symlink_to(path)
        return path

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.told if isinstance(event, kind)]

    async def until(self, true: Any, limit_s: float) -> None:
        async with asyncio.timeout(limit_s):
            while not true():
                await asyncio.sleep(0.02)

    async def stop(self) -> None:
        await self.health.stop()
        for far in self.fars.values():
            far.close()
        for twin in self.twins:
            twin.cancel()
        await asyncio.gather(*self.twins, return_exceptions=True)


def opened() -> set[str]:
    """What this process has open, by name."""
    return {str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()}


def taken(name: str) -> list[int]:
    """Open terminals until that name is in use again; return their descriptors."""
    descriptors: list[int] = []
    while not descriptors or os.ttyname(descriptors[-1]) != name:
        descriptors += os.openpty()
    return descriptors


def working(table: Table) -> list[str]:
    return [device.name for device in table.health.devices() if device.condition == "working"]


def set_otherwise(path: str) -> None:
    """Open a port as another program does, set it to 9600 7E1 with lines and an echo, and close it."""
    descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
    ways = termios.tcgetattr(descriptor)
    ways[0] |= termios.ICRNL | termios.IXON
    ways[1] |= termios.OPOST | termios.ONLCR
    ways[2] = termios.CS7 | termios.PARENB | termios.CREAD | termios.CLOCAL
    ways[3] |= termios.ICANON | termios.ECHO | termios.ISIG
    ways[4] = ways[5] = termios.B9600
    termios.tcsetattr(descriptor, termios.TCSANOW, ways)
    os.close(descriptor)


def test_HA_01_a_port_that_another_program_has_set_otherwise_is_a_loss_and_opened_with_its_settings(tmp_path) -> None:
    """core#170078: a restart of one program probed and reconfigured the port of another.

    A port of a real device no other user can open while we have it; a program of root's can.
    """

    async def main() -> None:
        table = Table(tmp_path)
        path = table.plug("reader")
        table.plug("shuffler")
        table.health.start()
        await table.until(lambda: table.of(ZoneKnown), 10)
        table.told.clear()
        set_otherwise(path)
        await table.until(lambda: table.of(ZoneUnknown), 1.1)
        await table.until(lambda: table.of(DeviceBack) and table.of(ZoneKnown), 8)
        assert {event.uids for event in table.of(TagsSeen)} == {(CARDS[0],)}
        assert [event.device for event in table.of(DeviceLost)] == ["reader"]
        assert not table.of(TagsGone)
        await table.stop()

    virtual_run(main(), limit_s=60)


def test_HA_02_roles_follow_their_sockets_whatever_their_numbers_and_swapped_devices_are_refused(tmp_path) -> None:
    """thz#84: ttyUSB2 became ttyUSB0. A port is named by its socket; who answers must be what the role wants."""

    async def main() -> None:
        table = Table(tmp_path)
        first = [table.plug("reader"), table.plug("shuffler")]
        table.health.start()
        await table.until(lambda: len(working(table)) == 2, 10)
        for twin in ("reader", "shuffler"):
            table.fars[twin].close()
        await table.until(lambda: len(table.of(DeviceLost)) == 2, 1)
        keep = taken(first[0])
        second = [table.plug("shuffler"), table.plug("reader")][::-1]
        assert second != first
        await table.until(lambda: len(working(table)) == 2, 5)
        for twin in ("reader", "shuffler"):
            table.fars[twin].close()
        await table.until(lambda: not working(table), 1)
        table.plug("reader", "shuffler")
        table.plug("shuffler", "reader")
        await asyncio.sleep(12)
        whys = {device.name: (device.condition, device.why) for device in table.health.devices()}
        assert whys["reader"][0] in ("wrong", "lost")
        assert "FEIG" in whys["reader"][1] or "reader: no answer" in whys["reader"][1]
        assert whys["shuffler"][0] == "lost"
        assert whys["shuffler"][1].startswith("shuffler: no answer to HELLO")
        await table.stop()
        for descriptor in keep:
            os.close(descriptor)

    virtual_run(main(), limit_s=120)


def test_HA_03_a_link_that_leads_to_another_terminal_after_the_loss_is_followed_within_five_seconds(tmp_path) -> None:
    """optolink-splitter#236: the adapter came back as ttyUSB1, and a fixed ttyUSB0 left the service dead all night."""

    async def main() -> None:
        table = Table(tmp_path)
        before = table.plug("reader")
        table.plug("shuffler")
        table.health.start()
        await table.until(lambda: table.of(ZoneKnown), 10)
        for away_s in (0.5, 7.0):
            table.told.clear()
            table.fars["reader"].close()
            await table.until(lambda: table.of(DeviceLost), 1)
            await asyncio.sleep(away_s)
            held = taken(before)
            after = table.plug("reader")
            assert after != before
            await table.until(lambda: table.of(DeviceBack) and table.of(ZoneKnown), 5)
            assert [event.uids for event in table.of(TagsSeen)] == [(CARDS[0],)]
            before = after
            for descriptor in held:
                os.close(descriptor)
        await table.stop()

    virtual_run(main(), limit_s=120)


def test_HA_04_a_lost_terminals_descriptor_is_closed_at_once(tmp_path) -> None:
    """supervisor#1111: ttyACM0 came back as ttyACM1, because the old descriptor was still held."""

    async def main() -> None:
        table = Table(tmp_path)
        path = table.plug("reader")
        table.plug("shuffler")
        table.health.start()
        await table.until(lambda: table.of(ZoneKnown), 10)
        assert path in opened()
        table.fars["reader"].close()
        await table.until(lambda: table.of(DeviceLost), 1)
        assert path not in opened()
        await table.stop()

    virtual_run(main(), limit_s=60)


@pytest.mark.parametrize("serial", ["", "0001"])
def test_HA_04_two_devices_that_one_name_fits_are_an_error_and_no_coin_toss_and_sockets_tell_them_apart(serial) -> None:
    async def main() -> None:
        bus = TwinBus()
        kind = DRIVERS["acr122u"].settings.usb
        for socket in ("1-1.2", "1-1.4"):
            bus.plug(kind.models[0], socket, serial=serial, interface_class=CCID_CLASS, notices=True)
        name = "usb:072f:2200" + (f":{serial}" if serial else "")
        with pytest.raises(DeviceWrong, match=r"names 2 devices, at usb:1-1\.2 and usb:1-1\.4: name the"):
            await open_usb(name, kind, bus, bus.workers)()
        for socket in ("1-1.2", "1-1.4"):
            (await open_usb(f"usb:{socket}", kind, bus, bus.workers)()).close()

    virtual_run(main())
