"""The moving parts of the shuffler's twin: rollers, gate and sensors over the felt. They know no protocol."""

import asyncio
from collections import deque
from collections.abc import Callable
from enum import Enum, auto
from random import Random

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.model.shuffler import Cap
from dealerbox_drivers.felt import BEHIND_GATE, MACHINE, OUTLET, Felt
from dealerbox_drivers.shuffler.messages import Sensor

INFEED = "infeed"


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """How long things take, in milliseconds; near those of a real 54-slot machine."""

    answer_ms: int = 2
    """From the last byte of a request to the first of its answer."""
    feed_min_ms: int = 350
    feed_max_ms: int = 900
    """From the start of the roller to the card behind the gate, at random between the two."""
    begin_ms: int = 20
    """From a permit to motion: a gateless machine can still stop here."""
    coil_ms: int = 15
    """From the coil's switching to a gate that is open, or shut."""
    push_ms: int = 80
    """From an open gate to the card's edge in it."""
    gate_ms: int = 60
    """How long a passing card covers the gate sensor."""
    jam_ms: int = 300
    """A card longer than this in the gate is stuck."""
    settle_ms: int = 100
    """From a shut gate to a verdict."""
    retract_ms: int = 1200
    shuffle_ms: int = 45_000
    count_card_ms: int = 250
    dwell_ms: int = 120
    """How long a card rests on the infeed before it is drawn in: a reader's chance."""
    infeed_ms: int = 60
    """From the infeed to the slot."""
    debounce_ms: int = 20
    lease_ms: int = 1000
    event_ms: int = 250


class Feed(Enum):
    """What a DISPENSE brings up."""

    ONE = auto()
    NONE = auto()
    TWO_PULSES = auto()
    TWO_AS_ONE = auto()
    """Two cards that stick together: one pulse."""
    JAM = auto()
    """A card that comes halfway: no pulse, and the slot sensor sees it."""


class Push(Enum):
    """What goes through an opened gate."""

    ALL = auto()
    """What lies behind the gate: one card, or both of a pair that sticks."""
    NOTHING = auto()
    FIRST = auto()
    """Only the uppermost of two."""
    JAM = auto()
    """The card stops in the gate."""


class Faults(msgspec.Struct):
    """What goes wrong next: one entry an action, none left: nothing goes wrong."""

    feeds: deque[Feed] = msgspec.field(default_factory=deque)
    pushes: deque[Push] = msgspec.field(default_factory=deque)
    retracts_stick: int = 0
    """So many of the next RETRACTs leave the card where it was."""
    miscount: int = 0
    """Added to what the next COUNT or SHUFFLE counts."""

    def stick(self, retractions: int) -> None:
        """Leave the card where it was, so many times."""
        self.retracts_stick += retractions

    def miscount_by(self, cards: int) -> None:
        """Add this to what is counted next."""
        self.miscount = cards


class CardMachine:
    """Rollers, gate and sensors. `changed` is called when a sensor may have changed."""

    def __init__(self, felt: Felt, rng: Random, caps: Cap, timings: Timings, changed: Callable[[], None]) -> None:
        self.faults = Faults()
        self.timings = timings
        self.door_open = False
        self.forced: dict[Sensor, bool] = {}
        """Sensors that say this whatever is true."""
        self._felt = felt
        self._rng = rng
        self._caps = caps
        self._changed = changed
        self._open = False
        self._wanted_open = False
        self._closing: asyncio.TimerHandle | None = None
        self._in_gate: Uid | None = None
        felt.watch(self._card_moved)

    def sensors(self) -> Sensor:
        """What the sensors say now; one that is not fitted says nothing."""
        held = self._in_gate is not None and self._in_gate in self._felt.at(BEHIND_GATE)
        readings = {
            Sensor.BEHIND_GATE: bool(self._felt.at(BEHIND_GATE)) and Cap.SLOT_SENSOR in self._caps,
            Sensor.IN_GATE: held and Cap.GATE in self._caps,
            Sensor.OUTLET: bool(self._felt.at(OUTLET)) and Cap.OUTLET_SENSOR in self._caps,
            Sensor.INFEED: bool(self._felt.at(INFEED)) and Cap.RETURN in self._caps,
            Sensor.DOOR_OPEN: self.door_open and Cap.DOOR_SENSOR in self._caps,
            Sensor.GATE_LOCKED: not self._open and Cap.GATE in self._caps,
        }
        return Sensor(sum(bit for bit, on in (readings | self.forced).items() if on))

    def has(self, sensor: Sensor) -> bool:
        """Tell whether a sensor is covered."""
        return sensor in self.sensors()

    def count(self) -> int:
        """Cards that the machine's own counter finds inside."""
        counted = len(self._felt.at(MACHINE)) + self.faults.miscount
        self.faults.miscount = 0
        return max(0, counted)

    async def feed(self) -> int:
        """Bring the next card up; return the pulses of the exit counter."""
        await wait_ms(self._rng.randint(self.timings.feed_min_ms, self.timings.feed_max_ms))
        fault = self.faults.feeds.popleft() if self.faults.feeds else Feed.ONE
        cards = {Feed.NONE: 0, Feed.TWO_PULSES: 2, Feed.TWO_AS_ONE: 2}.get(fault, 1)
        moved = self._felt.at(MACHINE)[:cards]
        for uid in moved:
            self._felt.put(uid, BEHIND_GATE if Cap.GATE in self._caps else OUTLET)
        if fault is Feed.JAM:
            return 0
        return min(len(moved), 1) if fault is Feed.TWO_AS_ONE else len(moved)

    async def open_gate(self) -> None:
        """Pull the gate open, unless it is shut again before it opened."""
        self._wanted_open = True
        await wait_ms(self.timings.coil_ms)
        self._open = self._wanted_open

    def shut_gate(self) -> None:
        """Let the coil go; an open gate is shut `coil_ms` later."""
        self._wanted_open = False
        if self._open and self._closing is None:
            self._closing = asyncio.get_running_loop().call_later(self.timings.coil_ms / 1000, self._shut)

    async def push(self) -> bool:
        """Push what lies behind the gate through it. True: it went; False: shut before, nothing there, or stuck."""
        fault = self.faults.pushes.popleft() if self.faults.pushes else Push.ALL
        await wait_ms(self.timings.push_ms)
        cards = self._felt.at(BEHIND_GATE)
        if not self._open or not cards or fault is Push.NOTHING:
            return False
        self._in_gate = cards[-1]
        self._changed()
        if fault is Push.JAM:
            return False
        await wait_ms(self.timings.gate_ms)
        for uid in cards[-1:] if fault is Push.FIRST else cards:
            if uid in self._felt.at(BEHIND_GATE):
                self._felt.put(uid, OUTLET)
        self._in_gate = None
        return True

    async def pull_back(self) -> None:
        """Take what lies behind the gate back into the machine, as the next out."""
        await wait_ms(self.timings.retract_ms)
        if self.faults.retracts_stick:
            self.faults.retracts_stick -= 1
            return
        for uid in reversed(self._felt.at(BEHIND_GATE)):
            self._felt.insert(uid, MACHINE, 0)

    async def draw_in(self) -> int:
        """Draw the lowest card of the infeed in, after its rest there; return how many came in (0: taken away)."""
        await wait_ms(self.timings.dwell_ms)
        cards = self._felt.at(INFEED)[:1]
        for uid in cards:
            self._felt.put(uid, MACHINE)
            await wait_ms(self.timings.infeed_ms)
        return len(cards)

    def shuffle(self) -> None:
        """Bring the cards inside into an order that only chance knows."""
        self._felt.shuffle()

    def lose_power(self) -> None:
        """The spring shuts the gate; a card that is in it falls through."""
        if self._closing:
            self._closing.cancel()
        if self._open and self._in_gate and self._in_gate in self._felt.at(BEHIND_GATE):
            self._felt.put(self._in_gate, OUTLET)
        self._in_gate = None
        self._wanted_open = False
        self._shut()

    def _shut(self) -> None:
        self._open = False
        self._closing = None

    def _card_moved(self, uid: Uid, before: str, after: str) -> None:
        if uid == self._in_gate and after != BEHIND_GATE:
            self._in_gate = None
        if {before, after} & {BEHIND_GATE, OUTLET, INFEED}:
            self._changed()


async def wait_ms(duration_ms: float) -> None:
    """Wait on the running loop's clock."""
    await asyncio.sleep(duration_ms / 1000)
