"""A device's line is left to a technician in service alone, on record, for as long as he stays connected."""

import asyncio
import json
import os
import signal

import pytest
from msgspec.structs import replace

from dealerbox.journal.disk import RealDisk
from dealerbox.journal.export import export
from dealerbox.model.events import DeviceBack, DeviceLent, DeviceLost, ServiceEnded, ZoneUnknown
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.station.asked import Authority
from dealerbox.station.condition import Condition
from dealerbox.station.control import Control
from dealerbox.station.entry import decode
from dealerbox.station.health import Health
from dealerbox.station.peer import Peer, myself

PEER = Peer(1000, "ann")
LEND = b'{"ask":"lend","device":"reader"}'
LEND_IT = b'{"ask":"lend","device":"shuffler"}'
REFUSED = Standing(reason=Reason.NOT_NOW, clause="house", what="No.", remedy="")


class Reader:
    """A device that notes when its line is open."""

    name = "reader"

    def __init__(self, holds_on: bool = False) -> None:
        self.open = False
        self._holds_on = holds_on

    def obey(self, command) -> None: ...

    async def run(self, emit) -> None:
        self.open = True
        emit(DeviceBack(1, "something is heard"))
        try:
            await asyncio.Event().wait()
        finally:
            if self._holds_on:
                await asyncio.sleep(60)
            self.open = False
            emit(ZoneUnknown(1, "board", "reader is gone"))


class Table:
    """A station with one device, in service or not."""

    def __init__(self, *, in_service: bool = True, holds_on: bool = False) -> None:
        self.events: list = []
        self.reader = Reader(holds_on)
        self.health = Health((self.reader,), self.events.append, lambda: 5, self.events.append)
        refused = None if in_service else REFUSED
        self.control = Control(
            Authority.TECHNICIAN,
            view=lambda: View(table="T1", phase="between", hand=3, refused=refused),
            devices=self.health.devices,
            emit=self.events.append,
            clock=lambda: 5,
            lending=self.health,
            peer=lambda connection: PEER,
        )

    def kinds(self) -> list:
        return [type(event) for event in self.events]


@pytest.fixture
def over(run, tmp_path):
    """`over(table, talk)`: the table's socket open, in virtual time, and a caller at it."""

    def play(table: Table, talk) -> None:
        async def main() -> None:
            table.health.start()
            await asyncio.sleep(0)
            await table.control.open(tmp_path / "s")
            try:
                await talk(tmp_path / "s")
            finally:
                await table.health.stop()
                await table.control.close()

        run(main(), limit_s=300)

    return play


class Caller:
    def __init__(self, path) -> None:
        self._path = path

    async def __aenter__(self) -> "Caller":
        self._reader, self._writer = await asyncio.open_unix_connection(self._path)
        return self

    async def __aexit__(self, *error) -> None:
        self._writer.close()
        for _ in range(9):
            await asyncio.sleep(0)

    async def ask(self, line: bytes) -> dict:
        self._writer.write(line + b"\n")
        return json.loads(await self._reader.readline())


def test_the_line_is_closed_before_the_answer_and_tended_again_when_the_caller_hangs_up(over) -> None:
    table = Table()

    async def talk(path) -> None:
        async with Caller(path) as ann:
            assert (await ann.ask(LEND))["ok"]
            assert not table.reader.open
            assert table.health.devices()[0].condition is Condition.LENT
            assert table.health.devices()[0].why == "lent to ann (1000)"
            assert not table.health.dead()
            await asyncio.sleep(200)  # a caller who has something on loan may be silent
            assert not table.reader.open
        assert table.reader.open
        assert table.health.devices()[0].condition is Condition.WORKING

    over(table, talk)
    assert table.events[1] == DeviceLent(5, "reader", "ann (1000)")
    assert DeviceLost(5, "reader", "lent to ann (1000)") in table.events
    assert table.events.count(DeviceBack(5, "reader")) == 1
    assert table.kinds().index(ZoneUnknown) < table.kinds().index(DeviceLost)


def test_out_of_service_nothing_is_lent_and_who_asked_is_on_record(over) -> None:
    table = Table(in_service=False)

    async def talk(path) -> None:
        async with Caller(path) as ann:
            assert "lent in service alone" in (await ann.ask(LEND))["error"]
            assert table.reader.open
        assert table.health.lent() == {}

    over(table, talk)
    assert DeviceLent(5, "reader", "ann (1000)") in table.events
    assert DeviceLost not in table.kinds()


def test_a_device_is_lent_once_and_one_that_there_is_not_is_named(over) -> None:
    table = Table()

    async def talk(path) -> None:
        async with Caller(path) as ann, Caller(path) as tom:
            assert (await ann.ask(LEND))["ok"]
            assert "lent to ann (1000) already" in (await tom.ask(LEND))["error"]
            said = (await tom.ask(b'{"ask":"lend","device":"gate"}'))["error"]
            assert said == "no device is called 'gate' here; there are: reader"

    over(table, talk)


def test_the_table_is_not_given_back_while_something_of_it_is_lent(over) -> None:
    table = Table()

    async def talk(path) -> None:
        async with Caller(path) as ann, Caller(path) as tom:
            await ann.ask(LEND)
            assert (
                "reader is lent to ann (1000): end that tool"
                in (await tom.ask(b'{"ask":"service","on":false}'))["error"]
            )
        assert ServiceEnded not in table.kinds()
        async with Caller(path) as tom:
            assert (await tom.ask(b'{"ask":"service","on":false}'))["ok"]

    over(table, talk)
    assert table.kinds()[-2:].count(ServiceEnded) == 1


def test_a_device_that_does_not_let_go_is_said_and_not_lent(over) -> None:
    table = Table(holds_on=True)

    async def talk(path) -> None:
        async with Caller(path) as ann:
            assert "does not let go of its line" in (await ann.ask(LEND))["error"]
        assert table.health.lent() == {}

    over(table, talk)


def test_a_running_station_has_on_record_who_took_the_table_and_which_device(live, actor, config, asked) -> None:
    async def technician() -> None:
        path = config.socket.with_name("tech.sock")
        answers.extend(await asked(path, LEND_IT, b'{"ask":"service","on":true}', LEND_IT))
        os.kill(os.getpid(), signal.SIGTERM)

    async def opened(emit) -> None:
        talking.append(talking[0] if talking else asyncio.create_task(technician()))

    answers: list = []
    talking: list = []
    live(actor(opened, end=False), config=replace(config, technicians=""))
    assert ["error" in answer for answer in answers] == [True, False, False]
    lines: list[bytes] = []
    export(RealDisk(config.state_dir / "journal"), lines.append)
    events = [decode(line).event for line in lines]
    refused, lent = [event for event in events if isinstance(event, DeviceLent)]
    assert (refused.by, lent.device, lent.by) == (str(myself()), "shuffler", str(myself()))
    later = events[events.index(lent) :]
    assert any(isinstance(event, DeviceLost) and event.why == f"lent to {myself()}" for event in later)


def test_who_does_not_stay_is_lent_nothing() -> None:
    table = Table()
    answer = json.loads(table.control.answer(LEND, PEER))
    assert answer["error"] == "a device is lent to a caller who stays"
    assert table.events == []
