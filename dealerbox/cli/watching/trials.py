"""The technician's tests by their keys, and which of them may run now."""

from typing import Final

import msgspec

from dealerbox.diagnostics.seen import Seen


class Trial(msgspec.Struct, frozen=True):
    """One command of `dealerbox diag`."""

    key: str
    command: str
    short: str
    """What the key's line calls it."""
    borrows: bool = True
    """It takes a device of the table: the table must be in service."""
    of_wire: bool = False
    """It is about the device that is chosen."""


TRIALS: Final = (
    Trial("s", "selftest", "selftest", borrows=False),
    Trial("f", "shuffler", "shuffler"),
    Trial("r", "reader", "readers"),
    Trial("p", "panel", "panel"),
    Trial("b", "button", "button"),
    Trial("l", "link", "link", of_wire=True),
    Trial("d", "deal-test", "deal"),
    Trial("m", "calibrate", "measure"),
    Trial("j", "journal", "journal", borrows=False),
    Trial("c", "clock", "clock", borrows=False),
)


def barred(trial: Trial, seen: Seen | None) -> str:
    """Return why a test may not run now, '' it may. Where no station answers the test itself finds out."""
    if seen is None:
        return ""
    if seen.in_hand:
        return f"{trial.command}: hand {seen.view.hand} is open; no test runs before it is over"
    if trial.borrows and not seen.in_service:
        return f"{trial.command}: it borrows a device; take the table first (t)"
    return ""


def arguments(trial: Trial, file: str, device: str, *, in_service: bool) -> list[str]:
    """Return what follows `dealerbox diag`."""
    if trial.command == "selftest":
        return [trial.command, file, "--guided" if in_service else "--unattended"]
    if trial.command == "clock":
        return [trial.command]
    if trial.command == "journal":
        return [trial.command, file]
    return [trial.command, *([device] if trial.of_wire else []), "--file", file]
