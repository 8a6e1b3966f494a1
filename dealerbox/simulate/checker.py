"""The judge: was each card let out lawfully, was a hold missed, was one given for nothing?

It sees the felt, the device reports, the keys, the rulings, the clocks and the commands
given. It imports `model` and the checker's own account alone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from dealerbox.model.cards import Token, Uid
from dealerbox.model.commands import Clear, Command, Dispense, Hold, Refuse, Release
from dealerbox.model.events import Event, KeyPressed, ShufflerMet, Started
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.simulate.truth import Felt, Truth
from dealerbox.simulate.truth_due import Condition, grounds, standing
from dealerbox.simulate.truth_permits import forbids, forbids_first

GRACE_NS: Final = 500_000_000
"""A hold told so long before a card passed must have stopped it: lock 20 ms, a card in the gate 300 ms."""
LOOKBACK_SCANS: Final = 4
"""A hold may answer what ended at most settling time and so many scans ago."""

JUDGED_SCANS: Final = 3
"""By hand a card is read within one scan, and judged a scan later, as one of a set; and one for the lamp."""
ON_ITS_WAY: Final = (
    Reason.WRONG_SEAT,
    Reason.WRONG_ZONE,
    Reason.BURN_MISSING,
    Reason.BURN_EXTRA,
    Reason.ROUND_OPEN,
    Reason.UNBURN_OTHER,
    Reason.TOO_MANY_CARDS,
)

STRANGE: Final = (Reason.FOREIGN_CARD, Reason.JOKER_PRESENT, Reason.OTHER_DECK)
FOUNDED: Final[Mapping[Reason, tuple[Reason, ...]]] = {
    Reason.DEFECTIVE_DECK: STRANGE,
    Reason.CARD_MISSING: STRANGE,
    Reason.RECOUNT: (*STRANGE, Reason.NOT_RELEASED, Reason.DEVICE_LOST),
    Reason.TOO_MANY_CARDS: (Reason.WRONG_SEAT, Reason.WRONG_ZONE),
    Reason.TOO_FEW_CARDS: (Reason.WRONG_SEAT, Reason.WRONG_ZONE),
}
"""Holds that rest on another condition than the one they are called by."""


class Verdict:
    """What the checker found, with a line on each finding."""

    def __init__(self) -> None:
        self.cards_released = 0
        self.holds = 0
        self.reasons: Counter[str] = Counter()
        """How many holds there were of each reason."""
        self.unlawful: list[str] = []
        self.missed: list[str] = []
        self.false: list[str] = []


class Checker:
    """Watches one table. Give it to the table as an observer, and the felt's moves and released cards."""

    def __init__(self, felt: Felt, names: Mapping[Uid, Token], clock: Callable[[], int]) -> None:
        self.truth = Truth(felt, names)
        self.verdict = Verdict()
        self._clock = clock
        self._since: dict[Condition, int] = {}
        self._ended: dict[Reason, int] = {}
        self._held: tuple[int, int] = (0, 0)
        """Key and time of the oldest hold not cleared; (0, 0): none."""
        self._told: set[tuple[Reason, str]] = set()
        """Reason and zone of each hold told since the last Clear."""
        self._given: dict[int, tuple[list[str], list[str]]] = {}
        """For each Release given: why it was unlawful, and which holds were missing."""
        self._keys: dict[Key, int] = {}

    def moved(self, uid: Uid, before: str, after: str) -> None:
        """Take a move on the felt."""
        if self.truth.by_hand(uid, before, after):
            self._from_hand(uid)
        self.truth.moved(uid, before, after)
        self._look()

    def _from_hand(self, uid: Uid) -> None:
        """By hand nothing stops a card; the lamp must be red before the next one is seen (P1)."""
        if self._held[0]:
            return
        self.verdict.cards_released += 1
        missed = self._missing(0, JUDGED_SCANS)
        self.verdict.missed += [self._line(f"{uid} by hand: {'; '.join(missed)}")] if missed else []

    def let_out(self, uid: Uid, release_id: int) -> None:
        """A card passed the open gate under this Release."""
        self.verdict.cards_released += 1
        unlawful, missed = self._given.get(release_id, (["no such Release was given"], []))
        key, at_ns = self._held
        if key and self._clock() - at_ns > GRACE_NS:
            unlawful = [*unlawful, f"hold {key} stands"]
        self.verdict.unlawful += [self._line(f"{uid} under {release_id}: {'; '.join(unlawful)}")] if unlawful else []
        self.verdict.missed += [self._line(f"{uid} under {release_id}: {'; '.join(missed)}")] if missed else []
        self.truth.let_out(uid)
        self._look()

    def forget(self, lost: int) -> None:
        """Take that a death has lost the last events."""
        self.truth.forget(lost)

    def gone(self, device: str, is_gone: bool) -> None:
        """A device is lost in truth, or back."""
        (self.truth.absent.add if is_gone else self.truth.absent.discard)(device)
        self._look()

    def heard(self, event: Event, commands: tuple[Command, ...]) -> None:
        """Take an event and what the engine decided on it."""
        if isinstance(event, KeyPressed):
            self._keys[event.key] = event.at_ns
        if isinstance(event, Started):
            self._given.clear()
        self._look()
        opened = self.truth.hand
        self.truth.heard(event, commands)
        self._look()
        if self.truth.hand is not None and self.truth.hand.given and opened is None:
            why = forbids_first(self.truth, event.at_ns, self.truth.hand)
            self.verdict.unlawful += [self._line(f"the deck is given out: {'; '.join(why)}")] if why else []
        for command in commands:
            match command:
                case Hold():
                    self._hold(command, again=isinstance(event, (ShufflerMet, Started)))
                case Clear() if command.key >= self._held[0]:
                    self._held = (0, 0)
                    self._told.clear()
                case Release():
                    self._given[command.id] = (self._unlawful(), self._missing())
                case Refuse() | Dispense():
                    pass
                case _:
                    pass

    def _look(self) -> None:
        now, due = self._clock(), standing(self.truth)
        for condition in [condition for condition in self._since if condition not in due]:
            del self._since[condition]
            self._ended[condition[0]] = now
        for condition in due:
            self._since.setdefault(condition, now)

    def _unlawful(self) -> list[str]:
        why = forbids(self.truth, self._clock())
        return [*why, f"hold {self._held[0]} stands"] if self._held[0] else why

    def _missing(self, settling: int = 1, scans: int = 1) -> list[str]:
        """Conditions that have stood longer than settling time and one scan.

        `settling` 0: so many scans alone, for those about a card on its way; the others settle first.
        """
        now, steady, at_once = self._clock(), self._patience(scans), self._patience(scans, settling)
        return [
            f"{reason} {what}"
            for (reason, what), since in self._since.items()
            if now - since > (at_once if reason in ON_ITS_WAY else steady)
        ]

    def _patience(self, scans: int, settling: int = 1) -> int:
        setup = self.truth.setup
        return (settling * setup.house.settling_ms + scans * setup.house.scan_ms) * 1_000_000 if setup else 0

    def _hold(self, hold: Hold, *, again: bool) -> None:
        """Judge a hold. `again`: it may be one that stands, told once more to a machine that has come back."""
        self.verdict.holds += 1
        self.verdict.reasons[hold.reason.value] += 1
        if not self._held[0]:
            self._held = (hold.key, self._clock())
        else:
            self._held = (hold.key, self._held[1])
        what = hold.reason, hold.zone
        stood = again and what in self._told
        self._told.add(what)
        if not stood and not self._founded(hold.reason):
            self.verdict.false.append(self._line(f"hold {hold.key} {hold.reason} at {hold.zone or 'no zone'}"))

    def _founded(self, reason: Reason) -> bool:
        """Tell whether a hold's condition stands, or stood a moment ago."""
        if reason is Reason.MISDEAL:
            return self._pressed(Key.MISDEAL)
        causes = (reason, *FOUNDED.get(reason, ()))
        return self._stood(causes)

    def _pressed(self, key: Key) -> bool:
        return self._clock() - self._keys.get(key, -(10**18)) <= self._patience(LOOKBACK_SCANS)

    def _stood(self, reasons: Iterable[Reason]) -> bool:
        oldest = self._clock() - self._patience(LOOKBACK_SCANS)
        standing = {reason for reason, _ in {*self._since, *grounds(self.truth)}}
        return any(reason in standing or self._ended.get(reason, -1) >= oldest for reason in reasons)

    def _line(self, text: str) -> str:
        return f"{self._clock() / 1e9:.3f} s: {text}"
