"""A USB device as a line: packets, halts, losses, in virtual time; and once on real threads."""

import asyncio
import threading
from functools import partial

import pytest

from dealerbox.ports import ConfigError, DeviceGone, DeviceWrong
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.usb.line import RESET_S, open_usb
from dealerbox_drivers.usb.names import Kind


async def exactly(line, number: int) -> bytes:
    data = b""
    while len(data) < number:
        data += await line.read()
    return data


def write_often(line, times: int) -> None:
    for _ in range(times):
        line.write(bytes(1000))


async def opened(desk):
    """Open it, and forget the calls that this took."""
    line = await desk.open()
    desk.bus.calls.clear()
    return line


# What goes through


@pytest.mark.parametrize("size", [1, 10, 63, 64, 65, 128, 271, 1024])
def test_a_message_goes_out_whole_and_an_empty_packet_ends_whole_packets(run, desk, size) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        line.write(bytes(size))
        assert await exactly(d.reader, size) == bytes(size)
        await asyncio.sleep(0.01)
        assert d.reader.written == [bytes(size)] + [b""] * (size % 64 == 0)
        line.close()

    run(main())


@pytest.mark.parametrize("zero_ends", [True, False])
@pytest.mark.parametrize("size", [1, 63, 64, 65, 128, 271])
def test_an_answer_of_whole_packets_comes_in_with_an_empty_packet_or_without(run, desk, size, zero_ends) -> None:
    """libusb/libusb#1725: a reply of whole packets without the empty one never ends a longer transfer."""

    async def main() -> None:
        d = desk()
        d.reader.zero_ends = zero_ends
        line = await d.open()
        before = virtual_clock()
        d.reader.write(bytes(range(size % 256)) + bytes(size - size % 256))
        assert await exactly(line, size) == bytes(range(size % 256)) + bytes(size - size % 256)
        assert virtual_clock() - before < 10_000_000
        line.close()

    run(main())


def test_what_the_device_says_unasked_comes_in_on_the_same_line(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        d.reader.notify(b"\x50\x03")
        assert await line.read() == b"\x50\x03"
        line.close()

    run(main())


def test_many_messages_keep_their_order(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        for number in range(200):
            line.write(bytes([number]))
        assert await exactly(d.reader, 200) == bytes(range(200))
        line.close()

    run(main())


# Opening


def test_the_kernels_driver_is_taken_away_before_the_claim_and_put_back(run, desk) -> None:
    async def main() -> None:
        d = desk()
        d.reader.kernel_driver = True
        line = await d.open()
        assert d.bus.calls == ["open", "is_kernel_driver_active", "detach", "claim"]
        line.close()
        await asyncio.sleep(1)
        assert d.bus.calls[4:] == ["release", "attach", "close"]
        assert d.reader.kernel_driver

    run(main())


def test_a_configuration_is_set_only_where_none_is(run, desk) -> None:
    async def main() -> None:
        d = desk()
        d.reader.configured = 0
        line = await d.open()
        assert d.bus.calls == ["open", "set_configuration", "is_kernel_driver_active", "claim"]
        line.close()

    run(main())


@pytest.mark.parametrize("how", ["taken", "kernel_returns"])
def test_a_device_that_another_has_is_gone_and_says_who_it_may_be(run, desk, how) -> None:
    async def main() -> None:
        d = desk()
        d.reader.kernel_driver = True
        setattr(d.reader, how, True)
        with pytest.raises(DeviceGone, match=r"usb:1-1\.4: another program has the device: .*stop it"):
            await d.open()
        await asyncio.sleep(1)
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    run(main())


def test_a_device_has_one_owner_and_is_free_again_once_it_is_closed(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        with pytest.raises(DeviceGone, match="another program"):
            await d.opener("usb:072f:2200")()
        line.close()
        (await d.open()).close()

    run(main())


@pytest.mark.parametrize("name", ["usb:1-1.5", "usb:072f:2303", "usb:072f:2200:A7"])
def test_a_device_that_is_not_there_says_so(run, desk, name) -> None:
    async def main() -> None:
        with pytest.raises(DeviceGone, match=f"{name}: there is no such device: plug it in"):
            await desk(name).open()

    run(main())


@pytest.mark.parametrize("name", ["usb:1-1.4", "usb:072f:2200", "usb:072F:2200", "usb:072f:2200:A7"])
def test_a_device_is_found_by_socket_model_or_serial_number(run, desk, name) -> None:
    async def main() -> None:
        d = desk(name, serial="A7")
        d.bus.plug((0x1D6B, 0x0002), "1-1")
        (await d.open()).close()

    run(main())


def test_two_of_a_kind_are_told_apart_by_serial_number(run, desk) -> None:
    async def main() -> None:
        d = desk("usb:072f:2200:B2", serial="A1")
        other = d.bus.plug((0x072F, 0x2200), "1-1.2", serial="B2", interface_class=0x0B)
        line = await d.open()
        line.write(b"here")
        assert await other.read() == b"here"
        line.close()

    run(main())


@pytest.mark.parametrize("serials", [("", ""), ("SAME", "SAME")])
def test_two_of_a_kind_that_nothing_tells_apart_are_refused_with_their_sockets(run, desk, serials) -> None:
    async def main() -> None:
        name = f"usb:072f:2200:{serials[0]}".removesuffix(":")
        d = desk(name, serial=serials[0])
        d.bus.plug((0x072F, 0x2200), "1-1.2", serial=serials[1], interface_class=0x0B)
        with pytest.raises(DeviceWrong, match=r"names 2 devices, at usb:1-1\.4 and usb:1-1\.2: name the one by its"):
            await d.open()
        assert d.bus.opened == 0
        (await d.opener("usb:1-1.4")()).close()

    run(main())


def test_another_model_in_the_socket_is_the_wrong_device(run, desk) -> None:
    async def main() -> None:
        d = desk()
        d.bus.pull(d.reader)
        d.bus.plug((0x0AB1, 0x0002), "1-1.4")
        with pytest.raises(DeviceWrong, match="0ab1:0002 is plugged in there; this driver knows 072f:2200, 072f:90cc"):
            await d.open()

    run(main())


def test_a_device_without_the_interface_is_the_wrong_device(run, desk) -> None:
    async def main() -> None:
        d = desk()
        d.reader.interface_class = 0x08
        with pytest.raises(DeviceWrong, match="no interface"):
            await d.open()
        assert (d.bus.opened, d.bus.claimed) == (0, 0)

    run(main())


def test_a_missing_libusb_is_named_with_its_package(run, desk, monkeypatch) -> None:
    def missing(**_: object) -> None:
        import usb.core

        raise usb.core.NoBackendError("No backend available")

    async def main() -> None:
        monkeypatch.setattr("usb.core.find", missing)
        with pytest.raises(DeviceGone, match=r"libusb is missing: install Debian's libusb-1\.0-0"):
            await desk().open()

    run(main())


@pytest.mark.parametrize("port", ["usb:", "usb:1", "usb:72f:2200", "usb:1-0", "/dev/ttyUSB0", "usb:zzzz:2200"])
def test_a_name_that_is_none_is_a_config_error(port) -> None:
    with pytest.raises(ConfigError, match="allowed: usb:BUS-PORT"):
        open_usb(port, Kind(models=()))


# Losing


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


# Halts, floods


@pytest.mark.parametrize(("halts", "steps"), [(1, []), (2, ["clear_halt"] * 3)])
def test_a_halted_endpoint_is_asked_again_then_cleared_and_nothing_is_lost(run, desk, halts, steps) -> None:
    async def main() -> None:
        d = desk()
        line = await opened(d)
        d.reader.halts = halts
        d.bus.tell()
        d.reader.write(b"still here")
        line.write(b"asked")
        assert await exactly(line, 10) == b"still here"
        assert await d.reader.read() == b"asked"
        assert [call for call in d.bus.calls if call not in steps] == []
        line.close()

    run(main())


def test_an_endpoint_that_stays_halted_leads_to_one_reset_a_minute_and_the_device_is_found_again(run, desk) -> None:
    async def main() -> None:
        d = desk()
        resets = []
        for _ in range(3):
            line = await opened(d)
            d.reader.halts, d.reader.sticky = 1, True
            d.bus.tell()
            with pytest.raises(DeviceGone, match="halted"):
                await line.read()
            resets.append(d.bus.calls.count("reset"))
            assert "clear_halt" in d.bus.calls[: d.bus.calls.index("reset") if resets[-1] else None]
            d.reader.halts, d.reader.sticky = 0, False
            await asyncio.sleep(0.6 * RESET_S)
        assert resets == [1, 0, 1]

    run(main())


def test_a_packet_that_is_too_long_is_thrown_away_counted_and_the_next_read(run, desk) -> None:
    async def main() -> None:
        d = desk()
        line = await d.open()
        d.reader.floods = 1
        d.reader.write(b"spoilt")
        d.reader.write(b"good")
        assert await line.read() == b"good"
        assert line.overflows == 1
        line.close()

    run(main())


# Bounds and faults of our own


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
