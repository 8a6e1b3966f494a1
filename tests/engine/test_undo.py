"""UNDO takes back the last key within its limit, and nothing of what happened in the world since."""

import pytest

from bench.decided import only
from dealerbox.engine.state import Condition
from dealerbox.model import events
from dealerbox.model.cards import Token
from dealerbox.model.commands import Count, Permit, Places, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, seat


def refused(commands):
    return [command.asked for command in commands if isinstance(command, Refuse)]


def up(table, card):
    """The card ordered comes up behind the gate and is read."""
    table.card_up()
    table.see(EXIT, card)


def test_misdeal_is_not_taken_back_once_a_card_has_moved(table) -> None:
    holes = table.holes()
    table.press(Key.MISDEAL)
    table.see(INFEED, holes[0])
    assert refused(table.press(Key.UNDO)) == ["undo"]
    assert table.view.phase == "gathering"


def test_misdeal_is_taken_back_while_cards_only_lie_where_they_lay(table) -> None:
    holes = table.holes()
    table.press(Key.MISDEAL)
    table.lose(seat(2), holes[0])
    table.see(seat(2), holes[0])
    table.press(Key.UNDO)
    assert table.view.phase == "betting"


def test_award_is_not_taken_back_once_the_director_has_changed_the_seats_by_H9(table) -> None:
    table.flop()
    table.press(Key.AWARD)
    table.rule(Ruling.SEATS, seats=(1, 2))
    assert refused(table.press(Key.UNDO)) == ["undo"]


def test_a_void_hand_is_not_taken_back_by_the_key_before_it(table) -> None:
    table.holes()
    table.press(Key.ACTION)
    table.rule(Ruling.VOID_HAND)
    assert refused(table.press(Key.UNDO)) == ["undo"]
    assert table.view.phase == "gathering"


def test_a_defective_deck_confirmed_is_not_taken_back_by_the_key_before_it(table) -> None:
    """C17, 1804B(6), 1819."""
    table.holes()
    table.press(Key.NEXT)
    up(table, Token(2009))
    table.press(Key.ACK)
    assert (table.state.deck, table.view.phase) == (2, "opening")
    assert refused(table.press(Key.UNDO)) == ["undo"]


def test_another_deck_is_not_taken_back_by_award(table) -> None:
    table.flop()
    table.press(Key.AWARD)
    table.returned(0)
    table.press(Key.DECK)
    assert table.state.deck == 2
    assert refused(table.press(Key.UNDO)) == ["undo"]


def test_award_taken_back_brings_a_doubtful_deck_back_with_its_cards(table) -> None:
    table.flop()
    table.press(Key.SUSPECT)
    out = table.state.out
    table.press(Key.AWARD)
    assert table.state.deck == 2
    table.press(Key.UNDO)
    assert (table.state.deck, table.state.out, table.view.phase) == (1, out, "betting")
    table.press(Key.AWARD)
    assert table.state.deck == 2


def test_a_hand_folded_since_action_stays_folded(table) -> None:
    holes = table.holes()
    table.press(Key.ACTION)
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.UNDO)
    assert table.state.acted is False
    assert table.view.folded == (2,)


def test_what_the_director_let_stand_since_action_stays_by_1830_2(table) -> None:
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    card = table.let_out()
    table.press(Key.ACTION)
    table.see(BURN, card)
    table.rule(Ruling.STAND)
    left = table.state.plan
    table.press(Key.UNDO)
    assert (table.state.plan, table.state.released) == (left, None)


def test_undo_of_award_after_the_infeed_opened_shuffles_the_stub_anew(table) -> None:
    """RETURN has made the machine forget the hand's shuffle (PROTOCOL.md section 4)."""
    table.holes()
    table.press(Key.NEXT)
    table.deal()
    number = table.state.memory.pending
    table.press(Key.AWARD)
    table.tell(lambda at: events.CommandVoid(at, number, "held"))
    assert table.state.memory.pending_kind == "Return"
    table.press(Key.UNDO)
    table.returned(0)
    assert table.state.memory.pending_kind == "Shuffle"


def test_undo_of_start_does_not_let_a_defective_deck_go_by_1819(table) -> None:
    table.begun()
    up(table, Token(2009))
    assert table.reasons == ["defective_deck"]
    assert refused(table.press(Key.UNDO)) == ["undo"]
    assert table.reasons == ["defective_deck"]


def test_undo_of_start_keeps_a_stranger_brought_to_the_table_by_1824(table) -> None:
    table.begun()
    table.see(BOARD, Token(2009))
    table.press(Key.UNDO)
    assert (table.view.phase, table.reasons) == ("between", ["other_deck"])


def test_undo_of_start_ends_what_was_held_of_the_hand_alone(table) -> None:
    table.begun()
    table.button(3)
    table.wait(2000)
    assert table.reasons == ["button_moved"]
    table.press(Key.UNDO)
    assert (table.view.phase, table.reasons) == ("between", [])


def test_a_hold_raised_since_stays_when_next_is_taken_back(table) -> None:
    holes = table.holes()
    table.press(Key.NEXT)
    table.see(BOARD, Token(1061))
    table.press(Key.UNDO)
    assert table.reasons == ["joker_present"]
    assert holes


@pytest.mark.parametrize("key", [Key.AWARD, Key.MISDEAL])
def test_a_card_put_wrong_while_the_hand_was_over_is_judged_when_it_is_open_again(table, key) -> None:
    table.begun()
    card = table.let_out()
    number = table.state.memory.pending
    table.press(key)
    table.tell(lambda at: events.CommandVoid(at, number, "held"))
    if key is Key.AWARD:
        table.see(seat(3), card)
    table.press(Key.UNDO)
    table.see(seat(3), card)
    assert table.reasons == ["wrong_seat"]
    table.see(seat(2), card)
    assert table.reasons == []


def test_a_card_on_its_way_when_award_is_taken_back_is_asked_for(table) -> None:
    table.begun()
    table.let_out()
    table.press(Key.AWARD)
    table.wait(3000)
    table.press(Key.UNDO)
    table.wait(3000)
    assert table.view.prompt_code == "unseen"


def test_a_misdeal_that_still_asks_whether_a_player_has_acted_is_taken_back(table) -> None:
    holes = table.holes()
    table.see(MUCK, holes[0], holes[3])
    table.press(Key.MISDEAL)
    assert (table.view.prompt_code, Key.UNDO in table.view.lit) == ("acted", True)
    assert refused(table.press(Key.UNDO)) == []
    assert (table.view.phase, table.view.prompt_code, table.state.acted) == ("betting", "round", False)


# A machine that was opened (S2).


def opened_before(table) -> None:
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.press(Key.AWARD)


def opened_since(table) -> None:
    table.press(Key.AWARD)
    table.tell(lambda at: events.ShufflerLocked(at, "door"))


@pytest.mark.parametrize("opened", [opened_before, opened_since])
@pytest.mark.parametrize("agreed", [True, False])
def test_an_award_taken_back_with_the_door_open_waits_for_the_machine_before_the_stub_is_counted_S2(
    table, opened, agreed
) -> None:
    table.holes()
    opened(table)
    assert only(table.press(Key.UNDO), Permit) == []
    assert (table.reasons, table.state.holds[0].needs) == (["door_open"], Condition.PROOF)
    assert only(table.wait(9000), Permit) == []
    answered = table.meet(machine=46, agreed=agreed, why="" if agreed else "content")
    if not agreed:
        assert (only(answered, Count), table.view.prompt_code) == ([], "places")
        (places,) = only(table.press(Key.ACK), Places)
        table.tell(lambda at: events.PlacesSet(at, places.id))
        answered = table.meet(machine=46)
    assert only(answered, Count)
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    assert table.reasons == []


def test_a_machine_that_disagrees_between_award_and_its_taking_back_owes_the_mid_hand_proof_S2(table) -> None:
    table.holes()
    table.press(Key.AWARD)
    table.tell(lambda at: events.ShufflerLocked(at, "door"))
    table.meet(machine=-1, agreed=False, why="content")
    assert table.reasons == ["not_empty"]
    table.press(Key.UNDO)
    assert (table.reasons, table.view.prompt_code) == (["jam"], "places")
    (places,) = only(table.press(Key.ACK), Places)
    table.tell(lambda at: events.PlacesSet(at, places.id))
    assert only(table.meet(machine=46), Count)
    table.cycle(Cycle.COUNT, 46)
    table.press(Key.ACK)
    assert table.reasons == []


def test_a_machine_that_was_opened_after_award_is_emptied_before_the_next_hand_met_or_not_S2(table) -> None:
    table.holes()
    opened_since(table)
    assert (table.view.prompt_code, [r.reason for r in only(table.press(Key.START), Refuse)]) == (
        "empty",
        ["not_empty"],
    )


@pytest.mark.parametrize("said", ["key", "ruling"])
@pytest.mark.parametrize("call", [Key.PREMATURE, Key.FACED])
def test_a_hand_retrieved_after_a_call_is_not_taken_back_with_the_call_H6(table, call, said) -> None:
    table.flop()
    folded = [card for card, record in table.state.out.items() if record.home == seat(2)]
    for card in folded:
        table.lose(seat(2), card)
    table.see(MUCK, *folded)
    if call is Key.FACED:
        table.press(Key.NEXT)
        table.let_out()
    table.press(call)
    assert Key.UNDO in table.view.lit
    if said == "key":
        table.press(Key.RETRIEVE, 2)
    else:
        table.rule(Ruling.RETRIEVE, seat=2)
    held = table.reasons
    assert Key.UNDO not in table.view.lit
    table.press(Key.UNDO)
    assert [table.state.out[card].home for card in folded] == [seat(2)] * 2
    assert table.reasons == held
