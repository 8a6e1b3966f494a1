"""Notices of the law: told, recorded, blocking nothing (1810, 1819, 1821).

The action clock is the dealer's comfort: it knows that a round is open and when the dealer said ACTION, never whose
turn it is. It begins with the round and anew at each ACTION; while a hold stands, and over a restart, it stands still
and the player has the whole time again. It runs on through PAUSE, which stops no hand that is open.
"""

from typing import Final

from msgspec.structs import replace

from dealerbox.engine.facts import held_cards, in_hand, live_seats
from dealerbox.engine.holds import notice, refuse, turn_begins, wake
from dealerbox.engine.phases import Phase
from dealerbox.engine.state import State, Turn, change
from dealerbox.law.custody import SECOND_NS
from dealerbox.model.cards import is_unidentified
from dealerbox.model.events import HandAsked
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.view import FouledHand
from dealerbox.model.zones import INFEED, Zone, seat

_BEGINS_ANEW: Final = frozenset({Key.ACTION, Key.UNDO, Key.PREMATURE, Key.RETRIEVE})
"""Keys after which a player of the open round has the whole time."""


def round_open(state: State) -> bool:
    """Tell whether players are to act: after the street's last card, until NEXT, with two live hands."""
    open_ = state.phase is Phase.BETTING or (state.phase is Phase.SHOWDOWN and not state.nexted)
    return open_ and len(live_seats(state)) > 1


def turn_after(state: State, key: Key) -> State:
    """The action clock after a key that was taken (1821)."""
    if not round_open(state):
        return change(state, turn=None)
    return turn_begins(state) if key in _BEGINS_ANEW else state


def time_told(state: State, turn: Turn) -> Reason | None:
    """Return what the dealer is to be shown of a player's time; None: nothing, or nobody is to act any more (1821)."""
    return turn.told if round_open(state) else None


def hand_asked(state: State, event: HandAsked) -> State:
    """The director asks for a fouled hand: told and recorded, nothing changes (1810)."""
    if not in_hand(state) or event.seat not in state.seats:
        return refuse(state, Reason.NOT_NOW, "fouled")
    return notice(change(state, refused=None), Reason.FOULED_HAND, seat(event.seat))


def fouled(state: State, number: int) -> FouledHand:
    """Return what the station knows of a seat's hand: zones, never tokens, for the hand may be open (1810, P4).

    It is whole when each of its two cards is known by its tag and lies on the table: one that went into the shuffler,
    or that no reader could name, cannot be told from others.
    """
    cards = held_cards(state, number) if in_hand(state) and number in state.seats else ()
    lie = tuple(sorted(state.out[card].at for card in cards))
    known = not any(is_unidentified(card) for card in cards)
    whole = len(cards) == 2 and known and INFEED not in lie and "" not in lie
    return FouledHand(seat=number, cards=len(cards), lie=lie, whole=whole, said=_said(state, number, lie, whole))


def _said(state: State, number: int, lie: tuple[Zone, ...], whole: bool) -> str:
    if not lie:
        return f"No card was dealt to seat {number} in this hand."
    if not whole:
        return "It cannot be made up completely: no card of it may be guessed."
    if set(lie) == {seat(number)}:
        return f"Both cards lie on seat {number}."
    return f"RETRIEVE {number}; then FIND, and show the cards one by one at the burns: it says which are of this hand."


def pots_told(state: State, *pots: Reason) -> State:
    """Say what becomes of pots, the deck being found defective: of this one, of those before it (1819)."""
    for reason in pots:
        state = notice(state, reason)
    return change(state, pots=pots)


def turn_told(state: State, turn: Turn) -> State:
    """Have the dealer warn the player before the time to act is over, and say when it is (1821).

    It is never over without a warning: where time has leapt over both, the player is warned and has the rest.
    """
    if state.holds or turn.told is Reason.TIME_OVER or not round_open(state):
        return state
    house = state.setup.house
    after_ns = (house.action_clock_s - house.action_warning_s) * SECOND_NS
    if turn.told is None:
        if state.now_ns < turn.since_ns + after_ns:
            return state
        turn = replace(turn, told=Reason.TIME_DUE, since_ns=state.now_ns - after_ns)
        return wake(
            notice(change(state, turn=turn), Reason.TIME_DUE), state.now_ns + house.action_warning_s * SECOND_NS
        )
    if state.now_ns < turn.since_ns + house.action_clock_s * SECOND_NS:
        return state
    return notice(change(state, turn=replace(turn, told=Reason.TIME_OVER)), Reason.TIME_OVER)
