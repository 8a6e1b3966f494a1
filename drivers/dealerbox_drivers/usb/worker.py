"""Blocking work off the loop, on a thread that hands over by call_soon_threadsafe."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class Worker(Protocol):
    """Does one piece of blocking work after another."""

    async def __call__(self, work: Callable[[], Result]) -> Result:
        """Return what `work` returns, or raise what it raises. Cancelled, its result is thrown away."""

    def end(self, last: Callable[[], None]) -> None:
        """Do `last` after what is under way, and nothing more. Returns at once."""


Workers = Callable[[str], Worker]
"""Returns a new worker, by its name in messages."""


class Thread:
    """A worker with a thread of its own (satisfies `Worker`)."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any] | None]] = SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    async def __call__(self, work: Callable[[], Result]) -> Result:
        done: asyncio.Future[Result] = self._loop.create_future()
        self._jobs.put((work, done))
        return await done

    def end(self, last: Callable[[], None]) -> None:
        self._jobs.put((last, None))

    def _work(self) -> None:
        while True:
            work, done = self._jobs.get()
            if done is None:
                work()
                return
            try:
                answer = work()
            except BaseException as error:
                self._hand_over(_fail, done, error)
            else:
                self._hand_over(_fulfil, done, answer)

    def _hand_over(self, give: Callable[[asyncio.Future[Any], Any], None], done: Any, what: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(give, done, what)


def _fulfil(done: asyncio.Future[Any], answer: Any) -> None:
    if not done.done():
        done.set_result(answer)


def _fail(done: asyncio.Future[Any], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
