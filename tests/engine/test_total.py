"""The engine is total and remembers: whatever is told, in whatever order, it answers (P3, P6)."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerbox.engine.phases import TABLE, Phase, Trigger, move
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, token
from dealerbox.model.commands import AnyCommand, Release
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.model.zones import BOARD, BURN, EXIT, INFEED, MUCK, seat

SETUP = Setup(
    table="7",
    seats=(1, 2),
    decks=(DeckInfo(slot=1, name="a", back="red"), DeckInfo(slot=2, name="b", back="blue")),
)
ZONES = st.sampled_from([EXIT, BOARD, BURN, MUCK, INFEED, seat(1), seat(2), seat(9)])
TOKENS = st.lists(
    st.sampled_from([token(1, 1), token(1, 2), token(1, 3), token(2, 1), Token(1061), Token(5)]),
    max_size=3,
    unique=True,
).map(tuple)
IDS = st.integers(0, 12)
EVENTS = st.one_of(
    st.builds(ev.CardsSeen, st.just(0), ZONES, TOKENS),
    st.builds(ev.CardsGone, st.just(0), ZONES, TOKENS),
    st.builds(ev.KeyPressed, st.just(0), st.sampled_from(list(Key)), st.integers(0, 3), st.sampled_from(["", "17"])),
    st.builds(
        lambda ruling, number, value: ev.Ruled(
            0, ruling=ruling, by="d", reason="r", seat=number, seats=(1, number), value=value
        ),
        st.sampled_from(list(Ruling)),
        st.integers(-1, 30),
        st.sampled_from([-1, 0, 1, 30, 800, 10**9]),
    ),
    st.builds(ev.WallClock, st.just(0), st.sampled_from([-1, 0, 10**9, 2**40]), st.integers(0, 86_399), st.booleans()),
    st.builds(ev.ButtonAt, st.just(0), st.sampled_from([(), (1,), (2,), (1, 2)])),
    st.builds(ev.CardUp, st.just(0), IDS),
    st.builds(ev.CardPassed, st.just(0), IDS, IDS),
    st.builds(ev.CardNotTaken, st.just(0), IDS, IDS),
    st.builds(ev.CardRetracted, st.just(0), IDS),
    st.builds(ev.CycleEnded, st.just(0), IDS, st.sampled_from(list(Cycle)), st.sampled_from(list(Result)), st.just(52)),
    st.builds(ev.CommandVoid, st.just(0), IDS, st.just("held")),
    st.builds(ev.Misfed, st.just(0), IDS, st.sampled_from(list(Result))),
    st.builds(ev.PlacesSet, st.just(0), IDS),
    st.builds(ev.ShufflerLocked, st.just(0), st.sampled_from(["door", "error"])),
    st.builds(
        lambda machine, agreed: ev.ShufflerMet(
            0,
            serial=1,
            epoch=3,
            last_id=2,
            machine=machine,
            exit_id=0,
            token_id=0,
            deal_id=0,
            caps=0x7FFF,
            agreed=agreed,
        ),
        st.sampled_from([-1, 0, 48, 52]),
        st.booleans(),
    ),
    st.builds(ev.DeviceLost, st.just(0), st.sampled_from(["shuffler", "feig-1"]), st.just("gone")),
    st.builds(ev.DeviceBack, st.just(0), st.sampled_from(["shuffler", "feig-1"])),
    st.builds(ev.ZoneUnknown, st.just(0), ZONES, st.just("deaf")),
    st.builds(ev.ZoneKnown, st.just(0), ZONES),
    st.builds(ev.HoldFound, st.just(0), IDS, IDS, st.just(1)),
    st.builds(
        ev.Started,
        st.just(0),
        setup=st.just(SETUP),
        memory=st.just(Memory(session=1)),
        boot_id=st.sampled_from(["", "other"]),
    ),
    st.builds(ev.HandAsked, st.just(0), st.integers(-1, 21), st.just("ann")),
    st.builds(ev.ServiceBegan, st.just(0), st.just("tom")),
    st.builds(ev.ServiceEnded, st.just(0), st.just("tom")),
    st.builds(ev.DeviceLent, st.just(0), st.sampled_from(["shuffler", "feig-1"]), st.just("tom")),
    st.builds(ev.JournalFailed, st.just(0), st.just("disk")),
    st.builds(ev.SpaceLeft, st.just(0), st.sampled_from(list(ev.Space)), IDS),
    st.builds(ev.Tick, st.just(0)),
)


@st.composite
def stories(draw):
    """An evening from any moment of a hand on, told by a madman."""
    opening = [ev.Started(0, setup=SETUP, memory=Memory(session=1))]
    return opening + draw(st.lists(EVENTS, max_size=60))


def tell(state, story):
    now = state.now_ns
    for number, event in enumerate(story):
        now += 400_000_000 if number % 3 else 2_000_000_000
        event = msgspec.structs.replace(event, at_ns=now)
        state, commands = step(state, event)
        view(state)
        yield state, event, commands


@settings(max_examples=300, deadline=None)
@given(story=stories(), begun=st.booleans())
def test_the_world_never_makes_it_raise_and_every_card_is_in_one_place(story, begun) -> None:
    start = _begun() if begun else State()
    for state, _, commands in tell(start, story):
        assert state.out_commands == ()
        if commands and any(isinstance(command, Release) for command in commands):
            assert not state.holds
        assert all(1 <= card % 1000 <= 52 for card in state.out)
        assert len(state.out) <= 52


@settings(max_examples=50, deadline=None)
@given(story=stories())
def test_the_same_events_give_the_same_decisions(story) -> None:
    first = [commands for _, _, commands in tell(_begun(), story)]
    encoded = [msgspec.json.encode(event) for _, event, _ in tell(_begun(), story)]
    again = [msgspec.json.decode(text, type=ev.AnyEvent) for text in encoded]
    state, second = _begun(), []
    for event in again:
        state, commands = step(state, event)
        second.append(commands)
    assert second == first
    for commands in first:
        assert msgspec.json.decode(msgspec.json.encode(commands), type=tuple[AnyCommand, ...]) == commands


@settings(max_examples=100, deadline=None)
@given(story=stories(), begun=st.booleans())
def test_an_event_changes_no_state_that_was_given_before(story, begun) -> None:
    given = _begun() if begun else State()
    as_it_was = repr(given)
    for state, _, _ in tell(given, story):
        assert repr(given) == as_it_was
        given, as_it_was = state, repr(state)


def test_the_phases_move_by_their_table_and_by_nothing_else() -> None:
    allowed = {(source, trigger): dest for trigger, sources, dest in TABLE for source in sources}
    for phase in Phase:
        for trigger in Trigger:
            if (phase, trigger) in allowed:
                assert move(phase, trigger) is allowed[phase, trigger]
                continue
            with pytest.raises(ValueError, match=phase.value):
                move(phase, trigger)


def _begun() -> State:
    """A hand with its first card on the way up, told by hand."""
    state = State()
    now = 0

    def told(event: ev.Event) -> None:
        nonlocal state, now
        now += 10_000_000
        state, _ = step(state, msgspec.structs.replace(event, at_ns=now))

    told(ev.Started(0, setup=SETUP, memory=Memory(session=1)))
    told(ev.WallClock(0, 1_767_294_000, 19 * 3600, True))
    told(
        ev.ShufflerMet(
            0, serial=1, epoch=3, last_id=0, machine=0, exit_id=0, token_id=0, deal_id=0, caps=0x7FFF, agreed=True
        )
    )
    for number in range(1, 53):
        told(ev.CardsSeen(0, INFEED, (token(1, number),)))
        told(ev.CardsGone(0, INFEED, (token(1, number),)))
    told(ev.CycleEnded(0, 1, Cycle.RETURN, Result.DONE, 52))
    told(ev.KeyPressed(0, Key.ACK))
    told(ev.CycleEnded(0, 2, Cycle.SHUFFLE, Result.DONE, 52))
    told(ev.Ruled(0, ruling=Ruling.SET_BUTTON, by="d", reason="draw", seat=1))
    told(ev.ButtonAt(0, (1,)))
    told(ev.KeyPressed(0, Key.START))
    assert state.memory.pending_kind == "Dispense"
    return state
