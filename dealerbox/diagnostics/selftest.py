"""The whole table tested: by what needs no hand, or step by step with a person."""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

from dealerbox.config.values import Config, DeviceConfig
from dealerbox.diagnostics import button, clock, journal, link, panel, reader, shuffler, watchdog
from dealerbox.diagnostics.borrowed import Loan, borrowed, while_lent
from dealerbox.diagnostics.station import asked_of
from dealerbox.diagnostics.verdict import Bench, Nobody, Step, untested
from dealerbox.ports import DealerboxError

Part = Callable[[Sequence[Loan], Bench], AsyncIterator[Step]]

LINKED: Final = 200
"""Exchanges over each wire."""


async def unattended(path: str, config: Config | None, clocks: clock.Clocks = clock.REAL) -> AsyncIterator[Step]:
    """Test what needs no hand, and move nothing: by the word of the station at socket `path`.

    Where none answers and `config` is known: clocks, the journal's disk, and the wires of what may be opened.
    """
    said = list(asked_of(path))
    for step in said:
        yield step
    stands = len(said) > 1
    async for step in clock.clock(clocks):
        if not (stands and step.code == "clock-synced"):
            yield step
    async for step in watchdog.watchdog():
        yield step
    if not stands and config is not None:
        async for step in journal.journal(config.state_dir, config.records, Nobody()):
            yield step
        for device in wired(config.devices):
            async for step in with_loans(config, [device], "link-exchanges", _WIRE, Nobody()):
                yield step


def wired(devices: Iterable[DeviceConfig]) -> list[DeviceConfig]:
    """Return those that have a line on which questions are answered."""
    return [device for device in devices if device.driver.role in ("shuffler", "reader") and device.driver.deals]


async def with_loans(
    config: Config,
    devices: Sequence[DeviceConfig],
    code: str,
    part: Part,
    bench: Bench,
    pin_factory: Callable[[], Any] | None = None,
) -> AsyncIterator[Step]:
    """Borrow some devices, test them, give them back; where they cannot be had, say why as step `code`."""
    with contextlib.ExitStack() as lending:
        about = ", ".join(device.name for device in devices)
        try:
            loans = [
                lending.enter_context(borrowed(config, device.name, pin_factory=pin_factory)) for device in devices
            ]
        except DealerboxError as error:
            yield untested(code, str(error), about)
            return
        async with contextlib.aclosing(while_lent(part(loans, bench), loans)) as steps:
            async for step in steps:
                yield step


async def guided(
    config: Config,
    bench: Bench,
    *,
    since: shuffler.Counters | None = None,
    pin_factory: Callable[[], Any] | None = None,
    clocks: clock.Clocks = clock.REAL,
) -> AsyncIterator[Step]:
    """Test the whole table with a person; a running station must be in service.

    `since`: the shuffler's counters at the last service.
    """
    async for step in clock.clock(clocks):
        yield step
    async for step in watchdog.watchdog():
        yield step
    async for step in journal.journal(config.state_dir, config.records, bench):
        yield step
    for device in wired(config.devices):
        async for step in with_loans(config, [device], "link-exchanges", _WIRE, bench):
            yield step
    roles: dict[str, list[DeviceConfig]] = {}
    for device in config.devices:
        roles.setdefault(device.driver.role, []).append(device)
    machine = _each(partial(shuffler.shuffler, since=since))
    for role, (code, part) in {**_PARTS, "shuffler": ("shuffler-answers", machine)}.items():
        if role in roles:
            async for step in with_loans(config, roles[role], code, part, bench, pin_factory):
                yield step


def _each(test: Callable[[Loan, Bench], AsyncIterator[Step]]) -> Part:
    """Return the test of one device as that of each that is lent."""

    async def tested(loans: Sequence[Loan], bench: Bench) -> AsyncIterator[Step]:
        for loan in loans:
            async for step in test(loan, bench):
                yield step

    return tested


async def _readers(loans: Sequence[Loan], bench: Bench) -> AsyncIterator[Step]:
    async for step in reader.readers(loans, bench):
        yield step


_WIRE: Final = _each(partial(link.link, exchanges=LINKED))
_PARTS: Final[dict[str, tuple[str, Part]]] = {
    "panel": ("panel-rest", _each(panel.panel)),
    "button": ("button-rest", _each(button.button)),
    "reader": ("reader-answers", _readers),
}
"""Role -> the step that is untested where its devices cannot be had, and their test."""
