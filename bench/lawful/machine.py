"""A shuffler as its driver shows it to the station: one command at a time, a latched hold, one shuffle for one hand."""

from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.commands import (
    Count,
    Dispense,
    Permit,
    Places,
    Release,
    Retract,
    Return,
    Shuffle,
)
from dealerbox.model.shuffler import Cap, Cycle, Result, Scope
from dealerbox.model.zones import EXIT, INFEED, Zone

MS: Final = 1_000_000
OPEN_MS: Final = 30_000
"""How long the infeed stays open for one Return."""
ALL_CAPS: Final = int(~Cap.FACE_SENSOR)


class Around(Protocol):
    """What the machine has around it."""

    now_ns: int

    def tell(self, event: ev.Event) -> None:
        """Let the station know."""

    def after(self, ms: float, act: Callable[[], None]) -> None:
        """Do something later."""

    def arrive(self, zone: Zone, *cards: Token) -> None:
        """Cards are read in a zone."""

    def leave(self, zone: Zone, *cards: Token) -> None:
        """Cards are no longer read in a zone."""

    def gone_out(self, card: Token) -> None:
        """A card has passed the gate."""


class Machine:
    """Obeys Dispense, Release, Retract, Shuffle, Count, Return and Places."""

    def __init__(self, around: Around, rng: Random, caps: int) -> None:
        self.around, self.rng, self.caps = around, rng, caps
        self.cards: list[Token] = []
        """Inside; the first is the next out."""
        self.gate: Token | None = None
        self.second: Token | None = None
        """A card that came up with the one behind the gate."""
        self.miscounts = 0
        """How far the next count is off."""
        self.pulled = 0
        """Cards taken out past its sensors: it still counts them."""
        self.exit_id = 0
        self.passed: list[Token] = []
        """Let out and not yet taken by the dealer."""
        self.taking = 0
        """Cards that the open infeed still waits for."""
        self.pending: Permit | None = None
        self.last_id = 0
        self.held = False
        self.lost = False
        self.shuffles = 0
        """Shuffles of the whole deck completed."""
        self.proved = False
        """The stub was counted or shown in mid-hand: a full count is owed after the hand (S2)."""
        self.why = ""
        """What a person must say or the machine must count before it can be used; '': nothing."""
        self.unpowered = True
        """It has been without power since it answered last."""
        self._token = self._deal = 0
        """Ids of the last shuffle not spent, and of the one that the open hand spends."""
        self._begun = False
        self._entered = 0
        self.no_feed = self.not_taken = self.void = 0
        """So many of the next commands come to nothing."""
        self.untold: list[Callable[[int], ev.Event]] = []

    @property
    def releasing(self) -> bool:
        """Whether the gate is open, or about to be."""
        return isinstance(self.pending, Release)

    def obey(self, command: Permit) -> None:
        """Take a command."""
        if self.lost:
            self.untold.append(lambda at: ev.CommandVoid(at, command.id, "never sent"))
            return
        if self.pending is not None:
            raise AssertionError(f"{command} while {self.pending} is pending")
        self.pending, self._begun = command, False
        self.around.after(self.rng.uniform(8, 30), lambda: self._begin(command))

    def hold(self) -> None:
        """Latch a hold: what has not begun never will, an open gate shuts."""
        self.held = True
        moving = self.pending
        if not isinstance(moving, Dispense | Release) or self.lost:
            return
        if not self._begun:
            self._end(lambda at: ev.CommandVoid(at, moving.id, "held"))
        elif isinstance(moving, Release):
            self._end(lambda at: ev.CardNotTaken(at, moving.id, moving.card_id))

    def _begin(self, permit: Permit) -> None:
        if self.pending is not permit:
            return
        self.last_id = permit.id
        if self.why and not isinstance(permit, Places | Count):
            self._end(lambda at: ev.CommandVoid(at, permit.id, self.why))
            return
        if self.void and isinstance(permit, Dispense | Release | Shuffle):
            self.void -= 1
            self._end(lambda at: ev.CommandVoid(at, permit.id, "fenced"))
            return
        self._begun = True
        self._forget(permit)
        after, spread = self.around.after, self.rng.uniform
        match permit:
            case Dispense():
                after(spread(250, 700), lambda: self._up(permit))
            case Release():
                after(spread(60, 400), lambda: self._out(permit))
            case Retract():
                after(spread(600, 1500), lambda: self._retracted(permit))
            case Shuffle() | Count():
                after(spread(7000, 14000), lambda: self._cycled(permit))
            case Return():
                self.taking, self._entered = permit.expect, 0
                after(OPEN_MS, lambda: self._late(permit))
            case Places():
                self.exit_id, self.why = permit.exit_id, ""
                self._end(lambda at: ev.PlacesSet(at, permit.id))
                self.meet()

    def _forget(self, permit: Permit) -> None:
        """A shuffle is spent by the first card of a hand, and lost by whatever loses the order (S1)."""
        if isinstance(permit, Dispense) and permit.first:
            self._deal, self._token = permit.deal_id, 0
        keeps = isinstance(permit, Count) and self.caps & Cap.COUNT_KEEPS_ORDER
        if not isinstance(permit, Dispense | Release) and not keeps:
            self._deal = self._token = 0

    def _end(self, make: Callable[[int], ev.Event]) -> None:
        """The command is final, and is told so (at once where nothing hinders)."""
        self.pending = None

        def told() -> None:
            if self.lost:
                self.untold.append(make)
            else:
                self.around.tell(make(self.around.now_ns))

        self.around.after(2, told)

    def _up(self, permit: Dispense) -> None:
        if self.pending is not permit:
            return
        if self.no_feed or not self.cards:
            self.no_feed = max(0, self.no_feed - 1)
            self._end(lambda at: ev.Misfed(at, permit.id, Result.NO_FEED))
            return
        self.gate, self.exit_id = self.cards.pop(0), permit.id
        card = self.gate
        self.around.after(self.rng.uniform(0, 120), lambda: self._read(card))
        self._end(lambda at: ev.CardUp(at, permit.id))

    def _read(self, card: Token) -> None:
        if card == self.gate:
            self.around.arrive(EXIT, card)

    def _out(self, permit: Release) -> None:
        if self.pending is not permit:
            return
        if self.not_taken:
            self.not_taken -= 1
            self._end(lambda at: ev.CardNotTaken(at, permit.id, permit.card_id))
            return
        assert self.gate is not None
        card, self.gate, self.exit_id = self.gate, None, 0
        self.pending = None
        self.passed.append(card)
        self.around.gone_out(card)
        self.around.tell(ev.CardPassed(self.around.now_ns, permit.id, permit.card_id))

    def _retracted(self, permit: Retract) -> None:
        for card in (self.gate, self.second):
            if card is not None:
                self.cards.insert(self.rng.randint(0, len(self.cards)), card)
                self.around.leave(EXIT, card)
        self.gate = self.second = None
        self.exit_id = 0
        self._end(lambda at: ev.CardRetracted(at, permit.id))

    def _cycled(self, permit: Shuffle | Count) -> None:
        if self.pending is not permit:
            return
        number = len(self.cards)
        if isinstance(permit, Count):
            number, self.miscounts = number + self.miscounts, 0
            agrees, self.why = bool(self.why), ""
            self.proved = self.proved or permit.scope is Scope.STUB
            self._end(lambda at: ev.CycleEnded(at, permit.id, Cycle.COUNT, Result.DONE, number))
            if agrees:
                self.meet()
            return
        self.rng.shuffle(self.cards)
        self.shuffles += permit.scope is Scope.DECK
        result = Result.DONE if number == permit.expect else Result.WRONG_NUMBER
        self._token = permit.id if result is Result.DONE else 0
        self._end(lambda at: ev.CycleEnded(at, permit.id, Cycle.SHUFFLE, result, number))

    def feed(self, card: Token) -> bool:
        """A card goes in at the infeed, read on its way; False when the infeed is shut."""
        if not self.taking:
            return False
        around = self.around
        around.arrive(INFEED, card)
        around.leave(INFEED, card)
        self.cards.append(card)
        self.taking -= 1
        self._entered += 1
        if not self.taking:
            self.shut(Result.DONE)
        return True

    def shut(self, result: Result = Result.WRONG_NUMBER) -> None:
        """The infeed's time is over."""
        permit, self.taking = self.pending, 0
        assert permit is not None
        number = self._entered
        self._end(lambda at: ev.CycleEnded(at, permit.id, Cycle.RETURN, result, number))

    def _late(self, permit: Permit) -> None:
        if self.pending is permit:
            self.shut()

    # What happens to it.

    def meet(self) -> None:
        """Answer a greeting, a moment later: first what was untold, then how it is."""
        self.around.after(4, self._met)

    def _met(self) -> None:
        if self.lost:
            return
        if self.pending is not None and self._begun and not isinstance(self.pending, Return):
            self.around.after(100, self._met)
            return
        untold, self.untold = self.untold, []
        for make in untold:
            self.around.tell(make(self.around.now_ns))
        self.around.tell(
            ev.ShufflerMet(
                self.around.now_ns,
                serial=4711,
                epoch=77,
                last_id=self.last_id,
                machine=-1 if self.why in ("door", "content") else len(self.cards) + self.pulled,
                exit_id=self.exit_id,
                token_id=self._token,
                deal_id=self._deal,
                caps=self.caps,
                agreed=not self.why,
                why=self.why,
                unpowered=self.unpowered,
            )
        )
        self.unpowered = False

    def forget(self) -> None:
        """It no longer knows of a shuffle (S1)."""
        self._token = self._deal = 0

    def _stop(self, why: str) -> None:
        moving = self.pending
        if moving is None:
            return
        self.taking = 0
        if isinstance(moving, Release) and self._begun:
            self._end(lambda at: ev.CardNotTaken(at, moving.id, moving.card_id))
        elif not self._begun:
            self._end(lambda at: ev.CommandVoid(at, moving.id, why))
        elif isinstance(moving, Dispense):
            self._up(moving)
        elif isinstance(moving, Return):
            number = self._entered
            self._end(lambda at: ev.CycleEnded(at, moving.id, Cycle.RETURN, Result.INTERRUPTED, number))
        elif isinstance(moving, Shuffle | Count):
            cycle = Cycle.SHUFFLE if isinstance(moving, Shuffle) else Cycle.COUNT
            self._end(lambda at: ev.CycleEnded(at, moving.id, cycle, Result.INTERRUPTED, 0))

    def open_door(self) -> None:
        """Somebody opens it: what is inside is unknown from now on."""
        self._locked("door")

    def jam(self) -> None:
        """It restricts itself: a card is stuck, and a person must look."""
        self._locked("error")

    def _locked(self, why: str) -> None:
        self.why = "door" if why == "door" else "uncertain"
        self._stop("fenced")
        if not self.lost:
            self.around.after(3, lambda: self.around.tell(ev.ShufflerLocked(self.around.now_ns, why)))
            self.meet()

    def close_door(self) -> None:
        """Somebody shuts it; what is inside stays unknown until it is said or counted."""
        self.why = "content"
        if not self.lost:
            self.around.tell(ev.DoorClosed(self.around.now_ns))
            self.meet()

    def lose(self) -> None:
        """Its cable is out: the gate shuts, what has not begun never will."""
        self._stop("lost")
        self.lost = True

    def empty(self) -> list[Token]:
        """Somebody takes every card out, in order."""
        at_gate = [card for card in (self.gate, self.second) if card is not None]
        self.around.leave(EXIT, *at_gate)
        cards = at_gate + self.cards
        self.cards, self.gate, self.second, self.exit_id = [], None, None, 0
        return cards
