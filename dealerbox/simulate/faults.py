"""What goes wrong at a table: each kind one fault of hand, head or machine, at a moment that fits.

A kind names the moment at which it can happen, what must be true for it, and the reasons of
which one must be told (by a hold, a refusal or a notice, as the law page says).
"""

from collections.abc import Callable, Iterator

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, MUCK, Zone, seat, seat_number
from dealerbox.simulate.pack import tag
from dealerbox.simulate.people import BADGE, Acts, Dealer
from dealerbox_drivers.felt import BEHIND_GATE, BOX, HAND, MACHINE

IN_DECK = 0.5
"""How many of the strange tags are in the deck already; the others are brought to the table."""
TAKEN_BACK_S = (0.1, 0.15)
"""How soon UNDO follows a key: before the first card is out."""
SETTLED_S = 2.2
"""Longer than settling time and a scan."""
SOON_S = 4.0
"""What comes meanwhile comes within so long."""


class Kind(msgspec.Struct, frozen=True):
    """One kind of fault."""

    moments: tuple[str, ...]
    reasons: frozenset[Reason]
    fits: Callable[[Dealer], bool]
    do: Callable[[Dealer], Acts]


def _kind(moments: str, *reasons: Reason) -> Callable[..., Callable[[Callable[[Dealer], Acts]], Kind]]:
    def with_fit(fits: Callable[[Dealer], bool] = lambda dealer: True) -> Callable[[Callable[[Dealer], Acts]], Kind]:
        return lambda do: Kind(tuple(moments.split()), frozenset(reasons), fits, do)

    return with_fit


def _wants(*zones: str) -> Callable[[Dealer], bool]:
    return lambda dealer: ("seat" if seat_number(dealer.wanted) else str(dealer.wanted)) in zones


def _more_to_come(dealer: Dealer) -> bool:
    """A street will come after this round."""
    hand = dealer.hand
    return hand is not None and not hand.last_street and len(hand.live) > 1


def _others(dealer: Dealer) -> list[Zone]:
    hand = dealer.hand
    return [seat(number) for number in hand.live if seat(number) != dealer.wanted] if hand else []


# A card laid where it does not belong.


@_kind("card", Reason.WRONG_SEAT)(_wants("seat"))
def wrong_seat(dealer: Dealer) -> Acts:
    """The card goes to a neighbour."""
    yield 0.05
    if dealer.card:
        dealer.felt.put(dealer.card, dealer.rng.choice(_others(dealer)))


@_kind("card", Reason.WRONG_ZONE)(_wants("seat", "board", "burn"))
def wrong_zone(dealer: Dealer) -> Acts:
    """The card goes to a zone that its step does not name."""
    yield 0.05
    if seat_number(dealer.wanted):
        zones = [BOARD, BURN, MUCK, ASIDE]
    elif dealer.wanted == BOARD:
        zones = [MUCK, ASIDE, *_others(dealer)]
    else:
        zones = [MUCK, ASIDE, *_others(dealer)]
    if dealer.card:
        dealer.felt.put(dealer.card, dealer.rng.choice(zones))


@_kind("card", Reason.BURN_MISSING)(_wants("burn"))
def burn_missing(dealer: Dealer) -> Acts:
    """The burn is forgotten: its card goes to the board."""
    yield 0.05
    if dealer.card:
        dealer.felt.put(dealer.card, BOARD)


@_kind("card", Reason.BURN_EXTRA)(_wants("board"))
def burn_extra(dealer: Dealer) -> Acts:
    """One card too many is burned."""
    yield 0.05
    if dealer.card:
        dealer.felt.put(dealer.card, BURN)


# Cards that wander after they were dealt.


def _steady(dealer: Dealer, card: Uid, zone: Zone) -> Acts:
    dealer.felt.put(card, HAND)
    yield dealer.pause(0.1, 0.4)
    dealer.felt.put(card, zone)
    yield dealer.pause(SETTLED_S, 4.0)


def _at(dealer: Dealer, *zones: Zone) -> list[Uid]:
    return [card for card, home in dealer.dealt_to.items() if home in zones and dealer.felt.place_of(card) == home]


@_kind("next", Reason.BURN_IN_MUCK)(lambda dealer: _more_to_come(dealer) and bool(_at(dealer, BURN)))
def burn_in_muck(dealer: Dealer) -> Acts:
    """A burn card is swept into the muck."""
    yield from _steady(dealer, dealer.rng.choice(_at(dealer, BURN)), MUCK)


@_kind("next", Reason.CARD_STRAYED)(_more_to_come)
def card_strayed(dealer: Dealer) -> Acts:
    """A live card, a board card or a burn comes to lie elsewhere."""
    live = dealer.hand.live if dealer.hand else ()
    homes = [seat(number) for number in live] + [BOARD, BURN]
    card = dealer.rng.choice(_at(dealer, *homes))
    home = dealer.dealt_to[card]
    zones = [zone for zone in homes if zone != home] + ([MUCK] if home == BOARD else [])
    yield from _steady(dealer, card, dealer.rng.choice(zones))


@_kind("next", Reason.DEAD_CARD_BACK)(lambda dealer: _more_to_come(dealer) and bool(_at(dealer, MUCK)))
def dead_card_back(dealer: Dealer) -> Acts:
    """A mucked card comes back into play."""
    live = dealer.hand.live if dealer.hand else ()
    zones = [BOARD, *(seat(number) for number in live)]
    yield from _steady(dealer, dealer.rng.choice(_at(dealer, MUCK)), dealer.rng.choice(zones))


def _not_late(dealer: Dealer) -> bool:
    """Tell whether the card is not asked for already, its dealer having been slow: that would be told of no fault."""
    return _wants("seat", "board", "burn")(dealer) and dealer.table.view().prompt_code != "unseen"


@_kind("card", Reason.CARD_UNSEEN)(_not_late)
def card_unseen(dealer: Dealer) -> Acts:
    """The card lies in its zone and its antenna does not read it, until it is moved."""
    card = dealer.card
    yield 0.05
    if card is None:
        return
    dealer.felt.silence(card)
    dealer.lay(card, dealer.wanted)
    stop: list[Callable[[], None]] = []

    def speak(uid: Uid, _before: str, _after: str) -> None:
        if uid == card:
            dealer.felt.silence(uid, silent=False)
            stop[0]()

    stop.append(dealer.felt.watch(speak))


@_kind("round card", Reason.NOT_RELEASED)(
    lambda dealer: _more_to_come(dealer) and (dealer.moment == "round" or bool(dealer.felt.at(BEHIND_GATE)))
)
def not_released(dealer: Dealer) -> Acts:
    """A card that nobody released comes out: pulled from behind the gate, or slipped out of the machine."""
    behind, inside = dealer.felt.at(BEHIND_GATE), dealer.felt.at(MACHINE)
    if behind or inside:
        card = (behind or inside)[0]
        dealer.pulled = (card, BEHIND_GATE if behind else MACHINE)
        dealer.felt.put(card, dealer.rng.choice([BOARD, BURN, ASIDE, *_others(dealer)]))
    yield 1.0


# Tags that are no cards of this deck.


def _stranger(dealer: Dealer) -> Uid:
    return tag(0, dealer.rng.randrange(1, 10_000))


def _a_joker(dealer: Dealer) -> Uid:
    return tag(1, 61)


def _other_card(dealer: Dealer) -> Uid:
    other = next(deck for deck in dealer.decks if deck != dealer.deck)
    return dealer.rng.choice(other)


def _comes_up(dealer: Dealer) -> bool:
    """Tell whether the machine's next two cards will surely be dealt."""
    hand = dealer.hand
    return hand is not None and hand.street == 0 and 2 * len(hand.order) - hand.placed >= 4


def _strange(reason: Reason, which: Callable[[Dealer], Uid], words: str) -> Kind:
    """A tag is laid on the table, or it is in the deck and comes out at the exit; `words`: what people see."""

    def do(dealer: Dealer) -> Acts:
        """A tag that is no card of this deck lies on the table, or comes out of the deck."""
        alien = which(dealer)
        dealer.aliens.append(alien)
        if dealer.rng.random() < IN_DECK and _comes_up(dealer):
            inside = dealer.felt.at(MACHINE)
            place = dealer.rng.randrange(2)
            if dealer.by_hand:
                dealer.felt.put(dealer.stub[place], BOX)
                dealer.felt.put(alien, HAND)
                dealer.stub[place] = alien
                yield 0.1
                return
            dealer.felt.put(inside[place], BOX)
            dealer.felt.insert(alien, MACHINE, place)
            yield 0.1
            return
        dealer.felt.put(alien, dealer.rng.choice([BOARD, MUCK, ASIDE, BURN, *_others(dealer)]))
        yield 1.0

    do.__doc__ = words

    def fits(dealer: Dealer) -> bool:
        one_at_a_time = not dealer.aliens
        return one_at_a_time and _more_to_come(dealer) and (dealer.hand is not None and dealer.hand.placed > 0)

    return Kind(("card", "round"), frozenset({reason, Reason.DEFECTIVE_DECK}), fits, do)


@_kind("start", Reason.RECOUNT, Reason.FOREIGN_CARD)(lambda dealer: not dealer.aliens)
def stranger_between(dealer: Dealer) -> Acts:
    """Somebody's own card lies on the table between two hands."""
    alien = _stranger(dealer)
    dealer.aliens.append(alien)
    dealer.felt.put(alien, dealer.rng.choice([BOARD, MUCK, ASIDE, BURN, *map(seat, dealer.table.view().seats)]))
    yield dealer.pause(0.1, 1.0)
    dealer.table.press(Key.START)
    yield dealer.pause(0.5, 1.0)


# The button.


def _missing_or_wrong(wrong: bool, words: str) -> Callable[[Dealer], Acts]:
    def do(dealer: Dealer) -> Acts:
        """The button does not lie where it must when START is pressed."""
        yield dealer.pause(0.2, 0.5)
        right = dealer.felt.button
        seats = [number for number in range(1, dealer.table.setup.house.max_seats + 1) if (number,) != right]
        dealer.table.lay_button([dealer.rng.choice(seats)] if wrong else [])
        yield dealer.pause(0.4, 0.9)
        dealer.table.press(Key.START)
        yield dealer.pause(0.5, 1.5)

    do.__doc__ = words
    return do


@_kind("round card", Reason.BUTTON_MOVED)(lambda dealer: dealer.hand is not None and dealer.hand.placed > 1)
def button_moved(dealer: Dealer) -> Acts:
    """Somebody shoves the button to another seat."""
    seats = [number for number in range(1, dealer.table.setup.house.max_seats + 1) if (number,) != dealer.felt.button]
    dealer.table.lay_button([dealer.rng.choice(seats)])
    yield dealer.pause(SETTLED_S, 3.5)


# A card that is nowhere.


def _can_fall(dealer: Dealer) -> bool:
    return not dealer.switched and not dealer.fallen and len(dealer.out()) > 1


@_kind("gather", Reason.CARD_MISSING)(_can_fall)
def card_missing(dealer: Dealer) -> Acts:
    """A card falls where nobody finds it: a recount, and missing when a whole read agrees (S3)."""
    lying = [card for card in dealer.out() if dealer.felt.place_of(card) not in (BOX, BEHIND_GATE, MACHINE)]
    if lying:
        card = dealer.rng.choice(lying)
        dealer.fallen.add(card)
        dealer.felt.put(card, BOX)
    yield dealer.pause(0.2, 0.6)


# Keys at the wrong time.


@_kind(
    "gather shuffling",
    Reason.NOT_SHUFFLED,
    Reason.CARDS_OUT,
    Reason.CLOCK_UNSURE,
    Reason.COUNT_OVERDUE,
    Reason.NOT_EMPTY,
    Reason.RECOUNT,
    Reason.DEFECTIVE_DECK,
    Reason.ONE_DECK,
    Reason.BUTTON_WRONG,
    Reason.BUTTON_MISSING,
)()
def not_shuffled(dealer: Dealer) -> Acts:
    """START before the shuffle is done, or before all cards are back, and before the button has moved."""
    dealer.table.press(Key.START)  # at once: a shuffle may end while somebody hesitates
    yield dealer.pause(0.2, 1.0)


@_kind("round card", Reason.MISDEAL, Reason.MISDEAL_TOO_LATE)()
def misdeal(dealer: Dealer) -> Acts:
    """MISDEAL is called: before action it is one, after action it is refused."""
    yield dealer.pause(0.1, 0.5)
    dealer.table.press(Key.MISDEAL)
    yield dealer.pause(0.5, 1.0)
    if Key.NO in dealer.table.view().lit and dealer.hand:  # a hand in the muck: has that player acted?
        dealer.table.press(Key.ACK if dealer.hand.folded else Key.NO)
        yield dealer.pause(0.5, 1.0)


@_kind("start round")()
def undo(dealer: Dealer) -> Acts:
    """A key is pressed too early, and UNDO after it."""
    hand = dealer.hand
    if hand is None:
        key = Key.START
    elif not hand.action:
        key = Key.ACTION
    else:
        key = Key.AWARD
    dealer.table.press(key)
    yield dealer.pause(*TAKEN_BACK_S)
    dealer.table.press(Key.UNDO)
    yield 0.5


# The station itself.


def _dealing(dealer: Dealer) -> bool:
    return dealer.hand is not None and dealer.hand.placed > 0


@_kind("round card next", Reason.RESTARTED)(_dealing)
def restarted(dealer: Dealer) -> Acts:
    """The daemon dies and comes back."""
    dealer.table.restart()
    yield 0.5


@_kind("round card next", Reason.DEVICE_LOST)(_dealing)
def device_lost(dealer: Dealer) -> Acts:
    """The shuffler, the panel, a reader or the button's sensor is lost and comes back."""
    device = dealer.rng.choice(dealer.table.losable)
    dealer.table.lose(device)

    def back() -> Iterator[float]:
        yield dealer.pause(2.0, 9.0)
        dealer.table.find(device)

    dealer.table.start(back())
    yield 0.3


# The same while people and machine are at something else: a card in the gate, a cycle, the cards on their way back.


def _meanwhile(do: Callable[[Dealer], Acts]) -> Callable[[Dealer], Acts]:
    def begun(dealer: Dealer) -> Acts:
        def coming() -> Acts:
            yield dealer.pause(0.0, SOON_S)
            yield from do(dealer)

        dealer.table.start(coming())
        yield 0.05

    begun.__doc__ = do.__doc__
    return begun


def _door(dealer: Dealer) -> Acts:
    """Somebody opens the shuffler's door and shuts it."""
    dealer.table.open_door()
    yield dealer.pause(0.3, 4.0)
    dealer.table.close_door()


def _power(dealer: Dealer) -> Acts:
    """The shuffler loses its power or its line, whatever it does, and has it back."""
    dealer.table.lose("shuffler")
    yield dealer.pause(1.0, 4.0)
    dealer.table.find("shuffler")


@_kind("round card")(_more_to_come)
def manual(dealer: Dealer) -> Acts:
    """The machine cannot go on: MANUAL, with a cause."""
    dealer.table.press(Key.MANUAL, badge=BADGE)
    yield 0.5


KINDS: dict[str, Kind] = {
    "wrong_seat": wrong_seat,
    "wrong_zone": wrong_zone,
    "burn_missing": burn_missing,
    "burn_extra": burn_extra,
    "burn_in_muck": burn_in_muck,
    "card_strayed": card_strayed,
    "dead_card_back": dead_card_back,
    "card_unseen": card_unseen,
    "not_released": not_released,
    "foreign_card": _strange(
        Reason.FOREIGN_CARD, _stranger, "A card from elsewhere gets onto the table, or into the deck."
    ),
    "joker_present": _strange(Reason.JOKER_PRESENT, _a_joker, "A joker was left at the table, or in the deck."),
    "other_deck": _strange(
        Reason.OTHER_DECK, _other_card, "A card of the other deck gets onto the table, or into this one."
    ),
    "stranger_between": stranger_between,
    "button_missing": _kind("start", Reason.BUTTON_MISSING)()(
        _missing_or_wrong(False, "The button is taken off the table, and START is pressed.")
    ),
    "button_wrong": _kind("start", Reason.BUTTON_WRONG)()(
        _missing_or_wrong(True, "The button is laid on a wrong seat, and START is pressed.")
    ),
    "button_moved": button_moved,
    "card_missing": card_missing,
    "not_shuffled": not_shuffled,
    "misdeal": misdeal,
    "undo": undo,
    "restarted": restarted,
    "device_lost": device_lost,
    "manual": manual,
    "door_opened": _kind("round card next", Reason.DOOR_OPEN, Reason.JAM, Reason.NOT_EMPTY)(_dealing)(
        _meanwhile(_door)
    ),
    "power_lost": _kind("round card next", Reason.DEVICE_LOST)(_dealing)(_meanwhile(_power)),
    "killed": _kind("round card next")(_dealing)(_meanwhile(restarted.do)),
}
