"""Service between hands alone, and it ends in a recount; a ruling that ends a hold given by two."""

import pytest

from dealerbox.model import events as ev
from dealerbox.model.commands import Hold, Refuse, Shuffle
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import House
from dealerbox.model.zones import BOARD, seat

TWO_MINUTES_NS = 120_000_000_000


def begin(table):
    return table.tell(lambda at: ev.ServiceBegan(at, "tom"))


def end(table):
    return table.tell(lambda at: ev.ServiceEnded(at, "tom"))


def refused(commands) -> list[Reason]:
    return [command.reason for command in commands if isinstance(command, Refuse)]


def test_service_is_refused_in_mid_hand_and_changes_nothing(table) -> None:
    table.begun()
    before = table.state.plan, table.state.memory
    assert refused(begin(table)) == [Reason.SERVICE]
    assert (table.state.plan, table.state.memory) == before
    assert table.reasons == []
    table.deal()


def test_between_hands_it_holds_and_no_hand_starts(table) -> None:
    table.ready()
    (held,) = [command for command in begin(table) if isinstance(command, Hold)]
    assert (held.reason, held.clause) == (Reason.SERVICE, "house")
    assert table.view.prompt == "Wait until the technician gives it back. The deck is then counted whole."
    assert table.view.lit == ()
    assert refused(table.press(Key.START)) == [Reason.SERVICE]


def test_no_key_and_no_ruling_ends_it_and_a_restart_does_not_either(table) -> None:
    table.ready()
    begin(table)
    for key in Key:
        table.press(key)
    for ruling in Ruling:
        if ruling is not Ruling.CLOSE:
            table.rule(ruling, seat=1)
    table.started()
    assert Reason.SERVICE in table.reasons


def test_it_ends_in_a_recount_before_the_next_hand_by_S2(table) -> None:
    table.ready()
    begin(table)
    end(table)
    assert table.reasons == [Reason.RECOUNT]
    assert table.view.prompt_code == "empty"
    assert refused(table.press(Key.START)) == [Reason.RECOUNT]
    table.press(Key.ACK)
    table.tell(lambda at: ev.PlacesSet(at, table.state.memory.pending))
    table.feed(*table.state.out)
    shuffle = table.returned(52)
    assert table.reasons == []
    assert [type(command) for command in shuffle if isinstance(command, Shuffle)] == [Shuffle]


def test_by_hand_it_ends_with_every_card_shown_anew_by_C15(table) -> None:
    table.opened()
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "cable"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    begin(table)
    end(table)
    assert len(table.state.out) == 52
    assert Reason.RECOUNT in table.reasons


def test_what_was_not_begun_is_not_ended(table) -> None:
    table.ready()
    assert refused(end(table)) == [Reason.NOT_NOW]
    assert table.reasons == []


@pytest.fixture
def held(make_table):
    """A table of a house that asks for two, with a card on the wrong zone."""
    table = make_table(house=House(two_persons=True))
    table.holes()
    table.press(Key.ACTION)
    table.press(Key.NEXT)
    table.see(BOARD, table.let_out())
    assert table.reasons == [Reason.BURN_MISSING]
    return table


def rule(table, by: str, ruling=Ruling.STAND, seat: int = 0):
    return table.tell(lambda at: ev.Ruled(at, ruling=ruling, by=by, reason="so", seat=seat))


def test_one_person_alone_ends_no_hold_where_the_house_asks_for_two(held) -> None:
    assert refused(rule(held, "ann")) == [Reason.SECOND_PERSON]
    assert refused(rule(held, "ann")) == [Reason.SECOND_PERSON]
    assert held.view.refused.remedy == "Another person gives the same ruling within two minutes."
    assert held.reasons == [Reason.BURN_MISSING]


@pytest.mark.parametrize("ruling", [Ruling.STAND, Ruling.TO_STUB, Ruling.HAND_DEAD, Ruling.RETRIEVE, Ruling.VOID_HAND])
def test_no_ruling_about_cards_is_one_persons_while_a_hold_stands(held, ruling) -> None:
    assert refused(rule(held, "ann", ruling, seat=2)) == [Reason.SECOND_PERSON]


def test_the_same_ruling_by_another_person_ends_it(held) -> None:
    rule(held, "ann")
    rule(held, "key switch")
    assert held.reasons == []
    assert held.state.first_word is None


def test_another_ruling_or_one_too_late_is_a_first_word_again(held) -> None:
    rule(held, "ann")
    assert refused(rule(held, "bob", Ruling.VOID_HAND)) == [Reason.SECOND_PERSON]
    held.wait(TWO_MINUTES_NS // 1_000_000 + 1)
    assert refused(rule(held, "ann", Ruling.VOID_HAND)) == [Reason.SECOND_PERSON]
    assert held.reasons == [Reason.BURN_MISSING]


def test_a_hold_that_came_since_was_not_ruled_on(held) -> None:
    rule(held, "ann")
    held.tell(lambda at: ev.DeviceLost(at, "feig-1", "cable"))
    assert refused(rule(held, "bob")) == [Reason.SECOND_PERSON]


def test_a_restart_forgets_the_first_word(held) -> None:
    rule(held, "ann")
    held.started()
    assert held.state.first_word is None


def test_what_ends_no_hold_needs_one_person(held) -> None:
    assert Reason.SECOND_PERSON not in refused(rule(held, "ann", Ruling.BEGAN))


def test_a_house_that_does_not_ask_for_two_has_one(table) -> None:
    table.holes()
    table.press(Key.ACTION)
    table.press(Key.NEXT)
    table.see(BOARD, table.let_out())
    rule(table, "ann")
    assert table.reasons == []


def test_a_device_is_lent_in_service_alone_and_that_changes_nothing_by_itself(table) -> None:
    table.ready()

    def lend():
        return table.tell(lambda at: ev.DeviceLent(at, "shuffler", "tom"))

    assert refused(lend()) == [Reason.NOT_NOW]
    begin(table)
    held = table.reasons
    assert not lend()
    assert table.view.refused is None
    assert table.reasons == held


def test_two_persons_may_have_two_reasons_for_one_ruling(held) -> None:
    for by, why in (("ann", "the card was seen"), ("bob", "so it lay")):
        held.tell(lambda at, by=by, why=why: ev.Ruled(at, ruling=Ruling.STAND, by=by, reason=why))
    assert held.reasons == []


@pytest.mark.parametrize(("by", "reason"), [("", "said so"), ("director", ""), ("  ", "said so"), ("director", " ")])
def test_a_ruling_without_a_name_or_without_a_reason_is_none_1830_2(table, by, reason) -> None:
    table.begun()
    table.see(seat(3), table.let_out())
    told = table.tell(lambda at: ev.Ruled(at, ruling=Ruling.STAND, by=by, reason=reason))
    assert [command.reason.value for command in told if isinstance(command, Refuse)] == ["no_authority"]
    assert table.reasons == ["wrong_seat"]


def ruled_by(table, by: str, reason: str = "said so", back_ns: int = 0):
    return table.tell(lambda at: ev.Ruled(at - back_ns, ruling=Ruling.STAND, by=by, reason=reason))


@pytest.fixture
def wrong_seat(make_table):
    """Two must agree; a card lies at the wrong seat, an hour after the table was opened."""
    table = make_table(house=House(two_persons=True))
    table.ready()
    table.wait(1_000_000)
    table.press(Key.START)
    table.see(seat(3), table.let_out())
    assert table.reasons == ["wrong_seat"]
    return table


@pytest.mark.parametrize("reason", ["said so", "I saw it too"])
def test_the_second_person_agrees_whatever_reason_is_given_1830_2(wrong_seat, reason) -> None:
    assert refused(ruled_by(wrong_seat, "director")) == [Reason.SECOND_PERSON]
    assert refused(ruled_by(wrong_seat, "floor", reason)) == []
    assert wrong_seat.reasons == []


@pytest.mark.parametrize(("late_ns", "reasons"), [(0, []), (1, ["wrong_seat"])])
def test_and_within_two_minutes_to_the_moment(wrong_seat, late_ns, reasons) -> None:
    ruled_by(wrong_seat, "director")
    wrong_seat.now_ns += TWO_MINUTES_NS - 10_000_000 + late_ns
    ruled_by(wrong_seat, "floor")
    assert wrong_seat.reasons == reasons


def test_also_where_the_clock_of_both_runs_behind(wrong_seat) -> None:
    behind_ns = 500_000_000_000
    ruled_by(wrong_seat, "director", back_ns=behind_ns)
    ruled_by(wrong_seat, "floor", back_ns=behind_ns)
    assert wrong_seat.reasons == []
