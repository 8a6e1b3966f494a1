"""The layout of a dealer's panel: which push gives which logical key, which pin does what.

A *push* is a physical push-button; a *key* is what the dealer says with it. Each push
has up to four lists of keys: short, long (held for `long_ms`), and the same two while
the `second` push is held down. Of a list, the key given is the first one *lit* (the
station tells which keys it would take now, the one it asks for first); when none is
lit, the first of the list, and the station says why not.

With the director's key switch on, a push that has a `ruling` gives that ruling when it
is held. The switch must be turned while the station runs, and lapses by itself after
`director_s` without a ruling: a forgotten switch gives the dealer no authority.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from dealerbox.model.keys import Key, Ruling
from dealerbox_drivers.settings import Settings

Pin = Annotated[int, Meta(ge=0, le=27, description="a GPIO (BCM) number of the header, 2..27")]


class Push(msgspec.Struct, frozen=True, kw_only=True):
    """One push-button, between its pin and ground."""

    pin: Pin
    short: tuple[Key, ...] = ()
    long: tuple[Key, ...] = ()
    second: tuple[Key, ...] = ()
    """Short, with the second push held down."""
    second_long: tuple[Key, ...] = ()
    ruling: Ruling | None = None
    """Held, with the director's key switch on."""
    light: Pin = 0
    """Pin of a lamp in the push, on while a key of its first two lists is lit; 0: none."""

    def keys(self) -> tuple[Key, ...]:
        """Every key that it can give; the first of them names it when it is stuck."""
        return (*self.short, *self.long, *self.second, *self.second_long)


class Gesture(msgspec.Struct, frozen=True, kw_only=True):
    """How a person gives a key: which push, held or short, alone or with the second push held down."""

    push: str
    held: bool = False
    second: bool = False


def five_pushes() -> dict[str, Push]:
    """Return the default layout: GO, ACTION, MISDEAL, NO and MENU.

    What ends or voids something must be held. AWARD is never a short GO: the station takes it
    at any time in a hand, so a second tap after START would end the hand. START comes first: a GO
    between hands, when nothing is lit, is told why no hand can begin.
    """
    return {
        "go": Push(
            pin=5,
            short=(Key.START, Key.NEXT, Key.CUT, Key.ACK),
            long=(Key.AWARD,),
            second=(Key.COUNT,),
            second_long=(Key.DECK,),
            ruling=Ruling.SET_BUTTON,
        ),
        "action": Push(
            pin=6,
            short=(Key.ACTION,),
            long=(Key.PREMATURE,),
            second=(Key.EXPOSED,),
            second_long=(Key.OFF_TABLE,),
            ruling=Ruling.STAND,
        ),
        "misdeal": Push(
            pin=13,
            long=(Key.MISDEAL,),
            second=(Key.FACED,),
            second_long=(Key.SUSPECT,),
            ruling=Ruling.VOID_HAND,
        ),
        "no": Push(
            pin=19,
            short=(Key.NO, Key.UNDO),
            long=(Key.UNDO,),
            second=(Key.UNBURN, Key.RETRIEVE),
            second_long=(Key.MANUAL,),
        ),
        "menu": Push(pin=26, short=(Key.FIND, Key.RETRIEVE)),
    }


NEEDED: Final = (
    Key.START, Key.ACTION, Key.NEXT, Key.AWARD, Key.MISDEAL, Key.CUT, Key.COUNT, Key.DECK, Key.SUSPECT,
    Key.MANUAL, Key.FIND, Key.ACK, Key.NO, Key.UNDO,
)  # fmt: skip
"""Keys without which a dealer cannot do what the law asks of him."""


class Wiring(Settings, frozen=True, kw_only=True):
    """What every panel on the Pi's own pins has: three lamps, a buzzer, the director's key switch, and pushes."""

    green: Pin = 17
    amber: Pin = 27
    red: Pin = 22
    buzzer: Pin = 23
    director: Pin = 21
    """The director's key switch, between its pin and ground; 0: none."""
    stable_ms: Annotated[int, Meta(ge=5, le=100)] = 15
    """How long a contact stands still before it is believed."""
    long_ms: Annotated[int, Meta(ge=300, le=5000)] = 1000
    stuck_ms: Annotated[int, Meta(ge=2000, le=120_000)] = 10_000
    """How long a push is down before it is called stuck."""
    reaction_ms: Annotated[int, Meta(ge=0, le=1000)] = 250
    """A press answers what was lit this long before it: nobody answers sooner what he has just been asked."""
    director_s: Annotated[int, Meta(ge=5, le=3600)] = 120
    """How long the director's key switch counts after it was turned on, or after his last ruling."""
    poll_ms: Annotated[int, Meta(ge=10, le=200)] = 50
    """How often every pin is read, whatever the edges said."""

    @property
    def pushes(self) -> Mapping[str, Push]:
        """The pushes by their names."""
        return {}

    @property
    def second_push(self) -> str:
        """The push that, held down, gives the others their second lists; "": none."""
        return ""

    def pins(self) -> dict[str, int]:
        lamps = {"green": self.green, "amber": self.amber, "red": self.red, "buzzer": self.buzzer}
        switch = {"director": self.director} if self.director else {}
        return {**lamps, **switch}


class PanelSettings(Wiring, frozen=True, kw_only=True):
    """A panel whose pushes have lists of keys."""

    push: dict[str, Push] = msgspec.field(default_factory=five_pushes)
    second: str = "menu"
    """The push that, held down, gives the others their second lists; "": none."""

    @property
    def pushes(self) -> Mapping[str, Push]:
        return self.push

    @property
    def second_push(self) -> str:
        return self.second

    def pins(self) -> dict[str, int]:
        pushes = {f"push.{name}.pin": push.pin for name, push in self.push.items()}
        lights = {f"push.{name}.light": push.light for name, push in self.push.items() if push.light}
        return {**super().pins(), **pushes, **lights}

    def faults(self) -> tuple[tuple[str, str], ...]:
        return (*_push_faults(self), *_second_faults(self), *_key_faults(self))

    def gesture(self, key: Key, lit: Sequence[str] = ()) -> Gesture | None:
        """Return the easiest way to give `key` while `lit` is lit; None: there is none now."""
        for second in (False, True) if self.second else (False,):
            for held in (False, True):
                for name, push in self.push.items():
                    if name == self.second and (held or second):
                        continue
                    if chosen(listed(push, held=held, second=second), lit) is key:
                        return Gesture(push=name, held=held, second=second)
        return None


class CompactSettings(Wiring, frozen=True, kw_only=True):
    """A panel of five pushes beside a display; what they say stands in `compact`."""

    go: Pin = 5
    action: Pin = 6
    problem: Pin = 13
    count: Pin = 19
    deck: Pin = 26
    menu_s: Annotated[int, Meta(ge=3, le=60)] = 10
    """How long the menu stays open without a press."""

    @property
    def pushes(self) -> Mapping[str, Push]:
        return {
            "go": Push(
                pin=self.go,
                short=(Key.ACK, Key.START, Key.NEXT, Key.CUT, Key.COUNT, Key.AWARD),
                long=(Key.AWARD,),
                ruling=Ruling.SET_BUTTON,
            ),
            "action": Push(pin=self.action, short=(Key.ACTION,), ruling=Ruling.STAND),
            "problem": Push(pin=self.problem, short=(Key.NO,), ruling=Ruling.VOID_HAND),
            "count": Push(pin=self.count, short=(Key.COUNT,)),
            "deck": Push(pin=self.deck, long=(Key.DECK,)),
        }

    def needs(self) -> tuple[str, ...]:
        return ("display",)

    def pins(self) -> dict[str, int]:
        return {**super().pins(), **{name: push.pin for name, push in self.pushes.items()}}


def listed(push: Push, *, held: bool, second: bool) -> tuple[Key, ...]:
    """Return the list of keys that a press chooses from."""
    if second:
        return push.second_long if held else push.second
    return push.long if held else push.short


def chosen(keys: Sequence[Key], lit: Sequence[str]) -> Key | None:
    """Return the key that a list gives: the first one lit, else the first of the list; None: it is empty."""
    return next((Key(key) for key in lit if key in keys), keys[0] if keys else None)


def _push_faults(panel: PanelSettings) -> Iterator[tuple[str, str]]:
    for name, push in panel.push.items():
        if not push.keys():
            yield f"push.{name}", f"gives no key; allowed: keys in short or long, of {', '.join(Key)}"


def _second_faults(panel: PanelSettings) -> Iterator[tuple[str, str]]:
    if not panel.second:
        return
    push: Mapping[str, Push] = panel.push
    if panel.second not in push:
        yield "second", f"there is no push '{panel.second}'; known: {', '.join(sorted(push))}, or \"\" for none"
        return
    own = push[panel.second]
    if own.long or own.second or own.second_long or own.ruling:
        yield f"push.{panel.second}", "is held down to give others their second keys; allowed: short alone"


def _key_faults(panel: PanelSettings) -> Iterator[tuple[str, str]]:
    """A key that the law needs has a push; a long press is all that a ruling can be given by."""
    given: set[Key] = set()
    for push in panel.push.values():
        given.update(push.short, push.long, *((push.second, push.second_long) if panel.second else ()))
    missing = [key for key in NEEDED if key not in given]
    if missing:
        yield "push", f"no push gives {', '.join(missing)}; add them to a list of one"
    if not panel.director and any(push.ruling for push in panel.push.values()):
        yield "director", "pushes give rulings and there is no key switch; name its pin, or take the rulings away"
