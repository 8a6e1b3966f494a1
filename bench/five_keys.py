"""The dealer's five keys at every prompt that is reached: `python -m bench.five_keys [HANDS]`.

States are collected over the logs of tests/incidents and over hands of `bench.lawful`, all with faults: a few of each
kind, as the panel shows it. At each: GO, NO and the menu say nothing that comes to nothing; whatever key would be taken
is one of theirs; and no key pressed twice does a second thing. Prints one JSON line; exit 1 when anything was found.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.lawful.proof import Engine, prove
from bench.lawful.variations import chosen
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model.commands import Command, Refuse
from dealerbox.model.events import Event, KeyPressed, Tick
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.station.replay import play

LOGS: Final = Path(__file__).parents[1] / "tests" / "incidents"
OWN: Final = frozenset({Key.ACTION, Key.COUNT, Key.DECK, Key.AWARD})
"""Keys that have a button in every prompt: AWARD is GO held."""
SAME: Final[dict[Key, Key]] = {Key.ACK: Key.CUT, Key.START: Key.ACK}
"""A key that is taken where another is asked for: the cut is confirmed by either; a count need not be, for a hand."""
ANSWERS: Final = frozenset({Reason.MISDEAL_TOO_LATE, Reason.DECK_NOT_NEW})
"""Refusals that are an answer of the law, on record: by C9 of the page and T1."""
AGAIN: Final = frozenset({Key.ACTION, Key.NO, Key.ACK})
"""Keys that may mean something twice: another player acted, another question is answered."""
AGAIN_NS: Final = 500_000_000
PASSES: Final = ("refused", "out_commands", "turn", "wakes", "now_ns", "undo", "clock_ns")
DECIDES: Final = tuple(name for name in State.__struct_fields__ if name not in PASSES)


class _Watched(Engine):
    """The engine, with its states kept by what the panel shows of them."""

    def __init__(self, kept: "Kept") -> None:
        super().__init__()
        self._kept = kept

    def __call__(self, event: Event) -> tuple[Command, ...]:
        commands = super().__call__(event)
        self._kept.see(self.state)
        return commands


class Kept:
    """States, a few of each kind."""

    def __init__(self, each: int = 2) -> None:
        self.states: dict[tuple[object, ...], list[State]] = {}
        self._each = each

    def see(self, state: State) -> None:
        shown = view(state)
        keys = tuple((choice.key, bool(choice.seats)) for choice in shown.menu)
        reasons = tuple(held.reason for held in state.holds)
        alike = self.states.setdefault((shown.prompt_code, shown.phase, shown.lit, keys, shown.go, reasons), [])
        if len(alike) < self._each:
            alike.append(state)

    def __iter__(self) -> Iterator[State]:
        return (state for alike in self.states.values() for state in alike)


def reached(hands: int, seeds: tuple[str, ...] = ("c", "d"), logs: str = "*/*.jsonl") -> Kept:
    """Return the states that logs (a pattern, below tests/incidents) and so many hands of each seed come to."""
    kept = Kept()
    for log in sorted(LOGS.glob(logs)):
        for decision in play(log.read_bytes().splitlines(keepends=True), log.name):
            kept.see(decision.state)
    for seed in seeds:
        prove(hands, seed, chosen(frozenset(), frozenset(), True), lambda: _Watched(kept))
    return kept


def pressed(state: State, key: Key, seat: int = 0) -> tuple[State, Reason | None]:
    """Return the state after a key, and why it was refused; None: it was taken."""
    after, commands = step(state, KeyPressed(state.now_ns, key, seat, "7"))
    return after, next((told.reason for told in commands if isinstance(told, Refuse)), None)


def offered(shown: View) -> set[tuple[Key, int]]:
    """Return what the five keys can say, with the seat that they name; 0: none."""
    said = {(key, 0) for key in OWN} | {(shown.go, 0)}
    if Key.NO in shown.lit:
        said.add((Key.NO, 0))
    return said | {(choice.key, number) for choice in shown.menu for number in choice.seats or (0,)}


def findings(state: State) -> Iterator[str]:
    """Yield what is wrong with the five keys in a state."""
    shown = view(state)
    said, where = offered(shown), f"at {shown.prompt_code}"
    for key in shown.lit:
        _, why = pressed(state, key)
        if why not in ANSWERS | {None}:
            yield f"{where} {key} is lit, and refused as {why}"
        if key not in {one for one, _ in said}:
            yield f"{where} {key} is lit, and none of the five keys says it"
    for choice in shown.menu:
        for number in choice.seats or (0,):
            _, why = pressed(state, choice.key, number)
            if why not in ANSWERS | {None}:
                yield f"{where} the menu has {choice.key}, and it is refused as {why}"
    for key in Key:
        after, why = pressed(state, key)
        named = any(one is key for one, _ in said) or (SAME.get(key, key), 0) in said
        if why is None and not named:
            yield f"{where} {key} is taken, and none of the five keys says it"
        if (
            why is None
            and key not in AGAIN
            and not (key is Key.RETRIEVE and _asks_of_a_hand(after))
            and not _same(state, after)
        ):
            yield from _twice(after, key, where)


def _asks_of_a_hand(after: State) -> bool:
    """Tell whether the panel asks about one more mucked hand: RETRIEVE answers that, as ACK does another question."""
    return view(after).prompt_code == "half_muck" or any(h.reason is Reason.DEAD_CARD_BACK for h in after.holds)


def _twice(after: State, key: Key, where: str) -> Iterator[str]:
    """Yield where a key does a second thing, pressed again half a second later."""
    until_ns = after.now_ns + AGAIN_NS
    while after.wakes and after.wakes[0] <= until_ns:
        after, _ = step(after, Tick(after.wakes[0]))
    after, _ = step(after, Tick(until_ns))
    second, why = pressed(after, key)
    if why is None and not _same(after, second):
        yield f"{where} {key} pressed twice goes on to {view(second).prompt_code}"


def _same(before: State, after: State) -> bool:
    return all(getattr(before, name) == getattr(after, name) for name in DECIDES)


def main(words: list[str]) -> int:
    """Look at every state that is reached."""
    kept, found = reached(int(words[0]) if words else 500), Counter[str]()
    for state in kept:
        found.update(findings(state))
    states = sum(1 for _ in kept)
    print(json.dumps({"five_keys": states, "kinds": len(kept.states), "found": dict(found.most_common())}))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
