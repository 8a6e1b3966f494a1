"""What a state says: the questions that the rooms of the engine ask of it. Nothing here changes one."""

from dealerbox.engine.phases import BETTING, DEALING, SHOWDOWN
from dealerbox.engine.state import GROUP, NOWHERE, Card, Released, State
from dealerbox.model.cards import DECK_SIZE, Token, is_card_of, token
from dealerbox.model.shuffler import Cap
from dealerbox.model.zones import BURN, EXIT, MUCK, STUB, Zone, seat, seat_number


def deck_tokens(slot: int) -> tuple[Token, ...]:
    """Return the 52 tokens of a deck slot."""
    return tuple(token(slot, number) for number in range(1, DECK_SIZE + 1))


def in_hand(state: State) -> bool:
    """Tell whether a hand is open."""
    phase = state.phase
    return phase is DEALING or phase is BETTING or phase is SHOWDOWN


def by_hand(state: State) -> bool:
    """Tell whether cards go by hand: MANUAL stands and the machine does not answer, or not in agreement (C15).

    Or it gave the deck out for this hand (C4).
    """
    return state.manual is not None and (not state.up or state.manual.given)


def filled_by_hand(state: State) -> bool:
    """Tell whether the deck goes into a machine that takes none in itself: nobody says when that is done.

    The tags that pass the infeed reader are its count (S3).
    """
    filling = state.up and not state.caps & Cap.RETURN and state.memory.machine < DECK_SIZE and bool(state.out)
    return filling and not in_hand(state) and not by_hand(state) and not (state.empty_owed or state.memory.pending)


def stub_in_hand(state: State) -> dict[Token, Card]:
    """Return the whole deck as out: where each card was last seen, the rest in the dealer's hand (C15)."""
    return {card: state.out.get(card, Card(STUB)) for card in deck_tokens(state.deck)}


def is_ours(state: State, card: Token) -> bool:
    """Tell whether a token is one of the 52 of the deck in play; none is when no deck is."""
    return is_card_of(card, state.deck)


def grouped(state: State) -> bool:
    """Tell whether cards leave the shuffler in groups (1809)."""
    return state.setup.house.dispense is GROUP and state.manual is None


def on_its_way(state: State, card: Token) -> Released | None:
    """Return the card let out, not yet seen at its step's zone, that this token is; None when it is none."""
    if state.released is None or state.released.token == card:
        return state.released
    return next((one for one in state.along if one.token == card), None)


def travelling(state: State) -> int:
    """Return how many cards are let out, or about to be, and not yet seen at their step's zone."""
    return 1 + len(state.along) if state.released is not None else 0


def group_due(state: State) -> bool:
    """Tell whether the next card belongs to the group of which a card is on its way (1809)."""
    released = state.released
    if not state.along and not grouped(state):
        return False
    following = state.plan[travelling(state) :]
    return released is not None and following[:1] == (released.step,) and grouped(state)


def live_seats(state: State) -> tuple[int, ...]:
    """Return the seats dealt into this hand whose hand is not dead."""
    return tuple(number for number in state.seats if number not in state.dead)


def bookkeeping(state: State) -> bool:
    """Tell whether nothing remains to be dealt, so that sightings are mere records (H8), those of burns too (C18)."""
    return state.phase is SHOWDOWN or (state.phase is BETTING and len(live_seats(state)) <= 1)


def held_cards(state: State, number: int) -> tuple[Token, ...]:
    """Return the tokens dealt to a seat."""
    zone = seat(number)
    return tuple(card for card, record in state.out.items() if record.dealt == zone)


def burns(state: State) -> int:
    """Return how many cards have their home in the burns."""
    return sum(1 for record in state.out.values() if record.home == BURN)


def half_mucked(state: State) -> int:
    """Return a seat of which one card of two lies in the muck and whose hand is not dead; 0: none (H6)."""
    for card, record in state.out.items():
        number = seat_number(record.dealt)
        if record.at == MUCK and number and number not in state.dead and record.home == MUCK and card:
            return number
    return 0


def settling_ns(state: State) -> int:
    """Return the settling time in ns."""
    return state.setup.house.settling_ms * 1_000_000


def is_moving(state: State) -> bool:
    """Tell whether the button was seen at another seat than its own, and not yet for the settling time."""
    if not state.button_seen or state.button in state.button_seen or state.button_seen == state.button_stands:
        return False
    return state.now_ns - state.button_since_ns <= settling_ns(state)


def read_besides(state: State, card: Token, zone: Zone) -> Zone | None:
    """Return another zone than this where the card is read now; None when there is none.

    The exit apart, and one of which the dealer has said that the card does not lie there, though it is read (S5).
    """
    record = state.out.get(card)
    not_in = (zone, EXIT, record.twice if record is not None else NOWHERE)
    return next((other for other, there in state.seen.items() if card in there and other not in not_in), None)


def scan_ns(state: State) -> int:
    """Return the longest time of one scan in ns."""
    return state.setup.house.scan_ms * 1_000_000


def recount_zone(state: State) -> Zone:
    """Return the zone where the first card that is out was last seen (H7: named by zone, not by face)."""
    return next((record.at for record in state.out.values() if record.at), NOWHERE)
