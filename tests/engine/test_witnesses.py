"""S3: how many, says the machine; which, say the tags. A card is missing, or a tag double, when two reads agree."""

import pytest
from msgspec.structs import replace

from bench.narrator import deck
from dealerbox.engine.state import Reading
from dealerbox.engine.witnesses import does_not_add_up
from dealerbox.model.cards import Token
from dealerbox.model.commands import Hold, Notice
from dealerbox.model.events import CardPassed, CardRetracted, CardUp, DeviceLost, PlacesSet, ServiceBegan, ServiceEnded
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Cycle
from dealerbox.model.zones import BURN, INFEED

CARDS = deck(1)


def told(table, kind=Hold):
    """What was told, each once in a row: a device that comes back is told again."""
    said = [c.reason.value for _, commands in table.log for c in commands if isinstance(c, kind)]
    return [reason for number, reason in enumerate(said) if reason not in said[number - 1 : number]]


def statuses(table):
    return [deck.status.value for deck in table.state.decks]


def emptied(table):
    table.press(Key.ACK)
    if table.state.memory.pending_kind == "Places":
        number = table.state.memory.pending
        table.tell(lambda at: PlacesSet(at, number))
        table.meet(machine=0)


def read(table, cards, counted, twice=()):
    """The machine takes cards in: these are read, so many counted; some of them are read again as they go by."""
    table.feed(*cards, *twice)
    table.returned(counted)
    if table.state.memory.pending_kind == "Return":
        table.returned(0)
    if table.view.prompt_code == "feed":
        table.press(Key.NO)
    table.wait(2000)


@pytest.fixture
def gathering(table):
    """A hand is over before its first card; the stub is whole, and one card of it has been out."""
    table.begun()
    table.card_up()
    table.see("exit", CARDS[0])
    table.wait(200)
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: CardPassed(at, release, exit_id))
    table.lose("exit", CARDS[0])
    table.see("seat:2", CARDS[0])
    up = table.state.memory.pending
    table.press(Key.MISDEAL)
    if table.state.memory.pending_kind == "Dispense":
        table.tell(lambda at: CardUp(at, up))
    while table.state.memory.pending_kind == "Retract":
        number = table.state.memory.pending
        table.tell(lambda at, number=number: CardRetracted(at, number))
    return table


def test_a_card_that_cannot_be_found_is_a_recount_first_and_missing_when_a_whole_read_agrees(gathering) -> None:
    gathering.returned(0)
    gathering.press(Key.NO)
    assert (told(gathering), gathering.view.prompt_code) == (["recount"], "empty")
    emptied(gathering)
    read(gathering, CARDS[1:], 51)
    assert told(gathering)[-1] == "card_missing"
    assert (statuses(gathering), gathering.state.deck) == (["quarantined", "new"], 2)


def test_a_card_that_turns_up_in_the_whole_read_was_never_missing(gathering) -> None:
    gathering.returned(0)
    gathering.press(Key.NO)
    emptied(gathering)
    read(gathering, CARDS, 52)
    assert (told(gathering), gathering.reasons) == (["recount"], [])
    assert gathering.state.reading is None


def test_another_card_missing_the_second_time_is_a_recount_again(gathering) -> None:
    gathering.returned(0)
    gathering.press(Key.NO)
    emptied(gathering)
    read(gathering, CARDS[:-1], 51)
    assert "card_missing" not in told(gathering)
    assert gathering.view.prompt_code == "empty"
    emptied(gathering)
    read(gathering, CARDS[:-1], 51)
    assert told(gathering)[-1] == "card_missing"


def test_what_is_looked_for_twice_without_a_whole_read_is_not_missing(gathering) -> None:
    gathering.returned(0)
    gathering.press(Key.NO)
    gathering.press(Key.MANUAL)
    gathering.meet(machine=51)
    gathering.returned(0)
    gathering.press(Key.NO)
    assert told(gathering)[-1] == "recount"
    assert statuses(gathering) == ["in_play", "new"]


def test_a_tag_that_flickers_does_not_hide_a_missing_card(gathering) -> None:
    gathering.returned(0)
    gathering.press(Key.NO)
    emptied(gathering)
    read(gathering, CARDS[1:], 51, twice=CARDS[5:6])
    assert told(gathering)[-1] == "card_missing"


def opened_with(table, cards, counted, twice=()):
    table.started()
    table.meet()
    read(table, cards, counted, twice)


def test_a_new_deck_that_lacks_a_card_is_out_after_two_reads_and_the_other_one_opened(table) -> None:
    opened_with(table, CARDS[1:], 51)
    assert told(table) == ["recount"]
    emptied(table)
    read(table, CARDS[1:], 51)
    assert told(table)[-1] == "card_missing"
    assert (statuses(table), table.view.phase) == (["quarantined", "new"], "opening")
    emptied(table)
    table.feed(*deck(2))
    table.returned(52)
    table.press(Key.ACK)
    assert table.reasons == []


def test_a_tag_that_is_silent_twice_while_the_count_is_right_is_no_missing_card_but_a_doubtful_deck(table) -> None:
    opened_with(table, CARDS[1:], 52)
    emptied(table)
    read(table, CARDS[1:], 52)
    assert "card_missing" not in told(table)
    assert told(table, Notice) == ["deck_suspect"]
    assert statuses(table) == ["quarantined", "new"]


@pytest.mark.parametrize("cards", [CARDS, CARDS[1:]])
def test_a_tag_read_twice_is_double_only_when_two_reads_and_the_count_agree(table, cards) -> None:
    counted = len(cards) + 1
    opened_with(table, cards, counted, twice=CARDS[5:6])
    assert told(table) == ["recount"]
    emptied(table)
    read(table, cards, counted, twice=CARDS[5:6])
    assert told(table)[-1] == "duplicate_tag"
    assert statuses(table) == ["quarantined", "new"]


def test_a_tag_that_flickers_while_the_count_is_right_is_nothing(table) -> None:
    opened_with(table, CARDS, 52, twice=CARDS[5:6])
    assert (told(table), table.view.prompt_code) == ([], "seal")


def test_53_counted_and_52_read_asks_for_the_cut_card(table) -> None:
    opened_with(table, CARDS, 53)
    assert table.view.prompt == "53 counted, 52 read: is the cut card in? Take all cards out, look. ACK."
    emptied(table)
    read(table, CARDS, 53)
    assert told(table) == ["recount"]
    assert statuses(table) == ["new", "new"]
    emptied(table)
    read(table, CARDS, 52)
    assert (table.reasons, table.view.prompt_code) == ([], "seal")


def test_a_strange_card_in_the_deck_is_a_recount_and_proves_no_card_missing(table) -> None:
    opened_with(table, (*CARDS[1:], Token(17)), 52)
    emptied(table)
    read(table, (*CARDS[1:], Token(17)), 52)
    assert "card_missing" not in told(table)
    assert statuses(table) == ["new", "new"]


def test_shown_card_by_card_twice_a_card_that_is_not_there_is_missing(table) -> None:
    table.ready()
    table.tell(lambda at: DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    for _ in range(2):
        table.show(*CARDS[1:])
        assert Key.NO in table.view.lit
        table.press(Key.NO)
    assert told(table)[-2:] == ["recount", "card_missing"]
    assert statuses(table) == ["quarantined", "new"]


def test_the_infeed_is_where_a_card_is_read_twice_and_no_other_zone(table) -> None:
    table.started()
    table.meet()
    table.feed(CARDS[0], CARDS[1])
    table.see(INFEED, CARDS[0])
    assert table.state.twice == {CARDS[0]}
    table.see(BURN, CARDS[1])
    assert table.state.twice == {CARDS[0]}


# What a recount costs, and what it is told with.


def recounts(table):
    return [(h.clause, h.zone, h.device) for h in table.state.holds if h.reason == "recount"]


@pytest.fixture
def counted(table):
    """A deck shuffled, counted by the machine and not confirmed yet."""
    table.ready()
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)
    assert (table.state.shuffled > 0, table.state.count_read) == (True, True)
    return table


def test_a_strange_tag_on_the_table_costs_shuffle_and_count_and_the_deck_is_read_anew_1824(counted) -> None:
    counted.see("board", Token(17))
    counted.wait(150)
    assert recounts(counted) == [("1824", "board", "")]
    assert (counted.state.shuffled, counted.state.count_read, counted.state.empty_owed) == (0, False, True)


def by_hand(table) -> None:
    table.ready()
    table.tell(lambda at: DeviceLost(at, "shuffler", "dead"))
    table.press(Key.MANUAL)
    table.press(Key.ACK)
    table.show(*CARDS)
    table.press(Key.ACK)
    assert table.state.shuffled == -1


def test_by_hand_too_each_card_is_shown_anew_1824_C15(table) -> None:
    by_hand(table)
    table.see("board", Token(17))
    table.wait(150)
    assert (recounts(table), table.state.shuffled, len(table.state.out)) == ([("1824", "board", "")], 0, 52)


def test_a_deck_shown_by_hand_that_lacks_a_card_earns_no_shuffle_S1(table) -> None:
    by_hand(table)
    table.press(Key.COUNT)
    table.show(*CARDS[1:])
    table.press(Key.NO)
    assert (recounts(table), table.state.shuffled, len(table.state.out)) == ([("1804A(1)", "", "shuffler")], 0, 52)


def test_what_does_not_add_up_while_the_machine_is_to_be_emptied_is_a_recount_of_that_machine_S3(gathering) -> None:
    gathering.returned(0)
    gathering.press(Key.NO)
    assert recounts(gathering) == [("1804A(1)", "", "shuffler")]
    before = gathering.state.holds
    gathering.press(Key.NO)
    assert gathering.state.holds == before


def test_a_tag_read_twice_in_one_read_is_not_double_in_the_next_S3(table) -> None:
    opened_with(table, CARDS, 53, twice=CARDS[5:6])
    emptied(table)
    assert table.state.twice == frozenset()
    read(table, CARDS, 53)
    assert "duplicate_tag" not in told(table)


def test_by_hand_after_a_service_a_card_that_cannot_be_found_is_missing_when_two_reads_agree_C15(table) -> None:
    by_hand(table)
    table.tell(lambda at: ServiceBegan(at, "ann"))
    table.tell(lambda at: ServiceEnded(at, "ann"))
    for _ in range(2):
        assert len(table.state.out) == 52
        table.show(*CARDS[1:])
        assert Key.NO in table.view.lit
        table.press(Key.NO)
    assert told(table)[-1] == "card_missing"


def test_two_reads_that_find_all_52_prove_nothing_against_a_deck_S3(table) -> None:
    table.opened()
    state = table.state
    state.out, state.whole_read, state.sealed = {}, True, False
    state.memory = replace(state.memory, machine=52)
    state.reading = Reading(frozenset(), frozenset(), 52)
    after = does_not_add_up(state)
    assert ([h.reason.value for h in after.holds], after.deck) == (["recount"], 1)


def test_a_deck_that_did_not_add_up_and_is_verified_whole_is_held_no_more_1804A1(table) -> None:
    opened_with(table, CARDS[1:], 51)
    assert table.reasons == ["recount"]
    emptied(table)
    read(table, CARDS, 52)
    table.press(Key.ACK)
    assert (table.reasons, table.view.phase) == ([], "between")
