"""What libusb and pyusb are known to do to those who use them: an ACR122U over a bus in software."""

import asyncio
from typing import Any

import pytest

from dealerbox.model.events import DeviceBack, DeviceLost, TagsGone, TagsSeen, ZoneKnown
from dealerbox.ports import DeviceGone
from dealerbox.station.health import Health
from dealerbox.station.virtual import virtual_clock, virtual_run
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.rfid.ccid.device import Acr122Reader
from dealerbox_drivers.rfid.ccid.twin import Acr122Twin
from dealerbox_drivers.rfid.settings import Acr122Settings
from dealerbox_drivers.usb.line import open_usb
from dealerbox_drivers.usb.twin import CCID_CLASS, TwinBus

CARDS = ("04A1B2C3D40001", "04A1B2C3D40002")


class Desk:
    """The reader at the infeed, and what lies before it."""

    def __init__(self) -> None:
        self.bus = TwinBus()
        kind = DRIVERS["acr122u"].settings.usb
        self.socket = self.bus.plug(kind.models[0], "1-1.4", interface_class=CCID_CLASS, notices=True)
        self.here: tuple[str, ...] = ()
        self.twin = Acr122Twin(self.socket, self, {0: "infeed"}, notify=self.socket.notify)
        self.serving = asyncio.create_task(self.twin.run())
        self.told: list[Any] = []
        self.open = open_usb("usb:1-1.4", kind, self.bus, self.bus.workers)
        reader = Acr122Reader("mouth", self.open, virtual_clock, Acr122Settings(port="usb:1-1", zone="infeed"))
        self.health = Health([reader], self.told.append, virtual_clock, pytest.fail)

    def readable(self, _: str) -> tuple[str, ...]:
        return self.here

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.told if isinstance(event, kind)]

    async def until(self, true: Any, limit_s: float = 10.0) -> None:
        async with asyncio.timeout(limit_s):
            while not true():
                await asyncio.sleep(0.005)

    async def stop(self) -> None:
        await self.health.stop()
        self.serving.cancel()
        await asyncio.gather(self.serving, return_exceptions=True)


def at_a_desk(story: Any) -> None:
    """Run a story at a desk in virtual time; nothing is open or claimed when it is over."""

    async def main() -> None:
        desk = Desk()
        try:
            await story(desk)
        finally:
            await desk.stop()
        assert (desk.bus.opened, desk.bus.claimed) == (0, 0)

    virtual_run(main(), limit_s=3600)


def test_PU_01_the_kernels_driver_is_detached_before_the_claim_and_a_second_ebusy_is_a_loss_with_its_cause() -> None:
    """pyusb#315."""

    async def story(d: Desk) -> None:
        d.socket.kernel_driver = d.socket.kernel_returns = True
        d.health.start()
        await d.until(lambda: d.of(DeviceLost))
        assert "another program has the device" in d.of(DeviceLost)[0].why
        d.socket.kernel_returns = False
        d.bus.calls.clear()
        await d.until(lambda: d.of(DeviceBack))
        order = [call for call in d.bus.calls if call in ("is_kernel_driver_active", "detach", "claim")]
        assert order[-3:] == ["is_kernel_driver_active", "detach", "claim"]
        assert "set_configuration" not in d.bus.calls

    at_a_desk(story)


def test_PU_02_a_thousand_losses_with_an_error_at_every_call_give_everything_back() -> None:
    """pyOCD#1514: after a few hundred openings every further one was refused."""

    async def story(d: Desk) -> None:
        for number in range(1000):
            d.bus.calls.clear()
            d.bus.fail_at = number % 12
            try:
                line = await d.open()
                line.write(b"x")
                await asyncio.sleep(0.01 * (number % 3))
                if number % 2:
                    d.bus.pull(d.socket)
                    await asyncio.sleep(0.01)
                line.close()
                await line.closed.wait()
            except DeviceGone:
                await asyncio.sleep(0.001)
            if not d.socket.address:
                d.bus.plug_again(d.socket)
            d.socket.kernel_driver = bool(number % 5)
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    at_a_desk(story)


def test_PU_04_a_halt_is_retried_then_cleared_then_reset_once_a_minute_at_most_and_then_it_is_a_loss() -> None:
    """pyusb#397: a reset makes another device of it, and the old handle only raises."""

    async def story(d: Desk) -> None:
        d.health.start()
        await d.until(lambda: d.of(ZoneKnown))
        d.bus.calls.clear()
        d.socket.halts, d.socket.sticky = 1, True
        d.bus.tell()
        await d.until(lambda: d.of(DeviceLost))
        steps = [call for call in d.bus.calls if call in ("clear_halt", "reset")]
        assert steps[-1] == "reset"
        assert set(steps[:-1]) == {"clear_halt"}
        began_s = virtual_clock() / 1e9
        await asyncio.sleep(150)
        assert d.bus.calls.count("reset") <= 1 + (virtual_clock() / 1e9 - began_s) // 60
        assert len(d.of(DeviceLost)) == 1
        d.socket.halts, d.socket.sticky = 0, False
        await d.until(lambda: d.of(DeviceBack), 5)

    at_a_desk(story)


def test_PU_06_ten_thousand_reads_ask_for_whole_packets_and_an_overflow_is_one_read_more() -> None:
    """labelle#68: a read of less than a packet overflows."""

    async def story(d: Desk) -> None:
        line = await d.open()
        d.serving.cancel()
        for number in range(10_000):
            d.socket.write(bytes([number % 256]) * (1 + number % 63))
            assert len(await line.read()) == 1 + number % 63
        assert line.overflows == 0
        d.socket.floods = 1
        d.socket.write(b"thrown away")
        d.socket.write(b"read")
        assert await line.read() == b"read"
        assert line.overflows == 1
        line.close()
        await line.closed.wait()

    at_a_desk(story)


@pytest.mark.parametrize("cut", [1, 9, 10, 15, 20, 27])
def test_PU_07_an_answer_in_two_halves_around_a_time_out_is_a_card_once_or_none_and_never_half_a_uid(cut) -> None:
    """python-libusb1#42: the bytes before the time-out were thrown away."""

    async def story(d: Desk) -> None:
        d.health.start()
        await d.until(lambda: d.of(ZoneKnown))
        late: list[asyncio.TimerHandle] = []

        def halved(question: Any, sent: bytes) -> bytes:
            if question.data[5:7] != b"\xd4\x4a":
                return sent
            late.append(d.bus.loop.call_later(0.3, d.socket.write, sent[cut:]))
            return sent[:cut]

        d.here = CARDS[:1]
        d.twin.answer_with = halved
        await asyncio.sleep(2)
        d.twin.answer_with = None
        await d.until(lambda: d.of(TagsSeen))
        await asyncio.sleep(1)
        assert [event.uids for event in d.of(TagsSeen)][:1] == [CARDS[:1]]
        assert {uid for event in d.of(TagsSeen) for uid in event.uids} == {CARDS[0]}
        assert not d.of(TagsGone)
        for timer in late:
            timer.cancel()

    at_a_desk(story)
