"""The machine's own watchdog, read back: what systemd was asked for is armed only if the kernel says so (SD-07)."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from dealerbox.diagnostics.verdict import Step, judged, untested

LISTED: Final = Path("/sys/class/watchdog")
MOST_S: Final = 15
"""What a Pi's can count: asked for more it stays off, and nobody says so."""
CODE: Final = "watchdog-armed"


async def watchdog(listed: Path = LISTED) -> AsyncIterator[Step]:
    """Test what the kernel says of its watchdogs: one that is armed is enough."""
    said = _said(listed)
    if not said:
        yield untested(CODE, f"the kernel lists none ({listed})")
        return
    known = {name: (state, limit) for name, (state, limit) in said.items() if state and limit.isdecimal()}
    if not known:
        yield untested(CODE, "the kernel does not say how it is: `wdctl` does")
        return
    fit = [name for name, (state, limit) in known.items() if state == "active" and 0 < int(limit) <= MOST_S]
    name = fit[0] if fit else next(iter(known))
    state, limit = known[name]
    yield judged(CODE, f"{name}: {state}, {limit} s", right=bool(fit), timeout_s=int(limit))


def _said(listed: Path) -> dict[str, tuple[str, str]]:
    """Return state and limit of each, '' where the kernel does not say."""
    there = sorted(listed.glob("watchdog[0-9]*"))
    return {each.name: (_read(each / "state"), _read(each / "timeout")) for each in there}


def _read(file: Path) -> str:
    try:
        return file.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""
