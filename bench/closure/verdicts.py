"""`python -m bench.closure.verdicts`: write docs/verdicts.md, what the engine makes of each thing in each phase.

Every kind of event, every key and every ruling is put to every state of a few small families. New keys, rulings and
events come in by themselves.
"""

import typing
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Final

from msgspec.structs import fields, replace

from bench.closure.acts import BADGE
from bench.closure.explore import Explorer
from bench.closure.family import Family, setup_of
from bench.closure.located import READ
from bench.closure.world import World, stub
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, joker, token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Memory
from dealerbox.model.view import View
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, Zone, seat

PAGE: Final = Path(__file__).parents[2] / "docs" / "verdicts.md"
FAMILIES: Final = (
    Family("no fault"),
    Family("a card misplaced", first=("misplaced",), streets=1, eager=True),
    Family("the machine opened", first=("door",), streets=1, eager=True),
    Family("the station restarted", first=("restarted",), streets=1, eager=True),
)
EVERY: Final = 3
"""Of the states with a fault outstanding one in so many is asked, or the page would take a minute."""
PHASES: Final = ("closed", "opening", "between", "dealing", "betting", "showdown", "gathering")
ZONES: Final = (EXIT, INFEED, BOARD, BURN, MUCK, seat(1))
WORDS: Final = ("taken", "held", "refused", "told", "recorded")
HEAD: Final = """# Verdicts

What the engine makes of each event, key and ruling in each phase. Made by `python -m bench.closure.verdicts` from
the states of a few families of the closure (`bench/closure`); a test looks whether it is still so.

- **taken**: it changes what is known or asked for, or a command is given;
- **held**: nothing more leaves the shuffler, by reason;
- **refused**: what was asked is not done, by reason;
- **told**: a notice, by reason;
- **recorded**: the journal has it, and nothing else comes of it.

Several verdicts: it depends on the state.
"""

Verdicts = dict[tuple[str, str], dict[str, set[str]]]


class _Prober(Explorer):
    """Puts everything to each state that is looked at."""

    verdicts_found: Verdicts

    def _look(self, number: int, state: State, world: World, shown: View) -> None:
        if number % (EVERY if self.layer[number] else 1) == 0:
            probe(state, world, self.verdicts_found)


def probe(state: State, world: World, into: Verdicts) -> None:
    """Put everything to one state."""
    for name, event in asked(state, world):
        after, commands = step(state, replace(event, at_ns=READ["now_ns"](state)))
        verdict = into.setdefault((READ["phase"](state).value, name), {})
        said = False
        for command in commands:
            word = {cmd.Hold: "held", cmd.Refuse: "refused", cmd.Notice: "told"}.get(type(command))
            if word:
                verdict.setdefault(word, set()).add(command.reason.value)
                said = said or word != "told"
        if not said:
            same = all(getattr(state, name) == getattr(after, name) for name in _DECISIVE)
            verdict.setdefault("recorded" if same and not commands else "taken", set())


_DECISIVE: Final = tuple(name for name in State.__struct_fields__ if name not in ("now_ns", "refused", "out_commands"))


def asked(state: State, world: World) -> Iterator[tuple[str, ev.Event]]:
    """Everything that can be told or asked."""
    for key in Key:
        yield f"key {key.value}", ev.KeyPressed(0, key, 1, BADGE)
    for ruling in Ruling:
        yield f"ruling {ruling.value}", ev.Ruled(0, ruling=ruling, by="director", reason="so", seat=1, seats=(1, 2))
    hand = world.open_hand
    cards = {"a card of the stub": stub(world)[:1], "a foreign tag": [Token(17)], "a joker": [joker(world.deck, 1)]}
    cards["a card of the other deck"] = [token(3 - world.deck, 1)]
    cards["the card let out"] = [hand.flying] if hand and hand.flying else []
    cards["a card dealt before"] = list(hand.homes)[:1] if hand else []
    for word, found in cards.items():
        for zone in ZONES if found else ():
            yield f"CardsSeen, {word}", ev.CardsSeen(0, zone, tuple(found))
    for kind in typing.get_args(ev.AnyEvent):
        if kind not in (ev.KeyPressed, ev.Ruled, ev.CardsSeen):
            for event in made(kind, READ["memory"](state).pending):
                yield kind.__name__, event


def made(kind: type[ev.Event], pending: int) -> Iterator[ev.Event]:
    """Return events of a kind: each value of its first enumerated field, yes and no; else what is plainest."""
    hints = typing.get_type_hints(kind)
    plain = {field.name: _plain(hints[field.name], field.name, pending) for field in fields(kind)}
    choices = [(name, list(hint)) for name, hint in hints.items() if isinstance(hint, type) and issubclass(hint, Enum)]
    choices += [(name, [True, False]) for name, hint in hints.items() if hint is bool]
    if not choices:
        yield kind(**plain)
    for name, values in choices:
        yield from (kind(**{**plain, name: value}) for value in values)


def _plain(hint: Any, name: str, pending: int) -> Any:
    if name in ("setup", "memory"):
        return {"setup": SETUP, "memory": Memory(session=99)}[name]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    if hint is Zone:
        return BOARD
    if hint is bool:
        return True
    if hint is str:
        return "shuffler" if name == "device" else "so"
    if hint is int:
        return pending if name == "id" else 1
    return ()


SETUP: Final = setup_of(FAMILIES[0])


def found() -> Verdicts:
    """Return the verdicts of all families."""
    verdicts: Verdicts = {}
    for family in FAMILIES:
        prober = _Prober(family)
        prober.verdicts_found = verdicts
        prober.run()
    state, _ = step(State(), ev.Started(1, setup=SETUP, memory=Memory(session=1)))
    told = ev.Ruled(2, ruling=Ruling.CLOSE, by="director", reason="so")
    probe(step(state, told)[0], World(), verdicts)
    return verdicts


def page(verdicts: Verdicts) -> str:
    """Return docs/verdicts.md."""
    lines = [HEAD]
    for phase in PHASES:
        lines += [f"## {phase}", "", "| what | verdict |", "|---|---|"]
        for (where, name), verdict in verdicts.items():
            if where == phase:
                words = [_word(word, verdict[word]) for word in WORDS if word in verdict]
                lines.append(f"| {name} | {'; '.join(words)} |")
        lines.append("")
    return "\n".join(lines)


def _word(word: str, reasons: set[str]) -> str:
    return f"{word} ({', '.join(sorted(reasons))})" if reasons else word


if __name__ == "__main__":
    PAGE.write_text(page(found()), "utf-8")
