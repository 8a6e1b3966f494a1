"""How far the house may go: limits of its own settings (1822, 1826); nothing here loosens the statute."""

from typing import Final, NamedTuple

import msgspec

from dealerbox.model.setup import House
from dealerbox.model.zones import MAX_SEATS


class Fault(NamedTuple):
    """A setting the station refuses."""

    key: str
    sentence: str
    """What is wrong and what is allowed."""
    clause: str
    """Citations, comma between two; `house` where only the station asks for it."""


class Limit(msgspec.Struct, frozen=True):
    """Both ends of what is allowed, and who says so."""

    low: int
    high: int
    unit: str
    clause: str
    zero: str = ""
    """What 0 stands for where 0 is allowed below `low`."""


LIMITS: Final[dict[str, Limit]] = {
    "max_seats": Limit(2, MAX_SEATS, "seats", "1823"),
    "settling_ms": Limit(200, 5000, "ms", "house"),
    "scan_ms": Limit(20, 1000, "ms", "house"),
    "unseen_per_hand": Limit(0, 10, "cards", "house"),
    "exposed_is_misdeal_from": Limit(1, 10, "cards", "1811(3)", zero="never"),
    "count_every_min": Limit(1, 30, "minutes", "1819, 1804B(8)"),
    "deck_change_every_min": Limit(1, 120, "minutes", "1804B(8)"),
    "last_hand_margin_min": Limit(1, 29, "minutes", "1819, 1804B(8)"),
    "action_clock_s": Limit(10, 600, "seconds", "1821", zero="no action clock"),
    "action_warning_s": Limit(3, 60, "seconds", "1821"),
}
"""Every number of `House`; the rest are choices that the statute leaves open either way."""


def house_faults(house: House) -> list[Fault]:
    """Return every setting that is out of bounds (C1, T4) or contradicts another, in the order of `House`."""
    faults = []
    for key, limit in LIMITS.items():
        value = getattr(house, key)
        if not (limit.low <= value <= limit.high or (limit.zero and value == 0)):
            faults.append(Fault(key, _outside(value, limit), limit.clause))
    broken = {fault.key for fault in faults}
    return faults + [fault for fault in _contradictions(house) if fault.key not in broken]


def _outside(value: int, limit: Limit) -> str:
    allowed = f"{limit.low}..{limit.high} {limit.unit}"
    if limit.zero:
        allowed += f", or 0 ({limit.zero})"
    return f"{value} is not allowed; allowed: {allowed}"


def _contradictions(house: House) -> list[Fault]:
    """Settings that are each within bounds and together leave no lawful hand, or no judgement in time."""
    faults = []
    if house.scan_ms * 2 > house.settling_ms:
        sentence = (
            f"{house.scan_ms} ms leaves no room for two scans in settling_ms = {house.settling_ms}; "
            f"allowed: at most {house.settling_ms // 2} ms"
        )
        faults.append(Fault("scan_ms", sentence, "house"))
    if LIMITS["action_clock_s"].low <= house.action_clock_s <= house.action_warning_s:
        sentence = (
            f"{house.action_warning_s} seconds leaves no time before the warning in action_clock_s = "
            f"{house.action_clock_s}; allowed: {LIMITS['action_warning_s'].low}..{house.action_clock_s - 1} seconds"
        )
        faults.append(Fault("action_warning_s", sentence, "1821"))
    for key in ("count_every_min", "deck_change_every_min"):
        limit_min = getattr(house, key)
        if limit_min <= house.last_hand_margin_min:
            sentence = (
                f"{limit_min} minutes leaves no time to play before last_hand_margin_min = "
                f"{house.last_hand_margin_min}; allowed: {house.last_hand_margin_min + 1}..{LIMITS[key].high} minutes"
            )
            faults.append(Fault(key, sentence, LIMITS[key].clause))
    return faults
