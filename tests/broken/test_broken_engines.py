"""Engines broken on purpose: the checker, or a fault that nobody is told of, gives each of them away.

Each is the real engine with one rule taken out, by what it is not told or by what it
says unasked. That they are caught shows that checker and people bite.
"""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model.cards import Kind, Token, kind_of
from dealerbox.model.commands import Command, Hold
from dealerbox.model.events import (
    ButtonAt,
    CardsSeen,
    DeviceBack,
    DeviceLost,
    Event,
    KeyPressed,
    ShufflerMet,
    Started,
    ZoneKnown,
    ZoneUnknown,
)
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.model.zones import EXIT, INFEED, Zone, seat, seat_number
from dealerbox.simulate.run import ENGINE, Findings, Standstill, simulate

Told = tuple[Any, tuple[Command, ...]]
Rewrite = Callable[[Any, Event], tuple[Event, ...]]


def told(rewrite: Rewrite) -> Callable[[Any, Event], Told]:
    """Return an engine that is told what `rewrite` makes of each event."""

    def broken(state: Any, event: Event) -> Told:
        commands: tuple[Command, ...] = ()
        for given in rewrite(state, event):
            state, more = step(state, given)
            commands += more
        return state, commands

    return broken


def without(*kinds: type[Event]) -> Rewrite:
    return lambda _state, event: () if isinstance(event, kinds) else (event,)


def without_key(key: Key) -> Rewrite:
    return lambda _state, event: () if isinstance(event, KeyPressed) and event.key is key else (event,)


def sees_every_card_where_it_should_be(state: Any, event: Event) -> tuple[Event, ...]:
    shown = view(state)
    if isinstance(event, CardsSeen) and shown.released and event.zone not in (EXIT, INFEED):
        return (replace(event, zone=shown.expect),)
    return (event,)


def takes_the_board_for_the_burn(state: Any, event: Event) -> tuple[Event, ...]:
    if isinstance(event, CardsSeen) and (event.zone, view(state).expect) == ("board", "burn"):
        return (replace(event, zone=Zone("burn")),)
    return (event,)


def takes_the_burn_for_the_board(state: Any, event: Event) -> tuple[Event, ...]:
    if isinstance(event, CardsSeen) and (event.zone, view(state).expect) == ("burn", "board"):
        return (replace(event, zone=Zone("board")),)
    return (event,)


def sees_no_card_but_the_wanted(state: Any, event: Event) -> tuple[Event, ...]:
    shown = view(state)
    dealing = shown.phase in ("dealing", "betting")
    if isinstance(event, CardsSeen) and dealing and event.zone not in (shown.expect, EXIT, INFEED):
        return ()
    return (event,)


def sees_no_muck(_state: Any, event: Event) -> tuple[Event, ...]:
    return () if isinstance(event, CardsSeen) and event.zone == "muck" else (event,)


def sees_no_button_in_a_hand(state: Any, event: Event) -> tuple[Event, ...]:
    return () if isinstance(event, ButtonAt) and view(state).street else (event,)


def takes_any_button(state: Any, event: Event) -> tuple[Event, ...]:
    wanted = view(state).button
    return (replace(event, seats=(wanted,)),) if isinstance(event, ButtonAt) and wanted else (event,)


def takes_strangers_for_cards(_state: Any, event: Event) -> tuple[Event, ...]:
    if isinstance(event, CardsSeen) and event.zone == EXIT:
        cards = tuple(card if kind_of(card) is Kind.CARD else Token(1052) for card in event.tokens)
        return (replace(event, tokens=cards),)
    return (event,)


def presses_next_itself(state: Any, event: Event) -> tuple[Event, ...]:
    lit = Key.NEXT in view(state).lit and isinstance(event, CardsSeen)
    return (event, KeyPressed(event.at_ns, Key.NEXT)) if lit else (event,)


def presses_start_itself(state: Any, event: Event) -> Told:
    state, commands = step(state, event)
    if Key.START in view(state).lit and not isinstance(event, KeyPressed):
        state, more = step(state, KeyPressed(event.at_ns, Key.START))
        commands += more
    return state, commands


def confirms_itself(state: Any, event: Event) -> Told:
    state, commands = step(state, event)
    if view(state).prompt_code == "unseen":
        state, more = step(state, KeyPressed(event.at_ns, Key.ACK))
        commands += more
    return state, commands


def goes_on_after_a_restart(state: Any, event: Event) -> tuple[Event, ...]:
    again = isinstance(event, Started | ShufflerMet) and bool(view(state).street)
    return () if again else (event,)


def keeps_holds_to_itself(state: Any, event: Event) -> Told:
    state, commands = step(state, event)
    return state, tuple(command for command in commands if not isinstance(command, Hold))


def cries_wolf(state: Any, event: Event) -> Told:
    state, commands = step(state, event)
    if isinstance(event, CardsSeen) and seat_number(event.zone) == 3:
        key = 1000 + event.at_ns // 1_000_000
        commands += (Hold(key=key, reason=Reason.WRONG_SEAT, clause="1804A(3)", zone=event.zone),)
    return state, commands


def _mirror(zone: Zone) -> Zone:
    number = seat_number(zone)
    return seat(11 - number) if number else zone


def deals_counter_clockwise(state: Any, event: Event) -> Told:
    """Give the engine a table seen in a mirror: its clockwise is ours backwards."""
    match event:
        case Started():
            setup = event.setup
            seats = tuple(sorted(11 - number for number in setup.seats))
            event = replace(event, setup=replace(setup, seats=seats))
        case ButtonAt():
            event = replace(event, seats=tuple(sorted(11 - number for number in event.seats)))
        case CardsSeen() | ZoneKnown() | ZoneUnknown():
            event = replace(event, zone=_mirror(event.zone))
        case _ if hasattr(event, "seat") and event.seat:
            event = replace(event, seat=11 - event.seat)
        case _:
            pass
    return step(state, event)


def mirrored(state: Any) -> View:
    shown = view(state)
    return replace(
        shown,
        seats=tuple(sorted(11 - number for number in shown.seats)),
        button=11 - shown.button if shown.button else 0,
        expect=_mirror(shown.expect),
        holds=tuple(replace(hold, zone=_mirror(hold.zone), to=_mirror(hold.to)) for hold in shown.holds),
    )


def caught(
    broken: Callable[[Any, Event], Told], faults: list[str], face: Callable[[Any], View] = view, seed: int = 2
) -> str:
    """Play with an engine and say by what it gave itself away, '' if by nothing."""
    findings = Findings()
    engine = replace(ENGINE, step=broken, view=face)
    signs = []
    try:
        summary = simulate(12, "3-6", seed=seed, faults=faults, engine=engine, findings=findings)
        signs += [f"nobody told of {kind}" for kind, times in summary.faults.items() if times.held < times.injected]
    except Standstill:
        signs.append("standstill")
    return " ".join([*signs, *(name for name in ("unlawful", "missed", "false") if getattr(findings, name))])


def believes_one_witness(state: Any, event: Event) -> Told:
    """Says of every read that does not add up that a card is missing (S3)."""
    state, commands = step(state, event)
    said = tuple(
        replace(c, reason=Reason.CARD_MISSING) if isinstance(c, Hold) and c.reason is Reason.RECOUNT else c
        for c in commands
    )
    return state, said


def forgets_the_count_owed(state: Any, event: Event) -> Told:
    """Deals the next hand after a mid-hand proof without the full count (S2)."""
    state, commands = step(state, event)
    return replace(state, count_owed=False), commands


BROKEN: dict[str, tuple[Callable[[Any, Event], Told], list[str], str]] = {
    "takes every card for the right one": (told(sees_every_card_where_it_should_be), ["wrong_seat"], "unlawful"),
    "forgets the burn": (told(takes_the_board_for_the_burn), ["burn_missing"], "unlawful"),
    "burns what is for the board": (told(takes_the_burn_for_the_board), ["burn_extra"], "unlawful"),
    "does not see cards stray": (told(sees_no_card_but_the_wanted), ["card_strayed"], "missed"),
    "does not see dead cards come back": (told(sees_no_card_but_the_wanted), ["dead_card_back"], "missed"),
    "does not see burns in the muck": (told(sees_no_muck), ["burn_in_muck"], "missed"),
    "does not watch the button": (told(sees_no_button_in_a_hand), ["button_moved"], "missed"),
    "deals with any button": (told(takes_any_button), ["button_wrong"], "unlawful"),
    "deals strangers": (told(takes_strangers_for_cards), ["foreign_card"], "unlawful"),
    "deals without NEXT": (told(presses_next_itself), [], "unlawful"),
    "deals without START": (presses_start_itself, [], "unlawful"),
    "believes that cards arrive": (confirms_itself, [], "unlawful"),
    "trusts the table after a restart": (told(goes_on_after_a_restart), ["restarted"], "missed"),
    "does not miss its devices": (told(without(DeviceLost, DeviceBack, ZoneUnknown)), ["device_lost"], "missed"),
    "ignores MISDEAL": (told(without_key(Key.MISDEAL)), ["misdeal"], "unlawful"),
    "ignores UNDO": (told(without_key(Key.UNDO)), ["undo"], "unlawful"),
    "ignores MANUAL": (told(without_key(Key.MANUAL)), ["manual"], "unlawful"),
    "drops its holds": (keeps_holds_to_itself, ["wrong_seat"], "nobody told"),
    "holds for nothing": (cries_wolf, [], "false"),
    "calls a card missing at first sight": (believes_one_witness, ["card_missing"], "false"),
    "deals on after a proof without the count": (forgets_the_count_owed, ["door_opened"], "unlawful"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_engine_is_caught(name: str) -> None:
    broken, faults, by = BROKEN[name]
    assert any(by in caught(broken, faults, seed=seed) for seed in (2, 3, 4))  # at a standstill nothing more is seen


def test_an_engine_that_deals_counter_clockwise_is_caught() -> None:
    assert "false" in caught(deals_counter_clockwise, [], mirrored)


def test_the_engine_as_it_is_gives_nothing_away() -> None:
    assert caught(step, ["wrong_seat", "card_strayed", "button_wrong", "misdeal", "restarted", "undo"]) == ""
