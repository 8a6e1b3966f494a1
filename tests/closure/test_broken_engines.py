"""Every engine of tests/broken is caught by the closure, within a family of a few faults."""

import pytest

from dealerbox.engine.view import view

CAUGHT: dict[str, tuple[dict, str]] = {
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
}


ELSEWHERE: dict[str, str] = {
    "deals on after a proof without the count": "the world of the closure does not follow which counts are owed; "
    "the checker of dealerbox.simulate does (tests/broken)",
}
"""Caught by another proof alone, and why."""


def test_every_broken_engine_has_its_family_or_is_caught_elsewhere(broken) -> None:
    assert set(CAUGHT) | set(ELSEWHERE) == set(broken.BROKEN)


@pytest.mark.parametrize("name", CAUGHT)
def test_a_broken_engine_is_caught_by_the_closure(explored, broken, name: str) -> None:
    family, by = CAUGHT[name]
    engine = broken.BROKEN[name][0]
    found = explored(engine=engine, stop_at_breach=True, **{"streets": 1, "eager": True, **family})
    assert any(breach.what.startswith(by) for breach in found.breaches), found.breaches


def test_an_engine_that_deals_counter_clockwise_is_caught_by_the_closure(explored, broken) -> None:
    found = explored(
        engine=broken.deals_counter_clockwise, face=broken.mirrored, stop_at_breach=True, seats=3, streets=1, eager=True
    )
    assert found.breaches


def test_the_engine_as_it_is_gives_nothing_away(explored) -> None:
    found = explored(face=view, streets=2, eager=True)
    assert found.breaches == []
