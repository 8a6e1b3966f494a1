"""`objects`: what the collector must look at does not grow from hand to hand."""

import gc
import statistics

from bench.evening import events
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.model.events import KeyPressed
from dealerbox.model.keys import Key

HANDS = 40


def figure() -> dict[str, object]:
    """Return tracked objects at each START of an evening of one deck, and their growth a hand."""
    story = events(hands=HANDS)
    state = State()
    counts: list[int] = []
    gc.collect()
    for event in story:
        state, _ = step(state, event)
        if isinstance(event, KeyPressed) and event.key is Key.START:
            gc.collect()
            counts.append(len(gc.get_objects()))
    later = counts[len(counts) // 2 :]
    growth = statistics.linear_regression(range(len(later)), later).slope
    return {
        "figure": "objects",
        "hands": len(counts),
        "tracked_first": counts[0],
        "tracked_last": counts[-1],
        "growth_per_hand": round(growth, 3),
        "gate": 0.5,
        "passes": abs(growth) <= 0.5,
    }
