"""The card behind the gate: when it may go, and what else the reader of the exit may read beside it (1804A(3), H10)."""

import pytest

from dealerbox.model import events as ev
from dealerbox.model.cards import Token, cut_card, token
from dealerbox.model.commands import Clear, Notice, Release
from dealerbox.model.keys import Key
from dealerbox.model.zones import BOARD, EXIT, seat

SCAN_MS, SETTLING_MS = 150, 1500
FOREIGN = Token(17)


def released(commands):
    return [command for command in commands if isinstance(command, Release)]


def held(table):
    return [(h.reason.value, h.clause, h.zone, h.to) for h in table.state.holds]


def card_up(table, *read) -> None:
    """The next card comes up, and the exit reader names these at the same moment."""
    assert table.state.memory.pending_kind == "Dispense"
    table.card_up()
    if read:
        table.see(EXIT, *read)


# When it may go.


def test_a_card_goes_when_it_was_read_for_one_scan_and_no_moment_sooner(table) -> None:
    table.begun()
    card_up(table, token(1, 1))
    assert not released(table.wait(SCAN_MS - 1))
    assert released(table.wait(1))


def test_a_card_read_before_it_stood_still_is_read_for_one_scan_from_then(table) -> None:
    table.begun()
    number = table.state.memory.pending
    table.see(EXIT, token(1, 1))
    table.wait(SCAN_MS)
    table.tell(lambda at: ev.CardUp(at, number))
    assert not released(table.wait(SCAN_MS - 1))
    assert released(table.wait(1))


def test_a_card_that_no_reader_reads_is_told_after_the_settling_time_and_no_moment_sooner(table) -> None:
    table.begun()
    card_up(table)
    table.wait(SETTLING_MS - 1)
    assert table.reasons == []
    table.wait(1)
    assert table.reasons == ["card_unread"]


def test_no_card_goes_while_a_tag_is_read_that_may_be_foreign_S5(table) -> None:
    table.begun()
    card_up(table, token(1, 1))
    table.wait(SCAN_MS // 2)
    table.see(BOARD, FOREIGN)
    assert not released(table.wait(SCAN_MS - 20))
    assert released(table.lose(BOARD, FOREIGN))


def test_a_card_on_its_way_is_asked_for_after_the_settling_time_and_no_moment_sooner_H10(table) -> None:
    table.begun()
    table.deal()
    table.let_out()
    asked = [n for n in table.wait(SETTLING_MS - 11) if isinstance(n, Notice)]
    assert asked == []
    (asked,) = [n for n in table.wait(1) if isinstance(n, Notice)]
    assert (asked.reason.value, asked.zone) == ("card_unseen", seat(3))


# What else is read there.


def test_two_cards_for_one_dispense_are_held_where_they_lie_under_1804A3(table) -> None:
    table.begun()
    card_up(table, token(1, 1), token(1, 2))
    table.wait(SCAN_MS)
    assert held(table) == [("double_feed", "1804A(3)", EXIT, "")]


def test_a_cut_card_that_lay_at_the_exit_before_the_hand_is_named_once_a_card_is_up_beside_it_by_1819(table) -> None:
    table.ready()
    table.see(EXIT, cut_card(1))
    table.press(Key.START)
    card_up(table, token(1, 1))
    told = [(n.reason.value, n.zone) for n in table.wait(SCAN_MS) if isinstance(n, Notice)]
    assert (told, held(table)) == ([("foreign_card", EXIT)], [("defective_deck", "1819", EXIT, "")])
    assert table.state.holds[0].token == cut_card(1)


@pytest.fixture
def lingering(table):
    """A card was seen at its seat, and the exit reads it still."""
    table.begun()
    first = table.let_up()
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: ev.CardPassed(at, release, exit_id))
    table.see(seat(2), first)
    return first


def test_a_dealt_card_that_the_exit_keeps_reading_is_in_two_places_under_S5(table, lingering) -> None:
    card_up(table)
    table.wait(SETTLING_MS + SCAN_MS - 1)
    assert held(table) == []
    table.wait(1)
    assert held(table) == [("recount", "1804B(10)", EXIT, seat(2))]
    assert [type(command) for command in table.lose(EXIT, lingering)][:1] == [Clear]


def test_one_that_the_exit_loses_in_time_is_at_its_seat(table, lingering) -> None:
    card_up(table, token(1, 2))
    table.wait(SETTLING_MS)
    assert not released(table.wait(0))
    assert released(table.lose(EXIT, lingering) + table.wait(SCAN_MS))
    assert held(table) == []


# Strange tags, named once.


def test_a_card_brought_to_the_table_and_then_read_at_the_exit_was_not_in_the_deck_1824(table) -> None:
    table.begun()
    table.see(BOARD, token(2, 9))
    assert held(table) == [("other_deck", "1824", BOARD, "")]
    card_up(table, token(2, 9))
    table.wait(SCAN_MS)
    assert held(table) == [("other_deck", "1824", BOARD, "")]


def test_the_tag_for_which_a_deck_is_out_is_no_other_trouble_after_the_hand_1819(table) -> None:
    table.begun()
    card_up(table, FOREIGN)
    table.wait(SCAN_MS)
    table.press(Key.ACK)
    assert table.reasons == ["defective_deck"]
    table.lose(EXIT, FOREIGN)
    table.see(EXIT, FOREIGN)
    table.wait(2 * SCAN_MS)
    assert (table.reasons, table.state.suspects) == (["defective_deck"], ())


def test_of_two_unknown_tags_the_one_that_is_lost_in_time_is_nothing_and_the_other_foreign_S5(table) -> None:
    table.holes()
    table.see(BOARD, FOREIGN, Token(18))
    table.lose(BOARD, FOREIGN)
    table.wait(SCAN_MS)
    assert [(h.reason, h.token) for h in table.state.holds] == [("foreign_card", Token(18))]
    assert table.state.suspects == ()
