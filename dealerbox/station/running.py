"""One run of the station: from a remembered past to READY, and from a signal to a locked gate."""

import asyncio
import gc
import signal
from collections.abc import Callable
from enum import IntEnum
from typing import Final

from msgspec.structs import replace

from dealerbox.config import Config
from dealerbox.engine.facts import in_hand
from dealerbox.engine.notices import fouled
from dealerbox.engine.state import State
from dealerbox.engine.view import view
from dealerbox.journal.disk import Disk
from dealerbox.journal.record import ClockQuality, Stamp
from dealerbox.journal.signed import Signer, written
from dealerbox.journal.writer import Writer
from dealerbox.model.events import DecksEnrolled, Started
from dealerbox.model.view import View
from dealerbox.ports import Clock, ConfigError, JournalError
from dealerbox.station.asked import Authority
from dealerbox.station.build import Build, core_of, deck_tags, setup_of
from dealerbox.station.control import Control
from dealerbox.station.core import Core
from dealerbox.station.doors import is_group
from dealerbox.station.gauging import Gauging
from dealerbox.station.handing import Handing
from dealerbox.station.health import Health, Say, quiet
from dealerbox.station.installed import software
from dealerbox.station.loop import Alarm, WallReading, tell_wall_clock
from dealerbox.station.notify import Notify, watch
from dealerbox.station.past import Past, head
from dealerbox.station.show import status_line
from dealerbox.station.space import SpaceWatch
from dealerbox.station.state_dir import secret
from dealerbox.station.telling import told, without_tags
from dealerbox.station.tokens import Tokens
from dealerbox.station.vouching import Vouched, vouch

SAID_S: Final = 0.1
"""Time given to the devices to say the last hold twice."""
DEVICES_S: Final = 0.5
"""Longest wait for the devices to close their lines."""


class Exit(IntEnum):
    """How the daemon ends (docs/codes.md)."""

    ASKED = 0
    UNAVAILABLE = 69
    FAULT = 70
    JOURNAL = 74
    CONFIG = 78


class Station:
    """One run of the daemon, in the running loop."""

    def __init__(
        self,
        config: Config,
        past: Past,
        disk: Disk,
        *,
        notify: Notify,
        build: Build,
        wall: WallReading,
        clock: Clock,
        boot_id: str,
        reread: Callable[[], Config],
        say: Say = quiet,
        twins: bool = False,
    ) -> None:
        """`say`: what whoever watches the station wants to read: it is ready, a device is lost or back.
        `reread` reads the configuration once more, for decks that are brought to the open table. `twins`: they are
        installed, which status, panel and journal say.

        ConfigError, JournalError when the table or its journal cannot be used."""
        self._clock, self._wall, self._notify, self._say = clock, wall, notify, say
        self._reread, self._twins = reread, twins
        self._ended: asyncio.Future[tuple[Exit, str]] = asyncio.get_running_loop().create_future()
        memory = replace(past.state.memory, session=past.state.memory.session + 1)
        devices = build(config, memory, clock)
        self._tokens = Tokens(deck_tags(config), secret(config.state_dir / "token.key"))
        for slot, hand in past.numbered.items():
            self._tokens.renumber(slot, hand)
        self._started = Started(
            clock(),
            setup=setup_of(config),
            memory=memory,
            boot_id=boot_id,
            software=software(twins),
            config=config.sha256,
        )
        self._started_seq = past.recovery.head.seq + 2
        """Of the record that makes this run's session durable: its head's comes before it."""
        self._durable = asyncio.Event()
        self._read_wall()
        self._journal = Writer(
            disk,
            past.recovery,
            head=head(software(twins), config.sha256, past.recovery),
            boot_id=bytes.fromhex(boot_id.replace("-", "")),
            stamp=self._stamp,
            durable=self._now_durable,
            failed=self._journal_failed,
            reserve=config.records,
        )
        self._core: Core[State] = core_of(
            past.state,
            journal=self._journal,
            devices=devices,
            clock=clock,
            tokens=self._tokens,
            wake=self._wake,
            fault=self._fault,
            later=asyncio.get_running_loop().call_soon,
            shown=self._shown,
        )
        self._alarm = Alarm(self._core.handle, clock)
        self._health = Health(devices, self._core.handle, clock, self._fault, say)
        self._gauging = Gauging(config, devices, self._health, self._journal, clock, lambda: self._core.state)
        self._config = config
        self._space = SpaceWatch(config.records, self._core.handle, clock)
        self._seed = secret(config.state_dir / "sign.key")
        self._handing = Handing(config.head_file, lambda: self._journal.newest, self._seal)
        self._sockets = {authority: self._control(authority) for authority in Authority}
        self._recording: list[tuple[int, asyncio.Future[None]]] = []
        """Who waits for the durability of which record."""
        self._tasks: list[asyncio.Task[None]] = []
        self._loading: list[asyncio.Task[None]] = []
        self._stopping = False

    async def run(self) -> tuple[Exit, str]:
        """Serve until a signal, a fault, or the end of the journal; return how it ended, and the sentence for it."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._stray)
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end, Exit.ASKED, "")
        try:
            await self._start()
            exit_code, why = await self._ended
        finally:
            lost = await self._stop()
        if lost and exit_code is Exit.ASKED:
            return Exit.JOURNAL, lost
        return exit_code, why or self._handing.close(self._journal.synced)

    async def _start(self) -> None:
        """Record this run, open the socket, say READY, and only then open the devices."""
        self._core.handle(self._started)
        await self._durable.wait()
        if self._ended.done():
            return
        await self._open_sockets()
        self._notify.ready()
        names = ", ".join(device.name for device in self._health.devices())
        self._say(f"{self._config.table}: ready, answers at {self._config.socket}; opening {names}")
        self._health.start()
        self._tasks = [
            asyncio.create_task(tell_wall_clock(self._core.handle, self._clock, self._read_wall), name="wall clock"),
            asyncio.create_task(
                watch(self._notify, self._stuck, self._clock, self._status, self._gauging.woke), name="watchdog"
            ),
        ]
        self._loading = [asyncio.create_task(self._learn_to_sign(), name="signing")]
        self._loading[0].add_done_callback(self._learnt)
        for task in self._tasks:
            task.add_done_callback(self._task_ended)
        gc.collect()
        gc.freeze()

    async def _learn_to_sign(self) -> None:
        """Load what signs heads, on a thread: no card waits for it."""
        self._handing.signer = await asyncio.to_thread(Signer, self._seed)
        self._hand_out()

    def _hand_out(self) -> None:
        """Hand the journal's head out if it is time, and show it."""
        before = self._handing.signed
        self._handing.look(in_hand(self._core.state), self._journal.synced)
        if self._handing.signed is not before:
            self._core.show_anew()

    async def _open_sockets(self) -> None:
        """Open a socket for each group; one that the system does not have is named and has none."""
        config = self._config
        await self._sockets[Authority.LOOK].open(config.socket, config.watchers)
        for authority, group, name in (
            (Authority.TECHNICIAN, config.technicians, "tech.sock"),
            (Authority.DIRECTOR, config.directors, "director.sock"),
        ):
            if not group or is_group(group):
                await self._sockets[authority].open(config.socket.with_name(name), group or None)
            else:
                self._say(f"{config.table}: no group {group} here, so no {name}; make the group, or name another")

    async def _stop(self) -> str:
        """Hold, lock, close: bounded, whatever hangs. Return what the journal lost, '' if nothing."""
        self._stopping = True
        self._notify.stopping()
        self._core.stop()
        for task in (*self._tasks, *self._loading):
            task.cancel()
        self._alarm.clear()
        await asyncio.sleep(SAID_S)
        closing = [self._health.stop(), *(control.close() for control in self._sockets.values())]
        closers = [asyncio.create_task(each) for each in closing]
        await asyncio.wait(closers, timeout=DEVICES_S)
        for closer in closers:
            closer.cancel()
        try:
            self._journal.close()
        except JournalError as error:
            return str(error)
        return ""

    def _shown(self, state: State) -> View:
        """Return what may be seen: the engine's view, and the head last handed out."""
        signed = self._handing.signed
        said = written(signed) if signed else ""
        return replace(view(state), head=self._handing.said, head_signed=said, twins=self._twins)

    def _control(self, authority: Authority) -> Control:
        return Control(
            authority,
            view=lambda: self._core.view,
            devices=self._gauging.devices,
            gauges=self._gauging.read,
            emit=self._core.handle,
            clock=self._clock,
            enrol=self._enrol,
            fouled=lambda seat: fouled(self._core.state, seat),
            lending=self._health,
            vouch=self._vouched,
            recorded=self._recorded,
        )

    def _vouched(self, digest: str, by: str) -> Vouched | None:
        signer = self._handing.signer
        wall_s = self._stamp().wall_us // 1_000_000
        return vouch(signer, table=self._config.table, digest=digest, by=by, wall_s=wall_s) if signer else None

    async def _recorded(self) -> None:
        """Return when every record given until now is durable."""
        seq = self._journal.newest
        if self._journal.synced.seq < seq:
            waiting = asyncio.get_running_loop().create_future()
            self._recording.append((seq, waiting))
            await waiting

    def _enrol(self, by: str) -> str:
        """Take the decks that the files name now; return why not, '' when the table has them."""
        try:
            config = self._reread()
        except ConfigError as error:
            return without_tags(str(error))
        self._core.handle(DecksEnrolled(self._clock(), setup_of(config).decks, by))
        refused = self._core.view.refused
        if refused is not None:
            return f"{refused.what} {refused.remedy} ({refused.reason}, {refused.clause})"
        self._tokens.enrol(deck_tags(config))
        return ""

    # What may happen meanwhile.

    def _now_durable(self, seq: int) -> None:
        if seq >= self._started_seq:
            self._durable.set()
        self._core.durable(seq)
        if seq >= self._started_seq:
            self._space.look(self._journal.left)
            self._hand_out()
        while self._recording and self._recording[0][0] <= seq:
            _, waiting = self._recording.pop(0)
            if not waiting.done():
                waiting.set_result(None)

    def _journal_failed(self, why: str) -> None:
        self._core.journal_failed(why)
        self._end(Exit.JOURNAL, f"{why}; the journal cannot be written: the table is held; mend the disk, start again")

    def _fault(self, why: str) -> None:
        self._end(Exit.FAULT, f"{why}; start again, and report this with the journal")

    def _stray(self, _: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        kind = told(error) if isinstance(error, BaseException) else "no error is named"
        self._fault(f"a fault of the station itself, in its loop: {kind}")

    def _learnt(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            self._fault(f"heads of the journal cannot be signed: {told(task.exception())}")

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        """End with a fault when a part of the station itself ends while it runs; a lost watchdog could name nobody."""
        if not task.cancelled():
            error = task.exception()
            self._fault(f"a fault of the station itself, in its {task.get_name()}: {told(error)}")
        elif not self._stopping:
            self._fault(f"a fault of the station itself: its {task.get_name()} was stopped")

    def _end(self, exit_code: Exit, why: str) -> None:
        self._durable.set()  # a start that waits for its record waits no longer
        if not self._ended.done():
            self._ended.set_result((exit_code, why))

    def _wake(self, at_ns: int) -> None:
        self._alarm.set(at_ns)

    def _read_wall(self) -> tuple[int, int, bool]:
        wall_s, day_s, sure = self._wall()
        quality = ClockQuality.SYNCED if sure else ClockQuality.UNSYNCED
        self._anchor = Stamp(self._clock(), wall_s * 1_000_000, quality)
        return wall_s, day_s, sure

    def _seal(self, signed: bytes) -> None:
        self._journal.seal(signed)

    def _stamp(self) -> Stamp:
        """Return the clocks for a record: the wall is read each minute and runs on with ours in between."""
        now_ns = self._clock()
        wall_us = self._anchor.wall_us + (now_ns - self._anchor.boottime_ns) // 1000
        return Stamp(now_ns, wall_us, self._anchor.quality)

    def _stuck(self) -> tuple[str, ...]:
        journal = () if self._journal.lives() else ("journal",)
        return (*journal, *self._health.dead())

    def _status(self) -> str:
        return status_line(self._core.view, self._health.devices(), self._handing.why)
