"""The dealer's button: is it felt where it lies, and nowhere else?"""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.verdict import Bench, Step, judged, untested
from dealerbox.model.events import ButtonAt, Event
from dealerbox.ports import Clock, DealerboxError
from dealerbox.station.loop import boottime_ns

PATIENCE_S: Final = 20.0
STILL_S: Final = 1.0
"""A button that wavers does so within it."""


async def button(loan: Loan, bench: Bench, clock: Clock = boottime_ns) -> AsyncIterator[Step]:
    """Test the button sensor that was lent, seat by seat."""
    if loan.device.settings.carried():
        yield untested("button-seat", "its tag is read by the readers: `dealerbox diag reader`", loan.name)
        return
    told: list[tuple[int, ...]] = []

    def emit(event: Event) -> None:
        if isinstance(event, ButtonAt):
            told.append(event.seats)

    running = asyncio.create_task(loan.driven(clock).run(emit))
    try:
        if not bench.tells("Take the button off the table."):
            yield untested("button-rest", "nobody took it away", loan.name)
            return
        gone = await _until(running, partial(_lies, told, ()))
        yield judged("button-rest", "no seat feels it" if gone else _felt(told), right=gone)
        for seat in loan.device.settings.sensed():
            before = len(told)
            if not bench.tells(f"Lay the button on seat {seat}."):
                yield untested("button-seat", "nobody laid it there", f"seat:{seat}")
                continue
            there = await _until(running, partial(_lies, told, (seat,)))
            await asyncio.sleep(STILL_S)
            since = told[before:]
            wavers = there and len([seats for seats in since if seats]) > 1
            said = f"it wavers: {_felt(since)}" if wavers else "felt there alone" if there else _felt(since)
            yield judged("button-seat", said, right=there and not wavers, about=f"seat:{seat}")
    except DealerboxError as error:
        yield untested("button-rest", str(error), loan.name)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def _lies(told: list[tuple[int, ...]], seats: tuple[int, ...]) -> bool:
    return told[-1:] == [seats]


def _felt(told: list[tuple[int, ...]]) -> str:
    places = [", ".join(f"seat {seat}" for seat in seats) or "nowhere" for seats in told]
    return f"felt at {', then '.join(places)}" if places else "nothing changes"


async def _until(running: "asyncio.Task[None]", true: Callable[[], bool]) -> bool:
    """Wait until it is so; False: it is not in time. What the device raises."""
    loop = asyncio.get_running_loop()
    end_s = loop.time() + PATIENCE_S
    while loop.time() < end_s:
        if running.done():
            await running
        if true():
            return True
        await asyncio.sleep(0.02)
    return False
