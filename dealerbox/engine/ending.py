"""How a hand ends: the pot awarded, a misdeal, a void hand."""

from msgspec.structs import replace

from dealerbox.engine.decks import change_deck
from dealerbox.engine.facts import scan_ns, stub_in_hand
from dealerbox.engine.hand import given_back
from dealerbox.engine.holds import end_holds, has_hold, notice, wake
from dealerbox.engine.notices import pots_told
from dealerbox.engine.phases import Trigger, move
from dealerbox.engine.state import NO_CARD, DeckStatus, State, change
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox.model.cards import Kind, kind_of
from dealerbox.model.reasons import Reason


def over(state: State, how: Reason | None) -> State:
    """End the hand: `how` None when the pot was awarded, else MISDEAL or DEFECTIVE_DECK (void).

    MISDEAL, VOID_HAND and AWARD end all holds but those that outlive a hand (C14). A defective
    deck, or one called doubtful, is quarantined and the other one verified (1819, S4). A card on
    its way through the gate is followed until the machine says what became of it.
    """
    again = how is not None
    defective = has_hold(state, Reason.DEFECTIVE_DECK, Reason.CARD_MISSING)
    if how is Reason.MISDEAL:
        state = notice(state, Reason.MISDEAL)
    state = change(
        state,
        phase=move(state.phase, Trigger.OVER),
        plan=(),
        out=stub_in_hand(state) if state.manual and state.manual.emptied else state.out,
        manual=given_back(state),
        released=state.released if state.memory.pending_kind == "Release" else None,
        along=(),
        early=(),
        undo=None,
        up=state.up and not (state.proof is not None and state.proof.places),
        proof=None,
        doubtful=None,
        turn=None,
        search=None,
        last_out=NO_CARD,
        unburned=NO_CARD,
        strays=(),
        suspects=(),
        shuffled=0,
        opened=False,
        order_lost=False,
        recalled=False,
        waiting=(),
        returning=frozenset(),
        cut_owed=False,
        idle=False,
        redeal=again,
        button_set=state.button if again else 0,
        memory=replace(state.memory, deal_id=0),
        empty_owed=state.disagrees or has_hold(state, Reason.JAM, Reason.DOOR_OPEN, Reason.RECOUNT),
    )
    state = end_holds(
        state,
        lambda h: not IRREGULARITIES[h.reason].outlives or h.reason in (Reason.JAM, Reason.DOOR_OPEN),
    )
    known = {h.token for h in state.holds}
    lying = [(zone, card) for zone, there in state.seen.items() for card in there]
    strange = tuple((zone, card) for zone, card in lying if kind_of(card) is Kind.FOREIGN and card not in known)
    if strange:  # what meant nothing at the showdown means something now (1824)
        state = wake(change(state, suspects=strange), state.now_ns + scan_ns(state))
    doubtful = any(deck.slot == state.deck and deck.suspect for deck in state.decks)
    if defective:
        state = pots_told(state, Reason.POT_STANDS, Reason.POT_RETURNED, Reason.POT_FORFEITED)
    return change_deck(state, DeckStatus.QUARANTINED) if doubtful or defective else state


def void(state: State) -> State:
    """The hand is void: chips go back as contributed (1819)."""
    return over(state, Reason.DEFECTIVE_DECK)
