"""The engine's permits as bodies on the wire, and how long each may take (PROTOCOL.md sections 2 and 8): pure."""

from typing import Final

from dealerbox.model import commands
from dealerbox.model.shuffler import Scope
from dealerbox_drivers.shuffler.messages import (
    MACHINE_UNKNOWN,
    Arm,
    Body,
    Count,
    CycleScope,
    Dispense,
    Ident,
    Places,
    Release,
    Retract,
    Return,
    Shuffle,
    Status,
    Type,
)

RELEASE_OPEN_MS: Final = 10_000
"""A dealer's hand; NOT_TAKEN costs nothing but a new RELEASE."""
RETURN_OPEN_MS: Final = 30_000
"""The longest the page allows: a whole deck goes in by handfuls."""
DISPENSE_MS: Final = 3_000
RETRACT_MS: Final = 5_000
RELEASE_END_MS: Final = 1_000
RETURN_END_MS: Final = 3_000
ANSWERED_MS: Final = 200
LATE_MS: Final = 2_000
"""Heartbeats, repeats and the settling of the gate may delay the news of an end by this much."""

SCOPES: Final = {Scope.DECK: CycleScope.DECK, Scope.STUB: CycleScope.STUB}
OUTWARD: Final = (commands.Dispense, commands.Release)


def body_of(permit: commands.Permit, status: Status) -> tuple[Type, Body] | None:
    """Return `permit` as given under the fence of `status`, after the device's last id; None: no such frame.

    None too where a number does not fit its field.
    """
    epoch, fence, id_, last = status.epoch, status.fence, permit.id, status.cmd_id
    match permit:
        case commands.Dispense():
            return Type.DISPENSE, Dispense(epoch, fence, id_, last, permit.deal_id, int(permit.first))
        case commands.Release():
            return Type.RELEASE, Release(epoch, fence, id_, last, permit.card_id, RELEASE_OPEN_MS)
        case commands.Retract():
            return Type.RETRACT, Retract(epoch, fence, id_, last, permit.card_id)
        case commands.Shuffle() if 0 <= permit.expect < MACHINE_UNKNOWN:
            return Type.SHUFFLE, Shuffle(epoch, fence, id_, last, permit.expect, SCOPES[permit.scope])
        case commands.Count():
            return Type.COUNT, Count(epoch, fence, id_, last, SCOPES[permit.scope])
        case commands.Return() if 0 <= permit.expect < MACHINE_UNKNOWN:
            return Type.RETURN, Return(epoch, fence, id_, last, permit.expect, RETURN_OPEN_MS)
        case commands.Places() if 0 <= permit.machine < MACHINE_UNKNOWN:
            order = int(permit.order_lost)
            places = Places(epoch, fence, id_, last, permit.machine, permit.exit_id, order, permit.person)
            return Type.PLACES, places
        case _:
            return None


def arm_of(machine: int, status: Status) -> tuple[Type, Body]:
    """Return ARM under the fence of `status`, for `machine` cards inside (-1: unknown) and what else it says."""
    count = machine if 0 <= machine < MACHINE_UNKNOWN else MACHINE_UNKNOWN
    return Type.ARM, Arm(status.epoch, status.fence, status.cmd_id, count, status.exit_id)


def final_ms(kind: str, ident: Ident) -> int:
    """Return how long a command of this class may take to be known as final."""
    motion_ms = {
        "Dispense": DISPENSE_MS,
        "Release": RELEASE_OPEN_MS + RELEASE_END_MS,
        "Retract": RETRACT_MS,
        "Return": RETURN_OPEN_MS + RETURN_END_MS,
        "Places": ANSWERED_MS,
    }
    return motion_ms.get(kind, ident.cycle_s * 1000) + LATE_MS
