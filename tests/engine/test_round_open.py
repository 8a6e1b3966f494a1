"""By hand a card came while the round was open: the panel asks until the dealer has said if it was complete."""

import pytest

from dealerbox.model.events import ZoneKnown, ZoneUnknown
from dealerbox.model.keys import Key
from dealerbox.model.setup import Dispense, House
from dealerbox.model.zones import ASIDE, BOARD, BURN, MUCK


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
