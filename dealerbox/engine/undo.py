"""UNDO takes back the last key within its limit; what has happened in the world since stays."""

from collections.abc import Mapping

from msgspec.structs import replace

from dealerbox.engine.dealing import unseen
from dealerbox.engine.ending import over
from dealerbox.engine.facts import bookkeeping, in_hand, is_ours, settling_ns
from dealerbox.engine.holds import end_holds, has_hold, hold, holds_again, refuse, wake
from dealerbox.engine.placing import judged
from dealerbox.engine.procedures import CALLED, SAID
from dealerbox.engine.sightings import STRANGE, recount_strays
from dealerbox.engine.state import Card, Condition, Standing, State, Undo, change
from dealerbox.engine.witnesses import BROUGHT
from dealerbox.model.cards import Kind, Token, kind_of
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, EXIT, STUB


def undone(state: State) -> State:
    """Answer UNDO; refused when there is nothing to take back, or a card has its permit or is on its way."""
    key, undo = may_be_undone(state), state.undo
    if key is None:
        return refuse(state, Reason.NOT_NOW, "undo")
    if _is_doubtful(state) or undo is None:
        return change(state, doubtful=None)
    before = undo.before
    match key:
        case Key.ACTION:
            return change(state, undo=None, acted=before.acted, street_acted=before.street_acted)
        case Key.NEXT:
            return change(
                state,
                undo=None,
                acted=before.acted,
                nexted=before.nexted,
                street_acted=before.street_acted,
                street=before.street,
                phase=before.phase,
                returning=before.returning,
                last_out=before.last_out,
            )
        case Key.EXPOSED | Key.OFF_TABLE | Key.FACED | Key.PREMATURE:
            return _uncalled(state, before)
        case Key.START:
            return _not_begun(state, before)
        case _:
            return _open_again(state, before)


def may_be_undone(state: State) -> Key | None:
    """Return the key that UNDO takes back now; None: there is none, or a card has its permit or is on its way."""
    if _is_doubtful(state):
        return state.doubtful
    undo = state.undo
    if undo is None or not undo.may:
        return None
    if undo.key in CALLED:
        now, then = state.released, undo.before.released
        if has_hold(undo.before, Reason.ROUND_OPEN) and not has_hold(state, Reason.ROUND_OPEN):
            then = None  # that key itself let it lie
        moved = state.along != undo.before.along or (now and now.token) != (then and then.token)
        return None if moved else undo.key
    if state.memory.pending_kind == "Release" or state.released is not None:
        return None
    defective = has_hold(state, Reason.DEFECTIVE_DECK, Reason.CARD_MISSING)
    return None if undo.key is Key.START and defective else undo.key


def _is_doubtful(state: State) -> bool:
    return state.doubtful is not None and not state.acted


def still_undone(state: State, undo: Undo | None, out: Mapping[Token, Card]) -> State:
    """Let UNDO take back no more what was said of a card or a street, once a person has said where cards belong since.

    `undo` and `out` are those from before that word: to go back behind it would take it back unasked.
    """
    said_since = undo is not None and undo.key in CALLED and state.undo is undo and state.out != out
    return change(state, undo=None) if said_since else state


def last_key(state: State, undo: Undo | None) -> State:
    """In an open hand let UNDO take back the last key alone: not the one before a key that cannot be taken back.

    `undo` is what could be taken back before that key. AWARD and MISDEAL can be until a card moves (1817).
    """
    before_it = undo is not None and state.undo is undo and in_hand(state)
    return change(state, undo=None) if before_it else state


def _uncalled(state: State, before: State) -> State:
    """What was said of a card or a street is taken back; no card has moved since (`seen` sees to it)."""
    state = change(
        state,
        undo=None,
        plan=before.plan,
        phase=before.phase,
        street=before.street,
        street_acted=before.street_acted,
        released=before.released,
        early=before.early,
        unburned=before.unburned,
        out=before.out,
        recalled=before.recalled,
        waiting=before.waiting,
        returning=before.returning,
        exposed=before.exposed,
        last_out=before.last_out,
    )
    state = end_holds(recount_strays(state), lambda h: h.reason in SAID and h not in before.holds)
    ended = tuple(h for h in before.holds if h.token and h not in state.holds)  # by that key: no card has moved since
    if ended:
        state = holds_again(change(state, holds=ended + state.holds))
    return state if state.released is None else unseen(state, state.released)


def _not_begun(state: State, before: State) -> State:
    """START is taken back: a shuffle that the machine may have spent is spent (S1)."""
    spent = state.opened or state.memory.pending_kind == "Dispense" or state.order_lost
    given_out = state.manual is not None and state.manual.given and not state.up
    spent = spent or given_out
    deck, out = state.deck, state.out
    after = change(
        over(state, None),
        button=before.button,
        button_set=before.button_set,
        redeal=before.redeal,
        tournament=before.tournament,
    )
    if after.deck != deck or out:
        return after
    return change(after, phase=before.phase, out={}, shuffled=0 if spent else before.shuffled)


def _in_mid_hand(standing: Standing) -> Standing:
    """Return what a hold of the time between AWARD and UNDO is in mid-hand.

    A strange tag on the table was brought to it (1824); a machine of unknown content owes the mid-hand proof (S2).
    """
    if standing.reason is Reason.RECOUNT and standing.clause == BROUGHT:
        return replace(standing, reason=Reason.FOREIGN_CARD, needs=Condition.DIRECTOR)
    if standing.reason is Reason.NOT_EMPTY:
        return replace(standing, reason=Reason.JAM, needs=Condition.PROOF)
    return standing


def _was_opened(state: State, before: State, since: tuple[Standing, ...]) -> bool:
    """Tell whether the machine must be emptied for what happened to it between AWARD and UNDO, and no hold says so."""
    owed = before.empty_owed or before.disagrees or has_hold(before, Reason.JAM, Reason.DOOR_OPEN, Reason.RECOUNT)
    said = any(held.clause == BROUGHT or held.needs is Condition.PROOF for held in since)
    another = state.deck != before.deck and state.up  # it is to be emptied for another deck
    return state.empty_owed and not (owed or said or another) and before.manual is None


def _looked_at(state: State) -> State:
    """Judge what came to the table while the hand was over, and meant nothing then (T6), as in mid-hand.

    A joker or a card of another deck was brought there (1824); the button has its settling time. A foreign tag was
    judged all the while; what lies aside may have lain there before the hand, and the exit is looked at for each card.
    """
    if bookkeeping(state):
        return state
    held = {one.token for one in state.holds}
    lying = [(zone, card) for zone, there in state.seen.items() for card in there if zone not in (ASIDE, EXIT)]
    for zone, card in lying:
        if not is_ours(state, card) and kind_of(card) is not Kind.FOREIGN and card not in held:
            state = hold(state, STRANGE[kind_of(card)], Condition.DIRECTOR, clause=BROUGHT, zone=zone, token=card)
    return wake(state, state.now_ns + settling_ns(state) + 1)


def _open_again(state: State, before: State) -> State:
    """AWARD or MISDEAL is taken back; a machine that was given anything since has forgotten the hand's shuffle."""
    by_hand = before.manual is not None and before.manual.emptied  # no machine can mix what the dealer holds
    given = state.memory.next_id != before.memory.next_id and not by_hand
    out = state.out if state.deck == before.deck else before.out
    released = before.released if before.released and before.released.passed_ns else None
    new = (h for h in state.holds if h not in before.holds or h.reason is Reason.JOURNAL_FULL)
    since = tuple(map(_in_mid_hand, new))
    held, opened = bool(state.holds), _was_opened(state, before, since)
    restored = change(
        state,
        undo=None,
        phase=before.phase,
        plan=before.plan,
        released=released or (before.along[-1] if before.along else None),
        along=before.along if released else before.along[:-1],
        doubtful=before.doubtful,
        last_out=before.last_out,
        unburned=before.unburned,
        button_set=before.button_set,
        redeal=before.redeal,
        shuffled=0,
        opened=before.opened or state.opened,
        order_lost=before.order_lost or given or opened,
        recalled=before.recalled,
        waiting=before.waiting,
        returning=before.returning,
        cut_owed=before.cut_owed,
        memory=replace(state.memory, deal_id=before.memory.deal_id),
        deck=before.deck,
        decks=before.decks,
        set_used=before.set_used,
        spent=before.spent,
        sealed=before.sealed,
        clock_ns=0,
        empty_owed=before.empty_owed,
        manual=before.manual,
        early=before.early,
        out={card: record for card, record in out.items() if record.at != STUB},
        holds=tuple(h for h in before.holds if h.reason is not Reason.JOURNAL_FULL) + since,
    )
    restored = recount_strays(restored)
    if restored.released is not None and not has_hold(before, Reason.ROUND_OPEN):  # that is asked again
        for one in (*restored.along, restored.released):
            at = restored.out[one.token].at
            settled_ns = restored.now_ns + settling_ns(restored)
            restored = wake(restored, settled_ns) if at == EXIT else judged(restored, at, one)
    restored = _looked_at(restored)
    if opened:
        return hold(restored, Reason.DOOR_OPEN, Condition.PROOF, device=restored.setup.shuffler)
    return holds_again(restored) if restored.holds and not held else restored
