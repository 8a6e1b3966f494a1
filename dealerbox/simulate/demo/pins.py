"""Pins between two processes: fingers and lamps here, the daemon that thinks they are its header there.

Both ends speak JSON over a socket that keeps packets apart, an object a packet: `{"pin":5,"level":false}`
to the daemon (null: let go), `{"is":"Shown","pin":17,"on":true}` from it, and what its panel says on the display.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any, Final

import msgspec
from gpiozero.pins.mock import MockFactory

from dealerbox_drivers.face import Face, OpenMenu
from dealerbox_drivers.pins.twin_pins import PI_4, WiredPin, wired, wired_factory

HEADER: Final = range(2, 28)
"""BCM numbers of the header."""
MOST_BYTES: Final = 4096
"""Longest packet, with room."""


class Driven(msgspec.Struct, frozen=True):
    """What somebody outside does to a pin."""

    pin: int
    level: bool | None


class Shown(msgspec.Struct, frozen=True, tag=True, tag_field="is"):
    """What the daemon does with an output."""

    pin: int
    on: bool


class Words(msgspec.Struct, frozen=True, tag=True, tag_field="is"):
    """What the daemon's panel has to say on the display beside it."""

    menu: OpenMenu | None = None
    foot: str = ""


def pair() -> tuple[socket.socket, socket.socket]:
    """Return both ends, not blocking."""
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in ends:
        end.setblocking(False)
    return ends


class FarPin(WiredPin):  # a pin of the daemon's, seen from outside
    """Sends what is done to it; its state is what the daemon last said."""

    say: Callable[[Driven], None] | None = None

    @property
    def bcm(self) -> int:
        """Its BCM number."""
        return int(str(self.info.name).removeprefix("GPIO"))

    def drive(self, level: bool | None) -> None:
        """Hold the daemon's pin high or low; None: let it go."""
        self.outside = level
        if self.say is not None:
            self.say(Driven(self.bcm, level))


class FarPins:
    """The table's end. `factory` is for a `PanelTwin` and whatever else touches pins."""

    def __init__(self) -> None:
        self.factory: Any = MockFactory(revision=PI_4, pin_class=FarPin)
        self._pins = {number: wired(self.factory, number) for number in HEADER}
        for pin in self._pins.values():
            if isinstance(pin, FarPin):
                pin.say = self._say
        self._end: socket.socket | None = None
        self.words = Words()
        """What the daemon's panel says on the display."""

    def attach(self, end: socket.socket) -> None:
        """Be wired to a daemon that starts now: it finds every pin as it is held."""
        self.detach()
        self._end = end
        asyncio.get_running_loop().add_reader(end.fileno(), self._heard)
        for number, pin in self._pins.items():
            if pin.outside is not None:
                self._say(Driven(number, pin.outside))

    def detach(self) -> None:
        """Be wired to nothing: every output is off."""
        if self._end is not None:
            asyncio.get_running_loop().remove_reader(self._end.fileno())
            self._end.close()
            self._end = None
        self.words = Words()
        for pin in self._pins.values():
            if pin.function == "output":
                pin.state = False

    def _say(self, driven: Driven) -> None:
        if self._end is not None:
            with contextlib.suppress(OSError):  # a daemon that is gone feels nothing
                self._end.send(msgspec.json.encode(driven))

    def _heard(self) -> None:
        packet = b""
        if self._end is not None:
            with contextlib.suppress(OSError):
                packet = self._end.recv(MOST_BYTES)
        if not packet:
            self.detach()
            return
        shown = msgspec.json.decode(packet, type=Shown | Words)
        if isinstance(shown, Words):
            self.words = shown
            return
        pin = self._pins[shown.pin]
        pin.function = "output"
        pin.state = shown.on


def tell_words(end: socket.socket, face: Face) -> None:
    """Send what the panel says on `face` to the other end, now and whenever it changes."""

    def send() -> None:
        with contextlib.suppress(OSError):
            end.send(msgspec.json.encode(Words(face.menu, face.foot)))

    face.watch(send)
    send()


def near_factory(end: socket.socket, gone: Callable[[], None]) -> Any:
    """Return the daemon's pin factory, wired to `end` in the running loop; `gone()`: nobody is at the other end."""
    factory = wired_factory()
    pins = {number: wired(factory, number) for number in HEADER}
    loop = asyncio.get_running_loop()

    def show(number: int, on: bool) -> None:
        if pins[number].function == "output":
            with contextlib.suppress(OSError):
                end.send(msgspec.json.encode(Shown(number, on)))

    def heard() -> None:
        packet = b""
        with contextlib.suppress(OSError):
            packet = end.recv(MOST_BYTES)
        if packet:
            driven = msgspec.json.decode(packet, type=Driven)
            pins[driven.pin].drive(driven.level)
        else:
            loop.remove_reader(end.fileno())
            gone()

    for number, pin in pins.items():
        pin.watching = lambda on, number=number: show(number, on)
    loop.add_reader(end.fileno(), heard)
    return factory
