"""One hand in the checker's account: what is owed, what was let out, where each card belongs."""

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.model.zones import BURN, Zone, seat_number


class Hand(msgspec.Struct):
    """One hand, from START to its end."""

    button: int
    streets: list[list[Zone]]
    """Steps still owed, street by street."""
    closed: int = 0
    """Rounds that were closed (NEXT)."""
    action: bool = False
    out: int = 0
    """Cards let out."""
    permitted: Uid | None = None
    """The card behind the gate whose release was given and is under way."""
    released: Uid | None = None
    """The released card, until its step is done."""
    wanted: Zone = Zone("")
    along: dict[Uid, Zone] = {}
    """Cards of the same group let out before it and not yet where they belong, and where that is (1809)."""
    home: dict[Uid, Zone] = {}
    """Where each card whose step is done belongs."""
    asked: bool = False
    """MISDEAL was called with a hand in the muck: has that player acted?"""
    manual: bool = False
    """The deal goes on by hand (C15)."""
    given: bool = False
    """The whole deck is in the dealer's hand, by the house's rule (C4)."""
    dead: list[int] = []
    """Seats whose hand was ruled dead."""
    shown: Uid | None = None
    """By hand: the last card that left the stub, or was only shown."""

    unburned: Uid | None = None
    """By hand: the burn that went back on top, and is the next to be burned (1812)."""

    def other_burned(self, card: Uid, wanted: Zone, place: str) -> bool:
        """Tell whether after UNBURN another card lies on the burns as the burn (H4)."""
        return self.unburned not in (None, card) and wanted == place == BURN

    def step(self) -> Zone:
        """Return the zone of the step that may be done now, '' if none may."""
        for number, street in enumerate(self.streets):
            if street:
                return street[0] if number <= self.closed else Zone("")
        return Zone("")

    def on_the_way(self) -> dict[Uid, Zone]:
        """Return the cards let out whose step is not done, and where each belongs."""
        return {**self.along, self.released: self.wanted} if self.released is not None else {}

    def comes_next(self) -> Zone:
        """Return the zone of the step behind those of the cards on their way, in the same street; '' if none."""
        street = next((street for number, street in enumerate(self.streets) if street and number <= self.closed), [])
        behind = street[len(self.on_the_way()) :]
        return behind[0] if behind else Zone("")

    def street_dealt(self) -> bool:
        """Tell whether the open street's last card is in its place."""
        return not any(self.streets[: self.closed + 1]) and self.released is None

    def owed(self) -> bool:
        """Tell whether anything remains to be dealt."""
        return any(self.streets)

    def one_left(self) -> bool:
        """Tell whether all hands but one are dead: dealt, and none of their cards at home any more."""
        if any(seat_number(zone) for street in self.streets for zone in street):
            return False
        alive = ""
        for zone in self.home.values():
            number = seat_number(zone)
            if number and number not in self.dead:
                if alive and zone != alive:
                    return False
                alive = zone
        return bool(alive)
