"""The host's driver against the device's twin: exactly one card for each RELEASE, none while a hold stands."""

import asyncio
from random import Random

import msgspec
import pytest

from dealerbox.model import events
from dealerbox.model.commands import Clear, Count, Dispense, Hold, Places, Release, Retract, Return, Shuffle
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cap, Cycle, Memory, Result, Scope
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import Delayed, Lossy, OneByte, memory_pair
from dealerbox_drivers.shuffler.device import Shuffler
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.shuffler.twin_memory import Nvm

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
LINES = {
    "perfect": lambda line: line,
    "one byte": OneByte,
    "lossy": lambda line: Lossy(line, Random(7), 0.002),
    "delayed": lambda line: Delayed(line, 20),
}


class Table:
    """A driver, a twin and the felt; commands are given by hand, and what is told is folded into a memory."""

    def __init__(self, worsen=lambda line: line, caps=None, reopens=True) -> None:
        self.felt = Felt([CARDS], Random(1))
        self.nvm = Nvm()
        self.memory = Memory(session=1)
        self.worsen = worsen
        self.caps = caps
        self.reopens = reopens
        self.lost = 0
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
        near, far = memory_pair()
        self.line = near
        if self.twin is None:
            more = {} if self.caps is None else {"caps": self.caps}
            self.twin = ShufflerTwin(far, self.felt, Random(2), nvm=self.nvm, **more)
            self.tasks.append(asyncio.create_task(self.twin.run()))
        else:
            self.twin.plug(far)
        return self.worsen(near)

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
                await asyncio.sleep(0.1)

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
                m = replace(m, serial=event.serial, epoch=event.epoch, session=max(m.session, event.session))
                self.next_id = max(self.next_id, event.last_id + 1)
                if event.agreed:
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
        """A machine never met: a person says that it is empty."""
        self.start()
        await self.until(lambda: self.of(events.ShufflerMet))
        self.hold()
        number = self.give(Places, 0, 0, True, 7)
        await self.ended(number)
        self.clear()
        await self.until(lambda: self.of(events.ShufflerMet)[-1].agreed)

    async def loaded(self):
        """52 cards in the machine, shuffled; returns the shuffle's id."""
        await self.met()
        for card in CARDS:
            self.felt.put(card, "infeed")
        inside = 0
        while inside < 52:
            back = await self.done(Return, 52 - inside)
            inside += back.number
        assert inside == 52
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
def told(run):
    """Run a story at a table in virtual time."""

    def tell(story, **how):
        async def whole():
            table = Table(**how)
            try:
                await story(table)
            finally:
                await table.stop()

        return run(whole(), limit_s=6000)

    return tell


@pytest.mark.parametrize("kind", LINES)
def test_a_whole_deck_goes_out_one_card_for_each_release(told, kind) -> None:
    async def story(t):
        deal_id = await t.loaded()
        for number in range(52):
            await t.card(deal_id, number == 0)
            t.felt.put(t.felt.at("outlet")[0], "seat:1")
        assert len(t.left) == len(set(t.left)) == 52

    told(story, worsen=LINES[kind])


def test_a_machine_never_met_is_strange_until_a_person_says_where_its_cards_are(told) -> None:
    async def story(t):
        await t.met()
        first, *_, last = t.of(events.ShufflerMet)
        assert (first.agreed, last.agreed, last.machine) == (False, True, 0)
        assert first.why

    told(story)


def test_the_next_card_may_come_up_while_the_last_lies_in_the_outlet(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        await t.card(deal_id, True)
        assert isinstance(await t.ended(t.give(Dispense, deal_id, False)), events.CardUp)

    told(story)


def test_no_card_leaves_while_a_hold_stands(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        up = await t.ended(t.give(Dispense, deal_id, True))
        t.hold()
        void = await t.ended(t.give(Release, up.id))
        assert (type(void), void.why) == (events.CommandVoid, "held")
        await asyncio.sleep(20)
        assert t.left == []
        t.clear()
        await asyncio.sleep(1)
        assert isinstance(await t.ended(t.give(Release, up.id)), events.CardPassed)
        assert len(t.left) == 1

    told(story)


def test_a_hold_at_any_moment_of_a_release_ends_in_one_card_or_none_and_both_sides_know_which(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        rng = Random(5)
        first, outcomes = True, set()
        while len(t.felt.at("machine")) > 2:
            number = t.give(Dispense, deal_id, first)
            up = await t.ended(number)
            first = False
            while True:
                before = len(t.left)
                release = t.give(Release, up.id)
                await asyncio.sleep(rng.uniform(0, 0.5))
                t.hold()
                end = await t.ended(release)
                outcomes.add(type(end))
                assert len(t.left) - before == (1 if isinstance(end, events.CardPassed) else 0)
                held_at = len(t.left)
                await asyncio.sleep(2)
                assert len(t.left) == held_at
                t.clear()
                await asyncio.sleep(0.6)
                if isinstance(end, events.CardPassed):
                    break
            t.felt.put(t.felt.at("outlet")[0], "seat:1")
        assert events.CardPassed in outcomes
        assert len(outcomes) > 1

    told(story)


@pytest.mark.parametrize("kind", ["perfect", "lossy"])
def test_killed_at_any_moment_and_started_again_no_card_is_dealt_twice_or_forgotten(told, kind) -> None:
    async def story(t):
        deal_id = await t.loaded()
        rng = Random(11)
        first = True
        for _ in range(40):
            kind_of, fields = (Release, (t.memory.exit_id,)) if t.memory.exit_id else (Dispense, (deal_id, first))
            before, inside = len(t.left), len(t.felt.at("machine"))
            number = t.give(kind_of, *fields)
            await asyncio.sleep(rng.uniform(0, 1.0))
            count = len(t.told)
            await t.restart()
            await t.until(lambda count=count: any(isinstance(e, events.ShufflerMet) for e in t.told[count:]))
            end = await t.ended(number)
            if isinstance(end, events.CardUp):
                first = False
            assert len(t.left) - before == (1 if isinstance(end, events.CardPassed) else 0)
            assert inside - len(t.felt.at("machine")) == (1 if isinstance(end, events.CardUp) else 0)
            assert t.of(events.ShufflerMet)[-1].agreed
            if isinstance(end, events.CardPassed):
                t.felt.put(t.felt.at("outlet")[0], "seat:1")

    told(story, worsen=LINES[kind])


def test_a_hold_given_in_the_last_moment_before_the_process_dies_is_found_again(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        up = await t.ended(t.give(Dispense, deal_id, True))
        t.device.obey(Hold(key=t.key + 1, reason=Reason.JAM, clause="house"))
        await asyncio.sleep(0.03)
        await t.restart()
        await t.until(lambda: t.of(events.HoldFound))
        end = await t.ended(t.give(Release, up.id))
        assert isinstance(end, events.CommandVoid)

    told(story)


@pytest.mark.parametrize("step", ["journalled", "moved", "committed"])
def test_power_cut_at_a_step_of_a_dispense_leaves_a_machine_that_a_person_must_look_at_or_none_the_worse(
    told, step
) -> None:
    async def story(t):
        deal_id = await t.loaded()
        t.twin.cut_before(step)
        number = t.give(Dispense, deal_id, True)
        await t.until(lambda: not t.twin.on)
        count = len(t.told)
        t.twin.power_on()
        await t.until(lambda: any(isinstance(e, events.ShufflerMet) for e in t.told[count:]))
        met = t.of(events.ShufflerMet)[-1]
        end = await t.ended(number)
        assert met.agreed or (met.why == "uncertain" and isinstance(end, events.Misfed))
        assert t.left == []

    told(story)


def test_an_opened_door_is_told_and_its_content_must_be_proved(told) -> None:
    async def story(t):
        await t.loaded()
        t.twin.open_door()
        await t.until(lambda: t.of(events.ShufflerLocked))
        assert t.of(events.ShufflerLocked)[-1].why == "door"
        t.twin.open_door(is_open=False)
        await t.until(lambda: t.of(events.DoorClosed))
        await t.until(lambda: t.of(events.ShufflerMet)[-1].why == "content")
        counted = await t.ended(t.give(Count, Scope.STUB))
        assert (counted.result, counted.number) == (Result.DONE, 52)
        await t.until(lambda: t.of(events.ShufflerMet)[-1].agreed)

    told(story)


def test_a_wiped_memory_is_strange_until_places(told) -> None:
    async def story(t):
        await t.loaded()
        t.twin.power_off()
        t.nvm.wipe()
        t.twin.power_on()
        await t.until(lambda: not t.of(events.ShufflerMet)[-1].agreed)
        t.hold()
        await t.ended(t.give(Places, 52, 0, True, 7))
        t.clear()
        await t.until(lambda: t.of(events.ShufflerMet)[-1].agreed)
        assert t.of(events.ShufflerMet)[-1].machine == 52

    told(story)


def test_a_silent_device_is_gone_and_locks_itself_by_its_lease(told) -> None:
    async def story(t):
        await t.loaded()
        t.twin.silence()
        with pytest.raises(DeviceGone, match="no answer"):
            await t.running

    told(story, reopens=False)


def test_the_wrong_machine_is_refused_by_serial_number(told) -> None:
    async def story(t):
        t.device = Shuffler("shuffler", t.open_line, t.now_ns, t.memory, 0xBEEF)
        running = asyncio.create_task(t.device.run(t.hear))
        with pytest.raises(DeviceWrong, match="BEEF"):
            await running

    told(story)


def test_a_card_taken_back_is_told_as_retracted(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        up = await t.ended(t.give(Dispense, deal_id, True))
        assert isinstance(await t.ended(t.give(Retract, up.id)), events.CardRetracted)
        assert len(t.felt.at("machine")) == 52

    told(story)


def test_a_machine_without_a_gate_tells_up_and_passed_at_once(told) -> None:
    async def story(t):
        deal_id = await t.loaded()
        number = t.give(Dispense, deal_id, True)
        await t.until(lambda: t.of(events.CardPassed))
        assert t.of(events.CardPassed)[-1].card_id == t.of(events.CardUp)[-1].id == number

    told(story, caps=Cap(0x7FFF) & ~(Cap.GATE | Cap.FACE_SENSOR | Cap.PRESENT_AHEAD))
