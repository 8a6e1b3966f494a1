"""Events: what happened, in the past tense, with the time it was sensed.

`at_ns` is CLOCK_BOOTTIME in nanoseconds of the station. Time is a value in the
event: the engine has no clock. Every event is one JSON object tagged `event`.
"""

from enum import StrEnum

import msgspec

from dealerbox.model.cards import Token, Uid
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.model.zones import Zone


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """Something that happened."""

    at_ns: int


# Readers. Drivers speak of uids; the station turns them into tokens before the engine sees them.


class TagsSeen(Event, frozen=True):
    """One scan of a reader found these tags newly present in a zone (driver to station)."""

    zone: Zone
    uids: tuple[Uid, ...]


class TagsGone(Event, frozen=True):
    """These tags are no longer read in a zone (driver to station). A card unread has not moved."""

    zone: Zone
    uids: tuple[Uid, ...]


class CardsSeen(Event, frozen=True):
    """One scan found these tokens newly present in a zone; judged as a set."""

    zone: Zone
    tokens: tuple[Token, ...]


class CardsGone(Event, frozen=True):
    """These tokens are no longer read in a zone."""

    zone: Zone
    tokens: tuple[Token, ...]


class ZoneUnknown(Event, frozen=True):
    """The reader of a zone cannot look: its contents are UNKNOWN, which is never EMPTY."""

    zone: Zone
    why: str


class ZoneKnown(Event, frozen=True):
    """The reader of a zone looks again; what lies there has been reported before this event."""

    zone: Zone


# The dealer's button and panel, the director.


class ButtonAt(Event, frozen=True):
    """The debounced button sensor: the seats, ascending, where a button lies (one, none or more)."""

    seats: tuple[int, ...]


class KeyPressed(Event, frozen=True):
    """A logical key was pressed (once per press). `seat` and `badge` where the key takes them, else 0 and ''."""

    key: Key
    seat: int = 0
    badge: str = ""


class DealerNamed(Event, frozen=True):
    """Another dealer sits down: the name that stands for keys pressed without a badge; '' nobody's."""

    badge: str
    by: str
    """Who said so."""


class DecksEnrolled(Event, frozen=True):
    """The list of the table's decks, read anew while it is open: a new set, or a second deck (1804B(8))."""

    decks: tuple[DeckInfo, ...]
    by: str
    """Who brought them."""


class KeyStuck(Event, frozen=True):
    """A physical key has been down longer than its limit; it gives no presses until it is freed."""

    key: Key


class KeyFreed(Event, frozen=True):
    """A stuck key was let go."""

    key: Key


class Ruled(Event, frozen=True, kw_only=True):
    """The director ruled (1830(2)): by key switch or control socket, with a reason."""

    ruling: Ruling
    by: str
    reason: str
    seat: int = 0
    seats: tuple[int, ...] = ()
    tokens: tuple[Token, ...] = ()
    cards: tuple[str, ...] = ()
    """Cards by where they lie, since nobody is told a token: `board:2` is the second that was dealt to those there."""
    value: int = 0
    """BEGAN: minutes since then. HOUR: minutes since midnight, 0 as the clock shows. SEATS: 1 if drawn anew."""


class HandAsked(Event, frozen=True):
    """The director asks whether a hand that was fouled can be made up again from its cards (1810)."""

    seat: int
    by: str
    """Who asked."""


class ServiceBegan(Event, frozen=True):
    """A technician asks for the table: between hands it is held until `ServiceEnded`."""

    by: str
    """Who asked."""


class ServiceEnded(Event, frozen=True):
    """The technician gives the table back; what he may have done to the deck is found by a recount."""

    by: str


class DeviceLent(Event, frozen=True):
    """A technician asks for a device's line, in service alone. It is lost to the table until `DeviceBack`."""

    device: str
    by: str
    """Who asked."""


# The shuffler.


class ShufflerMet(Event, frozen=True, kw_only=True):
    """HELLO was answered and every pending command is settled (told by events before this one).

    `agreed`: the device's record equals the host's and it can be armed. If not, `why` says what
    differs (epoch, serial, count, exit, uncertain, content, ...) and a person must say where the cards are.
    """

    serial: int
    epoch: int
    last_id: int
    """Highest id the device has seen: new ids start above it."""
    machine: int
    """Cards the device says are in it; -1: it does not know."""
    exit_id: int
    token_id: int
    """Id of the last completed shuffle not yet spent; 0: none."""
    deal_id: int
    caps: int
    agreed: bool
    why: str = ""
    unpowered: bool = False
    """It has been without power, or was reset, since it was last armed: nobody knows who opened it meanwhile (S2)."""
    session: int = 0
    """Session greeted under: above the memory's own where the device had met a later one. The memory keeps it."""


class CardUp(Event, frozen=True):
    """DISPENSE `id` is done: one card waits behind the locked gate."""

    id: int


class CardPassed(Event, frozen=True):
    """RELEASE `id` is done: the card of DISPENSE `card_id` has passed the gate, which is locked again."""

    id: int
    card_id: int


class CardNotTaken(Event, frozen=True):
    """RELEASE `id` ended with the card still behind the gate."""

    id: int
    card_id: int


class CardRetracted(Event, frozen=True):
    """RETRACT `id` is done: the card is back in the machine, its order lost."""

    id: int


class CycleEnded(Event, frozen=True):
    """A cycle ended. `number`: cards shuffled, counted, or entered; meaningful unless interrupted."""

    id: int
    cycle: Cycle
    result: Result
    number: int


class PlacesSet(Event, frozen=True):
    """PLACES `id` is done: the device has taken a person's word for where its cards are."""

    id: int


class CommandVoid(Event, frozen=True):
    """Command `id` can never move anything: fenced off, dropped before it was sent, or refused unmoved."""

    id: int
    why: str


class Misfed(Event, frozen=True):
    """Command `id` went wrong in the machine (NO_FEED moved nothing and is final; the others hold)."""

    id: int
    result: Result


class ShufflerLocked(Event, frozen=True):
    """The device restricted itself unasked. `why`: door, error, sensor, service, content."""

    why: str


class DoorClosed(Event, frozen=True):
    """The shuffler's door is shut again; its content is unknown until proved."""


class HoldFound(Event, frozen=True):
    """The shuffler has a hold latched that the host's record lacks: it counts, reason unknown."""

    session: int
    key: int
    reason: int


# Devices, clocks, the station itself.


class DeviceLost(Event, frozen=True):
    """A device is gone or silent."""

    device: str
    why: str


class DeviceBack(Event, frozen=True):
    """A lost device answers again under its own identity."""

    device: str


class Tick(Event, frozen=True):
    """Time has come to at_ns: answer to a WakeAt."""


class WallClock(Event, frozen=True):
    """The wall clock: seconds since the epoch, local seconds since midnight, and whether it is known to be right."""

    wall_s: int
    day_s: int
    sure: bool


class Started(Event, frozen=True, kw_only=True):
    """The daemon started: first record of each run. `memory.session` is this run's own number."""

    setup: Setup
    memory: Memory
    boot_id: str = ""
    software: str = ""
    config: str = ""
    """SHA-256 of the config files, hex."""


class JournalFailed(Event, frozen=True):
    """The journal can no longer be trusted to keep what it is given: final for this run."""

    why: str


class Space(StrEnum):
    """How much the journal can still take, of the records that an evening needs."""

    ENOUGH = "enough"
    LOW = "low"
    """To be warned of."""
    LAST_HAND = "last_hand"
    """Enough for the hand that is open, for none after it."""
    FULL = "full"
    """Play stops while what stops it can still be recorded."""


class SpaceLeft(Event, frozen=True):
    """The journal can take more, or less, than was told before; `records`: about how many."""

    space: Space
    records: int


AnyEvent = (
    TagsSeen | TagsGone | CardsSeen | CardsGone | ZoneUnknown | ZoneKnown
    | ButtonAt | KeyPressed | DealerNamed | DecksEnrolled | KeyStuck | KeyFreed | Ruled
    | HandAsked | ServiceBegan | ServiceEnded | DeviceLent
    | ShufflerMet | CardUp | CardPassed | CardNotTaken | CardRetracted | CycleEnded | PlacesSet
    | CommandVoid | Misfed | ShufflerLocked | DoorClosed | HoldFound
    | DeviceLost | DeviceBack | Tick | WallClock | Started | JournalFailed | SpaceLeft
)  # fmt: skip
"""Every event, for decoding."""
