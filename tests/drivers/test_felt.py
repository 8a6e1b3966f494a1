"""The felt is one truth: every card in exactly one place, and chance only by the rng."""

from random import Random

import pytest

from dealerbox.model.cards import Uid
from dealerbox_drivers.felt import AWAY, BEHIND_GATE, BOX, HAND, MACHINE, OUTLET, Felt

DECK = [Uid(f"E00401{number:010X}") for number in range(52)]


def felt(seed: int = 1, *, top: int = 0) -> Felt:
    return Felt([DECK], Random(seed), top=top)


def test_decks_begin_in_the_box_in_their_order() -> None:
    assert felt().at(BOX) == tuple(DECK)


def test_a_card_is_in_one_place_only() -> None:
    table = felt()
    table.put(DECK[0], "seat:3")
    table.put(DECK[0], "muck")
    assert table.at("seat:3") == ()
    assert table.at("muck") == (DECK[0],)
    assert table.place_of(DECK[0]) == "muck"
    assert DECK[0] not in table.at(BOX)


def test_a_card_never_seen_comes_from_away() -> None:
    moves = []
    table = felt()
    table.watch(lambda *move: moves.append(move))
    table.put(Uid("04AABBCCDDEEFF"), "board")
    assert moves == [("04AABBCCDDEEFF", AWAY, "board")]


def test_every_watcher_hears_each_move_until_it_stops() -> None:
    table, heard = felt(), []
    stop = table.watch(lambda uid, before, after: heard.append((uid, before, after)))
    table.put(DECK[0], MACHINE)
    stop()
    stop()
    table.put(DECK[0], OUTLET)
    assert heard == [(DECK[0], BOX, MACHINE)]


def test_the_exit_reads_behind_the_gate_and_before_it() -> None:
    table = felt()
    table.put(DECK[0], BEHIND_GATE)
    table.put(DECK[1], OUTLET)
    assert table.readable("exit") == (DECK[0], DECK[1])


@pytest.mark.parametrize("place", [MACHINE, HAND, BOX, BEHIND_GATE])
def test_nothing_is_read_where_no_reader_is(place: str) -> None:
    table = felt()
    table.put(DECK[0], place)
    assert table.readable(place) == ()


def test_a_silent_tag_is_there_and_not_read_until_it_speaks() -> None:
    table = felt()
    table.put(DECK[0], "board")
    table.silence(DECK[0])
    assert table.at("board") == (DECK[0],)
    assert table.is_silent(DECK[0])
    assert table.readable("board") == ()
    table.silence(DECK[0], silent=False)
    assert table.readable("board") == (DECK[0],)


def test_a_covered_pile_shows_its_top_only() -> None:
    table = felt(top=2)
    for uid in DECK[:5]:
        table.put(uid, "muck")
    assert table.readable("muck") == (DECK[3], DECK[4])


def test_the_machine_gives_its_first_card_and_takes_at_its_end() -> None:
    table = felt()
    for uid in DECK[:3]:
        table.put(uid, MACHINE)
    table.insert(DECK[3], MACHINE, 0)
    assert table.at(MACHINE) == (DECK[3], DECK[0], DECK[1], DECK[2])


def test_a_shuffle_is_chance_and_the_same_chance_for_the_same_seed() -> None:
    orders = []
    for seed in (5, 5, 6):
        table = felt(seed)
        for uid in DECK:
            table.put(uid, MACHINE)
        table.shuffle()
        orders.append(table.at(MACHINE))
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(DECK)


def test_the_button_lies_on_no_seat_one_or_more() -> None:
    table = felt()
    assert table.button == ()
    table.set_button([7, 2])
    assert table.button == (2, 7)


def test_a_place_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match="'floor' is no place"):
        felt().put(DECK[0], "floor")
    with pytest.raises(ValueError, match="'stub' is no place"):
        felt().put(DECK[0], "stub")


def test_a_tag_twice_in_the_decks_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        Felt([DECK, DECK], Random(1))
