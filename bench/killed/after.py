"""The world after a death: what must be so when the daemon has come back, and what it must not do meanwhile."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, Final

import msgspec

from dealerbox.engine.facts import in_hand
from dealerbox.engine.holds import has_hold
from dealerbox.engine.state import State
from dealerbox.model.commands import Command, Hold
from dealerbox.model.events import Event, HoldFound, KeyPressed, Ruled, Started
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.simulate.evening import Evening
from dealerbox.simulate.wires import WireTable

LOOK_S: Final = 0.02
PLAY_S: Final = 0.1
"""Between two looks once it has come back: whether the table plays on."""
HURRY: Final = 0.15
"""How quickly people look as a start asks, of the time that they take else: a second costs what it costs."""
PATIENCE_S: Final = 600.0
"""So long people need at most until the table plays on; a whole deck in and out again takes a minute."""
SECOND_WITHIN: Final = 30
"""The second death comes within so many events of the start."""


class After:
    """Watches one world from its death on until the table plays again, and then says what was wrong."""

    def __init__(
        self,
        evening: Evening,
        table: WireTable,
        commands: tuple[Command, ...],
        again: int,
        tell: Callable[[dict[str, Any]], None],
        *,
        watched: bool,
    ) -> None:
        """`commands`: of the event at which it dies; `again`: not 0: the seed of a second death; `watched`: for longer
        than until all agrees."""
        self._evening, self._table, self._tell, self._long = evening, table, tell, watched
        self._wrong: list[str] = []
        self._asked_ms: list[int] = []
        self._owed = {command.reason for command in commands if isinstance(command, Hold)}
        """Of holds that were given just before the death, and are neither on record nor told of since."""
        self._ended = False
        """People have ended the hand since."""
        self._begun_s = 0.0
        """When it last started."""
        self._again = Random(again).randint(1, SECOND_WITHIN) if again else 0
        self._puzzled = len(evening.dealer.puzzled)
        verdict = evening.checker.verdict
        self._judged = [(lines, len(lines)) for lines in (verdict.unlawful, verdict.missed, verdict.false)]
        self._left: State
        self._log: list[str] = []

    def begin(self, keep: int) -> None:
        """Kill the daemon now; of its records `keep` more are there than it was told."""
        self._table.observers.append(self)
        self._table.kill(keep)
        self._left = self._table.left()
        self._owed = {reason for reason in self._owed if not has_hold(self._left, reason)}
        if self._again:
            self._table.answered.append(self._once_more)
        self._watching = asyncio.get_running_loop().create_task(self._watched())

    def heard(self, event: Event, commands: tuple[Command, ...]) -> None:
        """Judge a start by what it does at once."""
        self._log.append(msgspec.json.encode({"event": event, "commands": commands}).decode())
        reasons = [command.reason for command in commands if isinstance(command, Hold)]
        held = Reason.RESTARTED in reasons or has_hold(self._left, Reason.RESTARTED)
        if isinstance(event, Started) and in_hand(self._left) and not held:
            self._wrong.append(f"a hand was open, and the start gave {commands}")
        if isinstance(event, Started):
            self._begun_s = asyncio.get_running_loop().time()
        self._ended = self._ended or _ends_a_hand(event)
        self._owed = set() if isinstance(event, HoldFound) else self._owed.difference(reasons)

    def _once_more(self, _event: Event) -> None:
        self._again -= 1
        if self._again == 0:
            self._table.answered.remove(self._once_more)
            self._table.kill(0)
            self._left = self._table.left()

    async def _watched(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._back()
                self._evening.dealer.hurry = 1.0
                await self._plays_on()
        except TimeoutError:
            self._wrong.append(f"it did not play on: {self._evening.standing()}")
        dealer = self._evening.dealer
        self._wrong += [f"puzzled: {line}" for line in dealer.puzzled[self._puzzled :]]
        for lines, before in self._judged:
            self._wrong += lines[before:]
        if not self._table.replayed:
            self._wrong.append("the replay gave another state than the one that was left")
        if self._owed:
            self._wrong.append(f"held just before the death, and forgotten: {', '.join(self._owed)}")
        self._tell({"wrong": self._wrong, "asked_ms": self._asked_ms, "log": self._log})

    async def _back(self) -> None:
        """Wait until nothing is held and everything answers; measure how long it took to ask for a look.

        The clock begins when the last device has answered its first question: 20 ms too early, never late.
        Where it is not watched for longer: until that look is asked for, as everything agrees.
        """
        answered_s = before_s = 0.0
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK_S)
            if self._table.failed:
                self._wrong.append(self._table.failed)
                return
            if self._table.down or self._again > 0:
                answered_s = 0.0
                await asyncio.sleep(PLAY_S if self._table.down else 0)
                continue
            if not answered_s and self._table.met():
                answered_s = max(before_s, self._begun_s)
            before_s = loop.time()
            view, state = self._table.view(), self._table.core.state
            self._evening.dealer.hurry = HURRY if view.prompt_code == "restarted" else 1.0
            if answered_s and view.prompt_code == "restarted" and not self._asked_ms:
                self._asked_ms.append(round((loop.time() - answered_s) * 1000))
                if not self._long:
                    return
            if answered_s and not view.holds and state.up and not state.blind:
                return

    async def _plays_on(self) -> None:
        """The same hand with the same cards, and the next card comes out, or the hand ends as hands do."""
        self._wrong += [] if self._ended else _differs(self._left, self._table.core.state)
        out = self._evening.checker.verdict.cards_released
        while self._long and self._evening.checker.verdict.cards_released == out:
            await asyncio.sleep(PLAY_S)
            view = self._table.view()
            if self._table.failed:
                self._wrong.append(self._table.failed)
                return
            if view.phase == "between" and not view.holds and Key.START in view.lit:
                return


def _ends_a_hand(event: Event) -> bool:
    match event:
        case KeyPressed(key=Key.MISDEAL | Key.AWARD) | Ruled(ruling=Ruling.VOID_HAND):
            return True
    return False


def _differs(left: State, now: State) -> list[str]:
    """Return in what the hand is another than the one that was left."""
    if not in_hand(left):
        return [] if left.deck in (0, now.deck) else [f"deck {left.deck} was left, and it is {now.deck}"]
    if now.hand != left.hand or not in_hand(now):
        return [f"hand {left.hand} was open, and now it is {now.phase} of hand {now.hand}"]
    wrong = [
        f"{name} was {getattr(left, name)} and is {getattr(now, name)}"
        for name in ("deck", "seats", "button")
        if getattr(left, name) != getattr(now, name)
    ]
    for token, card in left.out.items():
        found = now.out.get(token)
        if card.dealt and (found is None or found.dealt != card.dealt):
            wrong.append(f"card {token}, dealt to {card.dealt}, is now {found}")
    return wrong
