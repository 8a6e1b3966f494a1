"""A table with a driver, a twin and the felt, and an engine's memory made of what the driver tells."""

import asyncio
import contextlib
from random import Random

import msgspec
import pytest

from dealerbox.model import events
from dealerbox.model.commands import Clear, Dispense, Hold, Places, Release, Shuffle
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cycle, Memory, Result, Scope
from dealerbox.ports import DeviceGone
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import Delayed, Lossy, OneByte, memory_pair
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.device import Shuffler
from dealerbox_drivers.shuffler.messages import Flag, Hello, Type
from dealerbox_drivers.shuffler.twin import FULL_CAPS
from dealerbox_drivers.shuffler.twin_machine import Timings

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
BRISK = Timings(shuffle_ms=2000)
LINES = {
    "perfect": lambda line: line,
    "one byte": OneByte,
    "lossy": lambda line: Lossy(line, Random(7), 0.002),
    "delayed": lambda line: Delayed(line, 20),
    "late": lambda line: line,
}


class Late:
    """Says some of what is said once more, up to three seconds later, on whatever line is open by then."""

    def __init__(self, line, rng, open_now):
        self._line = line
        self._rng = rng
        self._open_now = open_now

    def write(self, data):
        self._line.write(data)
        if self._rng.random() < 0.3:
            asyncio.get_running_loop().call_later(self._rng.uniform(0, 3), self._again, data)

    def _again(self, data):
        with contextlib.suppress(DeviceGone):
            self._open_now().write(data)

    async def read(self):
        return await self._line.read()

    def close(self):
        self._line.close()


class Table:
    """A driver, a twin and the felt; commands are given by hand, and what is told is folded into a memory."""

    def __init__(self, make, line="perfect", caps=FULL_CAPS, reopens=True) -> None:
        self.make = make
        self.felt = Felt([CARDS], Random(1))
        self.deck = CARDS
        self.memory = Memory(session=1)
        self.kind = line
        self.caps = caps
        self.reopens = reopens
        self.lost = 0
        self.reopen_s = 0.1
        self.told = []
        self.twin = None
        self.tasks = []
        self.next_id = 1
        self.key = 0
        self.left = []
        self.felt.watch(lambda uid, before, now: self.left.append(uid) if now == "outlet" else None)

    def now_ns(self):
        return int(asyncio.get_running_loop().time() * 1e9)

    async def open_line(self):
        near, far = self.near, self.far = memory_pair()
        if self.kind == "late":
            near = Late(near, Random(3), lambda: self.near)
            far = Late(far, Random(4), lambda: self.far)
        if self.twin is None:
            self.twin = self.make(far, self.felt, Random(2), caps=self.caps, timings=BRISK)
            self.tasks.append(asyncio.create_task(self.twin.run()))
        else:
            self.twin.plug(far)
        return LINES[self.kind](near)

    def start(self):
        self.device = Shuffler("shuffler", self.open_line, self.now_ns, self.memory)
        self.running = asyncio.create_task(self.serve(self.device) if self.reopens else self.device.run(self.hear))
        self.tasks.append(self.running)

    async def serve(self, device):
        """Reopen the line as often as it is lost, as the station does."""
        while True:
            try:
                await device.run(self.hear)
            except DeviceGone:
                self.lost += 1
                await asyncio.sleep(self.reopen_s)

    async def greeted_by_another(self, session):
        """Another host is plugged in, greets the machine and goes."""
        near, far = memory_pair()
        self.twin.plug(far)
        near.write(wire.encode(wire.Frame(Type.HELLO, Flag(0), 0, session, Hello(1, 1, 7))))
        await asyncio.sleep(0.1)
        near.close()

    async def restart(self):
        """The process dies and another starts, with what the journal made of the told events."""
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)
        self.memory = msgspec.structs.replace(self.memory, session=self.memory.session + 1)
        self.start()

    def hear(self, event):
        self.told.append(event)
        m = self.memory
        replace = msgspec.structs.replace
        if hasattr(event, "id"):
            m = replace(m, settled=max(m.settled, event.id))
            if event.id == m.pending:
                m = replace(m, pending=0, pending_kind="")
        match event:
            case events.CommandVoid():
                m = replace(m, settled=self.memory.settled)
            case events.CardUp():
                m = replace(m, machine=m.machine - 1, exit_id=event.id)
            case events.CardPassed():
                m = replace(m, exit_id=0)
            case events.CycleEnded() if event.result in (Result.DONE, Result.WRONG_NUMBER):
                entered = event.number if event.cycle is Cycle.RETURN else event.number - m.machine
                m = replace(m, machine=m.machine + entered)
            case events.CardRetracted():
                m = replace(m, machine=m.machine + 1, exit_id=0)
            case events.ShufflerMet():
                m = replace(m, session=max(m.session, event.session))
                self.next_id = max(self.next_id, event.last_id + 1)
                if event.agreed:
                    retired = m.retired if m.epoch in (0, event.epoch) else (*m.retired, m.epoch)
                    m = replace(m, serial=event.serial, epoch=event.epoch, retired=retired)
                    m = replace(m, machine=event.machine, exit_id=event.exit_id, settled=event.last_id)
        self.memory = replace(m, next_id=self.next_id)

    def of(self, kind):
        return [event for event in self.told if isinstance(event, kind)]

    def give(self, kind, *fields):
        command = kind(self.next_id, *fields)
        self.next_id += 1
        name = type(command).__name__
        self.memory = msgspec.structs.replace(self.memory, pending=command.id, pending_kind=name, next_id=self.next_id)
        self.device.obey(command)
        return command.id

    def hold(self):
        self.key += 1
        self.memory = msgspec.structs.replace(self.memory, hold_key=self.key)
        self.device.obey(Hold(key=self.key, reason=Reason.WRONG_SEAT, clause="1804A(3)"))

    def clear(self):
        self.device.obey(Clear(0, self.key, 7))

    async def until(self, true, limit_s=120.0):
        async with asyncio.timeout(limit_s):
            while not true():
                await asyncio.sleep(0.002)

    async def ended(self, number, limit_s=120.0):
        """Wait for what has become of a command and return it."""
        await self.until(lambda: any(getattr(e, "id", 0) == number for e in self.told), limit_s)
        return next(e for e in self.told if getattr(e, "id", 0) == number)

    async def met(self):
        """A machine never met: a person says how many cards are in it."""
        self.start()
        await self.until(lambda: self.of(events.ShufflerMet))
        await self.mended()

    async def mended(self):
        """Whatever the machine is unsure of: a person looks where its cards are, and says so."""
        self.hold()
        inside, behind = len(self.felt.at("machine")), len(self.felt.at("behind_gate"))
        number = self.give(Places, inside, self.next_id if behind else 0, True, 7)
        assert isinstance(await self.ended(number), events.PlacesSet)
        self.clear()
        await self.until(self.agrees)

    def met_again(self):
        """Return a question: has the machine been met since now?"""
        count = len(self.told)
        return lambda: any(isinstance(event, events.ShufflerMet) for event in self.told[count:])

    def agrees(self):
        """Tell whether the last word is that both records agree."""
        met = self.of(events.ShufflerMet)
        return bool(met and met[-1].agreed)

    async def loaded(self):
        """52 cards in the machine, shuffled; returns the shuffle's id."""
        for card in CARDS:
            self.felt.put(card, "machine")
        await self.met()
        shuffled = await self.done(Shuffle, 52, Scope.DECK)
        assert (shuffled.result, shuffled.number) == (Result.DONE, 52)
        return shuffled.id

    async def done(self, kind, *fields):
        """Give a command until it is carried out: a restriction on the way voids it, and a new id is due."""
        while True:
            end = await self.ended(self.give(kind, *fields))
            if not isinstance(end, events.CommandVoid | events.CardNotTaken):
                return end
            await asyncio.sleep(0.5)

    async def card(self, deal_id, first):
        up = await self.done(Dispense, deal_id, first)
        assert isinstance(up, events.CardUp)
        passed = await self.done(Release, up.id)
        assert passed == events.CardPassed(passed.at_ns, passed.id, up.id)
        return up.id

    async def stop(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest.fixture
def told(run, device):
    """Run a story at a table in virtual time, once with each implementation of the device."""

    def tell(story, **how):
        async def whole():
            table = Table(device, **how)
            try:
                await story(table)
            finally:
                await table.stop()

        return run(whole(), limit_s=6000)

    return tell
