"""Engines that leak, to see that a leak is noticed."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from bench.secrecy import same
from bench.secrecy.channels import Said, Taps
from dealerbox.engine.facts import in_hand
from dealerbox.model.commands import Lamp
from dealerbox.simulate.run import ENGINE
from dealerbox.simulate.table import Engine


@pytest.fixture(scope="session")
def wired_night() -> list[Said]:
    """All that left a station in an evening of one hand over the daemon's own wires."""
    said: list[Said] = []
    assert same.over_wires("suite", 1, Taps(said.append), tags=same.pack_tags()) == 1
    return said


def _card(state: Any) -> int:
    """Return the token of a card that lies at a seat; 0 where there is none."""
    return next((card for card, record in state.out.items() if record.at.startswith("seat:")), 0)


def _engine(spoil: Callable[[Any, Any], Any]) -> Engine:
    return replace(
        ENGINE, view=lambda state: spoil(state, ENGINE.view(state)) if in_hand(state) else ENGINE.view(state)
    )


LEAKS = {
    "a token in the prompt": lambda state, view: replace(view, prompt=f"{view.prompt} ({_card(state)})"),
    "a lamp by what card it is": lambda state, view: replace(view, lamp=Lamp.AMBER if _card(state) % 2 else view.lamp),
    "a count with one card weighed": lambda state, view: replace(view, burns=view.burns + (_card(state) % 13 == 0)),
}


@pytest.fixture(params=LEAKS)
def leaky(request: pytest.FixtureRequest) -> Engine:
    """The engine with a view that says a little of a card that lies face down."""
    return _engine(LEAKS[request.param])


@pytest.fixture
def tells_tokens() -> Engine:
    """The engine with a token in the prompt."""
    return _engine(LEAKS["a token in the prompt"])
