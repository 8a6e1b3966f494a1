"""The real daemon with twins on ptys, killed with SIGKILL at random moments of play, and started again.

The table goes on meanwhile: the shuffler has its own memory, cards are on their way, fingers on the panel.
"""

import asyncio
import contextlib
import shutil
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from bench.killed.every import SLIPS
from bench.killed.witness import LOG, Death, Told, Witness, judged
from dealerbox.model.view import View
from dealerbox.simulate.byhand import SHOWN_S
from dealerbox.simulate.demo.folder import own_folder
from dealerbox.simulate.demo.live import LiveTable
from dealerbox.simulate.demo.station import ChildStation, StationDied
from dealerbox.simulate.demo.tables import READERS, cards, lay_out
from dealerbox.simulate.demo.trouble import NowAndThen
from dealerbox.simulate.demo.twins import Twins
from dealerbox.simulate.pack import BACKS
from dealerbox.simulate.people import PATIENCE, Acts, Dealer
from dealerbox.simulate.remedies import MISPLACED, WANDERED, mend
from dealerbox.station.build import setup_of
from dealerbox.station.condition import Condition
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.shuffler.messages import Lock

SPEED: Final = 12.0
PLAY_S: Final = (0.05, 2.0)
"""How long people play before the next death."""
IN_HAND: Final = 0.8
"""How often a death waits for a hand that goes on."""
STARTING: Final = 0.15
"""How often a daemon dies again before it is ready."""
STARTING_S: Final = (0.01, 0.4)
LOOK_S: Final = 0.01
BACK_S: Final = 20.0
"""Longest wait for devices and counters to agree; beyond a second from the devices' answer it is told."""
IDLE_S: Final = 90.0
KEPT: Final = Path("failures/killed")
"""Where the log is kept of a run in which something was wrong."""
SPEAKING: Final = frozenset({"shuffler", *READERS})
"""Devices that say something on opening; a panel is known to work when it has not failed for a while."""


class Slips(NowAndThen):
    """Every hand goes wrong, and is put right at the pace at which readers see it, without being looked at for long."""

    def mend(self, dealer: Dealer, view: View) -> Acts:
        """Find the remedy."""
        return self._unhurried(mend(dealer, view)) if _goes_wrong(view) else mend(dealer, view)


def _goes_wrong(view: View) -> bool:
    return any(hold.reason in (*MISPLACED, *WANDERED) for hold in view.holds)


class Watched(LiveTable):
    """The table, with a witness."""

    witness: Witness

    async def _lay(self, seats: tuple[int, ...]) -> None:
        self.witness.button(seats)
        await super()._lay(seats)


class Found(msgspec.Struct, kw_only=True):
    """What the deaths came to."""

    told: Told
    deaths: int
    in_hand: int
    starting: int
    within_a_hold: int
    """Deaths while the shuffler had a hold latched."""
    ready_ms: list[int]
    """From exec to an answer at the socket."""
    asked_ms: list[int]
    """From the devices' answering to everything that agrees, where a hand was open."""


def said(found: Found, wall_s: float) -> dict[str, object]:
    """Return it as one JSON object."""
    told = msgspec.to_builtins(found.told)
    return {
        "killed": "the daemon's process, in mid-play",
        "deaths": found.deaths,
        "with_a_hand_open": found.in_hand,
        "while_it_started": found.starting,
        "while_a_hold_was_latched": found.within_a_hold,
        "ready_ms": _spread(found.ready_ms),
        "asked_ms_after_devices_answer": _spread(found.asked_ms),
        **told,
        "wall_s": round(wall_s, 1),
    }


def _spread(values: list[int]) -> dict[str, int]:
    ordered = sorted(values)
    if not ordered:
        return {"times": 0}
    at = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
    shares = {name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] for name, share in at.items()}
    return {"times": len(ordered), "min": ordered[0], **shares, "max": ordered[-1]}


class _Deaths:
    def __init__(self, rng: Random, twins: Twins, station: ChildStation, table: Watched, witness: Witness) -> None:
        self._rng, self._twins, self._station = rng, twins, station
        self._table, self._witness = table, witness
        self.ready_ms: list[int] = []
        self.asked_ms: list[int] = []
        self.wrong: list[str] = []

    async def die(self) -> None:
        """Kill it, perhaps once more while it starts, and wait until it asks for a look or has nothing to ask."""
        self._table.down = True
        await self._kill(starting=False)
        while self._rng.random() < STARTING:
            starting = asyncio.create_task(self._station.start())
            async with asyncio.timeout(BACK_S):
                await self._station.spawned.wait()  # on a busy machine that takes a while, and nothing dies before
            await asyncio.sleep(self._rng.uniform(*STARTING_S))
            await self._kill(starting=True)
            with contextlib.suppress(StationDied):
                await starting
        began_ns = boottime_ns()
        await self._station.start()
        self.ready_ms.append((boottime_ns() - began_ns) // 1_000_000)
        await self._back()
        for death in self._witness.deaths:
            death.back_ns = death.back_ns or boottime_ns()
        self._table.down = False

    async def _kill(self, *, starting: bool) -> None:
        record = self._twins.shuffler.state.record
        latched = record.hold_key if Lock.HOLD in record.locks else 0
        view = self._table.view()
        in_hand = bool(view.street)
        await self._station.kill()
        self._witness.deaths.append(Death(at_ns=boottime_ns(), latched=latched, in_hand=in_hand, starting=starting))

    async def _back(self) -> None:
        """Look again and again: held from the first look on if a hand is open, until everything agrees."""
        loop = asyncio.get_running_loop()
        since_s, answered_s = loop.time(), 0.0
        death = self._witness.deaths[-1]
        while True:
            view, health = await self._station.view(), await self._station.health()
            if view.street and not view.holds:
                self.wrong.append(
                    f"it came back at {boottime_ns() / 1e9:.3f} s in hand {view.hand}, and nothing is held"
                )
                return
            working = {each.name for each in health if each.condition is Condition.WORKING}
            if not answered_s and working >= SPEAKING:
                answered_s = loop.time()
                if death.latched and view.street and not view.holds:
                    self.wrong.append(f"the shuffler had hold {death.latched} latched, and nothing is held")
            if not view.street and answered_s:
                return
            if view.prompt_code == "restarted":
                self.asked_ms.append(round((loop.time() - (answered_s or loop.time())) * 1000))
                return
            if loop.time() - since_s > BACK_S:
                held = ", ".join(hold.reason for hold in view.holds)
                self.wrong.append(f"it did not agree within {BACK_S:.0f} s: {view.prompt_code}, held: {held}")
                return
            await asyncio.sleep(LOOK_S)


async def killed(deaths: int, seed: int, speed: float = SPEED) -> Found:
    """Play, and kill the daemon so many times. StationDied when it ends by itself."""
    rng = Random(f"{seed}:deaths")
    twins = Twins(seed, speed, boottime_ns)
    witness = Witness(twins, boottime_ns)
    try:
        with own_folder() as folder:
            config = lay_out(folder, twins.ports)
            station = ChildStation(config, twins.pins)
            table = Watched(setup_of(config), twins, station, boottime_ns)
            table.witness = witness
            table.lifted.append(lambda key: witness.lifted.append((boottime_ns(), key)))
            each = _Deaths(rng, twins, station, table, witness)
            trouble = Slips(Random(f"{seed}:slips"), lambda line: None, 1 / speed, SLIPS)
            dealer = Dealer(
                table, [cards(slot) for slot in range(1, len(BACKS) + 1)], Random(f"{seed}:people"), trouble
            )
            dealer.shown_s = dealer.lifted_s = SHOWN_S * speed
            dealer.patience = round(PATIENCE * speed)  # the daemon takes as long to start as in life
            serving = [*twins.serve(), asyncio.create_task(witness.look_at_the_time())]
            try:
                await station.start()
                table.start(dealer.work(), 1 / speed)
                while len(witness.deaths) < deaths:
                    await _until_dying(rng, table)
                    await each.die()
                await _free(table)
                await table.rest()
                await station.stop()
            finally:
                await table.rest()
                await station.kill()
                for task in serving:
                    task.cancel()
                await asyncio.gather(*serving, return_exceptions=True)
            told = judged(config, witness)
            if told.wrong:
                KEPT.mkdir(parents=True, exist_ok=True)
                shutil.copy(config.state_dir / LOG, KEPT / f"seed-{seed}.jsonl")
    finally:
        twins.close()
    told.wrong = each.wrong + told.wrong + [f"puzzled: {line}" for line in dealer.puzzled]
    return Found(
        told=told,
        deaths=len(witness.deaths),
        in_hand=_count(death.in_hand for death in witness.deaths),
        starting=_count(death.starting for death in witness.deaths),
        within_a_hold=_count(death.latched > 0 for death in witness.deaths),
        ready_ms=each.ready_ms,
        asked_ms=each.asked_ms,
    )


def _count(those: Iterable[bool]) -> int:
    return sum(those)


async def _until_dying(rng: Random, table: Watched) -> None:
    """Let people play for a while: mostly from the moment at which a hand goes on, else from this one."""
    if rng.random() < IN_HAND:
        await _free(table)
    await asyncio.sleep(rng.uniform(*PLAY_S))
    if table.failed.done():
        table.failed.result()


async def _free(table: Watched) -> None:
    """Wait until a hand goes on. TimeoutError when none does."""
    async with asyncio.timeout(IDLE_S):
        while True:
            if table.failed.done():
                table.failed.result()
            view = await table.look()
            if not view.holds and view.street:
                return
            await asyncio.sleep(0.05)
