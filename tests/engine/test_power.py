"""A machine that was without power and agrees is proved all the same (S2); a shuffle that it forgot is none (S1)."""

from bench.decided import refused
from dealerbox.model import events as ev
from dealerbox.model.commands import Shuffle
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Cycle, Scope


def lost(table) -> None:
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "silent"))


def test_between_hands_it_is_emptied_and_takes_all_52_S2(table) -> None:
    table.ready()
    lost(table)
    table.meet(machine=52, unpowered=True)
    assert (table.reasons, table.view.prompt_code) == ([], "empty")
    assert refused(table.press(Key.START)) == ["not_empty"]
    table.press(Key.ACK)
    pending = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, pending))
    table.feed(*(card for card in tuple(table.state.out)))
    table.returned(52)
    table.cycle(Cycle.SHUFFLE, 52)
    table.press(Key.START)
    assert table.view.phase == "dealing"


def test_in_mid_hand_its_stub_is_counted_and_confirmed_S2(table) -> None:
    table.holes()
    lost(table)
    table.meet(machine=46, unpowered=True)
    assert table.reasons == ["device_lost"]
    assert "was without power" in table.view.holds[0].what
    table.cycle(Cycle.COUNT, 46)
    assert table.view.prompt_code == "proof"
    table.press(Key.ACK)
    assert (table.reasons, table.state.count_owed) == ([], True)
    table.cycle(Cycle.SHUFFLE, 46)
    assert table.view.prompt_code == "cut"


def test_a_cable_pulled_and_plugged_in_again_costs_nothing(table) -> None:
    table.holes()
    lost(table)
    table.meet(machine=46)
    assert (table.reasons, table.state.proof) == ([], None)


def test_one_that_is_met_for_the_first_time_is_emptied_too_S2(table) -> None:
    """What lay in it when it was switched off, nobody knows (incident C: 16 cards in one that was out of service)."""
    table.started()
    table.meet(unpowered=True)
    assert (table.view.prompt_code, table.state.memory.pending_kind) == ("empty", "")
    table.press(Key.ACK)
    assert (table.view.prompt_code, table.state.memory.pending_kind) == ("open", "Return")


def test_by_hand_nobody_asks_what_is_in_it(table) -> None:
    table.holes()
    lost(table)
    table.press(Key.MANUAL)
    table.meet(machine=46, unpowered=True)
    assert (table.reasons, table.view.prompt_code) == ([], "manual_empty")


def test_a_shuffle_that_it_forgot_is_done_again_S1(table) -> None:
    table.ready()
    shuffled = table.state.shuffled
    lost(table)
    told = table.meet(machine=52, token_id=0)
    assert [command.scope for command in told if isinstance(command, Shuffle)] == [Scope.DECK]
    assert refused(table.press(Key.START)) == ["not_shuffled"]
    table.cycle(Cycle.SHUFFLE, 52)
    assert table.state.shuffled > shuffled


def test_a_shuffle_that_it_still_knows_is_not_done_again_S1(table) -> None:
    table.ready()
    lost(table)
    told = table.meet(machine=52)
    assert not any(isinstance(command, Shuffle) for command in told)


def test_the_open_hands_shuffle_forgotten_the_stub_is_shuffled_and_cut_S1(table) -> None:
    table.holes()
    lost(table)
    table.meet(machine=46, deal_id=0)
    assert table.state.memory.pending_kind == "Shuffle"
    table.cycle(Cycle.SHUFFLE, 46)
    assert (table.reasons, table.view.prompt_code) == ([], "cut")


def test_a_shuffle_forgotten_between_START_and_the_first_card_is_done_again_S1(table) -> None:
    table.ready()
    lost(table)
    table.rule(Ruling.SET_BUTTON, seat=1)
    table.meet(machine=52)
    table.press(Key.START)
    pending = table.state.memory.pending
    lost(table)
    table.tell(lambda at: ev.CommandVoid(at, pending, "never sent"))
    table.meet(machine=52, token_id=0, deal_id=0)
    assert table.state.memory.pending_kind == "Shuffle"
