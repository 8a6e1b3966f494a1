"""Virtual time without a loop: a heap of acts, done in order of time, then of asking."""

import heapq
from collections.abc import Callable, Iterator
from typing import Final

START_NS: Final = 1_000_000_000
"""Where time starts, so that no time is ever zero."""

Act = Callable[[], None]


class Timeline:
    """Acts waiting for their time. `now_ns` moves only in `run`."""

    def __init__(self, now_ns: int = START_NS) -> None:
        self.now_ns = now_ns
        self._asked = 0
        self._waiting: list[tuple[int, int, Act]] = []

    def at(self, at_ns: int, act: Act) -> None:
        """Do `act` at `at_ns` (now, if that is past), after everything asked earlier for that time."""
        self._asked += 1
        heapq.heappush(self._waiting, (max(at_ns, self.now_ns), self._asked, act))

    def after(self, seconds: float, act: Act) -> None:
        """Do `act` so many seconds from now."""
        self.at(self.now_ns + round(seconds * 1e9), act)

    def start(self, process: Iterator[float]) -> None:
        """Run a process: each number that it yields is a wait in seconds."""

        def resume() -> None:
            for seconds in process:
                self.after(seconds, resume)
                return

        self.after(0.0, resume)

    def run(self, until: Callable[[], bool], limit_ns: int) -> bool:
        """Do acts until `until()` holds after one of them (True), or time or acts run out (False)."""
        while self._waiting and self._waiting[0][0] <= limit_ns:
            self.now_ns, _, act = heapq.heappop(self._waiting)
            act()
            if until():
                return True
        return False
