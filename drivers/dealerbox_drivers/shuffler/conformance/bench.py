"""The bench: every question of a level, in turn, and what came of each."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from enum import StrEnum
from functools import partial

import msgspec

from dealerbox.ports import DeviceGone, Line
from dealerbox_drivers.shuffler.conformance import still
from dealerbox_drivers.shuffler.conformance.asker import Asker, NotAsked, Unmet
from dealerbox_drivers.shuffler.conformance.moving import Moving

Question = Callable[[], Awaitable[None]]


class Level(StrEnum):
    """How far the questions go."""

    READ_ONLY = "read-only"
    """Nothing moves and no id is consumed."""
    MOTION = "motion"
    """Cards move; a person stands by."""


class Verdict(StrEnum):
    """What came of a question."""

    KEPT = "kept"
    BROKEN = "broken"
    NOT_ASKED = "not asked"


class Finding(msgspec.Struct, frozen=True):
    """One question and what came of it. `why`: what the device did and what the page wants; "" when it is kept."""

    question: str
    page: str
    verdict: Verdict
    why: str = ""


STILL = (
    ("identity", "2, IDENT and STATUS", still.identity),
    ("noise", "1, Link", still.noise),
    ("shapes", "1, Link, and 2, Codes", still.shapes),
    ("sessions", "4, HELLO", still.sessions),
    ("holds", "4, HOLD and CLEAR_HOLD", still.holds),
    ("arming", "2, ARM, and 4, ARM", still.arming),
    ("lease", "4, HEARTBEAT", still.lease),
    ("events", "2, Events", still.told),
)


async def conform(
    line: Line, level: Level, cards: int = 0, cut_power: Callable[[], Awaitable[None]] | None = None
) -> AsyncGenerator[Finding, None]:
    """Put every question of `level` to whatever answers on `line`, and yield what came of it.

    `cards`: how many lie in the machine (for MOTION). `cut_power` has the power cut and given
    again; None: those questions are not asked. DeviceGone when the line is gone.
    """
    asker = Asker(line)
    listening = asyncio.create_task(asker.run())
    try:
        questions: list[tuple[str, str, Question]] = [(name, page, partial(ask, asker)) for name, page, ask in STILL]
        if level is Level.MOTION:
            moving = Moving(asker, cards, cut_power)
            questions = [("places", "4, PLACES", moving.places), *questions, *moving.questions()]
        for name, page, question in questions:
            yield await _put(name, page, question, listening)
    finally:
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError, DeviceGone):
            await listening


async def _put(name: str, page: str, question: Question, listening: asyncio.Task[None]) -> Finding:
    try:
        await question()
    except Unmet as unmet:
        found = Finding(name, page, Verdict.BROKEN, str(unmet))
    except NotAsked as not_asked:
        found = Finding(name, page, Verdict.NOT_ASKED, str(not_asked))
    else:
        found = Finding(name, page, Verdict.KEPT)
    if listening.done():
        await listening
    return found
