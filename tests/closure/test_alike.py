"""States that the key takes for one behave alike, every one of a family; one that forgets too much is found out."""

from typing import Any

import pytest
from msgspec.structs import replace

from bench.closure import fold
from bench.closure.alike import alike
from bench.closure.family import Family
from dealerbox.engine.state import State

BEFORE_THE_FLOP: dict[str, Any] = {"streets": 1, "eager": True}


@pytest.mark.parametrize("kind", ["void", "button", "late"])
def test_states_of_one_key_behave_alike(kind: str) -> None:
    found = alike(Family("small", first=(kind,), **BEFORE_THE_FLOP))
    assert (found.complete, found.different) == (True, [])
    assert found.keys < found.states / 2


def test_a_key_that_forgets_what_is_still_asked_for_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    lawful = fold.remembered

    def forgetful(state: State, undone: bool) -> State:
        return replace(lawful(state, undone), acted=False)

    monkeypatch.setattr(fold, "remembered", forgetful)
    assert alike(Family("small", first=("button",), **BEFORE_THE_FLOP)).different
