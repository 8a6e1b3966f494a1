"""One evening at a simulated table: set up, played to its end, judged."""

import asyncio
from collections import deque
from random import Random
from typing import Final, TextIO

import msgspec

from dealerbox.model.cards import DECK_SIZE, deck_of
from dealerbox.model.commands import Command
from dealerbox.model.events import Event
from dealerbox.model.setup import ButtonRule, Dispense, House, Setup
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, seat
from dealerbox.ports import DealerboxError
from dealerbox.simulate.checker import Checker
from dealerbox.simulate.faults_of_clocks import AWAY_S
from dealerbox.simulate.mischief import Mischief
from dealerbox.simulate.pack import deck_info
from dealerbox.simulate.people import Dealer
from dealerbox.simulate.script import Recording
from dealerbox.simulate.table import EventTable
from dealerbox.simulate.wires import WireTable

EVENING_NS: Final = 6_000_000_000_000
"""Longest evening: within two hours, so that no deck change is due."""
IDLE_NS: Final = 900_000_000_000
"""An evening in which no hand ends for so long stands still."""
LIMIT_S: Final = (EVENING_NS + IDLE_NS) / 1e9 + max(AWAY_S)
"""Virtual seconds by which every evening is over, also one whose computer lost its power at the end of it."""
LOOK_S: Final = 0.5
SCAN_MS: Final = {"events": 150, "wires": 500}
"""Longest scan of a zone: five antennas behind one multiplexer take their turns."""


PACE: Final = {"events": 1.0, "wires": 0.15}
"""At `wires` people hurry: the polls of an idle minute cost a second of ours and prove nothing."""


class Standstill(DealerboxError):
    """A simulated table came to nothing: no hand ended for a quarter of an hour."""


UNSURE: Final = 64
"""Lines kept back: a daemon that dies may lose its last events."""


class Log:
    """Writes JSON Lines {"seq","event","commands"}; seq 1 begins a new table."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._seq = out, 0
        self._lines: deque[str] = deque()

    def heard(self, event: Event, commands: tuple[Command, ...]) -> None:
        """Write one line."""
        self._seq += 1
        line = {"seq": self._seq, "event": event, "commands": commands}
        self._lines.append(msgspec.json.encode(line).decode() + "\n")
        if len(self._lines) > UNSURE:
            self._out.write(self._lines.popleft())

    def forget(self, lost: int) -> None:
        """Drop the last lines: they were never recorded."""
        for _ in range(lost):
            self._lines.pop()
        self._seq -= lost

    def end(self) -> None:
        """Write what was kept back."""
        while self._lines:
            self._out.write(self._lines.popleft())


def table_setup(
    rng: Random, seats: tuple[int, int], scan_ms: int, dispense: Dispense = Dispense.SINGLE, action_clock_s: int = 0
) -> Setup:
    """Return a table with so many people at it, anywhere, under either button rule."""
    occupied = tuple(sorted(rng.sample(range(1, 11), rng.randint(*seats))))
    return Setup(
        table="simulated",
        seats=occupied,
        house=House(
            button_rule=rng.choice(list(ButtonRule)), scan_ms=scan_ms, dispense=dispense, action_clock_s=action_clock_s
        ),
        decks=(deck_info(1), deck_info(2)),
        readers=(INFEED, EXIT, BOARD, BURN, MUCK, ASIDE, *(seat(number) for number in range(1, 11))),
    )


class Evening:
    """A table with its people, their trouble, and the judge."""

    def __init__(
        self,
        name: str,
        table: EventTable | WireTable,
        mischief: Mischief,
        log: TextIO | None,
        seats: tuple[int, int],
        *,
        recorded: bool = False,
    ) -> None:
        """`recorded`: keep what people do (`acts`)."""
        self.name, self.table = name, table
        recording = Recording(table) if recorded else None
        self.acts = recording.acts if recording else []
        self.ended_ns = 0
        tags = table.names.truth
        self.checker = Checker(table.felt, tags, lambda: table.now_ns)
        decks = [
            [uid for uid, tag in tags.items() if deck_of(tag) == slot and tag % 1000 <= DECK_SIZE] for slot in (1, 2)
        ]
        self.dealer = Dealer(recording or table, decks, Random(f"{name}:people"), mischief, PACE[table.level])
        self.dealer.seats_between = seats
        table.observers += [self.checker, mischief]
        self.log = Log(log) if log else None
        if self.log:
            table.recorders.append(self.log)
        if isinstance(table, WireTable):
            table.gone.append(self.checker.gone)
            table.forgotten.append(self.checker.forget)
            table.forgotten += [self.log.forget] if self.log else []
        table.felt.watch(self.checker.moved)
        table.let_out.append(self.checker.let_out)

    def over(self, hands: int) -> bool:
        """Tell whether so many hands were played, or nobody can play on tonight."""
        self.ended_ns = self.table.now_ns
        late = self.ended_ns >= EVENING_NS and not self.table.down
        return self.dealer.hands >= hands or self.dealer.finished or late

    def end(self) -> None:
        """Write the log to its end."""
        if self.log:
            self.log.end()

    def standing(self) -> str:
        """Say how it stands, for when it stands still."""
        shown = self.table.view()
        held = ", ".join(hold.reason for hold in shown.holds) or "nothing"
        return (
            f"evening {self.name} stands still after {self.dealer.hands} hands, at {self.table.now_ns / 1e9:.0f} s: "
            f"{shown.phase}, {shown.prompt_code}: {shown.prompt} Lit: {list(map(str, shown.lit))}. Held: {held}. "
            f"The dealer wonders: {self.dealer.puzzled[-3:]}"
        )


def play_events(evening: Evening, table: EventTable, hands: int) -> None:
    """Play so many hands, or as many as the evening allows. Standstill."""
    dealer, goal, back_ns = evening.dealer, 0, 0

    def reached() -> bool:
        return dealer.hands >= goal or dealer.finished or table.back_ns > back_ns

    table.open()
    table.start(dealer.work())
    while not evening.over(hands):
        goal, back_ns = dealer.hands + 1, table.back_ns
        if not table.time.run(reached, max(table.now_ns, back_ns) + IDLE_NS):
            raise Standstill(evening.standing())


async def play_wires(evening: Evening, table: WireTable, hands: int) -> None:
    """The same in the running VirtualLoop. Standstill, also when the station gives itself up."""
    seen, since_ns = 0, table.now_ns
    table.open()
    table.start(evening.dealer.work())
    try:
        while not evening.over(hands):
            await asyncio.sleep(LOOK_S)
            if table.failed:
                raise Standstill(f"evening {evening.name}: {table.failed}")
            if evening.dealer.hands != seen or table.down:
                seen, since_ns = evening.dealer.hands, table.now_ns
            if table.now_ns - since_ns > IDLE_NS:
                raise Standstill(evening.standing())
    finally:
        await table.close()
