"""Readers on USB: the device, pyusb over a bus in software, and the reader's twin behind it; in virtual time."""

import asyncio

import pytest

from dealerbox.model.events import DeviceBack, DeviceLost, TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox.station.health import Health
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.usb.line import open_usb
from dealerbox_drivers.usb.twin import CCID_CLASS, VENDOR_CLASS, TwinBus

pytestmark = pytest.mark.parametrize("family", ["feig", "acr122u", "acr1552u", "r321 in reports"], indirect=True)


class Desk:
    """A bus with one reader in socket 1-1.4, run by the station's Health."""

    def __init__(self, bench, family, name="usb:1-1.4") -> None:
        self.bench, self.family = bench(family, zones={0: "seat:2"}), family
        self.felt = self.bench.felt
        self.bus = TwinBus()
        kind = DRIVERS[family.driver].settings.usb
        ccid = kind.interface_class == CCID_CLASS
        how = {"interface_class": kind.interface_class or VENDOR_CLASS, "transfer": kind.transfer, "notices": ccid}
        self.socket = self.bus.plug(kind.models[0], "1-1.4", **how)
        self.twin = self.made()
        self.told: list = []
        self.faults: list[str] = []
        self.device = self.bench.reader(open_usb(name, kind, self.bus, self.bus.workers))
        self.health = Health([self.device], self.told.append, virtual_clock, self.faults.append)

    def made(self):
        """A twin at the far side, as after power-on."""
        notify = {"notify": self.socket.notify} if self.family.driver.startswith("acr") else {}
        twin = self.family.twin(self.family.carried(self.socket), self.felt, {0: "seat:2"}, None, **notify)
        self.serving = asyncio.create_task(self.serve(twin))
        return twin

    @staticmethod
    async def serve(twin) -> None:
        try:
            await twin.run()
        except DeviceGone:
            return

    async def pull(self) -> None:
        self.socket.close()
        self.serving.cancel()
        await asyncio.gather(self.serving, return_exceptions=True)

    def plug(self, socket="") -> None:
        self.bus.plug_again(self.socket, socket)
        self.twin = self.made()

    def of(self, kind):
        return [event for event in self.told if isinstance(event, kind)]

    async def until(self, true, limit_s=30.0) -> None:
        await self.bench.until(true, limit_s)

    async def whole(self) -> None:
        """Run until the zone is known, with a card in it."""
        self.health.start()
        self.felt.put(self.family.cards[0], "seat:2")
        await self.until(lambda: self.of(ZoneKnown))

    async def stop(self) -> None:
        await self.health.stop()
        self.serving.cancel()
        await asyncio.gather(self.serving, return_exceptions=True)
        assert self.faults == []
        assert (self.bus.opened, self.bus.claimed) == (0, 0)


@pytest.fixture
def desk(run, bench_of, family):
    """`desk(story, **how)`: a story at a desk that has been set up, in virtual time."""

    def told(story, **how):
        async def whole() -> None:
            d = Desk(bench_of, family, **how)
            try:
                await story(d)
            finally:
                await d.stop()

        run(whole(), limit_s=600)

    return told


def test_cards_are_told_where_they_come_and_go(desk) -> None:
    async def story(d) -> None:
        await d.whole()
        assert [event.uids for event in d.of(TagsSeen)] == [(d.family.cards[0],)]
        d.felt.put(d.family.cards[0], "hand")
        await d.until(lambda: d.of(TagsGone))
        assert d.device.faults <= 1  # a card that leaves while it is read is a look that failed

    desk(story)


@pytest.mark.parametrize("name", ["usb:1-1.4", "by model"])
@pytest.mark.parametrize("socket", ["1-1.4", "2-1.3"])
def test_a_reader_that_is_pulled_out_is_lost_within_a_second_and_whole_within_five_of_its_return(
    desk, family, name, socket
) -> None:
    vendor, product = DRIVERS[family.driver].settings.usb.models[0]
    by_model = name == "by model"

    async def story(d) -> None:
        await d.whole()
        clock = asyncio.get_running_loop().time
        for _ in range(3):
            d.told.clear()
            pulled_s = clock()
            await d.pull()
            await d.until(lambda: d.of(DeviceLost))
            assert clock() - pulled_s < 1
            assert d.of(ZoneUnknown)
            await asyncio.sleep(7)
            back_s = clock()
            d.plug(socket if by_model else "")
            await d.until(lambda: d.of(DeviceBack) and d.of(ZoneKnown))
            assert clock() - back_s < 5.5
            assert not d.of(TagsGone)
            assert [event.uids for event in d.of(TagsSeen)] == [(d.family.cards[0],)]

    desk(story, name=f"usb:{vendor:04x}:{product:04x}" if by_model else name)


@pytest.mark.parametrize("moment", range(12))
def test_pulled_out_in_the_middle_of_any_transfer_nothing_is_told_that_is_not_so(desk, moment) -> None:
    async def story(d) -> None:
        await d.whole()
        await asyncio.sleep(0.0017 * moment)
        await d.pull()
        await d.until(lambda: d.of(DeviceLost), limit_s=1)
        assert not d.of(TagsGone)
        d.plug()
        await d.until(lambda: len(d.of(ZoneKnown)) == 2, limit_s=5)
        assert {event.uids for event in d.of(TagsSeen)} == {(d.family.cards[0],)}

    desk(story)


def test_a_transfer_that_is_taken_by_nobody_is_a_loss_and_no_task_waits_longer_than_its_time(desk) -> None:
    async def story(d) -> None:
        await d.whole()
        d.socket.asleep = True
        await d.until(lambda: d.of(ZoneUnknown), limit_s=1.3)
        await d.until(lambda: d.of(DeviceLost), limit_s=2)
        assert not d.of(TagsGone)
        d.socket.asleep = False
        d.bus.tell()
        await d.until(lambda: d.of(DeviceBack), limit_s=5)

    desk(story)


@pytest.mark.parametrize("halts", [1, 2, 5])
def test_halted_endpoints_are_got_over(desk, halts) -> None:
    async def story(d) -> None:
        await d.whole()
        d.socket.halts = halts
        d.bus.tell()
        known = len(d.of(ZoneKnown))
        await asyncio.sleep(6)
        assert len(d.of(ZoneKnown)) <= known + 1
        assert len(d.of(DeviceLost)) == len(d.of(DeviceBack)) <= 1
        assert not d.of(TagsGone)

    desk(story)


def test_a_reader_that_another_program_has_is_lost_until_that_lets_go(desk) -> None:
    async def story(d) -> None:
        d.socket.taken = True
        d.health.start()
        await d.until(lambda: d.of(DeviceLost))
        assert "another program has the device" in d.of(DeviceLost)[0].why
        await asyncio.sleep(20)
        assert len(d.of(DeviceLost)) == 1
        d.socket.taken = False
        await d.until(lambda: d.of(DeviceBack), limit_s=6)

    desk(story)


def test_answers_in_two_halves_around_a_time_out_are_read_whole_or_not_at_all(desk) -> None:
    """python-libusb1#42: what came before the time-out is thrown away elsewhere; a truncated uid is never told."""

    async def story(d) -> None:
        await d.whole()
        later = []

        def halved(question, sent):
            if not d.family.is_look(question):
                return sent
            half = len(sent) // 2
            later.append(asyncio.get_running_loop().call_later(0.3, d.socket.write, sent[half:]))
            return sent[:half]

        d.twin.answer_with = halved
        d.felt.put(d.family.cards[0], "hand")
        d.felt.put(d.family.cards[1], "seat:2")
        await asyncio.sleep(3)
        d.twin.answer_with = None
        await asyncio.sleep(3)
        assert {uid for event in d.of(TagsSeen) for uid in event.uids} == set(d.family.cards[:2])
        for timer in later:
            timer.cancel()

    desk(story)


def test_another_reader_in_its_socket_is_the_wrong_device(desk) -> None:
    async def story(d) -> None:
        await d.pull()
        d.bus.plug((0x1234, 0x0001), "1-1.4")
        with pytest.raises(DeviceWrong, match="1234:0001 is plugged in there"):
            await d.device.run(d.told.append)

    desk(story)


def test_two_adapters_swapped_are_both_the_wrong_device_or_the_right_one_by_model(desk, family) -> None:
    kind = DRIVERS[family.driver].settings.usb
    vendor, product = kind.models[0]

    async def story(d) -> None:
        await d.whole()
        other = d.bus.plug((0x1234, 0x0001), "1-1.2")
        await d.pull()
        other.close()
        d.plug("1-1.2")
        d.bus.plug_again(other, "1-1.4")
        await d.until(lambda: any("1234:0001" in health.why for health in d.health.devices()), limit_s=6)
        port = open_usb(f"usb:{vendor:04x}:{product:04x}", kind, d.bus, d.bus.workers)
        line = await port()
        line.close()
        await line.closed.wait()

    desk(story)
