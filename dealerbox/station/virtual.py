"""A loop with its own clock: the daemon's coroutines, timers and lines in virtual time.

Nothing waits: when no callback is ready and no file descriptor has news, the clock
jumps to the next timer. Without real descriptors and threads a run is a function of
its inputs: same coroutines, same seed, same order of everything.
"""

import asyncio
import selectors
from collections.abc import Coroutine, Mapping
from typing import Any, Final, TypeVar

from dealerbox.ports import DealerboxError

Result = TypeVar("Result")

START_NS: Final = 1_000_000_000
"""Where virtual time starts, so that no time is ever zero."""
GRACE_S: Final = 0.002
"""Real time given to real descriptors (a pty's bytes cross a kernel queue) before the clock jumps over them."""
STALL_S: Final = 5.0
"""Real time after which a loop without timers is called stuck."""


class Stuck(DealerboxError):
    """Virtual time cannot go on: no timer, no ready callback and no descriptor with news."""


class _JumpingSelector(selectors.BaseSelector):
    """Looks at real descriptors and, where asyncio would sleep, moves the clock instead."""

    def __init__(self, start_ns: int) -> None:
        self.now_ns = start_ns
        self._real = selectors.DefaultSelector()
        self._files = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        watches_files = self._files > 1  # one is the loop's own wake-up pipe
        if timeout is None:
            ready = self._real.select(STALL_S)
            if not ready:
                raise Stuck("virtual time stands still: every task waits and no timer is set")
            return ready
        if timeout <= 0:
            return self._real.select(0) if watches_files else []  # the pipe is emptied before the next jump
        ready = self._real.select(GRACE_S if watches_files else 0)
        if not ready:
            self.now_ns += max(1, round(timeout * 1e9))
        return ready

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = self._real.register(fileobj, events, data)
        self._files += 1
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        key = self._real.unregister(fileobj)
        self._files -= 1
        return key

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.modify(fileobj, events, data)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._real.get_map() or {}

    def close(self) -> None:
        self._real.close()


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time moves only when nothing else can.

    `at_ns` is its clock as a `ports.Clock`. Work handed to threads takes no virtual
    time and is not waited for while a timer is set: keep threads out of simulations.
    """

    def __init__(self, start_ns: int = START_NS) -> None:
        self._jumping = _JumpingSelector(start_ns)
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return virtual seconds."""
        return self._jumping.now_ns / 1e9

    def at_ns(self) -> int:
        """Return virtual nanoseconds."""
        return self._jumping.now_ns


def virtual_run(main: Coroutine[Any, Any, Result], *, limit_s: float = 86_400.0) -> Result:
    """Run `main` in a fresh VirtualLoop and return what it returns.

    TimeoutError when it is not done after `limit_s` virtual seconds (a heartbeat would
    otherwise keep a forgotten wait alive for ever); Stuck when nothing can happen any more.
    """

    async def bounded() -> Result:
        async with asyncio.timeout(limit_s):
            return await main

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(bounded())


def virtual_clock() -> int:
    """Return the running VirtualLoop's nanoseconds: the `ports.Clock` of a simulation."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, VirtualLoop):
        raise RuntimeError("virtual_clock() outside a VirtualLoop: start the coroutine with virtual_run()")
    return loop.at_ns()
