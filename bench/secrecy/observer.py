"""Somebody who knows every past showdown and reads every channel, and guesses the cards that lie face down.

More than anybody can read is given to him: the journal, record by record, while the hand is open. He sits at a seat,
knows his own cards and the board, and after each hand the cards of those who show. He guesses each hole card of the
others and each burn in some ways that would work if tokens stayed with their cards, or were dealt in an order. Chance
is one in as many cards as he cannot see.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random
from typing import Any, Final

import msgspec

from bench.secrecy.channels import LOG, Said, Taps
from bench.secrecy.quick import QuickTable, evenings
from dealerbox.engine.state import State
from dealerbox.model.cards import Uid
from dealerbox.model.events import Event
from dealerbox.simulate.evening import Evening

ALPHA_Z: Final = 3.09
"""One false alarm in a thousand, for each way of guessing."""
POWER_Z: Final = 1.645
"""Beyond it, 95 in 100 of what is there are noticed."""
SHOWS: Final = 0.5
"""How often a player shows his cards after the hand."""


class Round(msgspec.Struct, frozen=True):
    """What the observer has when he guesses."""

    targets: Mapping[int, str]
    """Token -> where it lies."""
    known: Mapping[int, Uid]
    """Tokens of this hand whose cards he sees."""
    past: Mapping[int, Sequence[Uid]]
    """Token -> the cards that it was at past showdowns, the latest last."""
    places: Mapping[str, Uid]
    """Place -> the card that was last seen there."""
    unseen: Sequence[Uid]
    """The cards that he does not see now, ascending."""


def most_often(round_: Round, token: int) -> Uid | None:
    """The card that this token was most often."""
    cards = [uid for uid in round_.past.get(token, ()) if uid in round_.unseen]
    return max(cards, key=cards.count) if cards else None


def last_time(round_: Round, token: int) -> Uid | None:
    """The card that this token was last."""
    return next((uid for uid in reversed(round_.past.get(token, ())) if uid in round_.unseen), None)


def same_place(round_: Round, token: int) -> Uid | None:
    """The card that lay there before."""
    uid = round_.places.get(round_.targets[token])
    return uid if uid in round_.unseen else None


def between_neighbours(round_: Round, token: int) -> Uid | None:
    """The card that is as far between those he sees as its token is between theirs."""
    everything = sorted([*round_.known.values(), *round_.unseen])
    at = {number: everything.index(uid) for number, uid in round_.known.items()}
    below, above = max((n for n in at if n < token), default=None), min((n for n in at if n > token), default=None)
    if below is None or above is None:
        return None
    wanted = at[below] + (at[above] - at[below]) * (token - below) / (above - below)
    return min(round_.unseen, key=lambda uid: abs(everything.index(uid) - wanted))


WAYS: Final[Mapping[str, Callable[[Round, int], Uid | None]]] = {
    "most_often": most_often,
    "last_time": last_time,
    "same_place": same_place,
    "between_neighbours": between_neighbours,
}


class Guessed(msgspec.Struct, frozen=True):
    """How well one way of guessing did."""

    way: str
    guesses: int
    hits: int
    chance: float
    """Hits that chance gives."""
    z: float
    """By how many standard deviations there are more."""
    noticed: float
    """The share of cards that somebody must know beyond chance to be noticed 95 times in 100."""
    size: float
    """How often the test cries at 1 % where there is nothing: measured by dealing the unseen cards anew."""

    @property
    def knows(self) -> bool:
        """Tell whether this is more than chance."""
        return self.z > ALPHA_Z


class Observer:
    """Sits at a `QuickTable`, evening after evening."""

    def __init__(self, seed: str) -> None:
        self._rng = Random(f"{seed}:observer")
        self._past: dict[int, list[Uid]] = {}
        self._places: dict[str, Uid] = {}
        self._sights: dict[int, str] = {}
        self._truth: dict[int, Uid] = {}
        self._table: QuickTable | None = None
        self.tried: dict[str, list[tuple[Sequence[Uid], Sequence[Uid], Sequence[Uid]]]] = {way: [] for way in WAYS}
        """Way -> of each hand what was guessed, what it was, and what it could have been."""

    def sit_down(self, _evening: Evening, table: QuickTable) -> None:
        """Take part in an evening: its key is another, and what was known of tokens is worth nothing."""
        self._table = table
        self._past, self._places, self._sights, self._truth = {}, {}, {}, {}

    def heard(self, said: Said) -> None:
        """Read a channel."""
        if said.channel != LOG or b'"CardsSeen"' not in said.data:
            return
        event: dict[str, Any] = msgspec.json.decode(said.data)["event"]
        zone = event["zone"]
        if zone in ("board", "burn") or zone.startswith("seat:"):
            for token in event["tokens"]:
                self._sights.setdefault(token, zone)

    def stepped(self, before: State, _event: Event, after: State) -> None:
        """A hand ends when the next begins; then its cards have their tokens."""
        if after.hand != before.hand:
            self._end()
            self._sights, self._truth = {}, {}
        elif after.hand and not self._truth and self._table:
            tags = next(deck.cards for slot, deck in self._table.tokens._decks.items() if slot == after.deck)
            self._truth = {self._table.tokens.of(uid): uid for uid in tags}

    def _end(self) -> None:
        sights = {token: zone for token, zone in self._sights.items() if token in self._truth}
        seats = sorted({zone for zone in sights.values() if zone.startswith("seat:")})
        if len(seats) < 2:
            return
        own = self._rng.choice(seats)
        known = {token: self._truth[token] for token, zone in sights.items() if zone in (own, "board")}
        targets = {token: zone for token, zone in sights.items() if token not in known}
        unseen = sorted(set(self._truth.values()) - set(known.values()))
        round_ = Round(targets, known, self._past, self._places, unseen)
        actual = [self._truth[token] for token in targets]
        for way, guess in WAYS.items():
            guessed = [guess(round_, token) or self._rng.choice(unseen) for token in targets]
            self.tried[way].append((guessed, actual, unseen))
        shown = {seat for seat in seats if self._rng.random() < SHOWS} | {own, "board"}
        for token, zone in sights.items():
            if zone in shown:
                self._past.setdefault(token, []).append(self._truth[token])
                self._places[zone] = self._truth[token]

    def result(self, trials: int) -> list[Guessed]:
        """Return how well each way did; the test's size from so many deals of the unseen cards."""
        return [self._judged(way, tried, trials) for way, tried in self.tried.items()]

    def _judged(
        self, way: str, tried: Sequence[tuple[Sequence[Uid], Sequence[Uid], Sequence[Uid]]], trials: int
    ) -> Guessed:
        number = sum(len(guessed) for guessed, _, _ in tried)
        chance = sum(len(guessed) / len(unseen) for guessed, _, unseen in tried)
        spread = sqrt(sum(len(guessed) * (len(unseen) - 1) / len(unseen) ** 2 for guessed, _, unseen in tried))

        def z(hits: int) -> float:
            return (hits - chance) / spread

        def hit(guessed: Sequence[Uid], actual: Sequence[Uid]) -> int:
            return sum(mine == theirs for mine, theirs in zip(guessed, actual, strict=True))

        hits = sum(hit(guessed, actual) for guessed, actual, _ in tried)
        false = sum(
            z(sum(hit(guessed, self._rng.sample(unseen, len(guessed))) for guessed, _, unseen in tried)) > 2.326
            for _ in range(trials)
        )
        return Guessed(
            way=way,
            guesses=number,
            hits=hits,
            chance=round(chance, 1),
            z=round(z(hits), 2),
            noticed=round((ALPHA_Z + POWER_Z) * spread / number, 5),
            size=false / trials if trials else 0.0,
        )


def guess(seed: str, hands: int, *, trials: int = 0, **more: Any) -> list[Guessed]:
    """Play so many hands under an observer's eyes and return how well he guessed; `more` goes to QuickTable."""
    observer = Observer(seed)
    taps = Taps(observer.heard)
    evenings(seed, hands, taps, seats=(10, 10), seen=observer.sit_down, stepped=observer.stepped, **more)
    observer._end()
    return observer.result(trials)
