"""Commands: what must be done, as orders. The engine decides them, the station carries them.

*Restrict first, record second, permit last*: a `Hold` goes to the devices before the
journal has it, a `Permit` only after its record is durable, anything else when convenient.
Every command is one JSON object tagged `command`.
"""

from enum import StrEnum

import msgspec

from dealerbox.model.keys import Key
from dealerbox.model.menu import Choice
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Scope
from dealerbox.model.zones import Zone


class Command(msgspec.Struct, frozen=True, tag=True, tag_field="command"):
    """Something to be done."""


class Permit(Command, frozen=True):
    """Lets something happen; carried out only when its record is durable. `id` is never used twice."""

    id: int


class Hold(Command, frozen=True, kw_only=True):
    """The one restriction, carried out at once.

    Nothing more leaves the shuffler: gate shut, lamp red, buzzer. Told again with a new
    key for each new reason.
    """

    key: int
    """Greater than every key before it."""
    reason: Reason
    clause: str
    zone: Zone = Zone("")
    """Where it was seen, if anywhere."""
    to: Zone = Zone("")
    """Where the card belongs, if it belongs somewhere."""


class Release(Permit, frozen=True):
    """Open the gate for the card of DISPENSE `card_id`."""

    card_id: int


class Dispense(Permit, frozen=True):
    """Bring the next card up behind the locked gate. `first`: it opens the hand and spends shuffle `deal_id`."""

    deal_id: int
    first: bool


class Retract(Permit, frozen=True):
    """Take the card of DISPENSE `card_id` back into the machine (its order is lost)."""

    card_id: int


class Shuffle(Permit, frozen=True):
    """Shuffle `expect` cards."""

    expect: int
    scope: Scope


class Count(Permit, frozen=True):
    """Count the cards in the machine."""

    scope: Scope


class Return(Permit, frozen=True):
    """Take cards in at the infeed; `expect` of them."""

    expect: int


class Places(Permit, frozen=True):
    """A person's word for where the cards are: `machine` inside, the exit empty or the card of `exit_id`."""

    machine: int
    exit_id: int
    order_lost: bool
    person: int


class Clear(Permit, frozen=True):
    """No hold stands any more: let the hold with this `key` go. `id` is 0: it moves nothing.

    `person` 0: the readers saw the remedy.
    """

    key: int
    person: int


class Notice(Command, frozen=True):
    """Told and recorded; blocks nothing (amber)."""

    reason: Reason
    clause: str
    zone: Zone = Zone("")


class Refuse(Command, frozen=True):
    """What was asked is not done, and why (START with cards out, MISDEAL after action, ...)."""

    reason: Reason
    clause: str
    asked: str
    zone: Zone = Zone("")


class Certificate(Command, frozen=True, kw_only=True):
    """A dealer has confirmed a complete count: who, when, which deck, by which device, how many (1804B(8), C2)."""

    by: str
    """Badge of the dealer; '' where none was given and the house asks for none."""
    at_ns: int
    wall_s: int = 0
    """The same moment in seconds since the epoch; 0: no wall clock was read in this boot."""
    day_s: int = 0
    """Local seconds since midnight."""
    wall_sure: bool = False
    """The wall clock was known to be right."""
    deck: str
    slot: int
    device: str
    """The shuffler's name; 'hand': the cards were shown one by one."""
    result: int
    verification: bool = False
    """A new deck was verified (1804A(1))."""


class WakeAt(Command, frozen=True):
    """Send a Tick at this time (ns, the events' clock); a later WakeAt does not cancel an earlier one."""

    at_ns: int


AnyCommand = (
    Hold | Release | Dispense | Retract | Shuffle | Count | Return | Places | Clear
    | Notice | Refuse | Certificate | WakeAt
)  # fmt: skip
"""Every command of the engine, for decoding."""


class Lamp(StrEnum):
    """The panel's lamp; told apart by place and blink as well as colour."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"


class Show(Command, frozen=True, kw_only=True):
    """What the panel shows now (made by the station from the engine's view; not journaled)."""

    lamp: Lamp
    buzzer: bool
    head: str = ""
    """Where the table is in its evening, or that it is held and by which clause."""
    said: str = ""
    """What happened, where something did."""
    prompt: str = ""
    """The one thing to do next."""
    lit: tuple[str, ...] = ()
    """Keys that would be taken now."""
    go: Key = Key.START
    """The key that is asked for now."""
    menu: tuple[Choice, ...] = ()
    """What may have gone wrong now, the likeliest first."""
