"""Takes a capture: runs one device's own driver for a while, over its line with a tape beside it."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

import msgspec

from dealerbox.config.values import DeviceConfig
from dealerbox.diagnostics.captures.driven import driven, wired
from dealerbox.diagnostics.captures.families import Family, family_of
from dealerbox.diagnostics.captures.file import FORMAT, PSEUDONYMS, Header, header_line
from dealerbox.diagnostics.captures.masked import AsItIs, InReports, Mask, Masked
from dealerbox.diagnostics.captures.pseudonyms import Pseudonyms
from dealerbox.diagnostics.captures.tape import Tape, tapped
from dealerbox.ports import Clock, DeviceGone, DeviceWrong, OpenLine

GAP_US = 15_000
"""Silence that ends a frame: `talk.Timing.gap_ms` of every family."""
AGAIN_S = 0.5
"""Between two openings of a line that is lost."""


class Taken(msgspec.Struct, frozen=True):
    """What came of it."""

    device: str
    lines: int
    bytes_in: int
    losses: int
    last_loss: str


def tape_of(
    device: DeviceConfig,
    write: Callable[[bytes], object],
    clock: Clock,
    *,
    software: str,
    as_read_by: str = "",
    draw: Callable[[int], bytes] = secrets.token_bytes,
) -> Tape:
    """Write the first line and return the tape for a device; `as_read_by`: the director who wants tags as they are.

    NoWire when the device has none.
    """
    driver = wired(device.driver.name)
    pseudonyms = Pseudonyms(draw)
    settings = _said(device.settings)
    family = None if as_read_by else family_of(driver.name, pseudonyms, device.settings)
    header = Header(
        capture=FORMAT,
        driver=driver.name,
        device=device.name,
        settings=settings if as_read_by else pseudonyms.replaced(settings),
        uids=f"as read by {as_read_by}" if as_read_by else PSEUDONYMS,
        software=software,
    )
    write(header_line(header))
    mask = _mask(family, in_reports=getattr(device.settings, "in_reports", False))
    if as_read_by:
        return Tape(write, clock, mask=mask)
    return Tape(write, clock, mask=mask, family=family, replaced=pseudonyms.replaced)


def _said(settings: Any) -> dict[str, Any]:
    """Return what a device's table says that is not so by default."""
    said: dict[str, Any] = msgspec.to_builtins(settings, str_keys=True)
    default = {field.name: field.default for field in msgspec.structs.fields(settings)}
    return {key: value for key, value in said.items() if getattr(settings, key) != default[key]}


def _mask(family: Family | None, *, in_reports: bool) -> Mask:
    if family is None:
        return AsItIs

    def masked() -> Masked | InReports:
        inner = Masked(family, GAP_US)
        return InReports(inner) if in_reports else inner

    return masked


async def take(device: DeviceConfig, open_line: OpenLine, tape: Tape, clock: Clock, seconds: float) -> Taken:
    """Run the device's driver for so long and write down what passes; a line that is lost is opened again.

    DeviceGone, DeviceWrong when it cannot be opened at all.
    """
    made = driven(wired(device.driver.name), device.name, device.settings, tapped(open_line, tape), clock)
    why: list[str] = []

    async def serve() -> None:
        while True:
            try:
                await made.run(tape.told)
            except (DeviceGone, DeviceWrong) as error:
                why.append(str(error))
                tape.lost(str(error))
                if not tape.openings:
                    raise
            await asyncio.sleep(AGAIN_S)

    serving = asyncio.create_task(serve())
    try:
        await asyncio.wait({serving}, timeout=seconds)
        if serving.done():
            serving.result()
    finally:
        tape.end()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
    return Taken(device.name, tape.lines, tape.bytes_in, len(why), why[-1] if why else "")
