"""The dealer's panel: pushes, lamps, buzzer and the director's key switch on pins of the Pi."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

from msgspec.structs import replace

from dealerbox.model.commands import Command, Hold, Lamp, Show
from dealerbox.ports import Clock, DealerboxError, DeviceGone, Emit
from dealerbox_drivers.face import Face
from dealerbox_drivers.pins.compact import Compact
from dealerbox_drivers.pins.debounce import Feel, Touch
from dealerbox_drivers.pins.gpio import PinFactory, contact_input, given, on_edge, told
from dealerbox_drivers.pins.layout import CompactSettings, Wiring
from dealerbox_drivers.pins.presses import NOTHING, Presses
from dealerbox_drivers.pins.signals import OFF, SOUND, STEADY, Signals

_ENDLESS_MS = 1e12
"""A key switch is never stuck."""


class Panel:
    """Satisfies `Device`. Emits KeyPressed, KeyStuck, KeyFreed, and Ruled with the key switch on.

    A Hold makes it red and loud before `obey` returns; Show sets lamp, buzzer and lit pushes.
    Words are for a display: on `face` it says its menu and what its pushes mean. Before the first command it is dark.
    Every output is read back: a lamp that cannot be lit is a panel lost, not a quiet table.
    The edges of the contacts may come on any thread and are handed over to the loop; the clock
    is then read on that thread.
    """

    def __init__(
        self, name: str, settings: Wiring, factory: PinFactory, clock: Clock, face: Face | None = None
    ) -> None:
        self.name = name
        self._settings = settings
        self._factory = given(factory)
        self._clock = clock
        self._face = face or Face()
        self._shown: Show | None = None
        self._signals: Signals | None = None
        self._contacts: _Contacts | None = None
        self._presses = self._unpressed()
        self._broken: DealerboxError | None = None
        self._wake = asyncio.Event()

    def obey(self, command: Command) -> None:
        """Show what is to be seen and heard, at once; ignore every other command."""
        match command:
            case Hold():
                self._show(replace(self._shown or NOTHING, lamp=Lamp.RED, buzzer=True))
            case Show():
                self._show(command)

    def pins(self) -> dict[str, str]:
        """Return how each push and each output is: up, down, stuck; on, off. {} while it does not run."""
        if self._signals is None or self._contacts is None:
            return {}
        touches = {name: self._contacts.touch(push.pin) for name, push in self._settings.pushes.items()}
        felt = {name: "stuck" if touch.stuck else "down" if touch.down else "up" for name, touch in touches.items()}
        return felt | {name: "on" if on else "off" for name, on in self._signals.playing().items()}

    async def run(self, emit: Emit) -> None:
        """Serve the pins until cancelled. DeviceGone when one fails, DeviceWrong when one cannot be had."""
        self._broken = None
        self._presses = self._unpressed()
        with told(self.name), ExitStack() as closing:
            self._signals = Signals(self._fail)
            closing.callback(self._forget_signals)
            closing.callback(self._signals.close)
            self._signals.open(self._factory, self._outputs())
            contacts = self._contacts = self._felt_by(emit)
            closing.callback(contacts.close)
            contacts.open()
            if self._shown is not None:
                self._show(self._shown)
            while True:
                contacts.look()
                self._presses.look(self._clock())
                self._look_at_outputs()
                await self._rest(contacts.due_ns)

    def _unpressed(self) -> Presses:
        if isinstance(self._settings, CompactSettings):
            return Compact(self._settings, self._face)
        return Presses(self._settings)

    def _outputs(self) -> dict[str, int]:
        own = self._settings
        lights = {f"light {name}": push.light for name, push in own.pushes.items() if push.light}
        return {Lamp.GREEN: own.green, Lamp.AMBER: own.amber, Lamp.RED: own.red, "buzzer": own.buzzer, **lights}

    def _felt_by(self, emit: Emit) -> "_Contacts":
        own = self._settings
        contacts = _Contacts(self._factory, self._wake, self._clock)
        # The second push first: down before or with another, it counts as down.
        for name, push in sorted(own.pushes.items(), key=lambda item: item[0] != own.second_push):
            touch = Touch(stable_ms=own.stable_ms, long_ms=own.long_ms, stuck_ms=own.stuck_ms)
            contacts.add(push.pin, touch, partial(self._felt, emit, name))
        if own.director:
            contacts.add(own.director, Touch(stable_ms=own.stable_ms, stuck_ms=_ENDLESS_MS), self._turned)
        return contacts

    def _show(self, show: Show) -> None:
        self._shown = show
        self._presses.shown(show, self._clock())
        if self._signals is None:
            return
        self._signals.lamp(show.lamp)
        self._signals.play("buzzer", SOUND if show.buzzer else OFF)
        for name, push in self._settings.pushes.items():
            if push.light:
                lit = any(key in show.lit for key in (*push.short, *push.long))
                self._signals.play(f"light {name}", STEADY if lit else OFF)

    def _felt(self, emit: Emit, name: str, feel: Feel) -> None:
        for event in self._presses.felt(name, feel, self._clock()):
            emit(event)

    def _turned(self, feel: Feel) -> None:
        if feel in (Feel.PRESSED, Feel.RELEASED):
            self._presses.switch(feel is Feel.PRESSED, self._clock())

    def _fail(self, error: DealerboxError) -> None:
        self._broken = self._broken or error
        self._wake.set()

    def _forget_signals(self) -> None:
        self._signals = self._contacts = None

    def _look_at_outputs(self) -> None:
        if self._broken is not None:
            raise self._broken
        differing = self._signals.differing() if self._signals else []
        if differing:
            raise DeviceGone(
                f"{self.name}: {', '.join(differing)} read back otherwise than set; look for a short or a wrong pin"
            )

    async def _rest(self, due_ns: int | None) -> None:
        """Wait for an edge, a failure, the time a contact is due, or the next periodic look."""
        wait_s = self._settings.poll_ms / 1000
        if due_ns is not None:
            wait_s = min(wait_s, max(0.0, (due_ns - self._clock()) / 1e9))
        try:
            async with asyncio.timeout(wait_s):
                await self._wake.wait()
        except TimeoutError:
            return
        self._wake.clear()


class _Contact:
    """An input, how it is touched, and who is told."""

    def __init__(self, touch: Touch, felt: Callable[[Feel], None]) -> None:
        self.device: Any = None
        self.touch = touch
        self.felt = felt


class _Contacts:
    """The pushes and the switch: edges and levels of inputs, by pin."""

    def __init__(self, factory: PinFactory, wake: asyncio.Event, clock: Clock) -> None:
        self._factory = factory
        self._wake = wake
        self._clock = clock
        self._contacts: dict[int, _Contact] = {}
        self._closing = ExitStack()

    @property
    def due_ns(self) -> int | None:
        """When to look again at the latest; None: when convenient."""
        dues = (contact.touch.due_ns for contact in self._contacts.values())
        return min((due for due in dues if due is not None), default=None)

    def add(self, pin: int, touch: Touch, felt: Callable[[Feel], None]) -> None:
        """Tell `felt` what fingers do to the contact at `pin`, from `open` on."""
        self._contacts[pin] = _Contact(touch, felt)

    def touch(self, pin: int) -> Touch:
        """Return what is known of the contact at `pin`."""
        return self._contacts[pin].touch

    def open(self) -> None:
        """Take the pins and listen to their edges."""
        loop = asyncio.get_running_loop()
        for pin, contact in self._contacts.items():
            contact.device = contact_input(self._factory, pin)
            self._closing.callback(contact.device.close)
            self._closing.callback(on_edge(contact.device, partial(self._hand_over, loop, pin)))

    def look(self) -> None:
        """Read every level."""
        for contact in self._contacts.values():
            for feel in contact.touch.read(bool(contact.device.value), self._clock()):
                contact.felt(feel)

    def close(self) -> None:
        """Stop listening and give the pins back."""
        self._contacts.clear()
        self._closing.close()

    def _hand_over(self, loop: asyncio.AbstractEventLoop, pin: int, down: bool) -> None:
        """Take an edge on a thread of the factory's."""
        at_ns = self._clock()
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._edge, pin, down, at_ns)

    def _edge(self, pin: int, down: bool, at_ns: int) -> None:
        contact = self._contacts.get(pin)  # none when the edge comes after closing
        if contact is not None:
            for feel in contact.touch.edge(down, at_ns):
                contact.felt(feel)
            self._wake.set()
