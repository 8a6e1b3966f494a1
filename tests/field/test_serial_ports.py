"""Checks from the field: serial ports (PS), what asyncio makes of them (PA, SX). Each is named by its id."""

import ast
import asyncio
import os
import threading
import time
from pathlib import Path
from random import Random

import pytest

from dealerbox.model.events import DeviceBack, DeviceLost, TagsGone, ZoneKnown, ZoneUnknown
from dealerbox.ports import DeviceGone
from dealerbox_drivers.line import memory_pair, open_serial, pty_pair
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.rfid.feig import wire
from dealerbox_drivers.rfid.feig.talk import Talk, Timing

ROOT = Path(__file__).parents[2]


@pytest.fixture
def port(run):
    """`port(story)`: a story with an open port and its far side."""

    def told(story):
        async def whole():
            path, far = pty_pair()
            line = await open_serial(path, 38_400)()
            try:
                await story(line, far)
            finally:
                line.close()
                far.close()

        return run(whole(), limit_s=600)

    return told


async def pulled_and_plugged(d, rng, times: int) -> None:
    await d.until(lambda: d.of(ZoneKnown), 10)
    for _ in range(times):
        d.told.clear()
        await asyncio.sleep(rng.uniform(0, 0.3))
        await d.pull()
        assert await d.until(lambda: d.of(DeviceLost), 1) < 1
        assert d.of(ZoneUnknown)
        await asyncio.sleep(rng.uniform(0, 5))
        d.plug()
        assert await d.until(lambda: d.of(DeviceBack) and d.of(ZoneKnown), 5) < 5
        assert not d.of(TagsGone)


def test_ps_01_unplugged_anywhere_it_is_lost_within_a_second_and_whole_five_after_its_return(hung) -> None:
    hung(lambda d: pulled_and_plugged(d, Random(1), 4))


def test_sx_01_unplugged_two_hundred_times_it_comes_back_each_time(hung) -> None:
    hung(lambda d: pulled_and_plugged(d, Random(2), 200), memory=True)


def test_ps_02_a_port_that_is_hung_up_raises_one_kind_of_error_whatever_is_done_with_it(port) -> None:
    async def story(line, far) -> None:
        far.close()
        for _ in range(3):
            with pytest.raises(DeviceGone):
                await line.read()
            with pytest.raises(DeviceGone):
                line.write(b"x")
        line.close()
        line.close()

    port(story)


def test_ps_03_a_bridge_that_lives_before_a_dead_reader_is_one_loss_and_one_line_of_the_journal(hung) -> None:
    async def story(d) -> None:
        await d.until(lambda: d.of(ZoneKnown), 10)
        d.twin.silent = True
        await d.until(lambda: d.of(DeviceLost), 3)
        await asyncio.sleep(30)
        assert len(d.of(DeviceLost)) == 1

    hung(story, memory=True)


def test_ps_04_and_pa_04_no_write_or_close_waits_for_a_peer_that_drains_nothing(port) -> None:
    async def story(line, far) -> None:
        longest_s = 0.0
        for _ in range(64):
            begun_s = time.monotonic()
            line.write(bytes(1000))
            longest_s = max(longest_s, time.monotonic() - begun_s)
        with pytest.raises(DeviceGone, match="takes no more bytes"):
            line.write(bytes(65_536))
        begun_s = time.monotonic()
        line.close()
        assert max(longest_s, time.monotonic() - begun_s) < 0.5

    port(story)


def test_ps_05_ports_are_made_in_one_place_with_every_time_out() -> None:
    calls = []
    for file in [*(ROOT / "dealerbox").rglob("*.py"), *(ROOT / "drivers").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("Serial", "serial_for_url"):
                calls.append(file.name)
    assert calls == ["line.py"]
    made = open_serial("/dev/null", 9600).configured()
    assert (made.timeout, made.write_timeout, made.exclusive) == (0, 1, True)  # 0: the loop reads, nothing waits
    assert not any((made.dtr, made.rts, made.dsrdtr, made.rtscts, made.xonxoff))


def test_ps_08_trickling_garbage_makes_no_question_longer_and_no_buffer_larger(run) -> None:
    async def main() -> None:
        near, far = memory_pair()

        async def trickle() -> None:
            while True:
                far.write(b"\x20")
                await asyncio.sleep(0.2)

        trickling = asyncio.create_task(trickle())
        talk = Talk("seat", near, 255, Timing(silent_answers=99))
        for _ in range(20):
            begun_s = asyncio.get_running_loop().time()
            assert await talk.ask(wire.inventory(255), 250) is None
            assert asyncio.get_running_loop().time() - begun_s <= 0.3
        assert len(talk._decoder._buffer) <= wire.LONGEST
        trickling.cancel()
        await talk.close()

    run(main())


def test_ps_11_a_child_inherits_no_port(port) -> None:
    async def story(line, far) -> None:
        assert not os.get_inheritable(line._descriptor)  # closed at exec: nothing else keeps it from a new daemon

    port(story)


def test_ps_13_looking_for_ports_opens_none(monkeypatch) -> None:
    monkeypatch.setattr("serial.Serial.open", lambda self: pytest.fail("opened"))
    monkeypatch.setattr("os.open", lambda *words: pytest.fail("opened"))
    path, far = os.openpty()
    name = os.ttyname(far)
    settings = DRIVERS["pn532"].settings(port=name, zone="exit")
    assert [settings.absent() for _ in range(100)] == [()] * 100
    for descriptor in (path, far):
        os.close(descriptor)


def test_ps_14_closed_while_it_is_read_it_ends_the_reader_and_no_thread_stays(run) -> None:
    async def main() -> None:
        threads = threading.active_count()
        for _ in range(200):
            path, far = pty_pair()
            line = await open_serial(path, 38_400)()
            reading = asyncio.create_task(line.read())
            await asyncio.sleep(0)
            line.close()
            with pytest.raises(DeviceGone):
                await reading
            far.close()
        assert threading.active_count() == threads

    run(main(), limit_s=600)


def test_ps_15_a_read_that_is_cancelled_swallows_no_byte(port) -> None:
    async def story(line, far) -> None:
        reading = asyncio.create_task(line.read())
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        far.write(b"card")
        came = b""
        while len(came) < 4:
            came += await line.read()
        assert came == b"card"

    port(story)


class Unheard:
    """A line whose loss nobody tells: it goes on waiting."""

    def __init__(self, line) -> None:
        self._line = line

    async def read(self) -> bytes:
        try:
            return await self._line.read()
        except DeviceGone:
            await asyncio.Event().wait()
            raise

    def write(self, data: bytes) -> None:
        try:
            self._line.write(data)
        except DeviceGone:
            return

    def close(self) -> None:
        self._line.close()


def test_pa_01_a_loss_that_the_line_does_not_tell_is_found_by_missing_answers(hung) -> None:
    async def story(d) -> None:
        await d.until(lambda: d.of(ZoneKnown), 10)
        await d.health.stop()
        opening, openings = d.reader._open_line, []

        async def unheard():
            openings.append(await opening())
            return Unheard(openings[-1])

        d.reader._open_line = unheard
        d.health = d.tended()
        d.told.clear()
        d.health.start()
        await d.until(lambda: d.of(ZoneKnown), 10)
        await d.pull()
        assert await d.until(lambda: d.of(DeviceLost), 5) < 3
        d.plug()
        await d.until(lambda: d.of(DeviceBack), 6)
        assert len(openings) >= 2

    hung(story)


def test_pa_02_a_port_that_is_hung_up_is_no_longer_in_the_loop(port) -> None:
    async def story(line, far) -> None:
        descriptor = line._descriptor
        far.close()
        with pytest.raises(DeviceGone):
            await line.read()
        assert not asyncio.get_running_loop().remove_reader(descriptor)
        assert not asyncio.get_running_loop().remove_writer(descriptor)

    port(story)


def test_sx_02_what_is_asked_of_a_lost_port_fails_in_its_time_and_is_not_asked_again(port) -> None:
    async def story(line, far) -> None:
        talk = Talk("seat", line, 255, Timing())
        far.close()
        begun_s = asyncio.get_running_loop().time()
        with pytest.raises(DeviceGone):
            await talk.ask(wire.inventory(255), 250)
        assert asyncio.get_running_loop().time() - begun_s < 0.5
        with pytest.raises(DeviceGone):
            await talk.ask(wire.inventory(255), 250)
        await talk.close()

    port(story)
