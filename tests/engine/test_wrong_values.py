"""Each field of each event with each value that it cannot have: told, by a hold or a refusal, and never raised."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model import events as ev
from dealerbox.model.cards import token
from dealerbox.model.commands import Hold, Notice, Refuse, Release
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import BOARD, INFEED

LEAST, MOST = -(2**63), 2**63 - 1
IDS = (LEAST, -1, 0, 99_999, MOST)
SEATS = (LEAST, -1, 21, MOST)
NOWHERE = ("", "moon", "seat:0", "seat:99", "²")
STRANGE = tuple((number,) for number in (LEAST, -1, 0, 7, 3001, 1099, MOST))
NOBODY = ("", "  ")
SLOTS = tuple((DeckInfo(slot=slot, name="third", back="green"),) for slot in (LEAST, -1, 0, 12, MOST))


ANYWHERE = ("between", "dealing", "betting", "held")
MACHINE = {"serial": 1, "epoch": 3, "last_id": 0, "machine": 52, "exit_id": 0, "token_id": 0, "deal_id": 0, "caps": 0}

WRONG: dict[ev.Event, dict[str, tuple[Any, ...]]] = {
    ev.CardsSeen(0, BOARD, (token(1, 50),)): {"tokens": STRANGE},
    ev.ZoneUnknown(0, INFEED, "deaf"): {"zone": NOWHERE},
    ev.ButtonAt(0, (1,)): {"seats": tuple((seat,) for seat in (*SEATS, 0))},
    ev.KeyPressed(0, Key.EXPOSED, 2): {"seat": SEATS},
    ev.KeyPressed(0, Key.OFF_TABLE, 2): {"seat": SEATS},
    ev.KeyPressed(0, Key.RETRIEVE, 2): {"seat": SEATS},
    ev.DealerNamed(0, "17", "ann"): {"by": NOBODY},
    ev.DecksEnrolled(0, (), "ann"): {"decks": SLOTS, "by": NOBODY},
    ev.KeyStuck(0, Key.NEXT): {"key": tuple(Key)},
    **{
        ev.Ruled(0, ruling=ruling, by="ann", reason="so", seat=2, seats=(1, 2, 3)): {"by": NOBODY, "reason": NOBODY}
        for ruling in Ruling
    },
    **{
        ev.Ruled(0, ruling=ruling, by="ann", reason="so"): {"seat": SEATS}
        for ruling in (Ruling.HAND_DEAD, Ruling.RETRIEVE, Ruling.SET_BUTTON)
    },
    ev.Ruled(0, ruling=Ruling.SEATS, by="ann", reason="so"): {"seats": tuple((1, seat) for seat in (*SEATS, 0))},
    ev.Ruled(0, ruling=Ruling.TO_STUB, by="ann", reason="so"): {
        "tokens": STRANGE,
        "cards": (("moon:1",), ("board:0",), ("board:99",), ("board:²",), ("",), ("board:-1",)),
    },
    ev.Ruled(0, ruling=Ruling.BEGAN, by="ann", reason="so"): {"value": (LEAST, -1, 1441, MOST)},
    ev.Ruled(0, ruling=Ruling.HOUR, by="ann", reason="so"): {"value": (LEAST, -1, 1441, MOST)},
    ev.HandAsked(0, 2, "ann"): {"seat": (*SEATS, 0), "by": NOBODY},
    ev.ServiceBegan(0, "tom"): {"by": NOBODY},
    ev.ServiceEnded(0, "tom"): {"by": NOBODY},
    ev.DeviceLent(0, "shuffler", "tom"): {"by": NOBODY, "device": NOWHERE},
    ev.ShufflerMet(0, **MACHINE, agreed=True): {"machine": (LEAST, -1, 105, MOST), "exit_id": (LEAST, -1)},
    ev.CardUp(0, 1): {"id": IDS},
    ev.CardPassed(0, 1, 1): {"id": IDS, "card_id": IDS},
    ev.CardNotTaken(0, 1, 1): {"id": IDS},
    ev.CardRetracted(0, 1): {"id": IDS},
    ev.PlacesSet(0, 1): {"id": IDS},
    ev.CommandVoid(0, 1, "held"): {"id": IDS},
    **{ev.CycleEnded(0, 1, cycle, Result.DONE, 52): {"id": IDS} for cycle in Cycle},
    **{ev.Misfed(0, 1, result): {"id": IDS} for result in Result},
    ev.ShufflerLocked(0, "door"): {"why": NOWHERE},
    ev.HoldFound(0, 1, 1, 1): {"session": IDS, "key": IDS, "reason": IDS},
    ev.DeviceLost(0, "shuffler", "gone"): {"device": NOWHERE},
    ev.WallClock(0, 10**9, 50_000, True): {"wall_s": (LEAST, -1, 2**40, MOST), "day_s": (LEAST, -1, 90_000, MOST)},
    ev.JournalFailed(0, "disk"): {"why": NOWHERE},
}
"""An event that can be -> of which field which values cannot."""

NO_MATTER = {
    "CardsSeen.zone": "a card that is not expected in a zone is judged the same in any",
    "CardsGone.zone": "what is not read any more has not moved",
    "CardsGone.tokens": "what is not read any more has not moved",
    "TagsSeen.zone": "the station makes tokens of tags",
    "TagsSeen.uids": "the station makes tokens of tags",
    "TagsGone.zone": "the station makes tokens of tags",
    "TagsGone.uids": "the station makes tokens of tags",
    "ZoneUnknown.why": "words",
    "ZoneKnown.zone": "of a zone that was never unknown it says nothing new",
    "KeyPressed.key": "every key has its answer in every phase: test_keys",
    "KeyPressed.badge": "a name that is no number is the dealer's of this table",
    "DealerNamed.badge": "'' is nobody's",
    "KeyFreed.key": "a key that was let go",
    "Ruled.ruling": "every ruling has its answer in every phase: test_rulings",
    "ShufflerMet.serial": "another machine is strange to the driver, which says that it does not agree",
    "ShufflerMet.epoch": "as its serial",
    "ShufflerMet.last_id": "32 bits on the wire: an id a second for 136 years",
    "ShufflerMet.token_id": "another than the last shuffle earns nothing: test_shuffler",
    "ShufflerMet.deal_id": "another than the last shuffle earns nothing: test_shuffler",
    "ShufflerMet.caps": "bits that nobody knows mean nothing",
    "ShufflerMet.agreed": "judged both ways",
    "ShufflerMet.why": "words",
    "ShufflerMet.unpowered": "judged both ways",
    "ShufflerMet.session": "the higher one is kept",
    "CardNotTaken.card_id": "the card is where it was",
    "CycleEnded.cycle": "any, under an id that was not given",
    "CycleEnded.result": "any, under an id that was not given",
    "CycleEnded.number": "of a cycle that is under way: its own test below",
    "CommandVoid.why": "words",
    "Misfed.result": "any, under an id that was not given",
    "DeviceLost.why": "words",
    "DeviceBack.device": "of a device that was not lost it says nothing new",
    "WallClock.sure": "judged both ways",
    "Started.setup": "the configuration refuses it: tests/config",
    "Started.memory": "the journal's own: tests/journal",
    "Started.boot_id": "words",
    "Started.software": "words",
    "Started.config": "words",
    "SpaceLeft.space": "judged all ways",
    "SpaceLeft.records": "words",
}
"""Fields of which no value is wrong, or which nobody outside can give one; and why."""

CASES = [
    (event, field, value) for event, fields in WRONG.items() for field, values in fields.items() for value in values
]


def told(commands: Any) -> list[str]:
    return [command.reason.value for command in commands if isinstance(command, Hold | Refuse | Notice)]


def answer(state: Any, event: ev.Event) -> list[str]:
    """Return what is told of an event at once or two scans later, by a command or by what the panel asks for anew."""
    asked = view(state).prompt_code
    state, commands = step(state, event)
    said = told(commands)
    msgspec.json.encode(commands)
    state, commands = step(state, ev.Tick(max(state.now_ns, event.at_ns) + 400_000_000))
    said += told(commands)
    now = view(state).prompt_code
    return said + ([now] if now != asked else [])


def test_every_field_of_every_event_is_here() -> None:
    fields = {
        f"{kind.cls.__name__}.{field.name}"
        for kind in msgspec.inspect.type_info(ev.AnyEvent).types
        for field in kind.fields
        if field.name != "at_ns"
    }
    tried = {f"{type(event).__name__}.{field}" for event, field, _ in CASES}
    assert fields - tried == NO_MATTER.keys() - tried
    assert tried <= fields


@pytest.mark.parametrize("phase", ANYWHERE)
def test_no_value_that_cannot_be_is_taken_in_silence(make_table, brought_to, phase) -> None:
    table = make_table()
    brought_to(table, phase)
    now_ns = table.state.now_ns
    silent = [
        f"{type(event).__name__} {field}={value!r} ({event})"
        for event, field, value in CASES
        if not answer(table.state, replace(event, **{field: value, "at_ns": now_ns + 1}))
    ]
    assert silent == []


@pytest.mark.parametrize(
    "phase", ["between", "dealing", "betting", "held", "proved", "showdown", "gathering", "by_hand"]
)
def test_none_of_them_is_raised_or_lets_a_card_out_in_any_phase_P1(make_table, brought_to, phase) -> None:
    table = make_table()
    brought_to(table, phase)
    inside = table.state.memory.machine, table.state.memory.exit_id
    for event, field, value in CASES:
        state, commands = step(table.state, replace(event, **{field: value, "at_ns": table.state.now_ns + 1}))
        view(state)
        msgspec.json.encode(commands)
        assert not any(isinstance(command, Release) for command in commands), event
        known = state.memory.settled < state.memory.next_id <= 2**32
        assert known, event
        if not isinstance(event, ev.ShufflerMet):
            assert (state.memory.machine, state.memory.exit_id) == inside, event


@pytest.mark.parametrize("number", [LEAST, -1, 105, MOST])
@pytest.mark.parametrize("cycle", Cycle)
def test_a_cycle_that_ends_with_a_number_of_cards_that_no_machine_holds_proves_nothing_S2(table, cycle, number) -> None:
    if cycle is Cycle.RETURN:
        table.holes()
        table.press(Key.AWARD)
    elif cycle is Cycle.COUNT:
        table.ready()
        table.press(Key.COUNT)
    else:
        table.holes()
        table.press(Key.AWARD)
        table.feed(*table.state.out)
        table.returned(6)
    pending, inside = table.state.memory.pending, table.state.memory.machine
    assert table.state.memory.pending_kind == cycle.value.capitalize()
    table.tell(lambda at: ev.CycleEnded(at, pending, cycle, Result.DONE, number))
    assert (table.view.prompt_code, table.state.memory.machine, table.state.shuffled) == ("empty", inside, 0)


def test_another_card_than_the_one_behind_the_gate_cannot_have_passed_1804A3(table) -> None:
    table.begun()
    table.let_up()
    pending, waits = table.state.memory.pending, table.state.memory.exit_id
    assert told(table.tell(lambda at: ev.CardPassed(at, pending, waits + 1)))[0] == "unaccounted_dispense"
    assert table.state.released is not None
    assert table.state.released.passed_ns == 0


@pytest.mark.parametrize("back_ns", [2 * 10**9, 2**63])
def test_time_that_runs_backwards_is_refused_whatever_is_told_by_it(table, back_ns) -> None:
    table.flop()
    now_ns = table.state.now_ns
    for event in {type(event): event for event, _, _ in CASES}.values():
        state, commands = step(table.state, replace(event, at_ns=now_ns - back_ns))
        assert "clock_unsure" in told(commands), event
        assert state.now_ns == now_ns
