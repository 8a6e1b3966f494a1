"""The shuffler's cable pulled out at any byte, garbage on it, a board that each opening resets, swapped cables."""

import asyncio

import msgspec
import pytest

from dealerbox.model.events import DeviceBack, DeviceLost, ShufflerMet
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox.station.health import Health
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.shuffler.device import Shuffler


def tended(t) -> Health:
    """Let another process run the driver, under the station's Health."""
    t.running.cancel()
    t.memory = msgspec.structs.replace(t.memory, session=t.memory.session + 1)
    t.device = Shuffler("shuffler", lambda: t.open_line(), t.now_ns, t.memory)
    health = Health([t.device], t.hear, virtual_clock, pytest.fail)
    health.start()
    return health


def since(t, count, kind) -> list:
    return [event for event in t.told[count:] if isinstance(event, kind)]


def test_unplugged_at_any_byte_of_a_deal_each_release_lets_one_card_out_and_all_is_whole_soon(told, cut_line) -> None:
    """Of greeting, settling, arming, a dispense, a release and the heartbeats after it."""

    async def story(t):
        deal_id = await t.loaded()
        opening = t.open_line
        for number in range(50):
            most, lines, count = 3 + 23 * number, [], len(t.told)

            async def opened(lines=lines, most=most):
                lines.append(cut_line(await opening(), 1_000_000 if lines else most))
                return lines[-1]

            t.open_line = opened
            health = tended(t)
            await t.card(deal_id, number == 0)
            await t.until(lambda lines=lines: lines[0].cut_ns)
            await t.until(lambda count=count: since(t, count, DeviceBack) and t.agrees())
            cut_s, lost_s, met_s = lines[0].cut_ns, since(t, count, DeviceLost)[0].at_ns, t.of(ShufflerMet)[-1].at_ns
            assert 0 <= lost_s - cut_s <= 1e9
            assert 0 < met_s - cut_s <= 5e9
            assert len(since(t, count, DeviceLost)) == 1
            assert len(t.left) == len(set(t.left)) == number + 1
            t.felt.put(t.felt.at("outlet")[0], "seat:1")
            await health.stop()

    told(story)


@pytest.mark.parametrize("boot_s", [0.5, 1.5, 2.5])
def test_a_board_that_every_opening_resets_is_met_all_the_same(told, boot_s) -> None:
    """Linux raises DTR for a moment at every opening: closing after three tries would reset it for ever."""

    async def story(t):
        await t.loaded()
        opening = t.open_line

        async def reset():
            line = await opening()
            t.twin.power_off()
            asyncio.get_running_loop().call_later(boot_s, t.twin.power_on)
            return line

        t.open_line = reset
        health = tended(t)
        count = len(t.of(ShufflerMet))
        await t.until(lambda: len(t.of(ShufflerMet)) > count, 5)
        await health.stop()

    told(story)


@pytest.mark.parametrize("data", [b"\0", b"\xff", b"\x02\x00", b"\x03\x11\x22\x00"])
@pytest.mark.parametrize("every_s", [0.005, 0.2])
def test_trickling_garbage_is_a_loss_within_a_second_of_the_last_answer(told, data, every_s) -> None:
    async def story(t):
        await t.loaded()
        met = t.met_again()
        health = tended(t)
        await t.until(met)
        await asyncio.sleep(1)
        t.twin.silence()

        async def trickle():
            at = 0
            while True:
                await asyncio.sleep(every_s)
                at += 1
                try:
                    t.far.write(data[at % len(data) :][:1])
                except DeviceGone:
                    await asyncio.sleep(0.1)

        trickling = asyncio.create_task(trickle())
        await t.until(lambda: t.of(DeviceLost), 1)
        assert "no answer" in t.of(DeviceLost)[0].why
        await asyncio.sleep(9)
        assert health.devices()[0].condition == "lost"
        trickling.cancel()
        await health.stop()

    told(story)


def test_with_a_reader_in_its_place_it_is_lost_and_whole_within_five_seconds_of_being_put_right(told) -> None:
    """Two adapters swapped: a reader answers nothing that a shuffler says."""

    async def story(t):
        await t.loaded()
        opening, others, met = t.open_line, [], t.met_again()
        health = tended(t)
        await t.until(met)

        async def swapped():
            near, other = memory_pair()
            others.append(asyncio.create_task(FeigTwin(other, t.felt, {0: "exit"}).run()))
            return near

        t.open_line = swapped
        t.near.close()
        await t.until(lambda: t.of(DeviceLost), 1)
        await asyncio.sleep(11)
        assert health.devices()[0].condition == "lost"
        count = len(t.told)
        t.open_line = opening
        await t.until(lambda: since(t, count, DeviceBack), 3.5 + 3)  # an attempt on the wrong one may be under way
        await t.until(t.agrees, 1)
        await health.stop()
        for other in others:
            other.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    told(story)


def test_one_late_refusal_is_no_other_protocol_and_three_are(told) -> None:
    """A greeting of the process before, refused as stale, may come in on the new one's line."""

    async def story(t):
        await t.loaded()
        refusal = msgspec.structs.replace(t.device._host.ident, proto=0)
        for _ in range(2):
            t.device._host.take_ident(refusal)
        with pytest.raises(DeviceWrong, match="does not speak protocol 1"):
            t.device._host.take_ident(refusal)

    told(story)
