"""What may be shown of a table while a hand is open: counts and zones, never a token."""

import msgspec

from dealerbox.model.commands import Certificate, Lamp
from dealerbox.model.keys import Key
from dealerbox.model.menu import Choice
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import Zone


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A hold that stands."""

    reason: Reason
    clause: str
    what: str
    """What happened, one sentence."""
    remedy: str
    """What to do now, one sentence."""
    why: str = ""
    """What the clause or the house rule asks, one sentence."""
    zone: Zone = Zone("")
    to: Zone = Zone("")
    device: str = ""


class DeckShown(msgspec.Struct, frozen=True, kw_only=True):
    """A deck of the table."""

    name: str
    back: str
    status: str
    """new, in_play, used, quarantined."""


class FouledHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that the director asks for (1810): how many cards, and in which zones; never which cards."""

    seat: int
    cards: int
    """Cards dealt to the seat that are its hand: two, if nothing else is wrong."""
    lie: tuple[Zone, ...]
    """Where each of them was last seen arriving, in the order of the zones' names."""
    whole: bool
    """It can be made up again completely: two cards, each known by its tag and on the table."""
    said: str
    """What to do, one sentence."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The table as people may see it at any moment."""

    table: str
    phase: str
    """closed, opening, between, dealing, betting, showdown, gathering."""
    hand: int
    """Number of the current or last hand."""
    street: str = ""
    """preflop, flop, turn, river; '' when no hand is open."""
    seats: tuple[int, ...] = ()
    button: int = 0
    """Seat of the button for the current hand; between hands where it must lie next, 0: to be set."""
    button_seen: tuple[int, ...] = ()
    expect: Zone = Zone("")
    """Zone that the plan's next card goes to; '' when none is asked for."""
    released: bool = False
    """A released card is on its way to `expect`."""
    prompt: str = ""
    """One sentence: the next thing the dealer must do."""
    prompt_code: str = ""
    """Stable code of the prompt: see `engine.view`."""
    lamp: Lamp = Lamp.GREEN
    buzzer: bool = False
    lit: tuple[Key, ...] = ()
    go: Key = Key.START
    """The key that is asked for now."""
    menu: tuple[Choice, ...] = ()
    """What may have gone wrong now, the likeliest first."""
    holds: tuple[Standing, ...] = ()
    notices: tuple[Standing, ...] = ()
    refused: Standing | None = None
    """Why the last key was refused, until the next key."""
    counts: dict[str, int] = {}
    """Cards by zone as the station knows or infers them (stub included)."""
    burns: int = 0
    burns_expected: int = 0
    head: str = ""
    """The journal's head when the last hand ended, `SEQ:HASH` (put in by the station); '' none yet."""
    head_signed: str = ""
    """The same with the station's signature, `SEQ:HASH:KEY:SIGNATURE` (put in by the station)."""
    twins: bool = False
    """Devices in software are installed beside the station: this is no table for play (put in by the station)."""
    folded: tuple[int, ...] = ()
    """Seats whose hand is dead."""
    decks: tuple[DeckShown, ...] = ()
    certificate: Certificate | None = None
    """The last count that a dealer confirmed."""
