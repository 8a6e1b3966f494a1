"""One evening of the demo: lay the table out, start the daemon, let people play, stop, sum up."""

import asyncio
import signal
import time
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from dealerbox.config import Config
from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.ports import DealerboxError
from dealerbox.simulate.byhand import SHOWN_S
from dealerbox.simulate.demo.eyes import Eyes
from dealerbox.simulate.demo.folder import own_folder
from dealerbox.simulate.demo.live import LiveTable
from dealerbox.simulate.demo.picture import Scene
from dealerbox.simulate.demo.show import Show, stamped
from dealerbox.simulate.demo.station import ChildStation, StationDied
from dealerbox.simulate.demo.story import DETAIL, changes
from dealerbox.simulate.demo.summary import Summary, summarize
from dealerbox.simulate.demo.tables import MAX_SEATS, cards, lay_out
from dealerbox.simulate.demo.trouble import NowAndThen
from dealerbox.simulate.demo.twins import Twins
from dealerbox.simulate.pack import BACKS
from dealerbox.simulate.people import Dealer
from dealerbox.station.build import setup_of
from dealerbox.station.loop import boottime_ns

FRAME_S: Final = 0.1
IDLE_S: Final = 120.0
"""A demo in which nothing at all changes for so long has come to nothing."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What the demo is asked for."""

    hands: int = 0
    """Hands after which it ends; 0: it goes on."""
    seed: int = 1
    speed: float = 9.0
    """How many times faster than in life people act and the machine shuffles."""
    faults: tuple[str, ...] = ()
    """What goes wrong, hand by hand, in turn; (): one hand in five, the second always."""


class Ended(msgspec.Struct, frozen=True):
    """How it ended."""

    summary: Summary
    interrupted: bool
    puzzled: tuple[str, ...]
    """Where people and panel did not understand each other."""


class Standstill(DealerboxError):
    """People and panel came to nothing."""


async def demo(asked: Asked, scene: Scene, show: Show) -> Ended:
    """Play; whatever happens, no process and no file is left. StationDied, Standstill."""
    scene.goal, scene.max_seats = asked.hands, MAX_SEATS
    twins = Twins(asked.seed, asked.speed, boottime_ns)
    scene.panel = twins.panel_settings
    try:
        with own_folder() as folder:
            config = lay_out(folder, twins.ports)
            return await _Evening(asked, scene, show, twins, config).play(folder / "night.jsonl")
    finally:
        twins.close()


class _Evening:
    def __init__(self, asked: Asked, scene: Scene, show: Show, twins: Twins, config: Config) -> None:
        self._asked, self._scene, self._show = asked, scene, show
        self._twins, self._config = twins, config
        self._eyes = Eyes(twins.panel, boottime_ns)
        self._began_s = self._changed_s = time.monotonic()
        self._interrupted = asyncio.Event()
        self._pace = pace = 1 / asked.speed
        self._station = ChildStation(config, twins.pins)
        self._table = LiveTable(setup_of(config), twins, self._station, boottime_ns)
        self._table.seen.append(self._saw)
        self._table.done.append(self._say)
        decks = [cards(slot) for slot in range(1, len(BACKS) + 1)]
        trouble = NowAndThen(Random(f"{asked.seed}:trouble"), self._say, pace, asked.faults)
        self._dealer = Dealer(self._table, decks, Random(f"{asked.seed}:people"), trouble)
        self._dealer.shown_s = self._dealer.lifted_s = SHOWN_S / pace  # the readers are no quicker than in life

    async def play(self, log: Path) -> Ended:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._interrupted.set)
        serving = self._twins.serve()
        try:
            self._show.draw()
            await self._station.start()
            await self._until_over(serving)
            await self._table.rest()
            code = await self._station.stop()
            if code:
                raise await self._station.died()
            summary = summarize(self._config, log, gate_locked=self._twins.gate_locked())
        finally:
            await self._table.rest()
            await self._station.kill()
            for task in serving:
                task.cancel()
            await asyncio.gather(*serving, return_exceptions=True)
        return Ended(summary, self._interrupted.is_set(), tuple(self._dealer.puzzled))

    async def _until_over(self, serving: list[asyncio.Task[None]]) -> None:
        """Play until the goal is reached, somebody wants to stop, or something is wrong."""
        watching = asyncio.create_task(self._watch())
        stopping = asyncio.create_task(self._interrupted.wait())
        self._table.start(self._dealer.work(), self._pace)
        waited: list[asyncio.Future[Any]] = [watching, stopping, self._table.failed, *serving]
        try:
            done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            for future in done:
                future.result()
            if done & set(serving):
                raise StationDied("a twin of the demo ended by itself; report this")
        finally:
            watching.cancel()
            stopping.cancel()
            await asyncio.gather(watching, stopping, return_exceptions=True)

    async def _watch(self) -> None:
        """Look at the table again and again and show it; return when the evening is over."""
        while True:
            if not self._table.down:
                view = await self._table.look()
                if self._over(view):
                    return
            self._draw()
            if time.monotonic() - self._changed_s > IDLE_S and not is_taken(self._scene.view):
                raise Standstill(self._standing())
            await asyncio.sleep(FRAME_S)

    def _over(self, view: View) -> bool:
        reached = self._asked.hands and self._dealer.hands >= self._asked.hands
        return self._dealer.finished or bool(reached and not view.street)

    def _saw(self, view: View) -> None:
        before = self._scene.view
        if before == view:
            return
        self._changed_s = time.monotonic()
        self._scene.view = view
        for line in changes(before, view):
            tell = self._show.explain if line.startswith(DETAIL) else self._show.say
            tell(stamped(self._began_s, line))

    def _say(self, line: str) -> None:
        self._show.say(stamped(self._began_s, line))

    def _draw(self) -> None:
        self._scene.lamps, self._scene.buzzer = self._eyes.lamps(), self._eyes.buzzer()
        self._scene.words = self._twins.pins.words
        self._scene.played = self._dealer.hands
        self._show.draw()

    def _standing(self) -> str:
        view = self._scene.view
        said = f"{view.phase}, {view.prompt_code}: {view.prompt}" if view else "no view was ever seen"
        held = ", ".join(hold.reason for hold in view.holds) if view else ""
        return (
            f"nothing changed for {IDLE_S:.0f} s ({said} Held: {held or 'nothing'}). "
            f"The dealer wonders: {self._dealer.puzzled[-3:]}"
        )


def is_taken(view: View | None) -> bool:
    """Tell whether a technician has the table: how long is for him to say."""
    return view is not None and any(hold.reason is Reason.SERVICE for hold in view.holds)
