"""A deck through every zone, over twins: each misread is counted where it was, by its place and never its number."""

import asyncio
import re
from typing import Any

import pytest

from dealerbox.diagnostics import deal_test
from dealerbox.diagnostics.deal_test import Dealt, compared, misreads, said
from dealerbox.diagnostics.verdict import Nobody, Step, Verdict
from dealerbox.model.zones import Zone
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.felt import BOX, HAND

DECK = 8


@pytest.fixture
def person(table, reads) -> Any:
    """Deals the deck as he is told; `swaps` exchanges two cards once the order is known."""
    deck = list(table.felt.at(BOX)[:DECK])
    fingers = []

    async def deal(zone: str, *, learning: bool) -> None:
        order = list(deck)
        if reads.swaps and not learning:
            order[2], order[3] = order[3], order[2]
        for uid in order:
            table.felt.put(uid, zone)
            await asyncio.sleep(0.6)
            table.felt.put(uid, HAND)
            await asyncio.sleep(0.4)

    def does(what: str) -> None:
        zone = re.search(r"singly onto (\S+),", what)[1]
        fingers.append(asyncio.ensure_future(deal(zone, learning="to learn" in what)))

    reads.swaps = False
    made = reads(does)
    made.deck = deck
    return made


@pytest.fixture
def dealt(table, device, steps_of, person, monkeypatch) -> Any:
    def play(who=None, budget=5_200, **more) -> list[Step]:
        monkeypatch.setattr(deal_test, "BUDGET", budget)
        table.devices(
            device("left", "feig", port="/dev/left", zones={1: "seat:1", 2: "seat:2"}),
            device("middle", "feig", port="/dev/middle", zones={0: "board"}),
        )
        test = deal_test.deal_test
        return steps_of(lambda: test(table.loans(), who or person, cards=DECK, clock=virtual_clock, **more))

    return play


def test_a_sound_table_reads_every_card_once_and_the_budget_needs_enough_cards(dealt, person) -> None:
    steps = dealt(budget=2 * 3 * DECK, loops=2)
    assert {step.verdict for step in steps} == {Verdict.PASSED}
    assert [step.about for step in steps] == ["seat:1", "seat:2", "board"] * 2 + [""]
    words = " ".join([*(step.found for step in steps), *person.asked, *person.shown])
    assert not any(uid in words for uid in person.deck)
    assert misreads(steps) == dict.fromkeys(("seat:1", "seat:2", "board"), (0, 16))


def test_too_few_cards_prove_no_budget(dealt) -> None:
    steps = dealt(loops=1)
    assert steps[-1].verdict is Verdict.UNTESTED
    assert "0 misread of 24 cards; the budget is 1 of 5,200: deal 5,176 more" in steps[-1].found


def test_a_card_that_one_zone_does_not_read_is_told_by_its_place(dealt, table, person) -> None:
    real = table.near.readable
    table.near.readable = lambda zone: tuple(
        uid for uid in real(zone) if not (zone == "board" and uid == person.deck[4])
    )
    steps = dealt()
    (board,) = [step for step in steps if step.about == "board"]
    assert (board.verdict, board.found) == (Verdict.FAILED, "not read, or not in turn: card 5")
    assert steps[-1].verdict is Verdict.FAILED


def test_a_neighbour_that_reads_them_too_is_named(dealt, table) -> None:
    table.near.bleeds["seat:2"] = ("board",)
    (board,) = [step for step in dealt() if step.about == "board"]
    assert board.found == "8 of them read at seat:2 too"


def test_cards_that_came_in_another_order_are_not_in_turn(dealt, person, reads) -> None:
    reads.swaps = True
    assert "not read, or not in turn: card" in dealt()[0].found


def test_where_the_first_zone_does_not_read_the_deck_nothing_is_judged(dealt, table, person) -> None:
    table.felt.silence(person.deck[0])
    (step,) = dealt()
    assert (step.code, step.verdict) == ("deal-budget", Verdict.UNTESTED)
    assert step.found == "7 of 8 cards were read: `dealerbox diag reader seat:1` first"


def test_without_a_dealer_nothing_is_called_right(dealt) -> None:
    assert [step.verdict for step in dealt(who=Nobody())] == [Verdict.UNTESTED]


def test_a_reader_that_is_gone_fails_and_the_others_are_dealt_to(dealt, table) -> None:
    table.spoils["/dev/left"] = lambda twin: setattr(twin, "silent", True)
    steps = dealt()
    assert [(step.about, step.verdict) for step in steps[:2]] == [
        ("left", Verdict.FAILED), ("board", Verdict.PASSED),
    ]  # fmt: skip


ABC = list("ABCDEFGH")


@pytest.mark.parametrize(
    ("arrivals", "found"),
    [
        ("ABCDEFGH", {}),
        ("ABDEFGH", {"missing": (3,)}),
        ("ABCCDEFGH", {"again": (3,)}),
        ("ABXCDEFGH", {"strangers": 1}),
        ("ACBDEFGH", {"missing": (3,)}),
    ],
)
def test_what_came_is_compared_with_the_order(arrivals, found) -> None:
    assert compared(Zone("board"), ABC, list(arrivals), {}) == Dealt(zone=Zone("board"), cards=8, **found)


def test_many_places_are_not_all_named() -> None:
    assert said(Dealt(zone=Zone("board"), cards=52, missing=tuple(range(1, 10)))).endswith(
        "card 1, 2, 3, 4, 5, 6 and 3 more"
    )
