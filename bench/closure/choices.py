"""Everything that can happen next: what the machine answers, what people do, the faults that may come, time."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from msgspec.structs import replace

from bench.closure import machine
from bench.closure.acts import Facts
from bench.closure.family import Family, setup_of
from bench.closure.located import READ
from bench.closure.mishaps import KINDS
from bench.closure.people import honest, next_name
from bench.closure.seldom import SELDOM
from bench.closure.world import Move, World
from dealerbox.engine.state import Deck, State
from dealerbox.model import events as ev
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.view import View

EVERY: Final = {**KINDS, **SELDOM}
"""Kinds of fault by name."""
STREETS: Final = ("preflop", "flop", "turn", "river")


class Choices:
    """What can happen at the table of one family."""

    def __init__(self, family: Family) -> None:
        self.family, self.setup = family, setup_of(family)
        self._manual = "manual" in (*family.first, *family.second)
        self._lists = cache(self._lists_of)

    def moves(self, state: State, world: World, shown: View, layer: int) -> Iterator[Move]:
        """Everything that can happen now; `layer`: faults outstanding, -1: no fault may come any more."""
        facts = self.facts(state)
        quick = [*machine.answers(world), *machine.greeted(world, READ["memory"](state))]
        yield from quick
        yield from self._faults(state, world, shown, layer, facts)
        if quick and self.family.eager:
            return
        for move in honest(world, shown, facts):
            if move.label == "next" and shown.street and not self._may_go_on(shown):
                yield from honest_end(world)
            else:
                yield move
        house = self.setup.house
        wakes, now = READ["wakes"](state), READ["now_ns"](state)
        scan = house.scan_ms * 1_000_000
        if wakes and wakes[0] - now <= scan:
            yield Move("a scan", world, (), "", scan)
            if self.family.eager:
                return
        yield Move("it settles", world, (), "", house.settling_ms * 1_000_000 + 2 * scan)

    def _faults(self, state: State, world: World, shown: View, layer: int, facts: Facts) -> Iterator[Move]:
        if layer >= 0 and (layer or self._in_window(shown)):
            for kind in self.family.second if layer else self.family.first:
                yield from EVERY[kind](world, shown, facts)

    def _may_go_on(self, shown: View) -> bool:
        return STREETS.index(shown.street) + 1 < self.family.streets

    def _in_window(self, shown: View) -> bool:
        street = STREETS.index(shown.street) if shown.street else 0
        return self.family.since <= street < self.family.until

    def facts(self, state: State) -> Facts:
        """Return what people know beside the panel."""
        setup, renewed = self._lists(READ["decks"](state))
        now_s = READ["now_ns"](state) // 1_000_000_000
        return Facts(setup, READ["deck"](state), renewed, READ["memory"](state).session, now_s, self._manual)

    def _lists_of(self, decks: tuple[Deck, ...]) -> tuple[Setup, Setup]:
        """Return the setup as it is by now, and as it ought to be: two decks, other backs, a new one for each out."""
        setup = self.setup
        names = tuple(DeckInfo(slot=deck.slot, name=deck.name, back=deck.back) for deck in decks)
        renewed = tuple(
            replace(info, name=next_name(info.name)) if deck.status in ("used", "quarantined") else info
            for deck, info in zip(decks, names, strict=True)
        )
        renewed = tuple(replace(info, back=f"back {info.slot}") for info in renewed)
        if len(renewed) == 1:
            renewed = (*renewed, DeckInfo(slot=2, name="2.1", back="back 2"))
        return replace(setup, decks=names), setup if renewed == setup.decks else replace(setup, decks=renewed)


def honest_end(world: World) -> Iterator[Move]:
    """Where a family's hand goes no further, its pot is awarded."""
    yield Move("award", world, (ev.KeyPressed(0, ev.Key.AWARD, 0, "7"),))
