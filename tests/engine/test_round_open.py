"""By hand a card came while the round was open: the panel asks until the dealer has said if it was complete."""

import pytest

from bench.decided import only
from dealerbox.model.commands import Refuse
from dealerbox.model.events import ZoneKnown, ZoneUnknown
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import ASIDE, BOARD, BURN, MUCK, seat


@pytest.fixture
def asked(make_table, flop):
    """The turn's burn, or the card that is to be it, lies where `zone` says, and the flop's round is open."""

    def lay(zone):
        table = make_table(house=House(dispense=Dispense.HAND))
        (card,) = flop(table).lay(zone)
        assert table.reasons == ["round_open"]
        return table, card

    return lay


def flicker(table, card) -> None:
    table.lose(BURN, card)
    table.see(BURN, card)


def blinded(table, card) -> None:
    table.tell(lambda at: ZoneUnknown(at, BURN, "silent"))
    table.see(BURN, card)
    table.tell(lambda at: ZoneKnown(at, BURN))


def restarted(table, card) -> None:
    table.started()
    table.see(BURN, card)
    table.meet()
    table.press(Key.ACK)


@pytest.mark.parametrize("again", [flicker, blinded, restarted])
def test_a_burn_that_is_read_again_answers_nothing_1804A_4(asked, again) -> None:
    table, card = asked(BURN)
    plan = table.state.plan
    again(table, card)
    assert (table.reasons, table.state.plan) == (["round_open"], plan)
    table.press(Key.NEXT)
    assert (table.reasons, table.view.expect) == ([], BOARD)


@pytest.mark.parametrize("zone", [MUCK, ASIDE])
def test_a_card_in_the_wrong_place_is_laid_right_and_then_the_dealer_says_1811_2(asked, zone) -> None:
    table, card = asked(zone)
    assert table.view.prompt == "Press NEXT if it was. If not, lay it on the burns, then press PREMATURE."
    assert Key.PREMATURE not in [choice.key for choice in table.view.menu]
    table.lose(zone, card)
    table.see(BURN, card)
    assert table.view.prompt == "Press NEXT if it was; PREMATURE if it was not."
    table.press(Key.PREMATURE)
    assert (table.reasons, table.view.prompt_code, table.view.burns) == ([], "round", 2)


@pytest.mark.parametrize("zone", [MUCK, ASIDE, BOARD])
def test_a_burn_that_goes_astray_meanwhile_is_judged_where_it_lies_once_the_dealer_has_said_C10(asked, zone) -> None:
    table, card = asked(BURN)
    table.lose(BURN, card)
    table.see(zone, card)
    assert table.reasons == ["round_open"]
    table.press(Key.NEXT)
    assert table.reasons == ["burn_missing" if zone == BOARD else "wrong_zone"]
    table.see(BURN, card)
    assert (table.reasons, table.view.expect) == ([], BOARD)


def refused(commands) -> list[str]:
    return [told.reason.value for told in only(commands, Refuse)]


@pytest.fixture
def asked_of_the_flop(make_table, given):
    """Hole cards are dealt, no player has acted, and the flop's burn lies there."""
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = given(table)
    dealt.holes()
    dealt.lay(BURN)
    assert table.reasons == ["round_open"]
    return table


@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE, Key.FACED])
@pytest.mark.parametrize("answer", [Key.NEXT, Key.PREMATURE])
def test_no_card_is_called_dead_before_the_dealer_has_said_and_the_answer_is_taken_1811_1(
    asked_of_the_flop, key, answer
) -> None:
    table = asked_of_the_flop
    for number in (0, 1, 2):
        assert refused(table.press(key, number)) == ["not_now"]
    assert key not in [choice.key for choice in table.view.menu]
    assert refused(table.press(answer)) == []
    assert (table.reasons, table.view.burns) == ([], 1)


@pytest.mark.parametrize("answer", [Key.NEXT, Key.PREMATURE])
def test_no_other_card_is_sent_back_before_the_dealer_has_said_and_the_answer_is_taken_1830_2(
    asked_of_the_flop, answer
) -> None:
    table = asked_of_the_flop
    assert refused(table.rule(Ruling.TO_STUB, cards=("seat:2:1",))) == ["not_now"]
    assert refused(table.press(answer)) == []
    table.rule(Ruling.TO_STUB, cards=("seat:2:1",))
    assert (len(table.state.returning), table.view.expect) == (1, seat(2))


def test_NEXT_said_of_a_turn_that_lies_there_already_is_not_said_of_the_river_as_well_1804A_6(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    dealt.lay(BURN)
    dealt.lay(BOARD)
    assert table.reasons == ["round_open"]
    assert refused(table.press(Key.NEXT)) == []
    assert refused(table.press(Key.NEXT)) == ["not_now"]
    assert (table.view.prompt_code, table.view.street, Key.NEXT in table.view.lit) == ("round", "turn", False)
    table.wait(1000)
    assert Key.NEXT in table.view.lit
    assert refused(table.press(Key.NEXT)) == []


def test_NEXT_that_stands_for_PREMATURE_does_not_close_the_round_as_well_1811_2(make_table, flop) -> None:
    table = make_table(house=House(dispense=Dispense.HAND))
    dealt = flop(table)
    dealt.street(1)
    table.press(Key.PREMATURE)
    (turn,) = table.state.waiting
    table.see(ASIDE, turn)
    dealt.street(1)
    (card,) = dealt.lay(MUCK)
    assert table.view.prompt == "Lay it on the burns, then press PREMATURE."
    assert Key.NEXT not in table.view.lit
    assert refused(table.press(Key.NEXT)) == ["not_now"]
    table.see(BURN, card)
    assert refused(table.press(Key.NEXT)) == []
    assert refused(table.press(Key.NEXT)) == ["not_now"]
    assert (table.reasons, table.view.street, table.view.phase) == ([], "turn", "betting")


def test_a_burn_goes_back_on_no_stub_that_is_still_to_be_shown_1812(asked) -> None:
    table, _ = asked(BURN)
    table.press(Key.MANUAL)
    assert table.view.prompt_code == "manual_show"
    held = table.reasons
    assert Key.UNBURN not in table.view.lit
    assert refused(table.press(Key.UNBURN)) == ["not_now"]
    assert table.reasons == held == ["round_open"]
