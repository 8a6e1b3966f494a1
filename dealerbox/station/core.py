"""The one way through: event -> step -> restrict -> record -> permit."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from dealerbox.model.commands import Clear, Command, Dispense, Hold, Permit, Release, Show, WakeAt
from dealerbox.model.events import CommandVoid, DeviceBack, Event, JournalFailed
from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.ports import Clock, Device, Journal
from dealerbox.station.entry import encode
from dealerbox.station.show import show
from dealerbox.station.telling import told
from dealerbox.station.tokens import Tokens

S = TypeVar("S")

_OUTWARD = (Dispense, Release)
"""Permits that let a card out, void when a hold comes before they are given."""

Step = Callable[[S, Event], tuple[S, tuple[Command, ...]]]


class Core(Generic[S]):
    """Takes every event of the table, in order, and carries out what the engine decides.

    *Restrict first*: a Hold reaches every device before the journal hears of it, and what
    still waits for its record is dropped. *Record second. Permit last*: a permit reaches
    the devices only when `durable` was told its record.
    """

    def __init__(
        self,
        state: S,
        *,
        step: Step[S],
        view: Callable[[S], View],
        deck: Callable[[S], int],
        hand: Callable[[S], int],
        journal: Journal,
        devices: Sequence[Device],
        clock: Clock,
        tokens: Tokens,
        wake: Callable[[int], None],
        fault: Callable[[str], None],
        last_key: int = 0,
        later: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        """`later` puts off what nobody waits for (the panel's words) to when the loop is idle; None: at once.

        `deck` tells the slot of the deck in play, `hand` the number of the hand; `wake(at_ns)` asks for a
        Tick; `fault(why)` is told once, when the program itself is wrong and must end."""
        self.state = state
        self._step, self._view, self._deck, self._hand = step, view, deck, hand
        self._journal, self._devices = journal, devices
        self._clock, self._tokens = clock, tokens
        self._wake, self._fault = wake, fault
        self._key = last_key
        self._inbox: deque[Event] = deque()
        self._busy = False
        self._waiting: deque[tuple[int, Permit]] = deque()
        self._durable = 0
        self._standing: Hold | None = None
        self._later = later
        self._refreshing = False
        self._shown: Show | None = None
        self._seen: tuple[S, View] | None = None
        self._numbered = hand(state)
        self._ended = False

    @property
    def view(self) -> View:
        """What may be shown now."""
        if self._seen is None or self._seen[0] is not self.state:
            self._seen = self.state, self._view(self.state)
        return self._seen[1]

    def show_anew(self) -> None:
        """What `view` adds of the station's own has changed."""
        self._seen = None
        self._refresh()

    def handle(self, event: Event) -> None:
        """Take an event (a device's `Emit`); one that comes while another is answered waits its turn."""
        if self._busy:
            self._inbox.append(event)
            return
        self._busy = True
        try:
            if not self._ended:
                self._answer(event)
            while self._inbox and not self._ended:
                self._answer(self._inbox.popleft())
        finally:
            self._busy = False

    def durable(self, seq: int) -> None:
        """The journal has this record and all before it: give the permits that waited for them."""
        self._durable = max(self._durable, seq)
        try:
            self._give()
        except Exception as error:
            self._break(f"a permit: {told(error)}", error)

    def journal_failed(self, why: str) -> None:
        """No record will ever be durable again: hold, and give nothing more."""
        self._waiting.clear()
        held = self._standing
        self.handle(JournalFailed(self._clock(), why))
        if self._standing is held:
            self._hold_anyway(Reason.JOURNAL_FAULT)

    def stop(self) -> None:
        """Hold everything because the program ends; no event is answered after this."""
        if not self._ended:
            self._ended = True
            self._waiting.clear()
            self._hold_anyway(Reason.RESTARTED)

    def _answer(self, event: Event) -> None:
        try:
            event = self._tokens.translate(event)
            state, commands = self._step(self.state, event)
            orders: list[Command] = []
            for command in commands:
                if type(command) is Hold:
                    self._restrict(command)
                else:
                    orders.append(command)
            seq = self._journal.append(encode(event, commands))
            self.state = state
            if orders:
                self._queue(seq, orders, held=len(orders) < len(commands))
            if self._waiting:
                self._give()
            hand = self._hand(state)
            if hand != self._numbered:  # a deck that begins a hand, or whose START was taken back, gets new tokens
                self._tokens.renumber(self._deck(state), hand)
                self._numbered = hand
            if not self._refreshing:
                self._refresh()
            if event.__class__ is DeviceBack:
                self._remind(event.device)
        except Exception as error:
            self._break(f"{type(event).__name__}: {told(error)}", error)

    def _restrict(self, hold: Hold) -> None:
        """Send a hold now and drop what waits and would contradict it."""
        if hold.key > self._key:
            self._key = hold.key
        self._standing = hold
        self._tell(hold)
        if not self._waiting:
            return
        kept: deque[tuple[int, Permit]] = deque()
        for seq, permit in self._waiting:
            if isinstance(permit, _OUTWARD):
                self._void(permit)
            elif not self._outdated(permit):
                kept.append((seq, permit))
        self._waiting = kept

    def _queue(self, seq: int, orders: Sequence[Command], *, held: bool) -> None:
        """Let permits wait for their record; `held`: a hold was decided together with them."""
        for command in orders:
            if isinstance(command, WakeAt):
                self._wake(command.at_ns)
            elif isinstance(command, Permit):
                if held and isinstance(command, _OUTWARD):
                    self._void(command)
                elif not self._outdated(command):
                    self._waiting.append((seq, command))

    def _outdated(self, permit: Permit) -> bool:
        """Tell whether a Clear is older than a hold: given late it would open what that hold shut."""
        return isinstance(permit, Clear) and permit.key < self._key

    def _give(self) -> None:
        while self._waiting and self._waiting[0][0] <= self._durable and not self._ended:
            _, permit = self._waiting.popleft()
            if isinstance(permit, Clear):
                self._standing = None
            self._tell(permit)

    def _void(self, permit: Permit) -> None:
        self._inbox.append(CommandVoid(self._clock(), permit.id, "held"))

    def _refresh(self) -> None:
        """See to it that the panel shows what stands; a Hold has made it red already."""
        if self._later is None:
            self._show()
        else:
            self._refreshing = True
            self._later(self._show)

    def _show(self) -> None:
        self._refreshing = False
        if self._ended:
            return
        try:
            shown = show(self.view)
            if shown != self._shown:
                self._shown = shown
                self._tell(shown)
        except Exception as error:
            self._break(f"the view: {told(error)}", error)

    def _remind(self, name: str) -> None:
        """A device that was away learns what stands."""
        for device in self._devices:
            if device.name == name:
                if self._standing:
                    device.obey(self._standing)
                if self._shown:
                    device.obey(self._shown)

    def _tell(self, command: Command) -> None:
        """Give a command to every device; one that fails keeps no other from hearing it."""
        wrong: Exception | None = None
        for device in self._devices:
            try:
                device.obey(command)
            except Exception as error:
                error.add_note(f"{device.name} was given {type(command).__name__}")
                wrong = wrong or error
        if wrong:
            raise wrong

    def _hold_anyway(self, reason: Reason) -> None:
        """Hold without the engine; the key is above every key given."""
        self._key += 1
        self._standing = Hold(key=self._key, reason=reason, clause="house")
        try:
            self._tell(self._standing)
        except Exception as error:
            self._break(f"Hold: {told(error)}", error)

    def _break(self, why: str, error: Exception) -> None:
        """The program is wrong: it must not decide anything more."""
        if self._ended:
            return
        self.stop()
        notes = "; ".join(getattr(error, "__notes__", ()))
        self._fault(f"a fault of the station itself, at {why}{f' ({notes})' if notes else ''}; the table is held")
