"""When two moments are one: cards renamed, clocks folded, ids relative, seats turned; and nothing else."""

from msgspec.structs import replace

from bench.closure.fold import Folder, read_by_undo
from bench.closure.world import World
from dealerbox.engine.phases import Phase
from dealerbox.engine.state import Card, Condition, Standing, State, Undo
from dealerbox.law.custody import MINUTE_NS, since_now
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Memory
from dealerbox.model.zones import BOARD, BURN, seat

NOW = 3600 * 1_000_000_000
SETUP = Setup(table="1", seats=(1, 2), decks=(DeckInfo(slot=1, name="1.1", back="red"),))
STATE = State(now_ns=NOW, setup=SETUP, seats=(1, 2), button=1, deck=1, counted=since_now(NOW), changed=since_now(NOW))
WORLD = World()
FOLDER = Folder(World)


def key(state: State, world: World = WORLD) -> bytes:
    return FOLDER.key(state, world)


def with_cards(**more: str) -> State:
    out = {Token(1000 + int(name[1:])): Card(zone, zone, zone) for name, zone in more.items()}
    return replace(STATE, phase=Phase.DEALING, out=out)


def test_cards_that_nothing_tells_apart_are_one() -> None:
    assert key(with_cards(c1=BOARD, c2=BURN)) == key(with_cards(c9=BURN, c4=BOARD))
    assert key(with_cards(c1=BOARD, c2=BURN)) != key(with_cards(c1=BOARD, c2=BOARD))


def test_a_card_is_told_apart_by_the_hold_about_it() -> None:
    state = with_cards(c1=BOARD, c2=BURN)
    holds = [
        (Standing(Reason.CARD_STRAYED, "1812", Condition.SIGHT, BOARD, BURN, Token(card)),) for card in (1001, 1002)
    ]
    assert key(replace(state, holds=holds[0])) != key(replace(state, holds=holds[1]))


def test_the_world_tells_cards_apart_too() -> None:
    state = with_cards(c1=BOARD, c2=BOARD)
    here = World(cards={Token(1001): BOARD, Token(1002): BURN})
    there = World(cards={Token(1001): BURN, Token(1002): BOARD})
    assert key(state, here) == key(state, there) != key(state, World(cards={Token(1001): BOARD, Token(1002): BOARD}))


def test_a_card_of_another_deck_is_another_card() -> None:
    seen = [replace(STATE, intruders=(Token(card),)) for card in (2001, 17, 1061)]
    assert len({key(state) for state in seen}) == 3


def test_seats_are_counted_from_the_button() -> None:
    first = replace(with_cards(c1=seat(2)), button=1)
    assert key(first) == key(replace(with_cards(c1=seat(1)), button=2)) != key(replace(first, button=2))


def test_times_are_folded_to_what_decides() -> None:
    gate = replace(STATE, phase=Phase.DEALING, memory=Memory(exit_id=1))
    up = [replace(gate, up_ns=NOW - ms * 1_000_000) for ms in (10, 20, 200, 1400, 1600, 99_000)]
    assert [key(state) for state in up] == [key(up[number]) for number in (0, 0, 2, 2, 4, 4)]
    counted = [replace(STATE, counted=since_now(NOW - minutes * MINUTE_NS)) for minutes in (1, 15, 21, 24, 26, 50)]
    assert [key(state) for state in counted] == [key(counted[number]) for number in (0, 0, 2, 2, 4, 4)]
    assert len({key(state) for state in (*up[::2], *counted[::2])}) == 6


def test_ids_are_relative() -> None:
    def told(pending: int, exit_id: int) -> bytes:
        memory = Memory(next_id=pending + 1, pending=pending, pending_kind="Release", exit_id=exit_id)
        return key(replace(STATE, memory=memory))

    assert told(7, 6) == told(31, 12) != told(7, 7)


def test_what_undo_reads_is_found_in_its_text() -> None:
    read = read_by_undo()
    assert {"acted", "nexted", "phase", "holds"} <= read[Key.AWARD] < set(State.__struct_fields__) | {"deal_id"}
    assert read[Key.ACTION] == {"acted", "street_acted"}


def test_of_the_moment_before_a_key_what_undoing_it_does_not_read_is_left_out() -> None:
    def undoing(what: Key, **before: int) -> bytes:
        return key(replace(STATE, undo=Undo(what, replace(STATE, **before))))

    assert undoing(Key.START, exposed=1) == undoing(Key.START)
    assert undoing(Key.START, button_set=2) != undoing(Key.START)
    assert undoing(Key.EXPOSED, exposed=1) != undoing(Key.EXPOSED)


def test_what_nothing_asks_for_any_more_is_left_out() -> None:
    assert key(replace(STATE, acted=True)) == key(STATE)
    assert key(replace(STATE, phase=Phase.BETTING, acted=True)) != key(replace(STATE, phase=Phase.BETTING))


def test_the_reader_of_a_seat_turns_with_it() -> None:
    def deaf(number: int, button: int) -> bytes:
        its = Standing(Reason.DEVICE_LOST, "house", Condition.DEVICE, seat(number), device=f"reader of {seat(number)}")
        return key(replace(STATE, button=button, holds=(its,)))

    assert deaf(1, 2) == deaf(2, 1) != deaf(1, 1)
