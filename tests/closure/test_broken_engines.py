"""Every engine of tests/broken is caught by the closure, within a family of a few faults."""

import pytest

from bench.closure.broken import CAUGHT, family_of
from bench.closure.explore import Explorer
from dealerbox.engine.view import view


def test_every_broken_engine_has_its_family(broken) -> None:
    assert set(CAUGHT) == set(broken.BROKEN)


@pytest.mark.parametrize("name", CAUGHT)
def test_a_broken_engine_is_caught_by_the_closure(broken, name: str) -> None:
    engine, by = broken.BROKEN[name][0], CAUGHT[name][1]
    found = Explorer(family_of(name), engine, stop_at_breach=True).run()
    assert any(breach.what.startswith(by) for breach in found.breaches), found.breaches


def test_an_engine_that_deals_counter_clockwise_is_caught_by_the_closure(explored, broken) -> None:
    found = explored(
        engine=broken.deals_counter_clockwise, face=broken.mirrored, stop_at_breach=True, seats=3, streets=1, eager=True
    )
    assert found.breaches


def test_the_engine_as_it_is_gives_nothing_away(explored) -> None:
    found = explored(face=view, streets=2, eager=True)
    assert found.breaches == []
