"""`objects`: what the collector must look at does not grow from hand to hand, and is frozen in the daemon."""

import gc
import statistics

from bench.evening import events
from bench.instructions import Inline
from bench.start import frozen
from dealerbox.engine.state import State
from dealerbox.model.events import KeyPressed
from dealerbox.model.keys import Key
from dealerbox.station.build import core_of
from dealerbox.station.tokens import Tokens

HANDS = 200
GATE = 0.5
"""Objects a hand: less than one in two hands is noise."""


def at_each_start(hands: int) -> list[int]:
    """Return the count of tracked objects at each START of an evening that a core is told."""
    story = events(hands=hands)
    journal = Inline()
    core = core_of(
        State(),
        journal=journal,
        devices=(),
        clock=lambda: 0,
        tokens=Tokens((), b"k" * 32),
        wake=lambda at_ns: None,
        fault=lambda why: exit(why),
    )
    counts: list[int] = []
    for event in story:
        core.handle(event)
        core.durable(journal.seq)
        if isinstance(event, KeyPressed) and event.key is Key.START:
            gc.collect()
            counts.append(len(gc.get_objects()))
    return counts


def figure(hands: int = HANDS) -> dict[str, object]:
    """Return tracked objects at each START of an evening, their growth a hand, and those frozen in the daemon."""
    counts = at_each_start(hands)
    later = counts[len(counts) // 4 :]  # the first hands fill caches
    growth = statistics.linear_regression(range(len(later)), later).slope
    frozen_objects = frozen()
    return {
        "figure": "objects",
        "hands": len(counts),
        "tracked_first": counts[0],
        "tracked_last": counts[-1],
        "growth_per_hand": round(growth, 3),
        "gate": GATE,
        "frozen_in_daemon": frozen_objects,
        "passes": growth <= GATE and frozen_objects > 0,
    }
