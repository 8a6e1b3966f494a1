"""`python -m bench.closure broken`: each engine of tests/broken, and the state in which the closure catches it.

One JSON line an engine: the family, how many states it took, which property does not hold, the shortest way there.
Exit 1 when one is not caught, or not by the property that it breaks.
"""

import importlib.util
import os
import sys
from multiprocessing import Pool
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec

from bench.closure.explore import Explorer
from bench.closure.family import Family

SOURCE: Final = Path(__file__).parents[2] / "tests" / "broken" / "test_broken_engines.py"

CAUGHT: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "takes every card for the right one": ({"first": ("misplaced",)}, "P1"),
    "forgets the burn": ({"first": ("misplaced",), "streets": 2}, "P1"),
    "burns what is for the board": ({"first": ("misplaced",), "streets": 2}, "P1"),
    "does not see cards stray": ({"first": ("strayed",)}, "P1"),
    "does not see dead cards come back": ({"first": ("mucked",), "seats": 3, "streets": 2}, "P1"),
    "does not see burns in the muck": ({"first": ("strayed",), "streets": 2}, "P1"),
    "does not watch the button": ({"first": ("button",)}, "P1"),
    "deals with any button": ({"first": ("button",)}, "P1"),
    "deals strangers": ({"first": ("foreign",)}, "P1"),
    "deals without NEXT": ({"streets": 2}, "P1"),
    "deals without START": ({}, "P1"),
    "believes that cards arrive": ({"first": ("unseen",)}, "P1"),
    "trusts the table after a restart": ({"first": ("restarted",)}, "P5"),
    "does not miss its devices": ({"first": ("deaf",)}, "P1"),
    "ignores MISDEAL": ({"first": ("keys",)}, "P1"),
    "ignores UNDO": ({"first": ("keys",), "streets": 2}, "P1"),
    "ignores MANUAL": ({"first": ("manual",)}, "P1"),
    "drops its holds": ({"first": ("misplaced",)}, "P1"),
    "calls a card missing at first sight": ({"first": ("count",)}, "P7"),
    "holds for nothing": ({"seats": 3}, "P2"),
    "deals on after a proof without the count": ({"first": ("door",)}, "P1"),
}
"""Broken engine -> what of a small family is not as usual, and the property by which it is caught."""


class Caught(msgspec.Struct):
    """How one engine was caught."""

    broken: str
    states: int
    transitions: int
    caught: bool
    breach: str = ""
    path: list[str] = []


def engines() -> ModuleType:
    """Return the module that builds the broken engines."""
    spec = importlib.util.spec_from_file_location("broken_engines", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def family_of(name: str) -> Family:
    """Return the family in which an engine is caught."""
    return Family(name, **{"streets": 1, "eager": True, **CAUGHT[name][0]})


def caught(name: str) -> Caught:
    """Explore with one engine until it gives itself away."""
    explorer = Explorer(family_of(name), engines().BROKEN[name][0], stop_at_breach=True)
    found = explorer.run()
    breach = next((one for one in found.breaches if one.what.startswith(CAUGHT[name][1])), None)
    if breach is None:
        return Caught(name, found.states, found.transitions, False)
    return Caught(name, found.states, found.transitions, True, breach.what, breach.path)


def all_caught() -> bool:
    """Explore with every broken engine, and say of each by what it is caught."""
    known = set(engines().BROKEN)
    sound = known == set(CAUGHT)
    if not sound:
        print(f"closure: CAUGHT must name {sorted(known ^ set(CAUGHT))}", file=sys.stderr)
    with Pool(os.cpu_count() or 1) as pool:
        for one in pool.imap(caught, sorted(known & set(CAUGHT)), chunksize=1):
            print(msgspec.json.encode(one).decode(), flush=True)
            sound = sound and one.caught
    return sound
