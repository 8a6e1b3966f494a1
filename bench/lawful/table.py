"""The people of one evening: how a hand goes when nothing is amiss, and the moments at which something may happen."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from random import Random
from typing import Any, Final

from bench.lawful.reading import Hand
from bench.lawful.world import World
from dealerbox.model.cards import Token
from dealerbox.model.commands import Notice
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense
from dealerbox.model.zones import BOARD, MUCK, Zone, seat

Act = Callable[..., bool]
"""Something that happens at a moment; False: it does not fit now, and nothing was done."""
_ACTS: Final[dict[str, list[tuple[str, Act]]]] = {}


def at(moment: str, *names: str) -> Callable[[Act], Act]:
    """Enter a variation under the moment where it may happen.

    Moments: begun (after START), street (its last card is out), asked (the next card is due, nothing on its way), card
    (one is in the dealer's hand), group (all of one are), landed, round (a betting round), next (in place of NEXT),
    award (before AWARD), gather, between (before START), held (a hold stands, and something else happens).
    """

    def enter(act: Act) -> Act:
        _ACTS.setdefault(moment, []).extend((name, act) for name in names)
        return act

    return enter


class Over(Exception):
    """The hand is over before its award: all cards back, the same button."""


class Table:
    """One hand after another at one table."""

    def __init__(self, world: World, rng: Random, names: frozenset[str], eager: float = 1.0) -> None:
        """`eager`: how much more often than usual things happen."""
        self.world, self.rng, self.names, self.eager = world, rng, names, eager
        self.judge = world.judge
        self._acts = {m: [pair for pair in acts if pair[0] in names] for m, acts in _ACTS.items()}
        self.acts_done: dict[str, int] = {}
        self.seats = world.setup.seats
        self.button = 0
        self.all_in = False
        self.back_into_the_stub: Callable[..., None] = lambda *_cards: None
        """How premature cards go back (see `procedures`)."""
        self.stub: list[Token] = []
        """The undealt cards, where the dealer has them in the hand."""
        self.suspect = False

    @property
    def hand(self) -> Hand:
        """The open hand."""
        assert self.world.hand is not None
        return self.world.hand

    def chance(self, of: float) -> bool:
        """Tell whether something happens."""
        return self.rng.random() < of

    def happens(self, moment: str, chance: float, *about: Any) -> bool:
        """Let something happen at this moment, or nothing; tell whether something did."""
        acts = self._acts.get(moment)
        if not acts or self.rng.random() >= chance * self.eager:
            return False
        name, act = self.rng.choice(acts)
        doing, self.judge.doing = self.judge.doing, name
        try:
            done = act(self, *about)
        except Over:
            self.did(name)
            raise
        if done:
            self.did(name)
        self.judge.doing = doing
        return done

    def did(self, name: str) -> None:
        """Note that a variation happened."""
        self.acts_done[name] = self.acts_done.get(name, 0) + 1

    # A hand.

    def play(self) -> None:
        """Play the open hand to its award. Over: it was misdealt or void."""
        world = self.world
        self.judge.doing = "dealing"
        world.check()
        self.happens("begun", 0.05)
        self.all_in = "all_in" in self.names and self.chance(0.05)
        tight = self.rng.choice((0.1, 0.25, 0.5, 0.8)) if "folds" in self.names else 0.0
        self.deal()
        while True:
            self.happens("street", 0.05)
            self.round(tight)
            if self.hand.last or self.ends_early():
                break
            self.close()
            self.deal()
        self.judge.doing = "award"

    def ends_early(self) -> bool:
        """Tell whether one live hand is left and the pot is awarded at once (H8)."""
        if len(self.hand.live) > 1:
            return False
        rabbit = "early" not in self.names or ("rabbit" in self.names and self.chance(0.15 * self.eager))
        self.did("rabbit" if rabbit else "early")
        return not rabbit

    def deal(self) -> None:
        """Deal what is due on this street."""
        hand = self.hand
        self.judge.doing = f"dealing the {hand.name}"
        while hand.due:
            if self.happens("asked", 0.02):
                continue
            if self.world.setup.house.dispense is Dispense.GROUP and not self.world.by_hand:
                self.deal_group()
                continue
            card = self.next_card()
            self.world.pause(150, 700)
            zone = hand.due[0]
            if not self.happens("card", 0.035, card, zone):
                self.world.landed(card, zone)
            self.world.check()
            if self.happens("landed", 0.02, card, zone):
                hand = self.hand

    def deal_group(self) -> None:
        """Take the cards of one zone out of the machine and lay them down together, an intact group (1809)."""
        world, due = self.world, self.hand.due
        zone = due[0]
        cards = [world.take() for _ in range(world.group())]
        world.pause(150, 700)
        world.outside = 0
        if len(cards) > 1 and self.happens("group", 0.03, cards, zone):
            world.check()
            return
        for card in cards:
            self.hand.done(card, zone)
        world.travelling = None
        world.lay(zone, *cards)
        world.check()

    def next_card(self) -> Token:
        """Take the next card into the dealer's hand."""
        if self.world.by_hand:
            self.world.pause(200, 600)
            return self.stub.pop(0)
        return self.world.take()

    def round(self, tight: float) -> None:
        """A betting round."""
        hand = self.hand
        self.judge.doing = f"the {hand.name} round"
        acting = [] if self.all_in else list(hand.live)
        said = False
        for number in acting:
            if len(hand.live) == 1:
                break
            if number not in hand.live:
                continue
            self.world.pause(300, 4000)
            if self.happens("round", 0.05):
                continue
            if "lifts" in self.names and self.chance(0.25):
                self.did("lifts")
                self.look_at(number)
            if not said and self.chance(0.5):
                said = True
                self.action()
            if len(hand.live) > 1 and self.chance(tight / 2):
                self.fold(number)
            elif "all_in" in self.names and self.chance(0.02):
                self.all_in = True
                self.did("all_in")
                break
        if not acting:
            self.happens("round", 0.1)
        self.world.pause(300, 1500)
        self.world.check()

    def action(self) -> None:
        """Somebody has acted, and the dealer says so."""
        self.world.press(Key.ACTION)
        self.hand.acted = self.hand.acted_on_street = True

    def close(self) -> None:
        """The round is complete."""
        hand = self.hand
        if not hand.waiting and not hand.again and self.happens("next", 0.1):
            return
        hand.next()
        back, hand.waiting = (hand.waiting, []) if hand.last else ([], hand.waiting)
        self.world.barred = "a premature card is not back" if back else ""
        self.world.press(Key.NEXT)
        if back:
            self.back_into_the_stub(*back)

    def look_at(self, number: int) -> None:
        """A player lifts the cards and lays them down again."""
        cards = [card for card in self.hand.hole(number) if self.world.lies.get(card) == seat(number)]
        self.world.lift(*cards)
        self.world.pause(300, 3000)
        self.world.lay(seat(number), *cards)

    def fold(self, number: int) -> None:
        """A hand goes to the muck."""
        world, hand = self.world, self.hand
        cards = hand.hole(number)
        self.did("folds")
        world.lift(*cards)
        world.pause(200, 800)
        if "crossing" in self.names and self.chance(0.15 * self.eager):
            self.cross(cards, number)
        hand.live.remove(number)
        if self.chance(0.7):
            world.lay(MUCK, *cards)
        else:
            for card in cards:
                world.lay(MUCK, card)
                world.pause(10, 400)
        world.pause(300, 900)
        if not world.mute & set(cards):
            return
        if Key.CUT in world.look().lit:  # the panel asks for one thing at a time
            world.press(Key.CUT)
        if Key.ACK in world.look().lit:  # one of the two is unidentified: it is asked for
            world.press(Key.ACK)

    def cross(self, cards: list[Token], number: int) -> None:
        """A fold crosses the board or another seat on its way (H11)."""
        self.did("crossing")
        others = [seat(other) for other in self.hand.order if other != number]
        with self.strays():
            self.world.lay(self.rng.choice([BOARD, *others]), *cards)
        self.world.pause(100, 700)
        self.world.lift(*cards)
        self.world.pause(100, 300)

    def strays(self) -> AbstractContextManager[None]:
        """Within: a card that is not the released one lies where it does not belong: a notice, unless H8 lets it be."""
        hand, told = self.hand, (Notice, Reason.CARD_STRAYED)
        rests = (hand.last and not hand.due) or len(hand.live) == 1
        return self.judge.asks(may=(told,)) if rests else self.judge.asks(told)

    def acknowledge(self, what: str, *reasons: Reason) -> None:
        """Press ACK as often as the panel asks for it, until the holds of these reasons are gone. Finding."""
        world = self.world

        def asked_or_free() -> bool:
            view = world.look()
            standing = any(held.reason in reasons for held in view.holds)
            return not standing or (Key.ACK in view.lit and world.machine.pending is None)

        with self.judge.ends(*reasons):
            for _ in range(8):
                world.until(asked_or_free, what)
                if not any(held.reason in reasons for held in world.look().holds):
                    break
                world.pause(300, 1500)
                world.press(Key.ACK)
            else:
                raise self.judge.finding("dead_end", f"{what}: ACK again and again")

    def zones(self) -> list[Zone]:
        """Return the zones of play."""
        return [seat(number) for number in self.hand.seats] + [BOARD]
