"""One fault a hand: which, when, and whether somebody was told."""

from collections.abc import Iterable
from random import Random
from typing import Final

from dealerbox.model.commands import Command, Hold, Notice, Refuse
from dealerbox.model.events import Event
from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.simulate.faults_by_hand import EVERY
from dealerbox.simulate.people import Acts, Dealer
from dealerbox.simulate.remedies import mend

AHEAD: Final = 3
"""How many more times than the rarest a kind may have been done: a rare moment must not keep the others waiting."""

RAREST: Final = 0.5
"""How often the rarest are tried before all others."""


class Mischief:
    """Does one fault of the wanted kinds in a hand, each kind about as often as the others.

    `injected` and `held` count by kind. Give it to the table as an observer too: it hears what is told.
    """

    def __init__(self, kinds: Iterable[str], rng: Random) -> None:
        self.injected = dict.fromkeys(kinds, 0)
        self.held = dict.fromkeys(self.injected, 0)
        self._rng = rng
        self._due: str = ""
        self._wait = 0
        self._told: dict[str, tuple[frozenset[Reason], str]] = {}
        """By kind of what was done and is not told yet: reasons of which one must be, and when it was done."""
        self._untold: list[str] = []
        self._hand = -1

    def at(self, moment: str, dealer: Dealer) -> Acts:
        """Do the fault that is due, where it fits."""
        if not self.injected or (dealer.by_hand and not dealer.given):
            return
        if self._hand != dealer.hands:  # what did not fit the hand before makes room for others
            self._hand = dealer.hands
            most = min(self.injected.values()) + (0 if self._rng.random() < RAREST else AHEAD)
            self._due = self._rng.choice([kind for kind, times in self.injected.items() if times <= most])
            self._wait = self._rng.randrange(4)
        dealer.moment = moment
        kind = EVERY.get(self._due)
        if kind is None or moment not in kind.moments or not kind.fits(dealer):
            return
        if self._wait and moment in ("card", "round", "gather"):
            self._wait -= 1
            return
        name, self._due = self._due, ""
        self.injected[name] += 1
        if kind.reasons:
            self._give_up(name)
            self._told[name] = kind.reasons, f"{dealer.table.now_ns / 1e9:.3f} s: {name} was done, and nobody was told"
        yield from kind.do(dealer)
        if not kind.reasons:
            self.held[name] += 1

    def over(self) -> list[str]:
        """End an evening: return what was done in it and never told."""
        for name in tuple(self._told):
            self._give_up(name)
        untold, self._untold = self._untold, []
        return untold

    def _give_up(self, name: str) -> None:
        if name in self._told:
            self._untold.append(self._told.pop(name)[1])

    def mend(self, dealer: Dealer, view: View) -> Acts:
        """Find the remedy for a hold."""
        return mend(dealer, view)

    def heard(self, _event: Event, commands: tuple[Command, ...]) -> None:
        """Take what is told: a fault counts as held when one of its reasons is."""
        for command in commands:
            if isinstance(command, Hold | Refuse | Notice):
                for name, (reasons, _) in tuple(self._told.items()):
                    if command.reason in reasons:
                        self.held[name] += 1
                        del self._told[name]
