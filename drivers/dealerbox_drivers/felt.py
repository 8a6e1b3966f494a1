"""The felt: one physical truth of where each card of a simulated table is.

Twins look at it and move cards on it; so do simulated people. It knows no rule and
no reader's trouble but two: a tag can be silent, a pile can hide what lies under it.
Places are plain words: the zones of `dealerbox.model.zones` but `stub`, and

============  ==========================================================
machine       inside the shuffler; the first is the next to come out
behind_gate   dispensed, behind the locked gate (read by `exit`)
outlet        past the gate, not yet taken (read by `exit`)
hand          in somebody's hand or in the air: no reader
box           at the table but not in play: card box, drawer, pocket
away          never put anywhere yet
============  ==========================================================
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final, TypeVar

from dealerbox.model.cards import Uid
from dealerbox.model.zones import FIXED, STUB, is_zone

Card = TypeVar("Card")

MACHINE: Final = "machine"
BEHIND_GATE: Final = "behind_gate"
OUTLET: Final = "outlet"
HAND: Final = "hand"
BOX: Final = "box"
AWAY: Final = "away"

PLACES: Final = frozenset({*FIXED, MACHINE, BEHIND_GATE, OUTLET, HAND, BOX}) - {STUB, "exit"}
"""Where a card can be put, beside `seat:1`..`seat:20`."""


def shelved(cards: Sequence[Card], shelves: int, rng: Random) -> list[Card]:
    """Return the order that one pass over so many shelves gives (arXiv 1107.2961).

    Each card in turn goes onto some shelf, on top of what lies there or below it; then shelf after shelf is taken off.
    """
    rack: list[deque[Card]] = [deque() for _ in range(shelves)]
    for card in cards:
        shelf = rng.choice(rack)
        (shelf.appendleft if rng.random() < 0.5 else shelf.append)(card)
    return [card for shelf in rack for card in shelf]


Moved = Callable[[Uid, str, str], None]
"""Called with the card, the place it left and the place it came to."""


class Felt:
    """Where each card lies, bottom to top, and on which seats a button lies.

    `decks` begin in the box, in the order given. `rng` alone decides what chance decides.
    `top` > 0: a reader of a pile reads only its uppermost `top` cards (0: all).
    """

    def __init__(self, decks: Sequence[Sequence[Uid]], rng: Random, *, top: int = 0) -> None:
        self.button: tuple[int, ...] = ()
        self.shelves = 0
        """Fault of the shuffler's: it shuffles by one pass over so many shelves. 0: it has none."""
        self._rng = rng
        self._top = top
        self._piles: dict[str, list[Uid]] = {}
        self._place: dict[Uid, str] = {}
        self._silent: set[Uid] = set()
        self._watching: list[Moved] = []
        for uid in (uid for deck in decks for uid in deck):
            if uid in self._place:
                raise ValueError(f"tag {uid} is in the decks twice: every tag needs its own number")
            self.put(uid, BOX)

    def put(self, uid: Uid, place: str) -> None:
        """Move a card to the top of `place` (the end of the machine), from wherever it is.

        A card never put before comes from `away`. ValueError for a place that is none.
        """
        self._place_at(uid, place, None)

    def insert(self, uid: Uid, place: str, position: int) -> None:
        """Move a card to `position` in `place`, counted from the bottom (in the machine: from the next out)."""
        self._place_at(uid, place, position)

    def at(self, place: str) -> tuple[Uid, ...]:
        """Return the cards of a place, bottom to top (in the machine: the next out first)."""
        return tuple(self._piles.get(place, ()))

    def place_of(self, uid: Uid) -> str:
        """Return where a card is."""
        return self._place.get(uid, AWAY)

    def readable(self, zone: str) -> tuple[Uid, ...]:
        """Return what a faultless RFID reader of `zone` can read now, bottom to top."""
        pile = [*self.at(BEHIND_GATE), *self.at(OUTLET)] if zone == "exit" else list(self.at(zone))
        if zone in (MACHINE, BEHIND_GATE, OUTLET, HAND, BOX):
            return ()
        return tuple(uid for uid in pile[-self._top :] if uid not in self._silent)

    def silence(self, uid: Uid, *, silent: bool = True) -> None:
        """Make a tag unreadable, or readable again."""
        (self._silent.add if silent else self._silent.discard)(uid)

    def is_silent(self, uid: Uid) -> bool:
        """Tell whether a tag cannot be read."""
        return uid in self._silent

    def shuffle(self) -> None:
        """Bring the machine's cards into an order that only chance knows; nothing leaves its place.

        With `shelves` it is that of one pass over so many, which is no such order.
        """
        machine = self._piles.setdefault(MACHINE, [])
        if self.shelves:
            machine[:] = shelved(machine, self.shelves, self._rng)
        else:
            self._rng.shuffle(machine)

    def set_button(self, seats: Iterable[int]) -> None:
        """Lay the dealer button: one seat, none, or (a second button) more."""
        self.button = tuple(sorted(seats))

    def watch(self, callback: Moved) -> Callable[[], None]:
        """Tell `callback` every move from now on, after it was made; call what is returned to stop."""
        self._watching.append(callback)

        def stop() -> None:
            if callback in self._watching:
                self._watching.remove(callback)

        return stop

    def _place_at(self, uid: Uid, place: str, position: int | None) -> None:
        if place not in PLACES and not (is_zone(place) and place.startswith("seat:")):
            raise ValueError(
                f"{place!r} is no place on the felt; places are seat:1..seat:20, {', '.join(sorted(PLACES))}"
            )
        before = self.place_of(uid)
        if before != AWAY:
            self._piles[before].remove(uid)
        pile = self._piles.setdefault(place, [])
        pile.insert(len(pile) if position is None else position, uid)
        self._place[uid] = place
        for callback in tuple(self._watching):
            callback(uid, before, place)
