"""What ACK stands for is what the panel asks, and nothing else."""

import pytest

from bench.decided import only
from bench.narrator import deck
from dealerbox.law.clauses import CLAUSES
from dealerbox.model import events
from dealerbox.model.cards import token
from dealerbox.model.commands import Certificate, Refuse, Release
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import EXIT, MUCK, seat


def test_while_a_reader_is_lost_ack_does_not_stand_for_a_card_unseen(table) -> None:
    table.begun()
    table.let_out()
    table.tell(lambda at: events.ZoneUnknown(at, seat(2), "silent"))
    table.wait(2000)
    assert (table.view.prompt_code, Key.ACK in table.view.lit) == ("held", False)
    assert only(table.press(Key.ACK), Refuse)
    table.tell(lambda at: events.ZoneKnown(at, seat(2)))
    assert (table.view.prompt_code, table.view.lit[0]) == ("unseen", Key.ACK)


def to_seal(table) -> None:
    table.started()
    table.meet()
    table.feed(*deck(1))
    table.returned(52)


def to_confirm(table) -> None:
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)


def to_shuffle_by_hand(table) -> None:
    table.holes()
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "silent"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.press(Key.AWARD)
    table.show(*deck(1))


@pytest.mark.parametrize(
    ("brought", "asked"),
    [(to_seal, "seal"), (to_confirm, "counted"), (to_shuffle_by_hand, "manual_shuffled")],
)
def test_while_a_reader_is_lost_ack_confirms_no_count_that_the_panel_does_not_show_C2(table, brought, asked) -> None:
    brought(table)
    table.tell(lambda at: events.ZoneUnknown(at, seat(2), "silent"))
    assert (table.view.prompt_code, Key.ACK in table.view.lit) == ("held", False)
    assert only(table.press(Key.ACK), Refuse)
    table.tell(lambda at: events.ZoneKnown(at, seat(2)))
    assert table.view.prompt_code == asked
    assert only(table.press(Key.ACK), Certificate)


def test_ack_does_not_put_a_card_at_its_seat_that_is_read_at_the_exit(table) -> None:
    table.begun()
    card = table.let_out()
    table.see(EXIT, card)
    table.wait(2000)
    assert table.view.prompt_code == "unseen"
    assert only(table.press(Key.ACK), Refuse)
    table.lose(EXIT, card)
    assert not only(table.press(Key.ACK), Refuse)
    assert table.state.out[card].at == seat(2)


def test_whether_a_player_has_acted_is_asked_while_a_hold_stands(table) -> None:
    holes = table.holes()
    table.lose(seat(2), holes[0])
    table.see(MUCK, holes[0])
    table.tell(lambda at: events.ZoneUnknown(at, seat(1), "silent"))
    table.press(Key.MISDEAL)
    assert (table.view.prompt_code, table.view.lit[:2]) == ("acted", (Key.ACK, Key.NO))


def test_a_card_read_at_two_places_is_said_to_be(table) -> None:
    """S5."""
    table.begun()
    card = table.let_out()
    table.see(EXIT, card)
    table.see(seat(2), card)
    table.card_up()
    table.wait(10_000)
    assert table.reasons == ["recount"]
    (held,) = table.view.holds
    assert (held.what, table.view.prompt) == (
        "A card is read at the exit and at seat 2.",
        "Take it off the exit; lay it on seat 2. Both still read it: ACK.",
    )


def test_a_hold_says_what_its_clause_asks(table) -> None:
    table.begun()
    table.let_out()
    table.see(seat(3), token(1, 1))
    (held,) = table.view.holds
    assert (held.clause, held.why) == ("1804A(3)", CLAUSES["1804A(3)"])


def test_a_lost_device_is_named_in_what_happened_and_in_what_to_do(table) -> None:
    table.begun()
    table.tell(lambda at: events.ZoneUnknown(at, seat(2), "unplugged"))
    table.tell(lambda at: events.DeviceLost(at, "shuffler", "unplugged"))
    reader, shuffler = table.view.holds
    assert reader.what == "The reader of seat 2 does not answer."
    assert reader.remedy == "Check the plug and power of the reader of seat 2."
    assert shuffler.remedy.startswith("Check the plug and power of the shuffler.")
    assert "MANUAL" in shuffler.remedy


def test_no_card_goes_while_it_is_open_whether_the_misdeal_that_was_called_comes_too_late(table) -> None:
    table.begun()
    first = table.deal()
    table.see(MUCK, first)
    table.press(Key.MISDEAL)
    table.card_up()
    table.see(EXIT, token(1, 2))
    assert not only(table.wait(3000), Release)
    assert only(table.press(Key.ACK), Release)
