"""What people do when the panel is red: the remedies of the law page, one at a time."""

from collections.abc import Mapping

from dealerbox.model.cards import Uid
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.model.zones import BURN, MUCK, Zone, seat, seat_number
from dealerbox.simulate.byhand import go_on
from dealerbox.simulate.people import BADGE, Acts, Dealer
from dealerbox.simulate.premature import acted_on, give_back, lay_aside
from dealerbox_drivers.felt import BOX, HAND, MACHINE, OUTLET, PLACES

MISPLACED = (Reason.WRONG_SEAT, Reason.WRONG_ZONE, Reason.BURN_MISSING, Reason.BURN_EXTRA)
WANDERED = (Reason.BURN_IN_MUCK, Reason.CARD_STRAYED, Reason.DEAD_CARD_BACK)
ALIEN = (Reason.FOREIGN_CARD, Reason.JOKER_PRESENT, Reason.OTHER_DECK)
OUT_OF_PLAY = (Reason.DEFECTIVE_DECK, Reason.CARD_MISSING)
MACHINE_HOLDS = (Reason.JAM, Reason.DOOR_OPEN)
MIXED_IN = 0.5
"""How often a burn in the muck must be looked for."""
NOT_COMPLETE = 0.4
"""How often a burn before NEXT came too early in truth."""
STAYS = 0.5
"""How often such a burn stays where it is (PREMATURE), and does not go back on top (UNBURN)."""
PRESSED_S = 0.1
"""Between a key and what the same hands do next."""
BUTTON = (Reason.BUTTON_MISSING, Reason.BUTTON_WRONG, Reason.BUTTON_MOVED)


def mend(dealer: Dealer, view: View) -> Acts:
    """Do what one hold asks for, once: first what lies wrong on the table, then what the machine wants."""
    yield dealer.pause(0.5, 1.5)
    if view.prompt_code == "empty":
        yield from _empty(dealer, view)
        return
    if dealer.given and view.prompt_code.startswith("manual"):
        yield from go_on(dealer, view)
        return
    if not view.street and any(dealer.felt.place_of(alien) not in (BOX, MACHINE) for alien in dealer.aliens):
        yield from _take_away(dealer, view)
        return
    hold = min(view.holds, key=lambda hold: hold.reason in MACHINE_HOLDS)
    if view.phase in ("gathering", "opening") or (not view.street and dealer.table.taking()):
        yield from dealer.gather(view)
    elif hold.reason in MISPLACED:
        yield from _misplaced(dealer, hold)
    elif hold.reason is Reason.BURN_IN_MUCK and dealer.rng.random() < MIXED_IN:
        yield from _find(dealer)
    elif hold.reason in WANDERED:
        yield from _bring_home(dealer)
    elif hold.reason is Reason.NOT_RELEASED:
        yield from _put_back(dealer)
    elif hold.reason is Reason.ROUND_OPEN:
        yield from _was_complete(dealer)
    elif hold.reason is Reason.PREMATURE_FLOP:
        yield from give_back(dealer)
    elif hold.reason in (Reason.PREMATURE_TURN, Reason.PREMATURE_RIVER):
        yield from lay_aside(dealer)
    elif hold.reason is Reason.PREMATURE_LATE:
        yield from acted_on(dealer)
    elif hold.reason is Reason.UNBURN_OTHER:
        yield from _burn_the_first(dealer)
    elif hold.reason is Reason.TOO_MANY_CARDS:
        yield from _too_many(dealer, hold)
    elif hold.reason in BUTTON:
        yield from _button_back(dealer, view)
    elif hold.reason in ALIEN:
        yield from _take_away(dealer, view)
    elif hold.reason in MACHINE_HOLDS and Key.ACK not in view.lit:
        yield from _look_inside(dealer)
    elif hold.reason is Reason.DEVICE_LOST and (Key.ACK not in view.lit or view.prompt_code == "unseen"):
        yield 1.0  # a card on its way is laid when the deal goes on
    else:
        yield from _as_asked(dealer, view)


def _as_asked(dealer: Dealer, view: View) -> Acts:
    """Confirm what is asked; where nothing is asked, wait, and after a while wonder."""
    if Key.ACK in view.lit:
        dealer.waited = 0
        yield dealer.pause(0.5, 2.0)
        if dealer.table.view().prompt_code == view.prompt_code:
            dealer.table.press(Key.ACK, badge=BADGE)
    elif dealer.waited < dealer.patience:
        dealer.waited += 1
        yield 0.5
    else:
        dealer.wonder(f"{view.holds[0].reason}: {view.prompt_code} asks for nothing that I know")
        yield 1.0


def _look_inside(dealer: Dealer) -> Acts:
    """Let the machine prove what is in it; where that leads nowhere, open it and look."""
    dealer.waited += 1
    yield 1.0
    if dealer.waited > dealer.patience:
        dealer.waited = 0
        dealer.table.open_door()
        yield dealer.pause(3.0, 6.0)
        dealer.table.close_door()
        yield 5.0


def _empty(dealer: Dealer, view: View) -> Acts:
    """Every card out, the machine's too; after a defective deck the other one comes to the table (1819)."""
    yield dealer.pause(1.0, 2.0)
    dealer.table.open_door()
    for place in (*sorted(PLACES - {BOX}), *(seat(number) for number in range(1, 21))):
        for uid in dealer.felt.at(place):
            dealer.felt.put(uid, BOX)
    dealer.aliens.clear()
    if not dealer.switched and any(hold.reason in OUT_OF_PLAY for hold in view.holds):
        dealer.switched = True
        dealer.deck = next(deck for deck in dealer.decks if deck != dealer.deck)
    yield dealer.pause(4.0, 8.0)
    dealer.table.close_door()
    yield 0.5
    dealer.table.press(Key.ACK, badge=BADGE)


def _is_over(dealer: Dealer, hold: Standing) -> bool:
    """Tell whether nobody holds for this any more, or nobody can say: the station is down."""
    return dealer.table.down or all(other.reason is not hold.reason for other in dealer.table.view().holds)


def _misplaced(dealer: Dealer, hold: Standing) -> Acts:
    """Put it right; or call the misdeal, or the director (C10)."""
    hand, card = dealer.hand, dealer.card
    if hand is None or card is None:
        dealer.wonder(f"{hold.reason} without a card in my hand")
        yield 1.0
        return
    place = dealer.felt.place_of(card)
    chance = dealer.rng.random()
    if place == dealer.wanted and _is_over(dealer, hold):
        yield 0.1
    elif place == dealer.wanted:
        dealer.wonder(f"{hold.reason}: it lies where I say it belongs")
        dealer.table.rule(Ruling.VOID_HAND, "dealer and panel do not agree")
        yield 0.5
    elif chance < 0.6:
        yield from put_right(dealer, hold)
    elif not hand.action:
        dealer.table.press(Key.MISDEAL)
        yield 0.5
    elif chance < 0.85 and not seat_number(hold.zone):
        dealer.table.rule(Ruling.STAND, "let it stand")
        dealer.lay(card, Zone(place))
        hand.stand(Zone(place))
        yield 0.5
    else:
        dealer.table.rule(Ruling.VOID_HAND, "cannot be put right")
        yield 0.5


def put_right(dealer: Dealer, hold: Standing) -> Acts:
    """Put the card dealt last where it belonged (C10)."""
    if dealer.hand is None or dealer.card is None:
        return
    if hold.to != dealer.wanted:
        dealer.wonder(f"{hold.reason}: to {hold.to!r}, and I say {dealer.wanted!r}")
    dealer.felt.put(dealer.card, HAND)
    yield dealer.pause(0.2, 0.5)
    dealer.lay(dealer.card, dealer.wanted)
    dealer.hand.dealt()
    yield 0.6


def _bring_home(dealer: Dealer) -> Acts:
    """Put every card back where it belongs."""
    for card, home in tuple(dealer.dealt_to.items()):
        if dealer.felt.place_of(card) not in (home, HAND, OUTLET):
            dealer.felt.put(card, HAND)
            yield dealer.pause(0.2, 0.5)
            dealer.felt.put(card, home)
            yield 0.5


def _find(dealer: Dealer) -> Acts:
    """Nobody knows which card of the muck it is."""
    yield from search(dealer, dealer.dealt_to)


def search(dealer: Dealer, stays: Mapping[Uid, Zone]) -> Acts:
    """FIND: each card of the muck is shown at the burns' reader until it says no more; those of `stays` stay there."""
    muck = list(dealer.felt.at(MUCK))
    dealer.rng.shuffle(muck)
    for card in muck:
        dealer.felt.put(card, HAND)
    yield dealer.pause(1.0, 2.0)
    dealer.table.press(Key.FIND)
    yield dealer.pause(0.6, 0.9)  # a key takes its time through pins and journal
    for card in muck:
        if not dealer.table.view().prompt_code.startswith("find"):
            break
        dealer.felt.put(card, BURN)
        yield dealer.pause(0.6, 0.9)
        if stays.get(card) != BURN:
            dealer.felt.put(card, HAND)
            yield dealer.pause(0.6, 0.9)
    if dealer.table.view().prompt_code.startswith("find"):
        dealer.table.press(Key.NO)
    for card in muck:
        if dealer.felt.place_of(card) == HAND:
            dealer.felt.put(card, MUCK)
    yield 0.5


def _put_back(dealer: Dealer) -> Acts:
    """The card that was never released is held to the exit, and goes back inside."""
    if dealer.pulled is None:
        dealer.wonder("not_released, and I know of no such card")
        yield 1.0
        return
    card, place = dealer.pulled
    dealer.pulled = None
    dealer.felt.put(card, HAND)
    yield dealer.pause(0.3, 0.8)
    if place == MACHINE:
        dealer.felt.put(card, OUTLET)
        yield 1.0
    dealer.felt.put(card, place)
    yield 1.0


def _was_complete(dealer: Dealer) -> Acts:
    """The round was complete, and nobody had said so: NEXT. Or it was not: the burn stays, or goes back up (1812)."""
    yield dealer.pause(0.3, 1.0)
    if dealer.card is not None and dealer.rng.random() < NOT_COMPLETE:
        if dealer.rng.random() < STAYS:
            _stays(dealer)
        else:
            yield from take_up(dealer, dealer.card)
    elif dealer.hand is not None:
        dealer.table.press(Key.NEXT)
        dealer.hand.closed()
        dealer.hand.dealt()


def _stays(dealer: Dealer) -> None:
    """PREMATURE: the round is open still, and its burn is made."""
    hand = dealer.hand
    if hand is None:
        return
    dealer.table.press(Key.PREMATURE)
    action = hand.action
    hand.closed()
    hand.dealt()
    hand.action = action
    dealer.reopen()


def take_up(dealer: Dealer, burn: Uid) -> Acts:
    """UNBURN: the burn goes back on top of the stub (1812)."""
    dealer.table.press(Key.UNBURN)
    yield PRESSED_S
    dealer.felt.put(burn, HAND)
    dealer.stub.insert(0, burn)


def _burn_the_first(dealer: Dealer) -> Acts:
    """The card that was burned for another goes back on top; the first one is burned (H4)."""
    if dealer.hand is None or dealer.card is None:
        return
    other, dealer.card = dealer.card, dealer.stub.pop(0)
    dealer.felt.put(other, HAND)
    dealer.stub.insert(0, other)
    yield dealer.pause(0.8, 1.5)
    dealer.lay(dealer.card, BURN)
    dealer.hand.dealt()
    yield 0.6


def _too_many(dealer: Dealer, hold: Standing) -> Acts:
    """A hand of three cards: a misdeal, or after action dead (1815(1))."""
    yield dealer.pause(0.3, 1.0)
    if dealer.hand is None:
        return
    if not dealer.hand.action:
        dealer.table.press(Key.MISDEAL)
        return
    dealer.table.press(Key.ACTION)
    yield 0.3
    number = seat_number(hold.zone)
    dealer.table.rule(Ruling.HAND_DEAD, "three cards", seat=number)
    dealer.hand.folded.add(number)
    dealer.to_act = [other for other in dealer.to_act if other != number]
    yield 0.3


def _button_back(dealer: Dealer, view: View) -> Acts:
    if dealer.felt.button != (view.button,):
        dealer.table.lay_button([view.button])
    yield 0.5


def _take_away(dealer: Dealer, view: View) -> Acts:
    """The stranger goes off the table; the stub is proved; the director lets the hand go on."""
    for alien in dealer.aliens:
        if dealer.felt.place_of(alien) not in (BOX, MACHINE):
            dealer.felt.put(alien, BOX)
    dealer.aliens.clear()
    yield dealer.pause(1.0, 3.0)
    view = dealer.table.view()
    if view.prompt_code == "empty":  # between hands: nobody has opened the machine yet
        return
    if Key.ACK in view.lit:
        dealer.table.press(Key.ACK, badge=BADGE)
    elif view.holds:
        dealer.table.rule(Ruling.STAND, "the card brought to the table is away")
    yield 1.0
