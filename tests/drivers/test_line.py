import asyncio
import errno
import os
import pty
import re
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import serial

from dealerbox.ports import ConfigError, DeviceGone, Line
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers import line as lines
from dealerbox_drivers.line import Delayed, Lossy, OneByte, SerialPort, memory_pair, open_serial, pty_pair

Run = Callable[..., Any]


async def read_exactly(line: Line, number: int) -> bytes:
    data = b""
    while len(data) < number:
        data += await line.read()
    return data


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def write_often(line: Line, kilobytes: int) -> None:
    for _ in range(kilobytes):
        line.write(bytes(1000))


# Settings


@pytest.mark.parametrize("parity", ["N", "E", "O"])
def test_the_parity_asked_for_is_what_a_real_port_is_opened_with(parity: str) -> None:
    settings = open_serial("/dev/ttyAMA0", 38400, parity).configured()

    assert (settings.baudrate, settings.parity, settings.bytesize, settings.stopbits) == (38400, parity, 8, 1)


def test_a_port_is_opened_for_one_process_with_dtr_and_rts_down_and_finite_timeouts() -> None:
    settings = open_serial("/dev/ttyAMA0", 38400).configured()

    assert settings.exclusive is True
    assert (settings.dtr, settings.rts) == (False, False)
    assert settings.timeout is not None
    assert settings.write_timeout is not None
    assert not settings.is_open


def test_on_a_pty_parity_is_left_out_so_that_a_second_open_works(run: Run) -> None:
    async def main() -> None:
        path, far = pty_pair()
        port = open_serial(path, 38400, "E")
        assert port.configured().parity == "N"
        for word in (b"first", b"second"):
            line = await port()
            line.write(word)
            assert await read_exactly(far, len(word)) == word
            line.close()
        far.close()

    run(main())


def test_a_pty_behind_a_link_is_known_as_a_pty(run: Run, tmp_path: Path) -> None:
    async def main() -> None:
        path, far = pty_pair()
        link = tmp_path / "reader"
        link.symlink_to(path)
        assert lines.is_pty(str(link))
        far.close()

    run(main())
    assert not lines.is_pty("/dev/null")
    assert not lines.is_pty(str(tmp_path))


@pytest.mark.parametrize(("baud", "parity", "named"), [(38401, "N", "baud 38401"), (9600, "M", "parity 'M'")])
def test_settings_that_no_port_has_are_a_config_error(baud: int, parity: str, named: str) -> None:
    with pytest.raises(ConfigError, match=f"/dev/ttyUSB0: {named}"):
        open_serial("/dev/ttyUSB0", baud, parity)


# Opening


def test_a_port_that_is_not_there_says_so_and_what_to_do(run: Run) -> None:
    with pytest.raises(DeviceGone, match=r"/dev/ttyNONE: there is no such port: plug the device in"):
        run(open_serial("/dev/ttyNONE", 9600)())


def test_a_file_that_is_no_terminal_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DeviceGone, match="check that it is a serial port"):
        run(open_serial(str(tmp_path / "file"), 9600)())


def test_a_port_that_another_opener_holds_is_named_as_taken(run: Run) -> None:
    async def main() -> None:
        path, far = pty_pair()
        line = await open_serial(path, 9600)()
        with pytest.raises(DeviceGone, match=re.escape(path) + ": another process has the port"):
            await open_serial(path, 9600)()
        line.close()
        (await open_serial(path, 9600)()).close()
        far.close()

    run(main())


def test_a_port_that_another_process_holds_says_which(run: Run) -> None:
    far, near = pty.openpty()
    path = os.ttyname(near)
    take = "import serial, sys; held = serial.Serial(sys.argv[1], exclusive=True); print(flush=True); input()"
    command = [sys.executable, "-c", take, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(DeviceGone, match=rf"another process has the port: .+ \(process {holder.pid}\); stop it"):
            run(open_serial(path, 9600)())
        holder.communicate(b"\n")
    os.close(near)
    os.close(far)


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (serial.SerialException(errno.EACCES, "denied"), "add this user to the port's group"),
        (serial.SerialException(errno.EBUSY, "busy"), "another process has the port"),
        (serial.SerialException("readiness to read but returned no data"), "cannot be opened"),
        (termios.error(errno.EIO, "Input/output error"), "cannot be opened"),
        (OSError(errno.EIO, "Input/output error"), "cannot be opened"),
        (ValueError("Failed to set custom baud rate"), "cannot be opened"),
    ],
)
def test_every_kind_of_failure_to_open_is_device_gone(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, advice: str
) -> None:
    def fail(_self: serial.Serial) -> None:
        raise error

    monkeypatch.setattr(serial.Serial, "open", fail)
    with pytest.raises(DeviceGone, match=advice) as caught:
        run(SerialPort("/dev/ttyUSB0", 9600)())
    assert caught.value.__cause__ is error


# Losing


def test_an_unplugged_port_ends_the_waiting_reader(run: Run) -> None:
    async def main() -> None:
        path, far = pty_pair()
        line = await open_serial(path, 9600)()
        reading = asyncio.ensure_future(line.read())
        await asyncio.sleep(0)
        far.close()
        with pytest.raises(DeviceGone, match=re.escape(path) + ": the port is gone: check the cable"):
            await reading
        with pytest.raises(DeviceGone):
            line.write(b"x")
        line.close()

    run(main())


def test_an_unplugged_port_ends_the_next_write_even_before_a_read(run: Run) -> None:
    async def main() -> None:
        path, far = pty_pair()
        line = await open_serial(path, 9600)()
        far.close()
        with pytest.raises(DeviceGone, match=re.escape(path)):
            line.write(b"x")
        with pytest.raises(DeviceGone, match=re.escape(path)):
            await line.read()

    run(main())


@pytest.mark.parametrize("number", [errno.EIO, errno.ENODEV, errno.ENXIO, errno.EBADF])
def test_every_error_of_the_kernel_while_reading_is_device_gone(
    run: Run, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    async def main() -> None:
        path, far = pty_pair()
        line = await open_serial(path, 9600)()

        def fail(_descriptor: int, _size: int) -> bytes:
            raise OSError(number, os.strerror(number))

        far.write(b"x")
        monkeypatch.setattr(os, "read", fail)
        with pytest.raises(DeviceGone, match=re.escape(path)):
            await line.read()
        monkeypatch.undo()
        far.close()

    run(main())


def test_closing_ends_the_waiting_reader_and_twice_is_once(run: Run) -> None:
    async def main() -> None:
        path, far = pty_pair()
        line = await open_serial(path, 9600)()
        reading = asyncio.ensure_future(line.read())
        await asyncio.sleep(0)
        line.close()
        line.close()
        with pytest.raises(DeviceGone, match="the line is closed"):
            await reading
        far.close()

    run(main())


def test_closing_frees_every_descriptor(run: Run) -> None:
    async def main() -> None:
        before = descriptors()
        for _ in range(3):
            path, far = pty_pair()
            (await open_serial(path, 9600)()).close()
            far.close()
        assert descriptors() == before

    run(main())


# Bounds


def test_what_the_port_does_not_take_is_kept_in_order_and_sent_later(run: Run) -> None:
    async def main() -> None:
        path, far = pty_pair()
        line = await open_serial(path, 9600)()
        sent = bytes(range(256)) * 128  # 32 KiB, far more than a pty holds
        for start in range(0, len(sent), 1000):
            line.write(sent[start : start + 1000])
        assert await read_exactly(far, len(sent)) == sent
        line.close()
        far.close()

    run(main())


def test_a_port_that_takes_nothing_is_gone_once_64_kib_are_unsent(run: Run) -> None:
    async def main() -> None:
        far, near = pty.openpty()
        path = os.ttyname(near)
        line = await open_serial(path, 9600)()
        with pytest.raises(DeviceGone, match=re.escape(path) + ": the device takes no more bytes"):
            write_often(line, 100)
        with pytest.raises(DeviceGone):
            await line.read()
        os.close(near)
        os.close(far)

    run(main())


def test_input_that_nobody_reads_is_bounded_and_not_lost(run: Run) -> None:
    async def main() -> None:
        path, far = pty_pair()
        line = await open_serial(path, 9600)()
        sent = bytes(range(256)) * 400  # 100 KiB
        for start in range(0, len(sent), 2048):
            far.write(sent[start : start + 2048])
            await asyncio.sleep(0.001)
        first = await line.read()
        assert len(first) < lines.MOST_UNSENT + lines.MOST_A_READ
        assert first + await read_exactly(line, len(sent) - len(first)) == sent
        line.close()
        far.close()

    run(main())


def test_a_cancelled_read_loses_no_byte(run: Run) -> None:
    async def main() -> None:
        near, far = memory_pair()
        for wrapped in (near, Delayed(near, 5)):
            reading = asyncio.ensure_future(wrapped.read())
            await asyncio.sleep(0.001)
            far.write(b"abc")
            if wrapped is not near:
                await asyncio.sleep(0.001)
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
            assert await read_exactly(wrapped, 3) == b"abc"

    run(main())


# Memory lines and their ill treatment


def test_a_memory_line_carries_bytes_both_ways_and_ends_at_both_ends(run: Run) -> None:
    async def main() -> None:
        near, far = memory_pair()
        near.write(b"ask")
        assert await far.read() == b"ask"
        far.write(b"ans")
        far.write(b"wer")
        far.close()
        assert await near.read() == b"answer"
        with pytest.raises(DeviceGone, match="near: the line was closed at the other end"):
            await near.read()
        with pytest.raises(DeviceGone):
            near.write(b"x")
        with pytest.raises(DeviceGone):
            await far.read()

    run(main())


def test_a_memory_line_that_nobody_drains_is_gone(run: Run) -> None:
    async def main() -> None:
        near, _far = memory_pair()
        with pytest.raises(DeviceGone, match="unread"):
            write_often(near, 70)

    run(main())


def test_one_byte_carries_single_bytes_both_ways(run: Run) -> None:
    async def main() -> None:
        near, far = memory_pair()
        one = OneByte(near)
        far.write(b"xyz")
        assert [await one.read() for _ in range(3)] == [b"x", b"y", b"z"]
        one.write(b"abc")
        assert await far.read() == b"abc"

    run(main())


def test_a_lossy_line_loses_about_its_rate_and_the_same_bytes_for_the_same_seed(run: Run) -> None:
    async def main() -> bytes:
        near, far = memory_pair()
        Lossy(near, Random(7), 0.2).write(bytes(1000))
        return bytes(await far.read())

    kept = run(main())
    assert 750 < len(kept) < 850
    assert run(main()) == kept


def test_a_delayed_line_is_late_by_its_delay_both_ways_and_in_order(run: Run) -> None:
    async def main() -> None:
        near, far = memory_pair()
        slow = Delayed(near, 40)
        start = virtual_clock()
        slow.write(b"a")
        slow.write(b"b")
        assert await read_exactly(far, 2) == b"ab"
        assert virtual_clock() - start == 40_000_000
        far.write(b"c")
        assert await slow.read() == b"c"
        assert virtual_clock() - start == 80_000_000

    run(main())


def test_a_delayed_line_that_goes_meanwhile_tells_the_reader(run: Run) -> None:
    async def main() -> None:
        near, far = memory_pair()
        slow = Delayed(near, 40)
        slow.write(b"a")
        far.close()
        with pytest.raises(DeviceGone):
            await slow.read()
        await asyncio.sleep(0.1)

    run(main())
