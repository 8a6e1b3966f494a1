"""The closure in small reaches its fixed point, and says what is wrong with an engine that is broken."""

import pytest
from msgspec.structs import replace

from bench.closure.choices import EVERY
from bench.closure.explore import Explorer
from bench.closure.families import families, pairs, seldom
from bench.closure.family import Family
from bench.closure.mishaps import KINDS
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.model.commands import Command
from dealerbox.model.events import Event
from dealerbox.model.setup import Dispense

BEFORE_THE_FLOP = {"streets": 1, "eager": True}
FOR = {
    "a used deck at the infeed": "deck_used",
    "a used deck listed again": "deck_used",
    "one tag on two cards": "duplicate_tag",
    "a mucked card is sent back": "too_few_cards",
}
"""What these families are there for."""


def test_a_faultless_evening_is_closed_and_holds_nothing(explored) -> None:
    found = explored()
    assert (found.complete, found.breaches, found.held) == (True, [], 0)
    assert found.states > 200


def test_a_fault_that_is_over_is_outstanding_no_more() -> None:
    """The states of layer 1 lead back to layer 0 by what people can do: P7 looks at each."""
    found = Explorer(Family("small", first=("misplaced",), **BEFORE_THE_FLOP)).run()
    assert (found.complete, found.breaches) == (True, [])
    assert found.layers[1] > found.layers[0]


def test_two_faults_at_once_are_a_layer_of_their_own(explored) -> None:
    found = explored(first=("missing",), second=("door",), streets=1, eager=True)
    assert (found.complete, found.breaches, len(found.layers)) == (True, [], 3)
    assert "card_missing" in found.reasons


@pytest.mark.parametrize("way", [Dispense.GROUP, Dispense.HAND])
def test_an_evening_dealt_another_way_is_closed_and_a_card_misplaced_in_it_too(explored, way) -> None:
    found = explored(dispense=way, first=("misplaced",), streets=1, eager=True)
    assert (found.complete, found.breaches) == (True, [])
    assert "wrong_seat" in found.reasons


def test_by_hand_the_panel_may_not_ask_for_the_next_card_while_one_lies_wrong(explored, broken) -> None:
    engine = broken.BROKEN["does not see cards stray"][0]
    found = explored(engine=engine, dispense=Dispense.HAND, first=("strayed",), streets=1, eager=True)
    assert any(breach.what.startswith("P1: a card of seat:") for breach in found.breaches)


@pytest.mark.parametrize("family", seldom(), ids=lambda family: family.name)
def test_what_is_seldom_is_closed(family) -> None:
    found = Explorer(family).run()
    assert (found.complete, found.breaches) == (True, [])
    assert not {FOR[name] for name in FOR if name == family.name} - set(found.reasons)


@pytest.mark.parametrize("kind", ["strayed", "restarted", "door", "late", "keys"])
def test_states_that_are_taken_for_one_behave_alike(kind) -> None:
    """The folding merges nothing that matters: each double, looked at, leads where the first one leads."""
    explorer = Explorer(Family("small", first=(kind,), **BEFORE_THE_FLOP), sample=23)
    assert explorer.run().complete
    key_of = {number: key for key, number in explorer.index.items()}
    led: dict[int, set[bytes]] = {}
    for source, target in zip(explorer.sources, explorer.targets, strict=True):
        led.setdefault(source, set()).add(key_of[target])
    assert explorer.doubled
    for number, keys in explorer.doubled:
        assert set(keys) - {key_of[number]} == led.get(number, set()), explorer.path(number)


EARLY = {"premature_burn", "premature_flop", "premature_turn", "premature_river"}


def test_a_street_that_came_too_early_goes_back_and_the_law_of_the_hand_is_followed_still(explored) -> None:
    found = explored(first=("premature",), eager=True)
    assert (found.complete, found.breaches) == (True, [])
    assert set(found.reasons) >= EARLY


def test_a_stub_that_is_not_cut_after_cards_went_back_into_it_is_a_breach(explored) -> None:
    def uncut(state: State, event: Event) -> tuple[State, tuple[Command, ...]]:
        return step(replace(state, cut_owed=False), event)

    found = explored(first=("premature",), eager=True, engine=uncut, stop_at_breach=True)
    assert [breach.what for breach in found.breaches] == [
        "P1: the stub was not shuffled and cut since cards went back into it"
    ]


def test_every_kind_of_fault_is_in_some_family() -> None:
    used = {kind for family in families() for kind in (*family.first, *family.second)}
    assert used == set(EVERY)


def test_every_kind_of_fault_may_follow_every_other_in_the_longer_form() -> None:
    follow = {(first, second) for family in pairs() for first in family.first for second in family.second}
    kinds = set(KINDS) - {"keys", "manual"}
    assert follow == {(first, second) for first in kinds for second in kinds}
