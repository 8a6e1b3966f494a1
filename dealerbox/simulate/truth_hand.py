"""One hand in the checker's account: what is owed, what was let out, where each card belongs."""

from enum import StrEnum

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, MUCK, Zone, seat_number


class Mix(StrEnum):
    """What a stub waits for, into which cards went back."""

    DONE = ""
    SHUFFLE = "shuffle"
    CUT = "cut"


class Hand(msgspec.Struct):
    """One hand, from START to its end."""

    button: int
    streets: list[list[Zone]]
    """Steps still owed, street by street."""
    closed: int = 0
    """Rounds that were closed (NEXT)."""
    action: bool = False
    acted_on: bool = False
    """The same, on the street dealt last."""
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
    dealt_to: dict[Uid, Zone] = {}
    """Where the step of each card was done."""
    last: Uid | None = None
    """The card whose step was done last."""
    dead_cards: list[tuple[Reason, Zone]] = []
    """Cards that lie and were called dead: why, and where one is that must go aside."""
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

    early: Reason | None = None
    """A street came too early, and its cards are not away yet (1811(2)): what is held for."""
    recalled: bool = False
    """It is taken back once no card is on its way."""
    late: bool = False
    """It was said when players had acted on it, and the director has not ruled."""
    lay_aside: Uid | None = None
    """A turn or river that is to go aside."""
    waiting: list[Uid] = []
    """Those that lie aside until the river is due (C6, C7)."""
    going_back: list[Uid] = []
    """Cards that are to go back into the stub."""
    mix: Mix = Mix.DONE

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

    def done(self, card: Uid, zone: Zone) -> None:
        """The card lies where its step wanted it."""
        self.home[card] = self.dealt_to[card] = zone
        self.last = card
        if card == self.unburned:
            self.unburned = None
        self.arrived(card)
        next(street for street in self.streets if street).remove(zone)

    def arrived(self, card: Uid) -> None:
        """This card is on its way no longer; the others of its group are."""
        if card == self.released:
            self.released = None
            if self.along:
                self.released, self.wanted = self.along.popitem()
        else:
            self.along.pop(card, None)

    def goes_aside(self, card: Uid) -> bool:
        """Tell whether a card that was laid aside is one that was called dead where it lay; it belongs there now."""
        for dead in self.dead_cards:
            if self.home.get(card) == dead[1]:
                self.dead_cards.remove(dead)
                self.home[card] = ASIDE
                return True
        return False

    def lives_again(self, number: int) -> None:
        """RETRIEVE: what was dealt to that seat and mucked belongs to it again (1810, 1813); 0: which, is plain."""
        mucked = [seat_number(zone) for card, zone in self.dealt_to.items() if self.home.get(card) == MUCK]
        halves = {one for one in mucked if mucked.count(one) == 1}
        number = number or next(iter(halves or {*mucked}), 0)
        for card, zone in self.dealt_to.items():
            if seat_number(zone) == number and self.home.get(card) == MUCK:
                self.home[card] = zone
        if number in self.dead:
            self.dead.remove(number)

    def stands(self, card: Uid, wanted: Zone, place: Zone) -> None:
        """STAND: the card counts where it lies; a burn step is done, another stays owed unless a card lies there."""
        self.home[card] = place
        self.arrived(card)
        street = next(street for street in self.streets if street)
        if wanted == BURN or place == wanted:
            street.remove(wanted)
        if place == BOARD and BOARD in street and wanted != BOARD:
            street.remove(BOARD)

    def taken_back(self, card: Uid) -> None:
        """By hand, a card that goes from the burn reader back into the dealer's hand was only shown."""
        self.shown = None
        if self.released == card:
            self.released = None
        elif self.home.pop(card, None) == BURN:
            self.streets[self.closed].insert(0, BURN)
