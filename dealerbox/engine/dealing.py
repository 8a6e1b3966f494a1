"""The next card: whether it may be brought up, and whether it may go."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from dealerbox.engine.astray import astray, is_settling
from dealerbox.engine.facts import (
    group_due,
    is_moving,
    is_ours,
    on_its_way,
    scan_ns,
    settling_ns,
    travelling,
)
from dealerbox.engine.find import no_more
from dealerbox.engine.hand import to_be_shown, weighed
from dealerbox.engine.holds import end_holds, has_hold, hold, notice, refuse, wake
from dealerbox.engine.machine import order
from dealerbox.engine.phases import DEALING
from dealerbox.engine.procedures import taken_back
from dealerbox.engine.sightings import name_stranger
from dealerbox.engine.state import GROUP, SIGHT, Condition, Manual, Proof, Released, Standing, State, change
from dealerbox.engine.witnesses import BROUGHT
from dealerbox.model.cards import Token, is_unidentified, stand_in
from dealerbox.model.commands import Count, Dispense, Release, Retract, Return, Shuffle
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cap, Scope
from dealerbox.model.zones import ASIDE, EXIT, INFEED

_PRESENT_AHEAD: Final = int(Cap.PRESENT_AHEAD)
"""As a number: to ask a flag costs Python 3.11 a microsecond, at every card."""


def deal_on(state: State) -> State:
    """Do the next thing that an open hand asks of the shuffler, if anything may be done: no card but the next (P1)."""
    if state.recalled:
        state = taken_back(state)
    if state.released is None and not state.memory.exit_id and state.plan and state.plan[0].zone == ASIDE:
        state.plan = state.plan[1:]  # the dead card that was to lie aside went back into the stub
    if state.early:
        state = weighed(state)
    if state.search is not None:
        state = no_more(state)
    if state.holds:
        state = _proof_owed(state)
    if state.manual is not None:
        asked_for = state.phase is DEALING and state.released is None and state.manual.proved
        return astray(state) if asked_for and state.plan and state.search is None else state
    if not state.up or state.memory.pending:
        return state
    if state.proof is not None:
        return _prove(state, state.proof)
    if state.returning and not state.released:
        return _take_back(state)
    if not state.plan:
        return state
    if state.order_lost:
        return state if state.released and not group_due(state) else _reshuffle(state)
    if state.phase is not DEALING or state.cut_owed:
        return state
    if state.holds or state.search is not None:
        return state
    if state.doubtful is not None and not state.acted:  # a misdeal is called, and one answer open
        return state
    if state.released is not None:
        return _ahead(state, state.released)
    if not state.memory.exit_id:
        return _dispense(state)
    return _release(state)


def _dispense(state: State) -> State:
    memory = state.memory
    state.read_up = False
    return order(state, lambda number: Dispense(number, memory.deal_id, not state.opened))


def _ahead(state: State, released: Released) -> State:
    """While a card is on its way: bring the next one up, and let it go where it is of the same group (1809)."""
    steps, place = state.plan, len(state.along) + 1
    if not released.passed_ns or len(steps) <= place or steps[place].street is not state.street:
        return state
    grouping = state.setup.house.dispense is GROUP and group_due(state)
    if state.memory.exit_id:
        return _release(state) if grouping else state
    if state.caps & _PRESENT_AHEAD or (grouping and not state.seen.get(EXIT)):
        return _dispense(state)
    return state


def _release(state: State) -> State:
    """Let the card behind the gate go, if it is the one card the exit reader names and nothing lies astray.

    Of a group the cards that were let out before it may still lie at the exit.
    """
    at_exit = state.seen.get(EXIT, {})
    if state.released is not None:
        at_exit = {card: since for card, since in at_exit.items() if on_its_way(state, card) is None}
    if not at_exit:
        return _unread(state)
    ready_ns = state.up_ns
    for since_ns in at_exit.values():
        if since_ns > ready_ns:
            ready_ns = since_ns
    ready_ns += scan_ns(state)
    if state.now_ns < ready_ns:
        return wake(state, ready_ns)
    if len(at_exit) > 1:
        return _crowded(state, at_exit)
    (card,) = at_exit
    if card in state.out:
        return _lingering(state, card)
    if state.suspects or not is_ours(state, card):
        return _strange(state)
    return _undoubted(state, card)


def _undoubted(state: State, card: Token) -> State:
    """The exit reader names one card of the stub: it may go if nothing lies astray.

    What may lie astray keeps it until that has settled (H11, S5): nobody saw how long it has lain there already, where
    a reader was deaf, or the station started anew.
    """
    if state.strays:
        state = astray(state)
        if is_settling(state):
            return state
    if state.holds:
        return state
    if is_moving(state):
        return wake(state, state.button_since_ns + settling_ns(state) + 1)
    return _let_go(state, card)


def _let_go(state: State, card: Token) -> State:
    """Give the card behind the gate its permit, for the next step of the plan."""
    exit_id = state.memory.exit_id
    step = state.plan[travelling(state)]
    if state.released is not None:
        state.along = (*state.along, state.released)
    state.released = Released(card, step)
    return order(state, lambda number: Release(number, exit_id))


def _unread(state: State) -> State:
    """The card is up and its tag is silent (H10)."""
    due_ns = state.up_ns + settling_ns(state)
    if state.now_ns < due_ns:
        return wake(state, due_ns)
    return hold(state, Reason.CARD_UNREAD, Condition.SIGHT, zone=EXIT)


def _crowded(state: State, at_exit: Mapping[Token, int]) -> State:
    """More than one tag at the exit: dealt cards there are lingering or astray, two of the stub are a double feed."""
    if not all(is_ours(state, card) for card in at_exit):
        return _strange(state)
    undealt = [card for card in at_exit if card not in state.out]
    if len(undealt) > 1:
        return hold(state, Reason.DOUBLE_FEED, Condition.PROOF, zone=EXIT)
    doubted = [card for card in at_exit if card in state.out and state.out[card].twice != EXIT]
    for card in doubted:
        state = _lingering(state, card)
    return _undoubted(state, *undealt) if undealt and not doubted else state


def _strange(state: State) -> State:
    """A tag at the exit that is not of this deck and that no hold names: it lay there before the hand began."""
    for card in state.seen[EXIT]:
        if not state.suspects and not is_ours(state, card):
            state = name_stranger(state, EXIT, card)
    return state


def _lingering(state: State, card: Token) -> State:
    """A dealt card is still read at the exit: wait for one zone to lose it (S5), or call it astray."""
    record = state.out[card]
    if record.twice == EXIT:
        return _unread(state)
    if record.at == EXIT:
        return astray(state)
    since_ns = max(state.seen.get(record.at, {}).get(card, state.up_ns), state.up_ns)
    due_ns = since_ns + settling_ns(state) + scan_ns(state)
    if state.now_ns < due_ns:
        return wake(state, due_ns)
    return hold(state, Reason.RECOUNT, Condition.SIGHT, clause="1804B(10)", zone=EXIT, to=record.at, token=card)


def unseen(state: State, released: Released) -> State:
    """The released card has not been seen at its zone within the settling time (H10)."""
    if released.unseen or not released.passed_ns:
        return state
    if group_due(state):  # the group is judged when the last of it was let out
        return state
    if state.now_ns < released.passed_ns + settling_ns(state):
        return state
    if state.out[released.token].at != EXIT:
        return state
    state = change(state, released=replace(released, unseen=True))
    if is_unidentified(released.token):  # no reader will see it: the dealer is asked, and it is no news
        return state
    return notice(state, Reason.CARD_UNSEEN, released.step.zone)


def unidentified(state: State, person: int) -> State:
    """The card at the exit goes to its step unread (H10): infeed and counter have both proved 52.

    A token of no card stands for it until it is seen anywhere; the deck goes out after this hand.
    """
    state = astray(state)
    if any(h.reason is not Reason.CARD_UNREAD for h in state.holds):
        return state
    if is_settling(state) or is_moving(state):
        return refuse(state, Reason.NOT_NOW, Key.ACK)
    decks = tuple(replace(deck, suspect=True) if deck.slot == state.deck else deck for deck in state.decks)
    state = notice(change(state, decks=decks), Reason.DECK_SUSPECT)
    state = end_holds(state, lambda h: h.reason is Reason.CARD_UNREAD, person)
    taken = sum(1 for card in state.out if is_unidentified(card))
    return _let_go(state, stand_in(state.deck, taken + 1))


def retract(state: State) -> State:
    """Take the card at the exit back into the machine; the stub is then shuffled and cut."""
    exit_id = state.memory.exit_id
    return order(state, lambda number: Retract(number, exit_id))


def _take_back(state: State) -> State:
    """Cards go back into the stub: the exit empty, the infeed open until they are in."""
    if state.memory.exit_id:
        return retract(state)
    return order(state, lambda number: Return(number, len(state.returning)))


def _reshuffle(state: State) -> State:
    """The stub's order is lost: a shuffle of the stub, good for this hand only.

    Not while a card of it lies on the table, and would come back into a machine that turns; one that was fed in unasked
    is told first.
    """
    if has_hold(state, Reason.NOT_RELEASED):
        return state
    if any(state.out[card].at == INFEED for card in state.strays):
        state = astray(state)
        if has_hold(state, Reason.CARD_STRAYED):
            return state
    if state.memory.exit_id:
        return retract(state)
    return order(state, lambda number: Shuffle(number, state.memory.machine, Scope.STUB))


def stub_expected(state: State) -> int:
    """Return how many cards the stub must hold: 52 less those outside, however known (S2)."""
    return 52 - len(state.out)


def agrees(state: State) -> bool:
    """Tell whether the machine holds as many cards as the books say."""
    inside = state.memory.machine + (1 if state.memory.exit_id else 0)
    travelling = 1 if state.released and state.released.token not in state.out else 0
    return inside == stub_expected(state) - travelling


def _prove(state: State, proof: Proof) -> State:
    """The mid-hand proof: exit empty, stub counted; the dealer's ACK ends it."""
    if proof.places:
        return state
    if state.memory.exit_id:
        return retract(state)
    if proof.counted < 0:
        if not state.caps & Cap.COUNT_KEEPS_ORDER:
            state = change(state, order_lost=True)
        return order(state, lambda number: Count(number, Scope.STUB))
    if proof.counted == stub_expected(state):
        return state
    if proof.failed != proof.counted:
        again = Proof(failed=proof.counted)
        return _prove(change(state, proof=again), again)
    state = change(state, proof=None)
    if proof.counted < stub_expected(state):
        return hold(state, Reason.CARD_MISSING, Condition.DECK, device=state.setup.shuffler)
    return hold(state, Reason.RECOUNT, Condition.DECK, device=state.setup.shuffler)


def proved(state: State) -> bool:
    """Tell whether the mid-hand proof adds up and waits for the dealer's ACK."""
    proof = state.proof
    return proof is not None and not proof.places and proof.counted == stub_expected(state)


def proof_confirmed(state: State, person: int) -> State:
    """The dealer has confirmed the mid-hand proof: the holds that needed it end.

    That of a restart once every reader has looked: the proof is of the stub alone.
    """
    proved_holds = tuple(replace(h, proved=True) if taken_away(state, h) else h for h in state.holds)
    state = change(state, proof=None, count_owed=True, holds=proved_holds)
    looked = not state.blind
    return end_holds(state, lambda h: h.needs is Condition.PROOF or (h.reason is Reason.RESTARTED and looked), person)


def doubled(state: State) -> Standing | None:
    """Return the hold about a card of this hand that two zones read; None: there is none (S5)."""
    return next((h for h in state.holds if h.reason is Reason.RECOUNT and h.needs is SIGHT), None)


def said_where(state: State, person: int) -> State:
    """The dealer says that a card which two zones read lies where it belongs: true once the stub is proved (S5)."""
    held = doubled(state)
    if held is None or held.token not in state.out:
        return state
    card, record = held.token, state.out[held.token]
    told = replace(held, needs=Condition.PROOF)
    state.out = {**state.out, card: replace(record, at=record.home, twice=held.zone)}
    state.strays = tuple(stray for stray in state.strays if stray != card)
    state.holds = tuple(told if h is held else h for h in state.holds)
    if state.manual is not None:
        state.manual = to_be_shown(state.manual)
    return state


def _proof_owed(state: State) -> State:
    """Begin the mid-hand proof when a hold needs it and none is under way."""
    if state.manual is not None:
        return _shown_again(state, state.manual)
    if state.proof is not None:
        return state
    owed = False
    for standing in state.holds:
        if standing.needs is SIGHT:  # most do, and a hold must not wait for what is asked of the others
            continue
        if _settled_by_deck(standing):
            return state
        owed = owed or _needs_proof(state, standing)
    if owed:
        state.proof = Proof()
    return state


def _shown_again(state: State, manual: Manual) -> State:
    """By hand a card that was brought to the table and taken away is proved by the stub shown anew (1824)."""
    if manual.proved and any(taken_away(state, standing) for standing in state.holds):
        state.manual = to_be_shown(manual)
    return state


_DECK_IN_DOUBT = (Reason.CARD_MISSING, Reason.DEFECTIVE_DECK, Reason.RECOUNT)


def _settled_by_deck(standing: Standing) -> bool:
    """Tell whether no count can end a hold: the deck itself must be replaced."""
    return standing.needs is Condition.DECK and standing.reason in _DECK_IN_DOUBT


def _needs_proof(state: State, standing: Standing) -> bool:
    """Tell whether a hold needs the mid-hand proof, by itself or because the station has just started and wonders."""
    if standing.needs is Condition.PROOF or taken_away(state, standing):
        return True
    if standing.reason is not Reason.RESTARTED:
        return False
    return state.up and not state.blind and not state.memory.pending and not agrees(state)


def taken_away(state: State, standing: Standing) -> bool:
    """Tell whether a card that was brought to the table (1824) is read nowhere any more, the proof still owed."""
    brought = standing.clause == BROUGHT and not standing.proved and standing.zone not in state.blind
    return brought and not any(standing.token in there for there in state.seen.values())
