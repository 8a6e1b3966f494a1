"""The dealer's panel, pin by pin: keys that are dead, stuck or bounce, lamps that are dark, a buzzer that is dumb."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

import msgspec

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.verdict import Bench, Step, judged, untested
from dealerbox.model.commands import Lamp
from dealerbox.ports import Clock, DealerboxError
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.pins.debounce import Feel, Touch
from dealerbox_drivers.pins.gpio import contact_input, on_edge, signal_output, told
from dealerbox_drivers.pins.layout import Wiring

REST_S: Final = 1.0
PATIENCE_S: Final = 20.0
"""Longest wait for a finger."""
STILL_S: Final = 0.3
"""A key that was let go so long ago does not bounce any more."""
LOOK_S: Final = 0.005
SWITCH: Final = "director"


class Felt(msgspec.Struct, frozen=True):
    """One press of a key."""

    presses: int
    """Times that it is felt, with the stable time of the config."""
    edges: int
    bounce_ms: float
    """From the first edge of a level to its last, at its worst."""
    others: tuple[str, ...]
    """Keys that were felt at the same time."""


async def panel(loan: Loan, bench: Bench, clock: Clock = boottime_ns) -> AsyncIterator[Step]:
    """Test the panel that was lent: every key, the switch, each lamp, the buzzer."""
    settings: Wiring = loan.device.settings
    try:
        with told(loan.name), ExitStack() as closing:
            factory = loan.pins()
            contacts = _Contacts(factory, _inputs(settings), settings.stable_ms, clock)
            closing.callback(contacts.close)
            contacts.open()
            yield await _rest(contacts)
            for name in contacts.names:
                yield await _key(contacts, name, bench, settings.stable_ms)
            contacts.close()
            for name, pin in _outputs(settings).items():
                yield await _output(factory, name, pin, bench)
    except DealerboxError as error:
        yield untested("panel-rest", str(error), loan.name)


def _inputs(settings: Wiring) -> dict[str, int]:
    switch = {SWITCH: settings.director} if settings.director else {}
    return {**{name: push.pin for name, push in settings.pushes.items()}, **switch}


def _outputs(settings: Wiring) -> dict[str, int]:
    lamps = {Lamp.GREEN.value: settings.green, Lamp.AMBER.value: settings.amber, Lamp.RED.value: settings.red}
    lights = {f"light of {name}": push.light for name, push in settings.pushes.items() if push.light}
    return {**lamps, **lights, "buzzer": settings.buzzer}


async def _rest(contacts: "_Contacts") -> Step:
    contacts.forget()
    await contacts.watch(REST_S)
    down = [name for name in contacts.names if contacts.down(name)]
    moved = [name for name in contacts.names if contacts.edges(name) and name not in down]
    said = [*(f"{name} is down" for name in down), *(f"{name} moves by itself" for name in moved)]
    words = "; ".join(said) or f"{len(contacts.names)} contacts are open, and none moves in {REST_S:.0f} s"
    return judged("panel-rest", words, right=not said)


async def _key(contacts: "_Contacts", name: str, bench: Bench, stable_ms: float) -> Step:
    code = "panel-switch" if name == SWITCH else "panel-key"
    if contacts.down(name):
        return judged(code, "it is down already: stuck, or shorted", right=False, about=name)
    contacts.forget()
    what = "Turn the director's key switch on, then off." if name == SWITCH else f"Press {name.upper()} once, briefly."
    if not bench.tells(what):
        return untested(code, "nobody pressed it", name)
    felt = await contacts.pressed(name)
    if felt is None:
        return judged(code, f"nothing was felt in {PATIENCE_S:.0f} s", right=False, about=name)
    said = f"felt {_times(felt.presses)}, bounces {felt.bounce_ms:.1f} ms in {felt.edges} edges"
    if felt.others:
        said += f"; {', '.join(felt.others)} at the same time"
    right = felt.presses == 1 and not felt.others and felt.bounce_ms <= stable_ms
    return judged(code, said, right=right, about=name, bounce_ms=felt.bounce_ms, edges=felt.edges)


async def _output(factory: Any, name: str, pin: int, bench: Bench) -> Step:
    code = "panel-buzzer" if name == "buzzer" else "panel-lamp"
    output = signal_output(factory, pin)
    try:
        output.value = True
        set_on = bool(output.value)
        is_on = await bench.sees(_question(name))
        output.value = False
        set_off = not output.value
    finally:
        output.close()
    if not (set_on and set_off):
        said = f"its pin ({pin}) reads {'low though set high' if not set_on else 'high though set low'}"
        return judged(code, said, right=False, about=name)
    if is_on is None:
        return untested(code, "its pin does as told; nobody looked or listened", name)
    return judged(code, "on and off" if is_on else "its pin does as told, and nothing comes", right=is_on, about=name)


def _question(name: str) -> str:
    if name == "buzzer":
        return "Do you hear the buzzer?"
    return f"Is the {name}{' lamp' if name in set(Lamp) else ''} lit, alone?"


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


class _Contacts:
    """Inputs whose every edge is kept with its time, and whose levels are read besides."""

    def __init__(self, factory: Any, pins: Mapping[str, int], stable_ms: float, clock: Clock) -> None:
        self.names = tuple(pins)
        self._factory, self._pins, self._stable_ms, self._clock = factory, pins, stable_ms, clock
        self._devices: dict[str, Any] = {}
        self._closing = ExitStack()
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self._edges: dict[str, list[tuple[int, bool]]] = {name: [] for name in self.names}
        self._touches = {name: Touch(stable_ms=self._stable_ms, stuck_ms=1e9) for name in self.names}
        self._presses = dict.fromkeys(self.names, 0)
        for name in self._devices:
            self._touches[name].read(self.down(name), self._clock() - round((self._stable_ms + 1) * 1e6))
            self._touches[name].read(self.down(name), self._clock())

    def open(self) -> None:
        """Take the pins and listen. What gpiozero raises."""
        loop = asyncio.get_running_loop()
        for name, pin in self._pins.items():
            device = self._devices[name] = contact_input(self._factory, pin)
            self._closing.callback(device.close)
            self._closing.callback(on_edge(device, partial(self._handed_over, loop, name)))

    def close(self) -> None:
        """Give the pins back. Twice is once."""
        self._devices.clear()
        self._closing.close()

    def down(self, name: str) -> bool:
        """Read a contact."""
        return bool(self._devices[name].value)

    def edges(self, name: str) -> int:
        return len(self._edges[name])

    async def watch(self, seconds: float) -> None:
        """Look for so long."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + seconds
        while loop.time() < end_s:
            self._look()
            await asyncio.sleep(LOOK_S)

    async def pressed(self, name: str) -> Felt | None:
        """Wait until a key was pressed and let go, and stands still; None: it was not felt, or is held."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + PATIENCE_S
        still_s = 0.0
        while loop.time() < end_s:
            self._look()
            released = bool(self._presses[name]) and not self.down(name)
            if not released:
                still_s = loop.time()
            elif loop.time() - still_s >= STILL_S:
                break
            await asyncio.sleep(LOOK_S)
        if not self._presses[name]:
            return None
        others = tuple(other for other in self.names if other != name and self._presses[other])
        return Felt(self._presses[name], self.edges(name), _bounce_ms(self._edges[name]), others)

    def _look(self) -> None:
        for name in self._devices:
            self._told(name, self._touches[name].read(self.down(name), self._clock()))

    def _handed_over(self, loop: asyncio.AbstractEventLoop, name: str, down: bool) -> None:
        at_ns = self._clock()
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._edge, name, down, at_ns)

    def _edge(self, name: str, down: bool, at_ns: int) -> None:
        if name in self._devices:
            self._edges[name].append((at_ns, down))
            self._told(name, self._touches[name].edge(down, at_ns))

    def _told(self, name: str, feels: Iterable[Feel]) -> None:
        self._presses[name] += sum(feel is Feel.PRESSED for feel in feels)


def _bounce_ms(edges: list[tuple[int, bool]], apart_ns: int = 50_000_000) -> float:
    """Return the longest time that edges followed each other closely: a finger's own are further apart."""
    worst_ns = begun_ns = 0
    last_ns: int | None = None
    for at_ns, _ in edges:
        if last_ns is None or at_ns - last_ns > apart_ns:
            begun_ns = at_ns
        worst_ns = max(worst_ns, at_ns - begun_ns)
        last_ns = at_ns
    return worst_ns / 1e6
