"""P1, P3, P7: from whatever mischief made of a hand, remedies that people can do lead back to play.

A small world: two seats, a machine that obeys at once, cards that are somewhere. Mischief acts at
random; then people do what the panel asks, and a hand must be dealt to its first card again.
"""

from random import Random

import pytest

from dealerbox.engine.facts import in_hand
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model import commands as cmd
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, kind_of, token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, seat

SETUP = Setup(
    table="7",
    seats=(1, 2),
    decks=tuple(DeckInfo(slot=n, name=str(n), back=f"back {n}") for n in range(1, 7)),
    readers=(EXIT, INFEED, BOARD, BURN, MUCK, seat(1), seat(2)),
)
INSIDE, GATE, HAND, AWAY = "machine", "gate", "hand", "away"
TABLE = (BOARD, BURN, MUCK, seat(1), seat(2))
STRANGERS = (Token(17), Token(1061))


class World:
    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.state = State()
        self.now = 0
        self.places: dict[Token, str] = dict.fromkeys((token(1, n) for n in range(1, 53)), HAND)
        self.machine: list[Token] = []
        self.queue: list[cmd.Permit] = []
        self.alive = self.honest = True
        self.last = self.exit_id = self.token = self.deal = 0
        self.held = False
        self.told: list[str] = []

    # The station.

    def tell(self, event: ev.Event, after_ms: int = 20) -> None:
        until = self.now + after_ms * 1_000_000
        while self.state.wakes and self.state.wakes[0] <= until:
            self.now = max(self.now, self.state.wakes[0])
            self._step(ev.Tick(self.now))
        self.now = until
        self._step(event)

    def _step(self, event: ev.Event) -> None:
        self.told.append(f"{type(event).__name__} {event}"[:150])
        before = self.state
        at_exit = {card for card in self.places if self.places[card] == GATE}
        self.state, commands = step(self.state, type(event)(**{**_fields(event), "at_ns": self.now}))
        view(self.state)
        for command in commands:
            if isinstance(command, cmd.Hold):
                self.held = True
                for permit in [p for p in self.queue if isinstance(p, cmd.Dispense | cmd.Release)]:
                    self.queue.remove(permit)
                    self.queue.insert(0, cmd.Permit(-permit.id))
            elif isinstance(command, cmd.Clear):
                self.held = False
            elif isinstance(command, cmd.Permit):
                self.queue.append(command)
            if isinstance(command, cmd.Release):
                assert not self.state.holds, self.told[-20:]
                assert in_hand(self.state)
                assert self.state.plan
                assert before.proof is None
                released = self.state.released
                assert released is not None
                assert {released.token} == at_exit, self.told[-20:]

    def settle(self, turns: int = 40) -> None:
        """Let the machine do what it was told, and time pass."""
        for _ in range(turns):
            if self.queue and self.alive:
                self._obey(self.queue.pop(0))
            else:
                self.tell(ev.Tick(0), 400)
                if not self.queue:
                    self.tell(ev.Tick(0), 2500)
                    if not self.queue:
                        return

    # The machine.

    def _obey(self, permit: cmd.Permit) -> None:
        if permit.id < 0:
            self.tell(ev.CommandVoid(0, -permit.id, "held"))
            return
        self.last = permit.id
        gated = [card for card in self.places if self.places[card] == GATE]
        match permit:
            case cmd.Dispense() if not self.honest or gated or not self.machine or self.held:
                self.tell(ev.CommandVoid(0, permit.id, "refused"))
            case cmd.Dispense() if (self.token if permit.first else self.deal) != permit.deal_id:
                self.tell(ev.CommandVoid(0, permit.id, "no token"))
            case cmd.Dispense():
                if permit.first:
                    self.deal, self.token = permit.deal_id, 0
                self.exit_id = permit.id
                card = self.machine.pop(0)
                self.places[card] = GATE
                self.tell(ev.CardUp(0, permit.id))
                self.tell(ev.CardsSeen(0, EXIT, (card,)))
            case cmd.Release() if not gated or self.held or not self.honest:
                self.tell(ev.CardNotTaken(0, permit.id, permit.card_id))
            case cmd.Release():
                self.exit_id = 0
                self.tell(ev.CardPassed(0, permit.id, permit.card_id))
                self.lay(gated[0], HAND)
            case cmd.Retract():
                for card in gated:
                    self.machine.append(card)
                    self.lay(card, INSIDE)
                self.exit_id = self.deal = self.token = 0
                self.tell(ev.CardRetracted(0, permit.id))
            case cmd.Shuffle() | cmd.Count() if not self.honest and not isinstance(permit, cmd.Count):
                self.tell(ev.CommandVoid(0, permit.id, "content"))
            case cmd.Shuffle():
                self.rng.shuffle(self.machine)
                right = permit.expect == len(self.machine)
                self.deal, self.token = 0, permit.id if right else 0
                result = Result.DONE if right else Result.WRONG_NUMBER
                self.tell(ev.CycleEnded(0, permit.id, Cycle.SHUFFLE, result, len(self.machine)))
            case cmd.Count():
                self.honest = True
                self.tell(ev.CycleEnded(0, permit.id, Cycle.COUNT, Result.DONE, len(self.machine)))
            case cmd.Return():
                self._swallow(permit)
            case cmd.Places():
                self.honest, self.exit_id = True, permit.exit_id
                self.deal = self.token = 0
                self.tell(ev.PlacesSet(0, permit.id))
                self.meet()

    def _swallow(self, permit: cmd.Return) -> None:
        self.deal = self.token = 0
        entered = 0
        for card in [card for card, place in self.places.items() if place not in (INSIDE, GATE, AWAY)]:
            if card // 1000 != self.state.deck or kind_of(card) != "card":
                continue
            if in_hand(self.state) and card not in self.state.returning:
                continue
            self.lay(card, HAND)
            self.lay(card, INFEED)
            self.lay(card, INSIDE)
            self.machine.append(card)
            entered += 1
        result = Result.DONE if entered == permit.expect else Result.WRONG_NUMBER
        self.tell(ev.CycleEnded(0, permit.id, Cycle.RETURN, result, entered))

    def meet(self) -> None:
        self.tell(
            ev.ShufflerMet(
                0, serial=1, epoch=9, last_id=self.last, machine=len(self.machine), exit_id=self.exit_id,
                token_id=self.token, deal_id=self.deal, caps=0x7FFF, agreed=self.honest,
                why="" if self.honest else "content",
            )
        )  # fmt: skip

    # The felt.

    def lay(self, card: Token, place: str) -> None:
        before = self.places.get(card, AWAY)
        self.places[card] = place
        for zone, told in ((_zone(before), ev.CardsGone), (_zone(place), ev.CardsSeen)):
            if zone:
                self.tell(told(0, zone, (card,)))

    def press(self, key: Key, number: int = 0) -> None:
        self.tell(ev.KeyPressed(0, key, number))

    def rule(self, ruling: Ruling, number: int = 0) -> None:
        self.tell(ev.Ruled(0, ruling=ruling, by="director", reason="so", seat=number))

    def restart(self) -> None:
        self.tell(ev.Started(0, setup=SETUP, memory=Memory(session=self.state.memory.session + 1)))
        self.tell(ev.WallClock(0, 1_767_294_000, 19 * 3600, True))
        for zone in SETUP.readers:
            there = tuple(card for card, place in self.places.items() if _zone(place) == zone)
            if there:
                self.tell(ev.CardsSeen(0, zone, there))
            self.tell(ev.ZoneKnown(0, zone))
        voids, self.queue = self.queue, []
        for permit in voids:
            self.tell(ev.CommandVoid(0, abs(permit.id), "never sent"))
        if self.alive:
            self.meet()
        self.tell(ev.ButtonAt(0, (self.state.button or 1,)))

    # People.

    def mischief(self) -> None:
        rng, state = self.rng, self.state
        outside = [card for card, place in self.places.items() if place not in (INSIDE, GATE, AWAY)]
        released = state.released
        what = rng.randrange(16)
        if what < 4 and released and self.places.get(released.token) == HAND:
            self.lay(released.token, released.step.zone)
        elif what < 6 and outside:
            self.lay(rng.choice(outside), rng.choice((*TABLE, HAND, INFEED)))
        elif what == 6:
            self.press(rng.choice(list(Key)), rng.randint(0, 3))
        elif what == 7:
            self.press(rng.choice((Key.NEXT, Key.ACTION, Key.UNDO, Key.AWARD, Key.MISDEAL, Key.ACK)))
        elif what == 8:
            self.rule(rng.choice([r for r in Ruling if r not in (Ruling.SEATS, Ruling.CLOSE)]), rng.randint(1, 2))
        elif what == 9 and rng.random() < 0.4:
            self.lay(rng.choice(STRANGERS), rng.choice((*TABLE, EXIT)))
        elif what == 10 and self.alive:
            self.honest = rng.random() < 0.5
            self.tell(ev.ShufflerLocked(0, rng.choice(("door", "error"))))
            self.meet()
        elif what == 11 and rng.random() < 0.5:
            self.restart()
        elif what == 12 and self.alive and rng.random() < 0.5:
            self.tell(ev.DeviceLost(0, "shuffler", "cable"))
            if rng.random() < 0.5:
                self.meet()
            else:
                self.alive = False
        elif what == 13:
            self.tell(ev.ButtonAt(0, rng.choice(((), (1,), (2,), (1, 2)))))
        elif what == 14 and self.machine and rng.random() < 0.3:
            self.lay(self.machine.pop(), rng.choice(TABLE))
        else:
            self.settle(rng.randint(1, 6))

    def people(self, by_machine: bool) -> None:
        """Do the next thing that the panel and the law page ask for."""
        shown = view(self.state)
        for alien in STRANGERS:
            if self.places.get(alien, AWAY) != AWAY:
                if alien in self.machine:
                    self.machine.remove(alien)
                self.lay(alien, AWAY)
        if by_machine and not self.alive:
            self.alive = True
            self.restart()
        if not by_machine and not self.alive and self.state.manual is None:
            self.press(Key.MANUAL)
            return
        due = shown.button or 1
        if shown.button_seen != (due,):
            self.tell(ev.ButtonAt(0, (due,)))
        if shown.prompt_code in ("empty", "manual_empty"):
            self._empty()
        elif shown.prompt_code == "manual_show":
            self._show(self.state.manual.shown if self.state.manual else frozenset())
        elif self.state.manual and self.state.disagrees and by_machine and not in_hand(self.state):
            self._empty()
            self.press(Key.MANUAL)
        elif (
            self.state.manual
            and not self.state.up
            and shown.phase in ("gathering", "opening", "between")
            and (self.state.out)
        ):
            self._show(frozenset())
        elif self.state.returning and not self.state.up:
            for card in sorted(self.state.returning):
                self.lay(card, HAND)
                self.lay(card, BURN)
        elif shown.expect == "aside" and not shown.holds and self.state.released:
            self.lay(self.state.released.token, ASIDE)
        elif shown.prompt_code == "unseen" and self.state.released:
            self.lay(self.state.released.token, self.state.released.step.zone)
        elif (shown.prompt_code == "feed" and self.rng.random() < 0.5) or shown.prompt_code.startswith("find"):
            self.press(Key.NO)
        elif shown.prompt_code == "count":
            self.press(Key.COUNT)
        elif shown.prompt_code == "set_button":
            self.rule(Ruling.SET_BUTTON, 1)
        elif shown.prompt_code == "paused":
            self.rule(Ruling.RESUME)
        elif Key.CUT in shown.lit:
            self.press(Key.CUT)
        elif Key.ACK in shown.lit:
            self.press(Key.ACK)
        elif in_hand(self.state) and shown.holds:
            self._held()
        elif not in_hand(self.state) and any(hold.clause == "1824" for hold in shown.holds):
            self.rule(Ruling.STAND)
        elif any(hold.reason == "defective_deck" for hold in shown.holds) and shown.phase == "between":
            self.press(Key.DECK)

    def _held(self) -> None:
        """Once in a while the gentle way, or else the director voids the hand."""
        self.rule(Ruling.STAND if self.rng.random() < 0.5 else Ruling.VOID_HAND)

    def _take_out(self) -> None:
        for card in list(self.machine):
            self.machine.remove(card)
            self.lay(card, HAND)
        for card, place in list(self.places.items()):
            if place == GATE:
                self.lay(card, HAND)

    def _other_decks_away(self) -> None:
        for card in list(self.places):
            if card // 1000 != self.state.deck:
                self.lay(card, AWAY)

    def _empty(self) -> None:
        self._take_out()
        self._other_decks_away()
        for number in range(1, 53):
            self.places.setdefault(token(self.state.deck, number), HAND)
        self.press(Key.ACK)

    def _show(self, done: frozenset[Token]) -> None:
        self._take_out()
        self._other_decks_away()
        for number in range(1, 53):
            self.places.setdefault(token(self.state.deck, number), HAND)
        for card, place in list(self.places.items()):
            ours = card // 1000 == self.state.deck and kind_of(card) == "card"
            stub = card not in self.state.out if in_hand(self.state) else True
            if ours and stub and card not in done and place not in (INSIDE, GATE):
                self.lay(card, HAND)
                self.lay(card, BURN)
                self.lay(card, HAND)


def _fields(event: ev.Event) -> dict[str, object]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def _zone(place: str):
    if place == GATE:
        return EXIT
    return "" if place in (INSIDE, HAND, AWAY) else place


def _opened(seed: int) -> World:
    world = World(seed)
    world.restart()
    world.settle()
    world.press(Key.ACK)
    world.settle()
    world.rule(Ruling.SET_BUTTON, 1)
    world.tell(ev.ButtonAt(0, (1,)))
    world.press(Key.START)
    world.settle(6)
    return world


def _plays_again(world: World, by_machine: bool) -> bool:
    """Let people do what is asked until another hand has begun and its first card is due to go out."""
    begun = world.state.hand
    for _ in range(120):
        world.settle()
        state = world.state
        if state.hand > begun and in_hand(state) and not state.holds:
            inside = [card for card, place in world.places.items() if place in (INSIDE, GATE)]
            assert state.manual or len(inside) == 52 - len(state.out), (len(inside), state.out)
            return True
        if in_hand(state) and not state.holds and view(state).prompt_code in ("deal", "round", "award"):
            world.press(Key.AWARD)
        elif view(state).prompt_code == "start":
            world.press(Key.START)
        else:
            world.people(by_machine)
    return False


@pytest.mark.parametrize("seed", range(200))
def test_from_every_hold_people_find_a_way_back_to_play(seed) -> None:
    world = _opened(seed)
    for _ in range(world.rng.randint(1, 40)):
        world.mischief()
    world.settle()
    assert _plays_again(world, by_machine=seed % 4 != 0 or world.alive), (
        view(world.state), world.state.memory, world.state.disagrees, world.state.proof, world.state.manual,
        len(world.state.out), world.told[-12:],
    )  # fmt: skip
