import asyncio
import os
import time

import pytest

from dealerbox.station.virtual import START_NS, Stuck, VirtualLoop, virtual_clock


def test_a_night_passes_in_no_time(run) -> None:
    async def night() -> int:
        await asyncio.sleep(8 * 3600)
        return virtual_clock()

    began = time.monotonic()
    assert run(night()) == START_NS + 8 * 3600 * 1_000_000_000
    assert time.monotonic() - began < 1


def test_timers_come_in_order_and_to_the_nanosecond(run) -> None:
    async def race() -> list[tuple[str, int]]:
        seen = []

        async def runner(name: str, every_s: float) -> None:
            for _ in range(3):
                await asyncio.sleep(every_s)
                seen.append((name, virtual_clock() - START_NS))

        await asyncio.gather(runner("slow", 0.03), runner("fast", 0.02))
        return seen

    expected = [
        ("fast", 20_000_000), ("slow", 30_000_000), ("fast", 40_000_000),
        ("fast", 60_000_000), ("slow", 60_000_000), ("slow", 90_000_000),
    ]  # fmt: skip
    assert sorted(run(race()), key=lambda item: (item[1], item[0])) == expected
    assert run(race()) == run(race())


def test_ten_thousand_timers_do_not_drift(run) -> None:
    async def tick() -> int:
        for _ in range(10_000):
            await asyncio.sleep(0.005)
        return virtual_clock()

    assert run(tick()) == START_NS + 50_000_000_000


def test_bytes_of_a_real_pipe_come_before_the_next_timer(run) -> None:
    async def read() -> tuple[bytes, int]:
        reader, writer = os.pipe()
        got: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().add_reader(reader, lambda: got.done() or got.set_result(os.read(reader, 9)))
        os.write(writer, b"card")
        try:
            async with asyncio.timeout(60):
                return await got, virtual_clock()
        finally:
            asyncio.get_running_loop().remove_reader(reader)
            os.close(reader)
            os.close(writer)

    assert run(read()) == (b"card", START_NS)


def test_a_wait_that_never_ends_is_called_by_its_limit(run) -> None:
    async def forgotten() -> None:
        beat = asyncio.get_running_loop()

        def again() -> None:
            beat.call_later(1, again)

        again()
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        run(forgotten(), limit_s=100)


def test_a_loop_with_nothing_to_wait_for_is_stuck(monkeypatch) -> None:
    monkeypatch.setattr("dealerbox.station.virtual.STALL_S", 0.01)
    loop = VirtualLoop()
    try:
        forever = loop.create_future()
        with pytest.raises(Stuck, match="every task waits"):
            loop.run_until_complete(forever)
    finally:
        loop.close()


def test_virtual_clock_outside_a_virtual_loop_says_so() -> None:
    async def ask() -> int:
        return virtual_clock()

    with pytest.raises(RuntimeError, match=r"virtual_run\(\)"):
        asyncio.run(ask())
