"""What may be asked over the control sockets, and at which of them."""

from enum import StrEnum
from typing import Annotated, Final

import msgspec

from dealerbox.model.keys import Ruling
from dealerbox.model.view import FouledHand, View
from dealerbox.station.condition import DeviceHealth
from dealerbox.station.gauges import Gauges
from dealerbox.station.vouching import DIGEST, Vouched

LONGEST_BADGE: Final = 64
LONGEST_REASON: Final = 500


class Authority(StrEnum):
    """Whom a socket is for. The group that may open it decides what may be asked there."""

    LOOK = "look"
    TECHNICIAN = "technician"
    DIRECTOR = "director"


class Asked(msgspec.Struct, frozen=True, kw_only=True, tag_field="ask", forbid_unknown_fields=True):
    """One question: a line of JSON, tagged `ask`."""


class Status(Asked, frozen=True, tag="status"):
    """What may be shown of the table."""


class HealthAsked(Asked, frozen=True, tag="health"):
    """How the devices are."""


class GaugesAsked(Asked, frozen=True, tag="gauges"):
    """How wires, pins, journal and clocks are, in numbers."""


class Service(Asked, frozen=True, tag="service"):
    """Take the table for service between hands, or give it back."""

    on: bool


class Rule(Asked, frozen=True, kw_only=True, tag="rule"):
    """A ruling, with its reason (1830(2))."""

    ruling: Ruling
    reason: str
    seat: int = 0
    seats: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    """TO_STUB: which cards, by zone and the order of the deal: `board:2`, `seat:4:1`; none: those that are held."""
    value: int = 0
    """BEGAN: minutes since the tournament began. HOUR: minutes since midnight, 0 as the clock shows. SEATS: 1 if they
    were drawn anew."""

    def fault(self) -> str:
        """Return what is wrong with it, '' nothing."""
        if not self.reason.strip():
            return "a ruling needs its reason: give 'reason' some words"
        if len(self.reason) > LONGEST_REASON or not self.reason.isprintable():
            return f"'reason' has at most {LONGEST_REASON} characters that can be printed"
        return ""


class DealerSits(Asked, frozen=True, kw_only=True, tag="dealer"):
    """Who deals now: the name on counts that are confirmed without a badge; '' nobody."""

    badge: str

    def fault(self) -> str:
        """Return what is wrong with it, '' nothing."""
        if len(self.badge) > LONGEST_BADGE or not self.badge.isprintable():
            return f"'badge' has at most {LONGEST_BADGE} characters that can be printed"
        return ""


class Lend(Asked, frozen=True, kw_only=True, tag="lend"):
    """In service: leave a device's line to who asks, for as long as he stays connected."""

    device: str


class Vouch(Asked, frozen=True, kw_only=True, tag="vouch"):
    """Sign for a self-test card by its digest, with who asks and when."""

    digest: Annotated[str, msgspec.Meta(pattern=DIGEST)]


class Enrol(Asked, frozen=True, tag="decks"):
    """Read the deck files anew: a second deck, or a new set of two, has come to the table (1804B(8))."""


class Fouled(Asked, frozen=True, kw_only=True, tag="fouled"):
    """Where the cards of a hand lie that was fouled by no fault of its player (1810)."""

    seat: int


Question = Status | HealthAsked | GaugesAsked | Service | Rule | DealerSits | Enrol | Fouled | Lend | Vouch

_AT: Final[dict[type[Asked], frozenset[Authority]]] = {
    Status: frozenset(Authority),
    HealthAsked: frozenset(Authority),
    GaugesAsked: frozenset(Authority),
    Service: frozenset({Authority.TECHNICIAN, Authority.DIRECTOR}),
    Vouch: frozenset({Authority.TECHNICIAN, Authority.DIRECTOR}),
    Lend: frozenset({Authority.TECHNICIAN, Authority.DIRECTOR}),
    Rule: frozenset({Authority.DIRECTOR}),
    DealerSits: frozenset({Authority.DIRECTOR}),
    Enrol: frozenset({Authority.DIRECTOR}),
    Fouled: frozenset({Authority.DIRECTOR}),
}
"""Question -> the sockets where it is answered."""
WORDS: Final = "status, health, gauges, service, lend, vouch, rule, dealer, decks, fouled"


def may(asked: Question, authority: Authority) -> bool:
    """Tell whether this is answered at a socket of that authority."""
    return authority in _AT[type(asked)]


def where(asked: Question) -> str:
    """Return whose sockets answer this."""
    return " or ".join(one.value for one in Authority if one in _AT[type(asked)])


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is answered where no View is."""

    ok: bool = False
    error: str = ""
    devices: tuple[DeviceHealth, ...] = ()
    gauges: Gauges | None = None
    view: View | None = None
    fouled: FouledHand | None = None
    vouched: Vouched | None = None
