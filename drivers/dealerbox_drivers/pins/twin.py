"""The far side of the panel: fingers on its pushes, eyes on its lamps, an ear for its buzzer."""

import asyncio
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from itertools import pairwise
from operator import ne
from random import Random
from typing import Any, Final

from dealerbox.model.commands import Lamp, Show
from dealerbox.model.keys import Key
from dealerbox.ports import Clock
from dealerbox_drivers.face import OpenMenu
from dealerbox_drivers.pins.compact import seat_words
from dealerbox_drivers.pins.fingers import way
from dealerbox_drivers.pins.layout import Gesture, Wiring
from dealerbox_drivers.pins.presses import NOTHING
from dealerbox_drivers.pins.twin_pins import WiredPin, wired

WATCH_NS: Final = 2_100_000_000
"""How long a person watches a lamp to tell how it blinks."""
BETWEEN_S: Final = 0.12
"""Between two presses of one thing said."""
READ_S: Final = 2.0
"""How long a person waits for the display to answer."""
GLANCE_S: Final = 0.02


class Look(StrEnum):
    """How a lamp looks to a person who watched it for two seconds."""

    OFF = "off"
    STEADY = "steady"
    SLOW = "slow"
    """About once a second."""
    FAST = "fast"
    """About four times a second."""


class Watched:
    """One output pin and what it did lately."""

    def __init__(self, pin: WiredPin, clock: Clock) -> None:
        self.pin = pin
        self._clock = clock
        self._changes: deque[tuple[int, bool]] = deque(maxlen=64)
        pin.watching = self._changed

    @property
    def on(self) -> bool:
        """Whether it is on at this moment."""
        return self.pin.function == "output" and bool(self.pin.state)

    @property
    def lit_ns(self) -> int:
        """When it was last on: now, while it is; 0: never."""
        return self._clock() if self.on else self._changes[-1][0] if self._changes else 0

    def look(self) -> Look:
        """Tell how it looks, to a person who watched since it last changed its ways."""
        since_ns = self._clock() - WATCH_NS
        times = [at_ns for at_ns, on in self._changes if on and at_ns > since_ns]
        gaps_ms = [(later - earlier) / 1e6 for earlier, later in pairwise(times)]
        changed_ns = self._changes[-1][0] if self._changes else 0
        if not gaps_ms or self._clock() - changed_ns > WATCH_NS / 3:
            return Look.STEADY if self.on else Look.OFF
        return Look.FAST if gaps_ms[-1] < 500 else Look.SLOW

    def _changed(self, on: bool) -> None:
        if self.pin.function == "output":
            self._changes.append((self._clock(), on))


class PanelTwin:
    """A person at the panel. Every finger's contact bounces, by `rng`; times are virtual in a virtual loop.

    `factory` comes from `twin_pins.wired_factory`; the Panel gets the same. A dealer who answers a prompt
    sooner than `reaction_ms` after it came answers the prompt before: wait as people do.
    """

    def __init__(self, factory: Any, settings: Wiring, clock: Clock, rng: Random) -> None:
        self._settings = settings
        self._rng = rng
        self._pushes = {name: wired(factory, push.pin) for name, push in settings.pushes.items()}
        self._switch = wired(factory, settings.director) if settings.director else None
        self.lamps: dict[Lamp, Watched] = {
            Lamp.GREEN: Watched(wired(factory, settings.green), clock),
            Lamp.AMBER: Watched(wired(factory, settings.amber), clock),
            Lamp.RED: Watched(wired(factory, settings.red), clock),
        }
        self.buzzer = Watched(wired(factory, settings.buzzer), clock)
        self.lights = {
            name: Watched(wired(factory, push.light), clock) for name, push in settings.pushes.items() if push.light
        }

    async def press(self, push: str, for_ms: float = 120) -> None:
        """Press and let go; DeviceGone cannot happen to a finger: a panel that is off feels nothing."""
        await self.down(push)
        await asyncio.sleep(for_ms / 1000)
        await self.up(push)

    async def hold(self, push: str) -> None:
        """Press as long as a long press takes, and a little more."""
        await self.press(push, self._settings.long_ms + 150)

    async def give(self, key: Key, show: Show = NOTHING, seat: int = 0) -> tuple[Gesture, ...]:
        """Say `key` by the easiest presses while `show` is shown. LookupError when there is no way to it now."""
        gestures = way(self._settings, key, show, seat)
        if not gestures:
            lit = ", ".join(show.lit) or "nothing"
            raise LookupError(f"no way to {key} for seat {seat} while {lit} is lit: see the layout")
        for place, gesture in enumerate(gestures):
            if place:
                await asyncio.sleep(BETWEEN_S)
            await self._make(gesture)
        return gestures

    async def choose(self, key: Key, show: Show, seat: int, read: Callable[[], OpenMenu | None]) -> None:
        """Say `key` as `give`, but by what is read on the display: the menu may not be the one that was expected.

        LookupError when there is no way to it; TimeoutError when the line is not there: the menu is left.
        """
        if read() is not None:
            await self.press("action")
            await asyncio.sleep(BETWEEN_S)
        gestures = way(self._settings, key, show, seat)
        if not gestures or gestures[0].push != "problem" or len(gestures) == 1:
            await self.give(key, show, seat)
            return
        choice = next(choice for choice in show.menu if choice.key is key)
        await self._make(gestures[0])
        try:
            await self._pick(choice.words, read)
            if any(choice.seats):
                await self._pick(seat_words(seat), read)
        except TimeoutError:
            if read() is not None:
                await self.press("action")
            raise

    async def _pick(self, words: str, read: Callable[[], OpenMenu | None]) -> None:
        menu = await _until_read(read, lambda menu: menu is not None and words in menu.lines)
        while menu and menu.lines[menu.at] != words:
            await asyncio.sleep(BETWEEN_S)
            await self.press("problem")
            menu = await _until_read(read, partial(ne, menu))
        await asyncio.sleep(BETWEEN_S)
        await self.press("go")

    async def _make(self, gesture: Gesture) -> None:
        if gesture.second:
            await self.down(self._settings.second_push)
            await asyncio.sleep(0.15)
        await (self.hold(gesture.push) if gesture.held else self.press(gesture.push))
        if gesture.second:
            await asyncio.sleep(0.1)
            await self.up(self._settings.second_push)

    async def down(self, push: str) -> None:
        """Press and stay: with nobody to let go, a stuck key."""
        await self._bounce(self._pushes[push], False)

    async def up(self, push: str) -> None:
        """Let go."""
        await self._bounce(self._pushes[push], None)

    async def ghost(self, push: str, for_ms: float = 5) -> None:
        """A pulse that no finger made: a long cable beside a motor."""
        self._pushes[push].drive(False)
        await asyncio.sleep(for_ms / 1000)
        self._pushes[push].drive(None)

    async def turn(self, on: bool) -> None:
        """Turn the director's key switch."""
        if self._switch is None:
            raise LookupError("this panel has no key switch: name its pin in the layout (director)")
        await self._bounce(self._switch, False if on else None)

    def deafen(self, push: str, *, deaf: bool = True) -> None:
        """Let every edge of a push be lost: its level alone tells."""
        self._pushes[push].deaf = deaf

    def short(self, output: str, level: bool | None = False) -> None:
        """Hold an output (`green`, `amber`, `red`, `buzzer`) at a level whatever the panel sets; None: mend it."""
        pins = {**{str(lamp): watched for lamp, watched in self.lamps.items()}, "buzzer": self.buzzer}
        pins[output].pin.drive(level)

    def damage(self, *, mended: bool = False) -> None:
        """Let two lamps shine whatever the panel sets, so that one at least always differs; or mend it."""
        for lamp in (Lamp.GREEN, Lamp.AMBER):
            self.short(lamp, None if mended else True)

    async def _bounce(self, pin: WiredPin, level: bool | None) -> None:
        """Bring a contact to a level (None: open), bouncing for at most 8 ms."""
        pin.drive(level)
        for _ in range(self._rng.randrange(4)):
            await asyncio.sleep(self._rng.uniform(0.0001, 0.001))
            pin.drive(None if level is False else False)
            await asyncio.sleep(self._rng.uniform(0.0001, 0.001))
            pin.drive(level)


async def _until_read(read: Callable[[], OpenMenu | None], true: Callable[[OpenMenu | None], bool]) -> OpenMenu | None:
    """Return what is read as soon as it is so. TimeoutError when it is not within READ_S."""
    for _ in range(round(READ_S / GLANCE_S)):
        if true(read()):
            return read()
        await asyncio.sleep(GLANCE_S)
    raise TimeoutError("the display does not say what was expected")
