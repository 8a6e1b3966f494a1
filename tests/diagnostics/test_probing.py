"""What is on a port: each family is known by its answer, and none is disturbed by the questions to the others."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dealerbox.diagnostics import probing
from dealerbox.diagnostics.probing import ATTEMPTS, Tried, probed, probed_usb
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox.station.virtual import virtual_run
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import MemoryLine, memory_pair, open_serial, pty_pair
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.reshuffled.twin import ReshuffledTwin
from dealerbox_drivers.rfid.ccid import twin as ccid
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.rfid.metratec.twin import MetratecTwin
from dealerbox_drivers.rfid.pn532.twin import Pn532Twin
from dealerbox_drivers.rfid.r321.reports import Reports
from dealerbox_drivers.rfid.r321.twin import R321Twin
from dealerbox_drivers.shuffler.messages import Lock
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.usb.line import open_usb
from dealerbox_drivers.usb.twin import CCID_CLASS, VENDOR_CLASS, TwinBus

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
TWINS: dict[str, Callable[[Any, Felt], Any]] = {
    "shuffler-v1": lambda line, felt: ShufflerTwin(line, felt, Random(1)),
    "feig": lambda line, felt: FeigTwin(line, felt, {0: "board"}),
    "r321": lambda line, felt: R321Twin(line, felt, {0: "board"}),
    "metratec": lambda line, felt: MetratecTwin(line, felt, {0: "board"}),
    "pn532": lambda line, felt: Pn532Twin(line, felt, {0: "board"}),
    "reshuffled": lambda line, felt: ReshuffledTwin(line, felt, Random(1)),
}


class StaysOpen:
    """A cable in memory that outlives whoever opens the port."""

    def __init__(self, line: MemoryLine) -> None:
        self.read, self.write = line.read, line.write

    def close(self) -> None: ...


class Bench:
    """A twin at the far side of a port, and what was asked there."""

    def __init__(self, driver: str, *, pty: bool = False) -> None:
        self.felt = Felt([CARDS], Random(1))
        for uid in CARDS[:5]:
            self.felt.put(uid, "machine")
        self.moves: list[Any] = []
        self.felt.watch(lambda *move: self.moves.append(move))
        self.path, self.far, self.near = "port", *memory_pair()
        if pty:
            self.path, self.far = pty_pair()
        self.pty = pty
        self.opened: list[tuple[int, str]] = []
        self.twin = TWINS[driver](self.far, self.felt) if driver else None
        self.serving = asyncio.create_task(self.twin.run()) if self.twin else None

    def opens(self, port: str, baud: int, parity: str) -> Any:
        async def near() -> Any:
            return StaysOpen(self.near)

        self.opened.append((baud, parity))
        return open_serial(port, baud, parity) if self.pty else near

    async def ask(self) -> list[Tried]:
        return [tried async for tried in probed(self.path, self.opens)]

    async def end(self) -> None:
        if self.serving:
            self.serving.cancel()
            await asyncio.gather(self.serving, return_exceptions=True)
        self.far.close()


def at(driver: str, story: Callable[[Bench], Any], *, pty: bool = False) -> None:
    async def whole() -> None:
        bench = Bench(driver, pty=pty)
        try:
            await story(bench)
        finally:
            await bench.end()

    if pty:
        asyncio.run(whole())
    else:
        virtual_run(whole(), limit_s=300)


@pytest.mark.parametrize("driver", TWINS)
@pytest.mark.parametrize("pty", [False, True])
def test_each_family_is_known_by_its_answer(driver: str, pty: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(b: Bench) -> None:
        found = (await b.ask())[-1]
        assert (found.driver, found.answers) == (driver, True)
        assert found.identity
        assert bool(found.firmware) is (driver != "reshuffled")

    if pty:  # in real time: a twin has nothing to start
        monkeypatch.setattr(probing, "SETTLE_S", 0.01)
        monkeypatch.setattr(probing, "STARTING_S", 0.01)
    at(driver, story, pty=pty)


def test_every_family_on_a_serial_line_is_asked() -> None:
    lines = {name for name, driver in DRIVERS.items() if "baud" in driver.settings.__struct_fields__}
    assert {one.driver for one in ATTEMPTS} == lines == set(TWINS)


def test_a_shuffler_in_use_keeps_its_session_its_fence_and_its_hold() -> None:
    async def story(b: Bench) -> None:
        state = b.twin.state
        state.restrict(soft=Lock.SESSION, session=29)
        state.restrict(hard=Lock.HOLD, hold_no=state.record.fence + 1, hold_session=29, hold_key=3)
        before, greeted = state.record, state.greeted
        assert (await b.ask())[-1].identity.startswith("shuffler ")
        assert (state.record, state.greeted) == (before, greeted)

    at("shuffler-v1", story)


@pytest.mark.parametrize("driver", TWINS)
def test_no_family_moves_a_card_whatever_is_asked(driver: str) -> None:
    """Each hears every question of the others, as one does that never answers in its own way."""

    async def story(b: Bench) -> None:
        lit = getattr(b.twin, "lit", False)
        for one in TWINS:
            await _heard(b, one)
        await asyncio.sleep(60)
        assert b.moves == []
        assert getattr(b.twin, "lit", False) is lit
        if driver == "reshuffled":
            assert b.twin.heard == []

    at(driver, story)


async def _heard(b: Bench, driver: str) -> None:
    await probing._tried(driver, probing.Kept(b.near), b.path)


def test_a_silent_port_is_asked_by_every_family_and_ends() -> None:
    async def story(b: Bench) -> None:
        tried = await b.ask()
        assert [(one.driver, one.baud, one.parity) for one in tried] == [
            (one.driver, one.baud, one.parity) for one in ATTEMPTS
        ]
        assert not any(one.answers or one.heard for one in tried)
        assert len(b.opened) == len({(one.baud, one.parity) for one in ATTEMPTS})

    at("", story)


def test_bytes_that_make_no_frame_are_counted() -> None:
    async def chatter(far: Any) -> None:
        while True:
            far.write(b"boot loader v1\r\n")
            await asyncio.sleep(0.1)

    async def story(b: Bench) -> None:
        talking = asyncio.create_task(chatter(b.far))
        tried = await b.ask()
        talking.cancel()
        assert not any(one.answers for one in tried)
        assert sum(one.heard for one in tried) > 100

    at("", story)


USB: dict[str, Callable[..., Any]] = {
    "feig": FeigTwin,
    "r321": lambda line, felt, zones: R321Twin(Reports(line), felt, zones),
    "acr122u": ccid.Acr122Twin,
    "acr1552u": ccid.Acr1552Twin,
}


@pytest.mark.parametrize("driver", USB)
def test_a_usb_device_is_asked_by_the_driver_that_knows_its_model(driver: str, tmp_path: Path) -> None:
    kind: Any = DRIVERS[driver].settings
    kind = kind.usb
    plugged(tmp_path, *kind.models[0])

    async def whole() -> None:
        bus, felt = TwinBus(), Felt([CARDS], Random(1))
        notices = kind.interface_class == CCID_CLASS
        how = {"interface_class": kind.interface_class or VENDOR_CLASS, "transfer": kind.transfer, "notices": notices}
        far = bus.plug(kind.models[0], "1-1.4", **how)
        serving = asyncio.create_task(USB[driver](far, felt, {0: "board"}).run())

        def opens(port: str, kind: Any) -> Any:
            return open_usb(port, kind, bus, bus.workers)

        (found,) = [tried async for tried in probed_usb("usb:1-1.4", tmp_path, opens)]
        assert (found.driver, found.answers) == (driver, True)
        assert found.firmware
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        far.close()

    virtual_run(whole(), limit_s=60)


def plugged(sysfs: Path, vendor: int, product: int) -> None:
    (sysfs / "1-1.4").mkdir()
    (sysfs / "1-1.4" / "idVendor").write_text(f"{vendor:04x}\n")
    (sysfs / "1-1.4" / "idProduct").write_text(f"{product:04x}\n")


@pytest.mark.parametrize(
    ("port", "error", "said"),
    [
        ("usb:1-1.4", DeviceWrong, "1d6b:0002 is no device that a driver knows; they know 0ab1:0002"),
        ("usb:9-9", DeviceGone, "there is no such device: plug it in"),
    ],
)
def test_what_no_driver_knows_or_is_not_there_is_said_so(
    port: str, error: type[Exception], said: str, tmp_path: Path
) -> None:
    plugged(tmp_path, 0x1D6B, 0x0002)

    async def ask() -> None:
        _ = [tried async for tried in probed_usb(port, tmp_path)]

    with pytest.raises(error, match=said):
        virtual_run(ask(), limit_s=5)
