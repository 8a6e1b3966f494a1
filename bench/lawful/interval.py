"""What may happen between two hands without anybody doing wrong: each asks for nothing, or for a word."""

from bench.lawful.between import Evening
from bench.lawful.machine import MS
from bench.lawful.table import at
from dealerbox.model.cards import cut_card, joker, token
from dealerbox.model.commands import Refuse
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import ASIDE, BOARD, BURN, MUCK, seat

MINUTE_MS = 60_000.0


@at("between", "breaks")
def breaks(evening: Evening) -> bool:
    """The players have a break; the clocks go on (C12)."""
    world = evening.world
    limit_ns = (world.setup.house.count_every_min - world.setup.house.last_hand_margin_min) * 60_000 * MS
    left_ms = (world.counted_ns + limit_ns - world.now_ns) / MS
    if evening.chance(0.05):
        world.wait(117 * MINUTE_MS)  # the deck's two hours are over too (1804B(8))
    elif evening.chance(0.5):
        world.wait(max(0.0, min(left_ms - 2000, evening.rng.uniform(1, 20) * MINUTE_MS)))
    else:
        world.pause(5 * MINUTE_MS, 45 * MINUTE_MS)
    return True


@at("between", "count")
def count_now(evening: Evening) -> bool:
    """The dealer counts before it is due."""
    if evening.world.by_hand:
        return False
    evening.count()
    return True


@at("between", "seats")
def seats(evening: Evening) -> bool:
    """Players come and go (H9)."""
    world = evening.world
    highest = world.setup.house.max_seats
    free = [number for number in range(1, highest + 1) if number not in evening.seats]
    now = set(evening.seats)
    if len(now) > 2 and (not free or evening.chance(0.6)):
        now.discard(evening.rng.choice(evening.seats))
    elif free:
        now.add(evening.rng.choice(free))
    evening.seats = tuple(sorted(now))
    world.rule(Ruling.SEATS, seats=evening.seats)
    return True


@at("between", "two_decks")
def two_decks(evening: Evening) -> bool:
    """Wash and wipe: cards of both decks, jokers and cut cards lie about, and are gone before START (T6)."""
    world = evening.world
    rng, other = evening.rng, 3 - world.deck
    about = [token(other, number) for number in rng.sample(range(1, 53), 5)]
    about += [joker(1, 1), joker(2, 2), cut_card(world.deck), cut_card(other)]
    rng.shuffle(about)
    zones = [BOARD, MUCK, ASIDE, *map(seat, evening.seats)] + ([] if world.by_hand else [BURN])
    for card in about[: rng.randint(1, 9)]:
        world.lay(rng.choice(zones), card)
        world.pause(20, 300)
    world.pause(500, 5000)
    world.check_holds()
    world.lift(*about)
    world.wait(700)
    world.check()
    return True


@at("gather", "early_start")
def start_with_cards_out(evening: Evening) -> bool:
    """START with cards out is refused and named by zone (H7)."""
    world = evening.world
    also = (Reason.NOT_SHUFFLED, Reason.ONE_DECK, Reason.BUTTON_WRONG, Reason.BUTTON_MISSING)
    with evening.judge.asks(may=tuple((Refuse, reason) for reason in (Reason.CARDS_OUT, *also))):
        world.press(Key.START)
    return True


@at("between", "early_start")
def start_with_the_old_button(evening: Evening) -> bool:
    """START before the button has moved on is refused (C11)."""
    world = evening.world
    if evening.redeal or not evening.button:
        return False
    if evening.button in evening.buttons():
        return False
    clocks = tuple((Refuse, r) for r in (Reason.COUNT_OVERDUE, Reason.DECK_CHANGE_OVERDUE, Reason.ONE_DECK))
    near_ns = (world.setup.house.count_every_min - 6) * 60_000 * MS
    other = evening.one_deck or world.machine.proved or world.now_ns - world.counted_ns > near_ns
    must = () if other else ((Refuse, Reason.BUTTON_WRONG),)
    with evening.judge.asks(*must, may=(*clocks, (Refuse, Reason.BUTTON_WRONG))):
        world.press(Key.START)
    return True


@at("between", "early_start")
def start_without_the_button(evening: Evening) -> bool:
    """START with no button on the table is refused (C11)."""
    world = evening.world
    world.button()
    with evening.judge.asks(may=tuple((Refuse, reason) for reason in Reason)):
        world.press(Key.START)
    if world.look().phase == "dealing":
        raise evening.judge.finding("let_out", "a hand starts without a button")
    if evening.button:
        world.button(evening.button)
    world.wait(100)
    return True


@at("between", "restart_between")
def restart_between(evening: Evening) -> bool:
    """The station starts anew between hands: devices and readers come, and play goes on."""
    evening.start_station()
    if evening.button:
        evening.world.button(evening.button)
    evening.world.wait(1000)
    machine = evening.world.machine
    evening.world.until(lambda: machine.pending is None, "at rest after the start")
    evening.world.check_holds()
    return True
