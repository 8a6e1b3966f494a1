"""A USB device as a line: packets, halts, losses, in virtual time; and once on real threads."""

import asyncio

import pytest

from dealerbox.ports import DeviceGone
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.usb.line import RESET_S


async def exactly(line, number: int) -> bytes:
    data = b""
    while len(data) < number:
        data += await line.read()
    return data


async def opened(desk):
    """Open it, and forget the calls that this took."""
    line = await desk.open()
    desk.bus.calls.clear()
    return line


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
