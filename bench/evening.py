"""A lawful evening's events, once made by the simulated table: the same input for every figure."""

import io
from functools import cache

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.model.events import Event
from dealerbox.simulate.run import simulate
from dealerbox.station.entry import decode


@cache
def events(hands: int = 12, seats: str = "9", seed: int = 1) -> tuple[Event, ...]:
    """Return the events of `hands` lawful hands, told one after another to one table."""
    log = io.StringIO()
    simulate(hands, seats, seed, log=log)
    return tuple(decode(line.encode()).event for line in log.getvalue().splitlines())


def played(story: tuple[Event, ...]) -> State:
    """Return the state after `story`."""
    state = State()
    for event in story:
        state, _ = step(state, event)
    return state
