"""A device on USB is lost, closed and found again; what is not taken or not read has a bound."""

import asyncio
import threading
from functools import partial

import pytest

from dealerbox.ports import DeviceGone
from dealerbox.station.virtual import virtual_clock


async def exactly(line, number: int) -> bytes:
    data = b""
    while len(data) < number:
        data += await line.read()
    return data


def write_often(line, times: int) -> None:
    for _ in range(times):
        line.write(bytes(1000))


def test_a_device_that_is_pulled_out_ends_the_waiting_reader(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        reading = asyncio.ensure_future(line.read())
        await asyncio.sleep(0.1)
        d.reader.close()
        with pytest.raises(DeviceGone, match=r"usb:1-1\.4: the device is gone: check its plug"):
            await reading
        with pytest.raises(DeviceGone):
            line.write(b"x")
        line.close()
        line.close()
        await line.closed.wait()
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    run(main())


def test_closing_ends_the_waiting_reader_and_twice_is_once(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        reading = asyncio.ensure_future(line.read())
        await asyncio.sleep(0.1)
        line.close()
        line.close()
        with pytest.raises(DeviceGone, match="the line is closed"):
            await reading
        with pytest.raises(DeviceGone, match="the line is closed"):
            line.write(b"x")
        await line.closed.wait()

    run(main())


@pytest.mark.parametrize("socket", ["1-1.4", "2-1"])
def test_it_is_found_again_at_another_address_and_by_its_model_in_another_socket(run, desk, socket) -> None:
    async def main() -> None:
        d = desk("usb:072f:2200")
        line = await d.open()
        first = d.reader.address
        d.reader.close()
        with pytest.raises(DeviceGone):
            await line.read()
        with pytest.raises(DeviceGone, match="no such device"):
            await d.open()
        d.bus.plug_again(d.reader, socket)
        assert d.reader.address != first
        line = await d.open()
        line.write(b"back")
        assert await d.reader.read() == b"back"
        line.close()

    run(main())


def test_a_device_that_takes_nothing_is_gone_after_its_time(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        d.reader.asleep = True
        before = virtual_clock()
        line.write(b"x")
        with pytest.raises(DeviceGone, match="takes no more bytes"):
            await line.read()
        assert virtual_clock() - before < 600_000_000

    run(main())


def test_a_device_that_takes_nothing_is_gone_once_64_kib_are_unsent(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        d.reader.asleep = True
        with pytest.raises(DeviceGone, match="takes no more bytes"):
            write_often(line, 70)

    run(main())


def test_input_that_nobody_reads_is_bounded_and_not_lost(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        for _ in range(100):
            d.reader.write(bytes(1000))
        await asyncio.sleep(5)
        first = await line.read()
        assert len(first) < 66_000
        assert len(first + await exactly(line, 100_000 - len(first))) == 100_000
        line.close()

    run(main())


def test_a_task_of_the_line_that_is_killed_or_dies_ends_the_line_and_is_told(run, desk) -> None:
    async def main() -> None:
        told: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["message"]))
        d = desk()
        for number in range(3):
            line = await d.open()
            line._tasks[number].cancel()
            with pytest.raises(DeviceGone, match="was stopped"):
                await line.read()
            await line.closed.wait()
        line = await d.open()
        d.bus.intr_read = None  # what is called then is a fault of ours
        with pytest.raises(DeviceGone):
            await line.read()
        assert told == ["in usb:1-1.4 notices"]
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    run(main())


def test_a_device_that_cannot_be_opened_in_time_is_gone_and_given_back_when_it_comes_late(desk) -> None:
    """On real threads: a find that hangs is left behind."""

    async def main() -> None:
        d = desk(threads=True)
        go = threading.Event()
        there = d.bus.enumerate_devices
        d.bus.enumerate_devices = lambda: go.wait(10) and there()
        opening = asyncio.ensure_future(d.open())
        await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        go.set()
        while d.bus.calls[-1:] != ["close"]:
            await asyncio.sleep(0.001)
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_line_that_is_opened_again_at_once_waits_until_the_one_before_is_given_back(desk) -> None:
    """On real threads: a transfer that waits ends first, and only then is the handle closed."""

    async def main() -> None:
        d = desk(threads=True)
        for _ in range(3):
            (await d.open()).close()
        line = await d.open()
        line.write(b"mine")
        assert await exactly(d.reader, 4) == b"mine"
        line.close()
        await line.closed.wait()
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    asyncio.run(asyncio.wait_for(main(), 20))


def test_the_same_on_threads_whose_transfers_wait(desk) -> None:
    """Real time: a thread waits in each endpoint and hands over to the loop."""

    async def main() -> None:
        d = desk(threads=True)
        line = await d.open()
        for number in range(50):
            line.write(bytes([number]) * 64)
            assert await exactly(d.reader, 64) == bytes([number]) * 64
            d.reader.write(bytes([number]) * 128)
            assert await exactly(line, 128) == bytes([number]) * 128
        d.reader.notify(b"\x50\x02")
        assert await line.read() == b"\x50\x02"
        names = {each.name for each in threading.enumerate()}
        assert {"usb:1-1.4 in", "usb:1-1.4 out", "usb:1-1.4 notices"} <= names
        d.reader.close()
        with pytest.raises(DeviceGone):
            await line.read()
        await line.closed.wait()
        d.bus.plug_again(d.reader)
        line = await d.open()
        line.close()
        await line.closed.wait()
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    asyncio.run(asyncio.wait_for(main(), 20))
    left = [partial(each.join, 5) for each in threading.enumerate() if each.name.startswith("usb:")]
    for join in left:
        join()
    assert not [each.name for each in threading.enumerate() if each.name.startswith("usb:")]
