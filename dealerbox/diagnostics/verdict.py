"""What comes of a test: steps with a verdict each, and the person and screen that a test is given."""

from enum import StrEnum
from typing import Protocol

import msgspec

from dealerbox.diagnostics.steps import STEPS


class Verdict(StrEnum):
    """What came of a step."""

    PASSED = "passed"
    FAILED = "failed"
    UNTESTED = "could not be tested"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a test, done."""

    code: str
    """Of `STEPS`: what is tested, and what to do when it fails."""
    about: str = ""
    """The zone, key, lamp or device that it is about."""
    verdict: Verdict
    found: str
    """What was measured or seen, or why it could not be tested."""
    figures: dict[str, float] = {}
    """What was measured, for a machine; units are in the names."""
    values: tuple[float, ...] = ()
    """Every single measurement in ms, ascending, where a picture shows more than a number."""

    @property
    def todo(self) -> tuple[str, ...]:
        """What to do first, second, third; nothing where it passed, or where the reason says it."""
        asked = STEPS[self.code]
        shown = self.verdict is Verdict.FAILED or (self.verdict is Verdict.UNTESTED and asked.untested_too)
        return asked.todo if shown else ()


def judged(
    code: str, found: str, *, right: bool, about: str = "", values: tuple[float, ...] = (), **figures: float
) -> Step:
    """Return a step that was done: passed if all is `right`."""
    verdict = Verdict.PASSED if right else Verdict.FAILED
    numbers = {name: float(value) for name, value in figures.items()}
    return Step(code=code, about=about, verdict=verdict, found=found, figures=numbers, values=values)


def untested(code: str, why: str, about: str = "") -> Step:
    """Return a step that could not be done."""
    return Step(code=code, about=about, verdict=Verdict.UNTESTED, found=why)


class Bench(Protocol):
    """Whoever stands at the table, and what is shown to him."""

    async def does(self, what: str) -> bool:
        """Ask for something to be done; True once it is, False: it will not be."""

    async def sees(self, what: str) -> bool | None:
        """Ask a question; None: it cannot be answered."""

    def tells(self, what: str) -> bool:
        """Tell what to do now, which the test itself will notice; False: nobody is there."""

    def progress(self, what: str, part: float) -> None:
        """Something takes long: how much of it is done, 0..1."""

    def live(self, what: str) -> None:
        """Show how something is at this moment, in place of what it was before."""


class Nobody:
    """There is no person, and nothing is shown (satisfies `Bench`)."""

    async def does(self, what: str) -> bool:
        return False

    async def sees(self, what: str) -> bool | None:
        return None

    def tells(self, what: str) -> bool:
        return False

    def progress(self, what: str, part: float) -> None:
        pass

    def live(self, what: str) -> None:
        pass
