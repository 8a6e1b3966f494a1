"""docs/verdicts.md says what the engine does, of everything that can be told or asked, in every phase."""

import typing

import pytest

from bench.closure import verdicts
from dealerbox.engine.phases import Phase
from dealerbox.model.events import AnyEvent, CardsSeen, KeyPressed, Ruled
from dealerbox.model.keys import Key, Ruling


@pytest.fixture(scope="module")
def found() -> verdicts.Verdicts:
    return verdicts.found()


def test_the_page_says_what_the_engine_does(found) -> None:
    now = verdicts.page(found)
    assert verdicts.PAGE.read_text("utf-8") == now, "write docs/verdicts.md anew: make pages"


def test_every_event_key_and_ruling_has_a_verdict_in_every_phase(found) -> None:
    names = {f"key {key.value}" for key in Key} | {f"ruling {ruling.value}" for ruling in Ruling}
    names |= {kind.__name__ for kind in typing.get_args(AnyEvent)} - {
        kind.__name__ for kind in (CardsSeen, KeyPressed, Ruled)
    }
    names |= {"CardsSeen, a foreign tag", "CardsSeen, a joker", "CardsSeen, a card of the stub"}
    for phase in Phase:
        told = {name for where, name in found if where == phase.value}
        assert names - told == set(), phase
    assert all(found.values())
