"""What a journal's records come to, put to the engine one by one from the first: a replay that can be gone on with."""

from collections.abc import Sequence
from typing import Any

from dealerbox.simulate.table import Engine
from dealerbox.station.entry import decode


class Replay:
    """The state after so many records of one journal, found from their bytes alone.

    Many worlds after many deaths share the journal's beginning: it is replayed once for all of them.
    """

    def __init__(self, engine: Engine) -> None:
        self.state: Any = engine.fresh()
        self.numbered: dict[int, int] = {}
        """The hand for which each deck had its newest tokens, by slot."""
        self._engine, self._records = engine, 0

    def through(self, records: Sequence[bytes], number: int) -> Any:
        """Return the state after the first `number` records; those before may never change again."""
        for payload in records[self._records : number]:
            before = self._engine.hand(self.state)
            self.state, _ = self._engine.step(self.state, decode(payload).event)
            now = self._engine.hand(self.state)
            if now != before:
                self.numbered[self._engine.deck(self.state)] = now
        self._records = number
        return self.state
