"""What is said when one view of a table follows another."""

from msgspec.structs import replace

from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.simulate.demo.story import changes

LOST = Standing(
    reason=Reason.DEVICE_LOST, clause="house", what="It is silent.", remedy="Check its plug.", why="All is seen."
)
BETWEEN = View(table="Demo", phase="between", hand=1, seats=(1, 2))
DEALING = replace(BETWEEN, phase="dealing", hand=2, street="preflop", button=2)


def test_nothing_new_is_not_told() -> None:
    assert changes(DEALING, DEALING) == []
    assert changes(DEALING, replace(DEALING, counts={"seat:1": 1})) == []


def test_a_hand_is_told_from_its_start_to_its_end() -> None:
    betting = replace(DEALING, phase="betting")
    assert changes(BETWEEN, DEALING) == ["hand 2 begins: button at seat 2, dealt in are seats 1, 2"]
    assert changes(DEALING, betting) == ["two cards each are dealt"]
    assert changes(betting, replace(betting, folded=(1,))) == ["seat 1 folds"]
    river = replace(DEALING, street="river")
    assert changes(river, replace(river, phase="showdown")) == ["the river is dealt"]
    over = replace(betting, phase="gathering", street="")
    assert changes(betting, over) == ["hand 2 is over: every card goes back into the shuffler"]


def test_a_deck_is_verified_once_and_comes_back_after_each_hand() -> None:
    shuffling = replace(BETWEEN, prompt="Wait.")
    assert changes(replace(BETWEEN, phase="opening"), shuffling) == ["the deck is verified. Wait."]
    assert changes(replace(BETWEEN, phase="gathering"), shuffling) == ["all cards are back. Wait."]


def test_a_hold_is_told_with_reason_clause_and_remedy_and_that_it_ended() -> None:
    held = replace(DEALING, holds=(LOST,))
    assert changes(DEALING, held) == [
        "HOLD device_lost: It is silent.",
        "  why: house rule: All is seen.",
        "  do: Check its plug.",
    ]
    assert changes(held, DEALING) == ["hold device_lost has ended: the deal goes on"]


def test_no_deal_goes_on_before_the_first_hand() -> None:
    opening = View(table="Demo", phase="opening", hand=0)
    assert changes(replace(opening, holds=(LOST,)), opening) == ["hold device_lost has ended"]


def test_the_deal_goes_on_only_when_the_last_hold_has_ended() -> None:
    other = replace(LOST, what="Another is silent.")
    both = replace(DEALING, holds=(LOST, other))
    assert changes(both, replace(DEALING, holds=(other,))) == ["hold device_lost has ended"]
    assert changes(both, DEALING) == ["hold device_lost has ended", "hold device_lost has ended: the deal goes on"]


def test_a_refused_key_is_told_once() -> None:
    refused = replace(DEALING, refused=LOST)
    assert changes(DEALING, refused) == ["the last key is refused, device_lost: It is silent. Check its plug."]
    assert changes(refused, refused) == []


def test_what_the_panel_asks_of_a_slip_that_nothing_holds_is_told() -> None:
    unseen = replace(DEALING, prompt_code="unseen", prompt="Lay the card flat.")
    assert changes(DEALING, unseen) == ["Lay the card flat."]
    button = replace(BETWEEN, prompt_code="button", prompt="Put the button on seat 2.")
    assert changes(BETWEEN, button) == ["Put the button on seat 2."]
