"""Events that cannot be: a hold or a recorded refusal, never an exception, never silence (bad input)."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Hold, Notice, Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.model.zones import BOARD, MUCK, Zone, seat

KINDS = tuple(kind for kind in msgspec.inspect.type_info(ev.AnyEvent).types)
NUMBERS = st.one_of(st.integers(-3, 60), st.sampled_from([-(2**63), 2**40, 1053, 1070, 9053]))
WORDS = st.one_of(
    st.sampled_from(["", "seat:3", "seat:99", "board", "infeed", "shuffler", "²", "moon"]), st.text(max_size=5)
)


def values(kind):
    """Return whatever a field of this type may hold, right or wrong."""
    match kind:
        case msgspec.inspect.IntType():
            return NUMBERS
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.StrType():
            return WORDS
        case msgspec.inspect.EnumType():
            return st.sampled_from(list(kind.cls))
        case msgspec.inspect.VarTupleType():
            return st.lists(values(kind.item_type), max_size=3).map(tuple)
        case msgspec.inspect.StructType():
            return st.builds(kind.cls, **{field.name: values(field.type) for field in kind.fields})
        case _:
            raise AssertionError(f"nothing is known of a {kind}")


def anything():
    return st.one_of(
        [
            st.builds(kind.cls, **{f.name: values(f.type) for f in kind.fields if f.name not in ("setup", "memory")})
            for kind in KINDS
            if kind.cls is not ev.Started
        ]
    )


PHASES = (
    "closed", "opening", "between", "dealing", "betting", "held", "proved", "showdown", "gathering", "by_hand",
)  # fmt: skip


@pytest.mark.parametrize("phase", PHASES)
def test_whatever_is_told_in_whatever_phase_is_answered(make_table, brought_to, phase) -> None:
    table = make_table()
    brought_to(table, phase)
    start = table.state

    @settings(max_examples=60, deadline=None)
    @given(st.lists(anything(), min_size=1, max_size=4))
    def whatever(story) -> None:
        state = start
        for event in story:
            state, commands = step(state, event)
            assert state.out_commands == ()
            view(state)
            msgspec.json.encode(commands)

    whatever()


def told(commands) -> list[str]:
    return [command.reason.value for command in commands if isinstance(command, Hold | Refuse | Notice)]


@pytest.mark.parametrize("zone", [BOARD, MUCK, seat(2), seat(9), Zone("moon")])
def test_a_card_from_nowhere_is_held_under_1804B7(table, zone) -> None:
    table.flop()
    assert told(table.see(zone, token(1, 50))) == ["not_released"]


@pytest.mark.parametrize("seats", [(0,), (99,), (-3,), (1, 21)])
def test_a_button_at_a_seat_that_there_is_not_is_refused(table, seats) -> None:
    table.ready()
    assert told(table.button(*seats)) == ["button_missing"]
    table.flop()
    assert told(table.button(*seats)) == ["button_missing"]
    table.wait(5000)
    view(table.state)


@pytest.mark.parametrize("key", [Key.EXPOSED, Key.OFF_TABLE, Key.RETRIEVE])
@pytest.mark.parametrize("number", [9, 21, -1])
def test_a_key_about_a_seat_that_there_is_not_is_refused(table, key, number) -> None:
    table.flop()
    assert told(table.press(key, number)) == ["not_now"]


@pytest.mark.parametrize("ruling", [Ruling.HAND_DEAD, Ruling.RETRIEVE, Ruling.SET_BUTTON])
def test_a_ruling_about_a_seat_that_there_is_not_is_refused(table, ruling) -> None:
    table.flop()
    assert told(table.rule(ruling, seat=21))[0] in ("no_authority", "not_now")


@pytest.mark.parametrize(("by", "reason"), [("", "so"), ("  ", "so"), ("ann", ""), ("ann", " ")])
@pytest.mark.parametrize("ruling", Ruling)
def test_a_ruling_without_authority_is_refused_and_recorded(table, by, reason, ruling) -> None:
    table.flop()
    before = table.state.phase
    assert told(table.tell(lambda at: ev.Ruled(at, ruling=ruling, by=by, reason=reason, seat=2))) == ["no_authority"]
    assert table.state.phase is before


def test_time_that_runs_backwards_is_refused_and_passes_for_none(table) -> None:
    table.flop()
    before = table.state.now_ns
    state, commands = step(table.state, ev.Tick(before - 2_000_000_000))
    assert (told(commands), state.now_ns) == (["clock_unsure"], before)
    state, commands = step(table.state, ev.Tick(before - 1000))
    assert (told(commands), state.now_ns) == ([], before)


UNASKED = (
    lambda at: ev.CardUp(at, 999),
    lambda at: ev.CardPassed(at, 999, 998),
    lambda at: ev.CardRetracted(at, 999),
    lambda at: ev.CycleEnded(at, 999, Cycle.SHUFFLE, Result.DONE, 52),
    lambda at: ev.CycleEnded(at, 999, Cycle.RETURN, Result.DONE, 3),
    lambda at: ev.PlacesSet(at, 999),
    lambda at: ev.Misfed(at, 999, Result.JAM),
)


@pytest.mark.parametrize("make", UNASKED)
def test_what_the_machine_did_unasked_in_a_hand_is_held_until_it_is_proved_S2(table, make) -> None:
    table.holes()
    inside = table.state.memory.machine
    assert told(table.tell(make))[-1] in ("unaccounted_dispense", "jam")
    assert (bool(table.reasons), table.state.memory.machine, table.state.shuffled) == (True, inside, 0)


@pytest.mark.parametrize("make", UNASKED)
def test_between_hands_it_is_emptied_and_a_shuffle_nobody_asked_for_earns_nothing_S1(table, make) -> None:
    table.ready()
    table.tell(make)
    assert (table.state.shuffled, table.state.empty_owed) == (0, True)
    assert told(table.press(Key.START)) == ["not_empty"]


@pytest.mark.parametrize("of", [ev.CardNotTaken, ev.Misfed])
def test_a_card_that_has_its_permit_keeps_it_whatever_is_said_of_another_command(table, of) -> None:
    """What comes late, of a command before, takes no permit back: the card that passes is in the books (P3)."""
    table.begun()
    card = table.let_up()
    release, exit_id = table.state.memory.pending, table.state.memory.exit_id
    table.tell(lambda at: of(at, release - 1, exit_id if of is ev.CardNotTaken else Result.JAM))
    table.tell(lambda at: ev.CardPassed(at, release, exit_id))
    assert (table.state.released is not None, list(table.state.out)) == (True, [card])


def test_decks_of_a_slot_that_there_is_not_are_refused(table) -> None:
    table.ready()
    decks = (*table.setup.decks, DeckInfo(slot=12, name="third", back="green"))
    assert told(table.tell(lambda at: ev.DecksEnrolled(at, decks, "ann"))) == ["deck_not_enrolled"]


def test_a_machine_that_agrees_and_cannot_say_what_it_holds_does_not_agree(table) -> None:
    table.ready()
    table.meet(machine=-1)
    assert table.reasons == ["not_empty"]


def test_a_table_of_seats_that_there_are_not_has_no_players() -> None:
    setup = Setup(table="7", seats=(0, 99))
    state, _ = step(State(), ev.Started(1, setup=setup, memory=Memory(session=1)))
    assert state.seats == ()
