"""Streets that came too early (1811(2)), cards dead as they are dealt (1811(1), 1820), cards that go back."""

from functools import partial
from operator import is_
from typing import Final

from msgspec.structs import replace

from dealerbox.engine.facts import by_hand, in_hand, travelling
from dealerbox.engine.holds import end_holds, hold, notice, refuse
from dealerbox.engine.phases import Phase, Trigger, move
from dealerbox.engine.placing import without
from dealerbox.engine.state import NO_CARD, SIGHT, Card, Condition, State, change, kept, remember
from dealerbox.law.plan import BOARD_CARDS, PRECEDING, Step, Street
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Replacement
from dealerbox.model.zones import ASIDE, BOARD, BURN, Zone, seat, seat_number

SET_ASIDE: Final = frozenset(
    {Reason.EXPOSED_CARD, Reason.OFF_TABLE, Reason.FACED_CARD, Reason.PREMATURE_TURN, Reason.PREMATURE_RIVER}
)
"""Holds that end when the card they are about is seen aside."""
SENT_BACK: Final = frozenset({Reason.PREMATURE_FLOP, Reason.TOO_MANY_FLOP})
"""Holds that end when the community cards are the stub's again (C8)."""
SAID: Final = SET_ASIDE | SENT_BACK | {Reason.PREMATURE_LATE, Reason.MISDEAL}
"""Holds that a key raises."""
CALLED: Final = frozenset({Key.EXPOSED, Key.OFF_TABLE, Key.FACED, Key.PREMATURE})
"""Keys that can be taken back until a card moves."""
_PREMATURE: Final = {
    Street.FLOP: Reason.PREMATURE_FLOP,
    Street.TURN: Reason.PREMATURE_TURN,
    Street.RIVER: Reason.PREMATURE_RIVER,
}


# Streets that came too early (1811(2), C6-C8).


def premature(state: State) -> State:
    """PREMATURE: the round was not complete when this street came."""
    street = state.street
    if not in_hand(state) or street is Street.PREFLOP or state.recalled:
        return refuse(state, Reason.NOT_NOW, "premature")
    before = kept(state)
    if state.street_acted:
        return remember(before, hold(state, Reason.PREMATURE_LATE, Condition.DIRECTOR), Key.PREMATURE)
    owed = sum(1 for step in state.plan if step.street is street and step.zone == BOARD)
    coming = travelling(state) if state.released is not None and state.released.step.zone == BOARD else 0
    if BOARD_CARDS[street] - owed + coming:
        return remember(before, _recall(state, _PREMATURE[street]), Key.PREMATURE)
    state = notice(state, Reason.PREMATURE_BURN, BURN)
    return remember(before, _reopen(state), Key.PREMATURE)


def too_many(state: State, card: Token) -> State:
    """A fourth card came with the flop (C8); after ACTION on the round since, only the director helps."""
    state.out, state.last_out = {**state.out, card: Card(BOARD, BOARD, BOARD)}, card
    if state.street_acted:
        return hold(state, Reason.PREMATURE_LATE, Condition.DIRECTOR, zone=BOARD, token=card)
    return _recall(state, Reason.TOO_MANY_FLOP)


def _recall(state: State, reason: Reason) -> State:
    """Hold now; the street is taken back once no card is on its way."""
    state.recalled = True
    return taken_back(hold(state, reason, SIGHT, zone=BOARD))


def taken_back(state: State) -> State:
    """Take the street back that was recalled, once no card is on its way: its round is open again."""
    if not state.recalled or travelling(state):
        return state
    state.recalled = False
    street = state.street
    board = [card for card, record in state.out.items() if record.dealt == BOARD]
    later = tuple(step for step in state.plan if step.street is not street)
    if street is Street.FLOP:
        state.plan = (Step(street, BOARD),) * BOARD_CARDS[street] + later
        return send_back(_reopen(state), board)
    card = board[-1]
    state.plan = (Step(street, BURN), Step(street, BOARD), *later)
    state.waiting = (*state.waiting, card)
    return _reopen(_dead(state, card))


def _reopen(state: State) -> State:
    return change(
        state,
        phase=move(state.phase, Trigger.REOPENED),
        street=PRECEDING[state.street],
        nexted=False,
        street_acted=False,
    )


# Cards that go back into the stub.


def send_back(state: State, cards: list[Token]) -> State:
    """These cards go back into the stub, which is then shuffled and cut (C4, C16)."""
    return change(state, returning=state.returning | frozenset(cards))


def is_back(state: State, card: Token) -> State:
    """A card that was sent back is the stub's again: read on its way in, or by hand shown at the burns."""
    state.out = {other: record for other, record in state.out.items() if other != card}
    state.strays = tuple(other for other in state.strays if other != card)
    state.returning -= {card}
    state.waiting = tuple(other for other in state.waiting if other != card)
    state.undo = None
    state.order_lost = state.manual is None
    state.unburned = state.last_out = NO_CARD
    state = end_holds(state, lambda h: h.token == card)
    if state.returning:
        return state
    if state.manual is not None:
        state.cut_owed = True
    return end_holds(state, lambda h: h.reason in SENT_BACK)


def cut(state: State, person: int = 0) -> State:
    """The dealer has cut the stub (C16)."""
    if waits(state) != "cut":
        return refuse(state, Reason.NOT_NOW, "cut")
    return change(state, cut_owed=False)


# Cards that are dead as they are dealt (1811(1), 1820).


def exposed(state: State, number: int) -> State:
    """EXPOSED [seat]: a card meant face down was flashed as it was dealt (C9)."""
    released = state.released
    coming = _is_meant(state, number)
    if in_hand(state) and released is not None and coming and _costs_nothing(state, released.step):
        return notice(state, Reason.EXPOSED_CARD, released.step.zone)
    house = state.setup.house
    before = kept(state)
    first = not any(record.dealt for record in state.out.values()) or (not coming and len(state.out) == 1)
    spoiled = _spoiled(state, Key.EXPOSED, Reason.EXPOSED_CARD, number)
    if spoiled is None:
        return refuse(state, Reason.NOT_NOW, Key.EXPOSED)
    if state.street is Street.PREFLOP:
        state.exposed += 1
        many = 0 < house.exposed_is_misdeal_from <= state.exposed
        if many or (first and house.first_card_exposed_is_misdeal):
            state = hold(state, Reason.MISDEAL, Condition.DIRECTOR)
    return remember(before, state, Key.EXPOSED)


def off_table(state: State, number: int) -> State:
    """OFF_TABLE [seat]: it left the table as it was dealt; after ACTION it is the player's and stays live."""
    before = kept(state)
    acted = state.acted if state.street is Street.PREFLOP else state.street_acted
    spoiled = None if acted else _spoiled(state, Key.OFF_TABLE, Reason.OFF_TABLE, number)
    return refuse(state, Reason.NOT_NOW, Key.OFF_TABLE) if spoiled is None else remember(before, spoiled, Key.OFF_TABLE)


def faced(state: State) -> State:
    """FACED: the card at the exit, or the released one, lay face up in the deck; the next card takes its step."""
    if state.phase is not Phase.DEALING:
        return refuse(state, Reason.NOT_NOW, Key.FACED)
    before = kept(state)
    if _is_meant(state, 0):
        state = _dead_in_the_air(state, Reason.FACED_CARD, at_once=True)
    elif state.memory.exit_id and state.released is None:
        state = notice(state, Reason.FACED_CARD)
        state.plan = (Step(state.street, ASIDE), *state.plan)
    else:
        return refuse(state, Reason.NOT_NOW, Key.FACED)
    return remember(before, state, Key.FACED)


def _is_meant(state: State, number: int) -> bool:
    """Tell whether a key about seat `number` (0: none named) means the released card; of a group nobody can tell."""
    released = state.released
    return released is not None and not state.along and number in (0, seat_number(released.step.zone))


def _costs_nothing(state: State, step: Step) -> bool:
    """A burn will never be seen, a turn, river or last flop card was to be seen: flashed, it costs nothing (C9)."""
    if step.street is Street.PREFLOP:
        return False
    return step.zone != BOARD or step.street is not Street.FLOP or state.plan[1:2] != (step,)


def _spoiled(state: State, key: Key, reason: Reason, number: int) -> State | None:
    """Return the state with that card dead and its step owed again; None when the key can mean no card."""
    if not in_hand(state):
        return None
    holes = state.street is Street.PREFLOP
    at_once = not holes or state.setup.house.exposed_replacement is Replacement.AT_ONCE
    if _is_meant(state, number):
        return _dead_in_the_air(state, reason, at_once)
    zone = seat(number) if number in state.seats else BOARD
    dealt = any(record.dealt == record.home == zone for record in state.out.values())
    in_time = (holes and not state.acted) if number else state.street is Street.FLOP and state.phase is Phase.DEALING
    if not dealt or not in_time or any(h.reason in SET_ASIDE and h.zone == zone for h in state.holds):
        return None
    state = hold(state, reason, SIGHT, zone=zone, to=ASIDE)
    return owed(state, zone, at_once)


def _dead_in_the_air(state: State, reason: Reason, at_once: bool) -> State:
    """The card on its way is dead: its step is to lie aside, and another card takes the step it had."""
    released = state.released
    assert released is not None
    aside = Step(released.step.street, ASIDE)
    zone = released.step.zone
    state = notice(state, reason, zone)
    state.plan = without(state.plan, released.step)
    state.released = None
    state = owed(state, zone, at_once)
    state.released = replace(released, step=aside, unseen=False)
    state.plan = (aside, *state.plan)
    if released.token in state.out:
        state.out = {**state.out, released.token: replace(state.out[released.token], home=ASIDE)}
    return end_holds(state, lambda h: h.token == released.token)


def owed(state: State, zone: Zone, at_once: bool) -> State:
    """A card is owed again to `zone` on the open street: as the next one, or as the street's last."""
    step = Step(state.street, zone)
    ahead = travelling(state)
    last = sum(1 for other in state.plan if other.street is state.street)
    place = ahead if at_once else last
    state.plan = (*state.plan[:place], step, *state.plan[place:])
    if state.phase is not Phase.DEALING:
        state.phase = move(state.phase, Trigger.OWED)
    return state


def _dead(state: State, card: Token) -> State:
    """A dealt card is dead, or waits: its place is aside."""
    state.out = {**state.out, card: replace(state.out[card], home=ASIDE, dealt=ASIDE)}
    return state


def lies_aside(state: State, card: Token) -> State:
    """A card is seen aside: it may be the one that a hold asks for."""
    dealt = state.out[card].dealt
    for standing in state.holds:
        if standing.reason not in SET_ASIDE or standing.token != NO_CARD:
            continue
        if dealt in (standing.zone, ASIDE) and standing.needs is SIGHT:
            state = _dead(state, card)
            return end_holds(state, partial(is_, standing))
    return state


def waits(state: State) -> str:
    """Return what a procedure waits for: `return` (cards go back), `cut`, or '' for nothing."""
    if state.returning:
        return "return"
    shuffled = not state.order_lost and state.memory.pending_kind != "Shuffle"
    return "cut" if state.cut_owed and shuffled and not state.holds else ""


def shown_to_go_back(state: State, zone: Zone, card: Token) -> bool:
    """Tell whether a card that goes back is seen on its way: at the infeed, or by hand at the burns (C4)."""
    return card in state.returning and zone == (BURN if by_hand(state) else "infeed")
