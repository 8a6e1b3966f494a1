"""One card read in two zones: antennas that bleed. Ambiguous until one of them loses it (S5)."""

import pytest

from dealerbox.model.cards import token
from dealerbox.model.commands import Hold, Notice
from dealerbox.model.events import CardUp
from dealerbox.model.zones import BOARD, EXIT, seat


def bring_up(table) -> None:
    """The next card is up and read at the exit: it is asked for, a long time after whatever was seen."""
    table.wait(2000)
    number = table.state.memory.pending
    table.dealt += 1
    card = table.cards[number] = token(1, table.dealt)
    table.tell(lambda at: CardUp(at, number))
    table.see(EXIT, card)
    table.wait(200)


def read_twice(table):
    """A card for seat 2 is read at seat 3 first, and then at both."""
    table.begun()
    card = table.let_out()
    table.see(seat(3), card)
    table.see(seat(2), card)
    return card


@pytest.fixture
def dealt(table):
    """A card lies at seat 2, where it belongs, and the next is to come."""
    table.begun()
    return table.deal()


def held(table):
    return [(h.reason.value, h.zone, h.to) for h in table.state.holds]


def test_a_card_read_next_door_for_a_moment_lies_where_it_lay(table, dealt) -> None:
    """S5: one zone loses it, it is in the other."""
    table.see(seat(3), dealt)
    table.wait(400)
    table.lose(seat(3), dealt)
    assert table.state.out[dealt].at == seat(2)
    assert table.state.strays == ()
    table.deal()
    assert held(table) == []


def test_a_card_that_both_zones_keep_is_no_stray_but_looked_for(table, dealt) -> None:
    """S5: both keep it, a recount; it ends when one of them loses it."""
    table.see(seat(3), dealt)
    bring_up(table)
    assert held(table) == [("recount", seat(3), seat(2))]
    table.lose(seat(3), dealt)
    assert held(table) == []
    assert table.state.out[dealt].at == seat(2)
    table.wait(200)
    assert table.state.memory.pending_kind == "Release"


def test_a_card_that_its_own_zone_loses_has_strayed(table, dealt) -> None:
    """S5, H11: the recount ends, and where it lies now it does not belong."""
    table.see(seat(3), dealt)
    bring_up(table)
    table.lose(seat(2), dealt)
    table.wait(100)
    assert [reason for reason, _, _ in held(table)] == ["card_strayed"]


def test_a_card_seen_first_next_door_is_looked_for_while_both_keep_it(table) -> None:
    """S5: it came to its own zone, which ends the hold, and is read where it was seen first as well."""
    table.begun()
    card = table.let_out()
    table.see(seat(3), card)
    assert held(table) == [("wrong_seat", seat(3), seat(2))]
    table.see(seat(2), card)
    assert held(table) == []
    bring_up(table)
    assert held(table) == [("recount", seat(3), seat(2))]
    table.lose(seat(3), card)
    assert held(table) == []
    table.wait(200)
    assert table.state.memory.pending_kind == "Release"


def test_a_card_seen_first_next_door_and_lost_there_troubles_nobody(table) -> None:
    """S5."""
    card = read_twice(table)
    table.lose(seat(3), card)
    assert table.state.strays == ()
    table.deal()
    assert held(table) == []


@pytest.mark.parametrize("lifted_after_ms", [0, 100, 700, 1400])
def test_a_card_lifted_from_where_it_was_laid_last_is_in_no_slower_zone(table, dealt, lifted_after_ms) -> None:
    """S5: whoever moves a card on within the settling time may be faster than the reader that saw it first."""
    table.see(seat(3), dealt)
    table.lose(seat(2), dealt)
    table.see(BOARD, dealt)
    table.wait(lifted_after_ms)
    before = len(table.log)
    table.lose(BOARD, dealt)
    table.wait(1400)
    table.lose(seat(3), dealt)
    table.wait(2000)
    said = [command for _, commands in table.log[before:] for command in commands]
    assert [command for command in said if isinstance(command, Notice | Hold)] == []


def test_a_card_that_only_the_slower_zone_reads_lies_there_once_it_settles(table) -> None:
    """S5: one loses it past settling, it is in the other; nothing is let out before that is known."""
    card = read_twice(table)
    bring_up(table)
    table.lose(seat(2), card)
    table.wait(1400)
    assert held(table) == []
    assert table.state.memory.pending_kind == ""
    table.wait(200)
    assert held(table) == [("card_strayed", seat(3), seat(2))]
    table.lose(seat(3), card)
    table.see(seat(2), card)
    table.wait(200)
    assert table.state.memory.pending_kind == "Release"


def test_a_card_lifted_before_that_is_known_keeps_nothing_back(table) -> None:
    """S5: both zones have lost it, and neither is it in."""
    card = read_twice(table)
    bring_up(table)
    table.lose(seat(2), card)
    table.wait(1000)
    table.lose(seat(3), card)
    table.wait(200)
    assert held(table) == []
    assert table.state.memory.pending_kind == "Release"
