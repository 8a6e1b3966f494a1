"""A machine that shuffles and proves nothing: what is asked of it, and what is told."""

import asyncio
from random import Random

import msgspec
import pytest

from dealerbox.model import events
from dealerbox.model.commands import Count, Dispense, Hold, Places, Release, Return, Shuffle
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Cap, Cycle, Memory, Result, Scope
from dealerbox.ports import DeviceGone
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import Delayed, Lossy, OneByte, memory_pair
from dealerbox_drivers.reshuffled.device import ANSWER_S, Reshuffled
from dealerbox_drivers.reshuffled.twin import Pace, ReshuffledTwin
from dealerbox_drivers.reshuffled.wire import encode

CARDS = tuple(f"E0040150A05F{number:04X}" for number in range(1, 53))
NEW = Memory(session=1)
LINES = {
    "perfect": lambda line: line,
    "one byte": OneByte,
    "lossy": lambda line: Lossy(line, Random(7), 0.01),
    "delayed": lambda line: Delayed(line, 20),
}


class Table:
    """A driver, a twin and the felt."""

    def __init__(self, memory=NEW, line="perfect"):
        self.felt = Felt([CARDS], Random(1))
        near, far = memory_pair()
        self.near = near
        self.line = LINES[line](near)
        self.twin = ReshuffledTwin(far, self.felt, Random(2), Pace(shuffle_ms=2000))
        self.device = Reshuffled("shuffler", self.open, self.now_ns, memory, shuffle_s=3.0)
        self.told = []
        self.serving = asyncio.ensure_future(self.twin.run())
        self.running = asyncio.ensure_future(self.device.run(self.told.append))

    async def open(self):
        return self.line

    def now_ns(self):
        return int(asyncio.get_running_loop().time() * 1e9)

    async def until(self, count):
        async with asyncio.timeout(60):
            while len(self.told) < count:
                await asyncio.sleep(0.01)
        return self.told[count - 1]

    async def places(self, number=1, machine=52):
        self.device.obey(Places(number, machine, 0, True, 7))
        assert isinstance(await self.until(2), events.PlacesSet)
        assert (await self.until(3)).agreed

    async def stop(self):
        for task in (self.running, self.serving):
            task.cancel()
        await asyncio.gather(self.running, self.serving, return_exceptions=True)


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

        run(whole(), limit_s=600)

    return tell


def test_opened_anew_its_content_is_unproved_and_it_declares_that_it_can_shuffle_and_no_more(told) -> None:
    async def story(t):
        met = await t.until(1)
        assert isinstance(met, events.ShufflerMet)
        assert (met.agreed, met.why, met.machine, met.caps) == (False, "content", -1, Cap.SHUFFLE)
        assert met.epoch
        assert t.twin.heard == [encode("IN")]

    told(story)


@pytest.mark.parametrize("line", LINES)
def test_it_shuffles_once_a_person_has_said_what_is_in_it(told, line) -> None:
    async def story(t):
        for card in CARDS:
            t.felt.put(card, "machine")
        before = t.felt.at("machine")
        await t.until(1)
        await t.places()
        t.device.obey(Shuffle(2, 52, Scope.DECK))
        ended = await t.until(4)
        assert (ended.id, ended.cycle, ended.result, ended.number) == (2, Cycle.SHUFFLE, Result.DONE, 52)
        assert t.felt.at("machine") != before

    told(story, line=line)


def test_a_shuffle_of_another_number_than_was_said_is_void(told) -> None:
    async def story(t):
        await t.until(1)
        await t.places(machine=51)
        t.device.obey(Shuffle(2, 52, Scope.DECK))
        assert msgspec.structs.asdict(await t.until(4)) | {"at_ns": 0} == {"at_ns": 0, "id": 2, "why": "content"}
        assert t.twin.heard == [encode("IN")]

    told(story)


def test_it_is_never_asked_for_a_card(told) -> None:
    async def story(t):
        await t.until(1)
        await t.places()
        t.device.obey(Hold(key=1, reason=Reason.WRONG_SEAT, clause="1804A(3)"))
        for place, permit in enumerate((Dispense(2, 1, True), Release(3, 2), Return(4, 1), Count(5, Scope.DECK))):
            t.device.obey(permit)
            void = await t.until(4 + place)
            assert (void.id, void.why) == (permit.id, "unsupported")
        assert t.twin.heard == [encode("IN")]

    told(story)


def test_an_error_printed_while_it_shuffles_leaves_its_content_unproved(told) -> None:
    async def story(t):
        await t.until(1)
        await t.places()
        t.twin.jams = 1
        t.device.obey(Shuffle(2, 52, Scope.DECK))
        ended = await t.until(4)
        assert (ended.id, ended.result) == (2, Result.INTERRUPTED)
        assert (await t.until(5)).why == "error"
        assert (await t.until(6)).agreed is False

    told(story)


@pytest.mark.parametrize(
    ("kind", "end"), [("Shuffle", events.CycleEnded), ("Places", events.CommandVoid), ("Dispense", events.CommandVoid)]
)
def test_what_a_process_before_was_owed_is_ended_before_the_machine_is_met(told, kind, end) -> None:
    async def story(t):
        first = await t.until(1)
        assert isinstance(first, end)
        assert first.id == 9
        assert (await t.until(2)).last_id == 9

    told(story, memory=Memory(session=2, epoch=1, next_id=10, pending=9, pending_kind=kind, settled=8))


def test_a_machine_that_says_nothing_is_gone_after_three_tries(told) -> None:
    async def story(t):
        t.serving.cancel()
        with pytest.raises(DeviceGone, match="no answer to IN in 3 tries of 500 ms"):
            await t.running

    told(story)


def test_a_late_answer_to_one_command_is_not_taken_for_the_next(run) -> None:
    async def whole():
        near, far = memory_pair()
        table = Table()
        table.line = near
        heard = bytearray()

        async def slow():
            while True:
                heard.extend(await far.read())
                if heard.count(b"\n") == 2:  # the second try: both are answered now
                    far.write(encode("OK"))
                    await asyncio.sleep(ANSWER_S / 2)
                    far.write(encode("OK"))

        board = asyncio.ensure_future(slow())
        await table.until(1)
        await table.places()
        table.device.obey(Shuffle(2, 52, Scope.DECK))
        with pytest.raises(DeviceGone, match="no answer to SH"):
            await table.running
        board.cancel()
        await asyncio.gather(board, return_exceptions=True)
        await table.stop()

    run(whole(), limit_s=60)


def test_a_line_that_goes_is_told(told) -> None:
    async def story(t):
        await t.until(1)
        t.near.close()
        with pytest.raises(DeviceGone):
            await t.running

    told(story)


def test_the_twin_deals_what_it_is_asked_for_and_prints_what_the_board_prints(run) -> None:
    async def whole():
        felt = Felt([CARDS], Random(1))
        for card in CARDS:
            felt.put(card, "machine")
        near, far = memory_pair()
        twin = ReshuffledTwin(far, felt, Random(2), Pace(card_ms=100))
        serving = asyncio.ensure_future(twin.run())
        near.write(encode("D2"))
        assert await near.read() == encode("OK")
        await asyncio.sleep(1)
        assert len(felt.at("outlet")) == 2
        near.write(b":OK#0\n")
        assert await near.read() == b"Fehler: 4\r\nError"
        near.write(b"x")
        assert await near.read() == b"Error"
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    run(whole(), limit_s=60)
