"""A bench run over twins: places of all 52, and nothing else; what goes wrong is said, with what to do."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from dealerbox.diagnostics.shuffles.benched import EMPTY, FEED, Order, Stopped, bench_run, cycle_of
from dealerbox.diagnostics.shuffles.cycle import UNREAD, Cycle, ShufflesError
from dealerbox.diagnostics.shuffles.judging import judged
from dealerbox.model.cards import Uid
from dealerbox.ports import DealerboxError
from dealerbox.station.virtual import virtual_clock, virtual_run
from dealerbox_drivers.felt import BEHIND_GATE, HAND, MACHINE, OUTLET
from dealerbox_drivers.shuffler.twin_machine import Feed


@pytest.fixture
def run(table: Any, device: Any, reads: Any) -> Callable[..., list[Cycle]]:
    """`run(shuffles)`: a bench run at a table with its two readers; cards are taken from the outlet as they come."""

    def does(what: str) -> bool:
        felt, twin = table.felt, table.twins["shuffler"]
        if what == EMPTY:
            twin.open_door()
            twin.open_door(is_open=False)
        elif what == FEED:
            cards = [uid for place in (OUTLET, HAND, "box") for uid in felt.at(place)]
            for number, uid in enumerate(cards):
                asyncio.get_running_loop().call_later(0.2 * number, felt.put, uid, "infeed")
        return True

    def play(shuffles: int = 1, *, spoil: Callable[[Any], None] = lambda table: None, does: Any = does) -> list[Cycle]:
        table.devices(
            device("shuffler", "shuffler-v1", port="/dev/shuffler"),
            device("mouth", "feig", port="/dev/mouth", zones={0: "infeed"}),
            device("outlet", "feig", port="/dev/outlet", zones={0: "exit"}),
        )

        def moved(uid: Uid, before: str, place: str) -> None:
            if place == OUTLET:
                asyncio.get_running_loop().call_later(0.3, table.felt.put, uid, HAND)

        table.felt.watch(moved)
        spoil(table)

        async def main() -> list[Cycle]:
            loans = table.loans()
            try:
                steps = bench_run(loans[0], loans[1:], reads(does), shuffles, clock=virtual_clock)
                return [cycle async for cycle in steps]
            finally:
                await table.close()

        cycles: list[Cycle] = virtual_run(main(), limit_s=100_000)
        return cycles

    return play


def test_a_machine_of_ten_shelves_is_told_by_one_shuffle(run: Any) -> None:
    cycles = run(spoil=lambda table: setattr(table.felt, "shelves", 10))
    assert "runs" in {one.name for one in judged(cycles) if one.tells}


def test_the_places_are_those_of_all_52_on_the_felt(run: Any, table: Any) -> None:
    orders: list[tuple[str, ...]] = []
    shuffled = table.felt.shuffle

    def shuffle() -> None:
        orders.append(table.felt.at(MACHINE))
        shuffled()
        orders.append(table.felt.at(MACHINE))

    table.felt.shuffle = shuffle
    (cycle,) = run()
    before, after = orders
    assert (cycle.went_in, sorted(cycle.out)) == (52, list(range(52)))
    assert cycle.out == tuple(before.index(uid) for uid in after)
    assert not any(one.tells for one in judged([cycle]))


def test_a_card_that_the_exit_does_not_read_ends_it_with_what_to_do(run: Any, table: Any) -> None:
    with pytest.raises(DealerboxError, match="card 1 is not read at the exit: `dealerbox diag reader exit`"):
        run(spoil=lambda table: [table.felt.silence(uid) for uid in table.felt.at("box")])


def test_a_card_that_does_not_come_up_is_told(run: Any) -> None:
    def stuck(table: Any) -> None:
        whole = table._shuffler

        def made(line: Any) -> Any:
            twin = whole(line)
            twin.machine.faults.feeds.append(Feed.JAM)
            return twin

        table.makes["/dev/shuffler"] = made

    with pytest.raises(DealerboxError, match="card 1 does not come up: jam; begin again"):
        run(spoil=stuck)


def test_nobody_who_empties_the_machine_means_nothing_moves(run: Any, table: Any) -> None:
    with pytest.raises(Stopped, match="left out: Take every card out"):
        run(does=lambda what: False)
    assert table.felt.at(BEHIND_GATE) == table.felt.at(MACHINE) == ()


def test_a_table_without_a_reader_at_the_exit_is_told(table: Any, device: Any, reads: Any) -> None:
    table.devices(
        device("shuffler", "shuffler-v1", port="/dev/shuffler"),
        device("mouth", "feig", port="/dev/mouth", zones={0: "infeed"}),
    )

    async def main() -> None:
        try:
            loans = table.loans()
            async for _ in bench_run(loans[0], loans[1:], reads(), 1, clock=virtual_clock):
                pass
        finally:
            await table.close()

    with pytest.raises(ShufflesError, match="no reader watches the exit: no order can be read there"):
        virtual_run(main())


def test_cards_whose_order_was_not_seen_are_counted_nowhere() -> None:
    went_in, out = Order(), Order()
    for look, seen in enumerate((("a", "b", "c", "d"), ("b", "c", "d"), ("d",))):
        went_in.note(look, tuple(map(Uid, seen)))
    for look, seen in enumerate((("d",), ("d", "a"), ("b",))):
        out.note(look, tuple(map(Uid, seen)))
    assert cycle_of(went_in, out) == Cycle(2, (1, 0, UNREAD))
