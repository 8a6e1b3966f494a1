"""A wire: how many questions over it are lost or spoilt, and how soon they are answered."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.spread import Spread, spread
from dealerbox.diagnostics.verdict import Bench, Step, judged, untested
from dealerbox.ports import ConfigError, DealerboxError
from dealerbox_drivers.rfid.reader import Reader
from dealerbox_drivers.shuffler.conformance.asker import Asker, Unmet

EXCHANGES: Final = 500
BAD: Final = 0.001
"""Lost or spoilt of all: below it a table is not slowed by it."""
P99_MS: Final = 100.0
SHUFFLER: Final = "shuffler-v1"


async def link(loan: Loan, bench: Bench, exchanges: int = EXCHANGES) -> AsyncIterator[Step]:
    """Ask what is at the far end of a device's line harmless questions, so many, and judge the wire by the answers."""
    try:
        if loan.device.driver.name == SHUFFLER:
            bad, times = await _asked(loan, bench, exchanges)
        elif isinstance(reader := loan.driven(), Reader):
            bad, times = await _looked(reader, bench, exchanges)
        else:
            yield untested("link-exchanges", "no questions are answered over it", loan.name)
            return
    except ConfigError as error:
        yield untested("link-exchanges", str(error), loan.name)
        return
    except DealerboxError as error:
        yield judged("link-exchanges", str(error), right=False, about=loan.name)
        return
    asked = len(times.values) + bad
    yield judged(
        "link-exchanges",
        f"{bad} of {asked} lost or spoilt",
        right=bad <= BAD * asked,
        about=loan.name,
        exchanges=asked,
        bad=bad,
    )
    yield judged(
        "link-delay",
        times.said(),
        right=times.at(0.99) <= P99_MS,
        about=loan.name,
        values=times.values,
        p50_ms=times.at(0.5),
        p99_ms=times.at(0.99),
        max_ms=times.most,
    )


async def _asked(loan: Loan, bench: Bench, exchanges: int) -> tuple[int, Spread]:
    async with asking(loan) as asker:
        loop = asyncio.get_running_loop()

        async def ask() -> None:
            await asker.query()

        return await _timed(ask, loop.time, bench, exchanges)


async def _timed(
    ask: Callable[[], Awaitable[None]], now_s: Callable[[], float], bench: Bench, exchanges: int
) -> tuple[int, Spread]:
    times, bad = [], 0
    for number in range(exchanges):
        before_s = now_s()
        try:
            await ask()
        except Unmet:
            bad += 1
        else:
            times.append((now_s() - before_s) * 1000)
        bench.progress("asking", (number + 1) / exchanges)
    return bad, spread(times)


@contextlib.asynccontextmanager
async def asking(loan: Loan) -> AsyncIterator[Asker]:
    """Open a shuffler's line and listen there. DeviceGone."""
    line = await loan.line()()
    asker = Asker(line)
    listening = asyncio.create_task(asker.run())
    try:
        yield asker
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        line.close()


async def _looked(reader: Reader[Any, Any, Any], bench: Bench, exchanges: int) -> tuple[int, Spread]:
    """Let a reader look until so many questions were answered, or not."""
    traffic = reader.traffic
    times: list[float] = []
    taken = 0
    async with contextlib.aclosing(reader.looks()) as looks:
        async for _ in looks:
            fresh = traffic.frames - taken
            times += list(traffic.trips_s)[-fresh:] if fresh else []
            taken = traffic.frames
            done = traffic.frames + traffic.missing
            bench.progress("asking", min(1.0, done / exchanges))
            if done >= exchanges:
                break
    return traffic.missing + reader.faults, spread(time_s * 1000 for time_s in times)
