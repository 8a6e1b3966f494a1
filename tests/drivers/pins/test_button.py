"""Where the dealer button lies, by three wirings, told when it lies still."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import combinations
from random import Random
from typing import Any

import pytest

from dealerbox.model.commands import Hold
from dealerbox.model.events import ButtonAt
from dealerbox.model.reasons import Reason
from dealerbox.ports import DeviceGone
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.pins.button import Button, direct_button, expander_button, matrix_button
from dealerbox_drivers.pins.button_twin import ExpanderTwin, Magnets, wire_direct, wire_matrix
from dealerbox_drivers.pins.sensors import DirectSettings, ExpanderSettings, MatrixSettings
from dealerbox_drivers.pins.twin_pins import wired_factory

Run = Callable[..., Any]
Scene = Callable[["Table"], Awaitable[None]]

DIRECT = DirectSettings(seats={1: 4, 2: 7, 3: 8, 4: 9, 5: 10, 6: 11, 7: 12, 8: 16, 9: 18, 10: 20})
MATRIX = MatrixSettings(rows=(4, 7, 8), columns=(9, 10, 11, 12))
EXPANDER = ExpanderSettings()


class Table:
    """A felt, its magnets, a sensor, and what it told."""

    def __init__(self, wiring: str) -> None:
        self.felt = Felt([], Random(1))
        self.magnets = Magnets(self.felt)
        self.factory = wired_factory()
        self.expander = ExpanderTwin(EXPANDER, self.magnets)
        self.sensor = self._sensor(wiring)
        self.told: list[tuple[int, ...]] = []

    def _sensor(self, wiring: str) -> Button:
        if wiring == "direct":
            wire_direct(self.factory, DIRECT, self.magnets)
            return direct_button("button", DIRECT, self.factory, virtual_clock)
        if wiring == "matrix":
            wire_matrix(self.factory, MATRIX, self.magnets)
            return matrix_button("button", MATRIX, self.factory, virtual_clock)
        return expander_button("button", EXPANDER, self.factory, virtual_clock, self.expander)

    def hear(self, event: Any) -> None:
        assert isinstance(event, ButtonAt)
        assert event.at_ns == virtual_clock()
        self.told.append(event.seats)


@pytest.fixture(params=["direct", "matrix", "expander"])
def wiring(request: pytest.FixtureRequest) -> str:
    """Each way to wire the contacts."""
    return str(request.param)


async def play(wiring: str, scene: Scene, before: Callable[[Table], None] = lambda table: None) -> Table:
    """Play a scene at a table whose sensor runs; return the table. What the sensor raises is raised."""
    table = Table(wiring)
    before(table)
    serving = asyncio.create_task(table.sensor.run(table.hear))
    acting = asyncio.ensure_future(scene(table))
    await asyncio.wait([serving, acting], return_when=asyncio.FIRST_COMPLETED)
    acting.cancel()
    serving.cancel()
    ended, _ = await asyncio.gather(serving, acting, return_exceptions=True)
    if isinstance(ended, Exception):
        raise ended
    if not acting.cancelled():
        acting.result()
    return table


def test_it_tells_where_the_button_lies_at_the_start_once_it_lies_still(run: Run, wiring: str) -> None:
    async def scene(table: Table) -> None:
        table.felt.set_button([7])
        await asyncio.sleep(0.29)
        assert table.told == []
        await asyncio.sleep(5)

    assert run(play(wiring, scene)).told == [(7,)]


def test_a_table_without_a_button_is_told_too(run: Run, wiring: str) -> None:
    assert run(play(wiring, lambda table: asyncio.sleep(5))).told == [()]


def test_every_seat_is_told_and_two_buttons_are_told_as_two(run: Run, wiring: str) -> None:
    seats = [*((number,) for number in range(1, 11)), *list(combinations(range(1, 11), 2))[::4]]

    async def scene(table: Table) -> None:
        for lies in seats:
            table.felt.set_button(lies)
            await asyncio.sleep(0.5)

    assert run(play(wiring, scene)).told == seats


def test_a_button_moved_quickly_is_told_at_its_new_place_alone(run: Run, wiring: str) -> None:
    async def scene(table: Table) -> None:
        table.felt.set_button([3])
        await asyncio.sleep(1)
        for between in ([], [4], [], [5]):
            table.felt.set_button(between)
            await asyncio.sleep(0.12)
        await asyncio.sleep(1)

    assert run(play(wiring, scene)).told == [(3,), (5,)]


def test_a_button_carried_away_is_told_as_missing(run: Run, wiring: str) -> None:
    async def scene(table: Table) -> None:
        for lies in ([3], [], [4]):
            table.felt.set_button(lies)
            await asyncio.sleep(1)

    assert run(play(wiring, scene)).told == [(3,), (), (4,)]


def test_a_contact_that_chatters_is_not_believed(run: Run, wiring: str) -> None:
    async def scene(table: Table) -> None:
        table.felt.set_button([3])
        await asyncio.sleep(1)
        for _ in range(20):
            table.magnets.dead = {3}
            await asyncio.sleep(0.1)
            table.magnets.dead = set()
            await asyncio.sleep(0.15)

    assert run(play(wiring, scene)).told == [(3,)]


def test_a_welded_contact_is_a_second_button(run: Run, wiring: str) -> None:
    async def scene(table: Table) -> None:
        table.magnets.welded = {2}
        table.felt.set_button([9])
        await asyncio.sleep(1)

    assert run(play(wiring, scene)).told == [(2, 9)]


def test_it_obeys_nothing_and_gives_its_pins_back(run: Run, wiring: str) -> None:
    async def scene() -> None:
        table = Table(wiring)
        table.sensor.obey(Hold(key=1, reason=Reason.BUTTON_MOVED, clause="1804A(3)"))
        for _ in range(2):
            serving = asyncio.create_task(table.sensor.run(table.hear))
            await asyncio.sleep(1)
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
        assert table.told == [(), ()]

    run(scene())


def test_three_buttons_at_the_corners_of_a_matrix_read_as_four(run: Run) -> None:
    async def scene(table: Table) -> None:
        table.felt.set_button([1, 2, 5])
        await asyncio.sleep(1)

    assert run(play("matrix", scene)).told == [(1, 2, 5, 6)]


def test_a_row_is_never_left_driven(run: Run) -> None:
    async def scene() -> None:
        table = Table("matrix")
        for at_ms in range(1, 60, 7):
            serving = asyncio.create_task(table.sensor.run(table.hear))
            await asyncio.sleep(at_ms / 1000 + 0.0005)
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            assert all(table.factory.pin(pin).function == "input" for pin in MATRIX.rows)

    run(scene())


# The expander


def test_an_expander_is_set_up_from_whatever_state_it_is_in(run: Run) -> None:
    def left_behind(table: Table) -> None:
        table.expander.poke(1, 0xFF)  # inverted
        table.expander.poke(0, 0x00)  # outputs
        table.expander.poke(5, 0x80)  # registers at other addresses
        table.felt.set_button([8])

    assert run(play("expander", lambda table: asyncio.sleep(1), left_behind)).told == [(8,)]


def test_an_expander_that_lost_its_power_is_lost_and_reads_no_false_button(run: Run) -> None:
    async def scene(table: Table) -> None:
        await asyncio.sleep(1)
        table.expander.reset()
        await asyncio.sleep(1)

    with pytest.raises(DeviceGone, match="expander 0x20 on /dev/i2c-1 was reset: its pull-ups read 0000"):
        run(play("expander", scene))


def test_an_expander_that_does_not_answer_is_lost(run: Run) -> None:
    async def scene(table: Table) -> None:
        table.expander.present = False
        await asyncio.sleep(1)

    with pytest.raises(DeviceGone, match=r"expander 0x20 on /dev/i2c-1: .*Remote I/O error; look at its supply"):
        run(play("expander", scene))
