"""The readers' times, by a known card: how soon it is seen, how long it wavers, how often a zone is looked at.

From them the two times of the house rules follow that depend on antennas and on how far a card is carried.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.verdict import Bench
from dealerbox.diagnostics.watch import Tally, Watch, watching
from dealerbox.law.house import LIMITS, house_faults
from dealerbox.model.cards import Uid
from dealerbox.model.setup import House
from dealerbox.model.zones import EXIT, INFEED, Zone
from dealerbox.ports import Clock, ConfigError, DealerboxError
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.rfid.reader import VANISH

LOOKS: Final = 30
PATIENCE_S: Final = 30.0
MARGIN: Final = 1.25
"""Another card, another day, a hand in the way."""
ROUND_MS: Final = 10
CARRIED: Final = frozenset({EXIT, INFEED})
"""Zones to which no card is carried from the exit."""


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured at one zone."""

    zone: Zone
    look_ms: float
    """From one look to the next, at the 99th percentile."""
    wavers_ms: float
    """From the look that first saw the card to the one from which it was seen always."""
    missed: int
    """Looks in a row that missed the card at rest."""
    carried_ms: float = 0.0
    """From the exit's last sight of the card to the zone's first; 0: it was not carried there."""
    why: str = ""
    """Why nothing could be measured; '' it could."""


async def measured(loans: Sequence[Loan], bench: Bench, clock: Clock = boottime_ns) -> AsyncIterator[Measured]:
    """Measure every zone of the readers that were lent, with one card that a person carries about."""
    async with watching(loans, clock) as watch:
        await watch.looked(1)
        if watch.gone:
            raise next(iter(watch.gone.values()))
        carries = EXIT in watch.zones
        for number, zone in enumerate(watch.zones):
            bench.progress("calibrating", number / len(watch.zones))
            yield await _at(watch, zone, bench, carried=carries and zone not in CARRIED)
        bench.progress("calibrating", 1.0)


async def _at(watch: Watch, zone: Zone, bench: Bench, *, carried: bool) -> Measured:
    nothing = Measured(zone=zone, look_ms=0.0, wavers_ms=0.0, missed=0)
    if carried:
        if not bench.tells(
            f"Lay the card on the exit; then carry it to {zone} as fast as a card is dealt, and leave it."
        ):
            return replace(nothing, why="nobody carried the card")
    elif not bench.tells(f"Lay the card on {zone}, and leave it there."):
        return replace(nothing, why="nobody laid the card")
    await watch.looked(1)
    try:
        async with asyncio.timeout(PATIENCE_S):
            if carried:
                await _sight(watch, EXIT)
            card = await _sight(watch, zone)
    except TimeoutError:
        return replace(nothing, why=f"no card was read there in {PATIENCE_S:.0f} s; `dealerbox diag reader {zone}`")
    tally = watch.tallies[zone]
    enough = tally.looks + LOOKS
    await watch.until(lambda: tally.looks >= enough or bool(watch.gone))
    carried_ms = _apart_ms(watch.tallies[EXIT], tally, card) if carried else 0.0
    look_ms = tally.apart().at(0.99)
    return Measured(
        zone=zone,
        look_ms=look_ms,
        wavers_ms=tally.wavered_ns(card) / 1e6,
        missed=tally.missed_at_rest(card),
        carried_ms=carried_ms,
    )


async def _sight(watch: Watch, zone: Zone) -> Uid:
    """Return the first card that is read there."""
    tally = watch.tallies[zone]
    await watch.until(lambda: bool(set(tally.seen) - watch.fixed))
    return next(uid for uid in tally.seen if uid not in watch.fixed)


def _apart_ms(before: Tally, after: Tally, card: Uid) -> float:
    """Return the time from the last sight of a card in one zone to the first in another."""
    left, came = before.sights(card), after.sights(card)
    return max(0.0, (came[0] - left[-1]) / 1e6) if left and came else 0.0


def proposed(of: Sequence[Measured], house: House) -> dict[str, int]:
    """Return what the house rules should say: key -> value, those that differ alone.

    A scan is as long as the longest time from look to look. A sight has settled when a card was carried there, has
    stopped wavering and was missed as often as a resting card may be. DealerboxError where nothing was measured.
    """
    zones = [one for one in of if not one.why]
    if not zones:
        raise DealerboxError("no zone could be measured: see what is said of each, and begin anew")
    scan_ms = _rounded(max(one.look_ms for one in zones))
    settled_ms = max(max(one.carried_ms, one.wavers_ms) + VANISH * one.look_ms for one in zones)
    wanted = {"settling_ms": max(_rounded(settled_ms * MARGIN), 2 * scan_ms), "scan_ms": scan_ms}
    wanted = {key: max(value, LIMITS[key].low) for key, value in wanted.items()}
    faults = house_faults(replace(house, **wanted))
    if faults:
        raise DealerboxError(
            "\n".join(f"{fault.key}: {fault.sentence}; the readers are too slow for this table" for fault in faults)
        )
    return {key: value for key, value in wanted.items() if getattr(house, key) != value}


def _rounded(ms: float) -> int:
    return math.ceil(ms / ROUND_MS) * ROUND_MS


def rewritten(text: str, values: Mapping[str, int]) -> str:
    """Return the text of a house file with these values in it; comments, order and all else stay. ConfigError."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise ConfigError(f"the house file is no TOML: {error}") from error
    for key, value in values.items():
        document[key] = value
    return tomlkit.dumps(document)
