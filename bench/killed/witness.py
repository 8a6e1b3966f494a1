"""What was seen at a table while its daemon lived and died, and the judge's word on it, from that and the journal."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

from dealerbox.config import Config
from dealerbox.journal.disk import RealShelf
from dealerbox.journal.export import export
from dealerbox.journal.recover import Verdict
from dealerbox.model.cards import Uid
from dealerbox.model.commands import Command
from dealerbox.model.events import Event, HoldFound, KeyPressed, Started
from dealerbox.model.keys import Key
from dealerbox.ports import Clock
from dealerbox.simulate.checker import Checker
from dealerbox.simulate.demo.tables import cards
from dealerbox.simulate.demo.twins import Twins
from dealerbox.simulate.pack import BACKS, pack
from dealerbox.station.entry import decode
from dealerbox.station.replay import Difference, LogError, replay
from dealerbox_drivers.felt import BEHIND_GATE, OUTLET, Felt

LOG: Final = "killed.jsonl"
"""The journal as it was exported, in the station's folder."""
KNOWN_NS: Final = 100_000_000
"""A key lifted so long before a death was taken, or it never will be: debouncing and one record take less."""
LOOK_MS: Final = 20
LATE_NS: Final = 1_000_000_000
"""A daemon on a busy machine may take a key so late, and stamp it so."""
TAKEN_NS: Final = 1_500_000_000
"""From pressing a key to its event: a long press and a line of the menu."""


class Death(msgspec.Struct, kw_only=True):
    """One death of the daemon."""

    at_ns: int
    latched: int
    """Key of the hold that the shuffler had latched then; 0: none."""
    in_hand: bool
    starting: bool
    """It died before it had said that it was ready."""
    back_ns: int = 0
    """When another one was back, with its devices: a finger meanwhile is felt by nobody."""


class Witness:
    """Writes down every move on the felt with the time at which it was made, by the events' clock."""

    def __init__(self, twins: Twins, clock: Clock) -> None:
        self._twins, self._clock = twins, clock
        self.seen: list[tuple[int, Callable[[Felt, Checker], None]]] = []
        self.lifted: list[tuple[int, Key]] = []
        self.deaths: list[Death] = []
        self.late: list[tuple[int, int]] = []
        """When the twins had stood still, for how long, ns: what the felt showed meanwhile nobody could read."""
        twins.felt.watch(self._moved)

    def button(self, seats: tuple[int, ...]) -> None:
        """Take where the button was laid."""
        self.seen.append((self._clock(), lambda felt, checker: felt.set_button(seats)))

    async def look_at_the_time(self) -> None:
        """Note how late twins and people are on a machine that has other work, until cancelled."""
        while True:
            due_ns = self._clock() + LOOK_MS * 1_000_000
            await asyncio.sleep(LOOK_MS / 1000)
            late_ns = self._clock() - due_ns
            if late_ns > LOOK_MS * 1_000_000:
                self.late.append((due_ns + late_ns, late_ns))

    def _moved(self, uid: Uid, before: str, after: str) -> None:
        at_ns = self._clock()
        self.seen.append((at_ns, lambda felt, checker: felt.put(uid, after)))
        if (before, after) == (BEHIND_GATE, OUTLET):
            release = self._twins.shuffler.state.record.cmd_id
            self.seen.append((at_ns, lambda felt, checker: checker.let_out(uid, release)))


class Told(msgspec.Struct, kw_only=True):
    """The judge's word."""

    records: int
    cards: int
    hands: int
    holds: int
    starts: int
    holds_found: int
    last_keys: int
    """Keys lifted in the last moment before a death."""
    last_keys_recorded: int
    twins_late_ms: int
    """How long twins and people stood still in all, and at most, on a machine with other work: no time to the judge."""
    twins_late_ms_most: int
    wrong: list[str]


def judged(config: Config, witness: Witness) -> Told:
    """Play journal and felt together, as they happened, before the judge. JournalError, OSError."""
    lines: list[bytes] = []
    recovery = export(RealShelf(config.state_dir / "journal"), lines.append)
    wrong = [] if recovery.verdict in (Verdict.CLEAN, Verdict.TORN) else [f"the journal is {recovery.verdict}"]
    log = config.state_dir / LOG
    log.write_bytes(b"".join(lines))
    try:
        for _ in replay(str(log), expect=True):
            pass
    except (Difference, LogError) as error:
        wrong.append(str(error))
    entries = [decode(line) for line in lines]
    checker = _before_the_judge([(entry.event, entry.commands) for entry in entries], witness)
    verdict = checker.verdict
    wrong += [f"unlawful: {line}" for line in verdict.unlawful]
    wrong += [f"missed: {line}" for line in verdict.missed]
    wrong += [f"false: {line}" for line in verdict.false]
    events = [entry.event for entry in entries]
    last, kept, forgotten = _keys(events, witness)
    return Told(
        records=recovery.head.seq,
        cards=verdict.cards_released,
        hands=sum(isinstance(event, KeyPressed) and event.key is Key.AWARD for event in events),
        holds=verdict.holds,
        starts=sum(isinstance(event, Started) for event in events),
        holds_found=sum(isinstance(event, HoldFound) for event in events),
        last_keys=last,
        last_keys_recorded=kept,
        twins_late_ms=sum(late_ns for _, late_ns in witness.late) // 1_000_000,
        twins_late_ms_most=max((late_ns for _, late_ns in witness.late), default=0) // 1_000_000,
        wrong=wrong + forgotten,
    )


def _before_the_judge(entries: list[tuple[Event, tuple[Command, ...]]], witness: Witness) -> Checker:
    """Let a judge see it all again, the felt by time, less the time in which the twins stood still."""
    now_ns = stood_ns = 0
    late = iter([*witness.late, (1 << 62, 0)])
    until_ns, late_ns = next(late)
    felt = Felt([cards(slot) for slot in range(1, len(BACKS) + 1)], Random(1))
    tags = {uid: name for slot in range(1, len(BACKS) + 1) for uid, name in pack(slot).items()}

    def clock() -> int:
        nonlocal until_ns, late_ns, stood_ns
        while until_ns <= now_ns:
            stood_ns += late_ns
            until_ns, late_ns = next(late)
        return now_ns - stood_ns

    checker = Checker(felt, tags, clock)
    felt.watch(checker.moved)
    seen = iter([*witness.seen, (1 << 62, lambda felt, checker: None)])
    at_ns, act = next(seen)
    for event, commands in entries:
        while at_ns < event.at_ns:
            now_ns = max(now_ns, at_ns)
            act(felt, checker)
            at_ns, act = next(seen)
        now_ns = max(now_ns, event.at_ns)
        checker.heard(event, commands)
    return checker


def _keys(events: list[Event], witness: Witness) -> tuple[int, int, list[str]]:
    """Return how many keys were lifted just before a death, how many of those are recorded, and which are forgotten."""
    recorded = [(event.at_ns, event.key) for event in events if isinstance(event, KeyPressed)]
    last = kept = 0
    forgotten = []
    for at_ns, key in witness.lifted:
        found = any(key is other and at_ns - TAKEN_NS < then < at_ns + LATE_NS for then, other in recorded)
        died = any(death.at_ns < at_ns + KNOWN_NS and at_ns - TAKEN_NS < death.back_ns for death in witness.deaths)
        last += died
        kept += died and found
        if not died and not found:
            forgotten.append(f"{key} was pressed at {at_ns / 1e9:.3f} s, and the journal has it not")
    return last, kept, forgotten
