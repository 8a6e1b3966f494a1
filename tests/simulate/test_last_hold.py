"""A hold given in the last moment before a death is not forgotten, though the journal never had it."""

import asyncio
from random import Random

from dealerbox.model.events import HoldFound, ZoneUnknown
from dealerbox.model.zones import BOARD
from dealerbox.simulate.evening import SCAN_MS, Evening, table_setup
from dealerbox.simulate.mischief import Mischief
from dealerbox.simulate.run import ENGINE
from dealerbox.simulate.wires import WireTable
from dealerbox.station.entry import decode
from dealerbox.station.virtual import virtual_run


class Killed(WireTable):
    """A table whose daemon dies with nothing of its last moment on the disk."""

    async def die(self) -> None:
        self._dead = True
        del self._journal.records[self._journal.durable :]
        self._journal.cut()
        await self._stop()
        await self._again()

    @property
    def told(self) -> list:
        return [decode(payload).event for payload in self._journal.records]

    async def until_between_hands(self) -> None:
        """Let the dealer open the table; then he goes away."""
        async with asyncio.timeout(600):
            while self.view().phase != "between" or self.view().holds:
                await asyncio.sleep(0.1)
        for task in self._people:
            task.cancel()
        await asyncio.sleep(10)


def after_death(held: bool) -> tuple[list[str], list[type]]:
    """Return what stands after a death between hands, and the events since; `held`: a hold was given just before."""

    async def night() -> tuple[list[str], list[type]]:
        table = Killed(table_setup(Random(1), (3, 3), SCAN_MS["wires"]), ENGINE, "1")
        evening = Evening("1", table, Mischief((), Random(1)), None, (3, 3))
        table.open()
        table.start(evening.dealer.work())
        await table.until_between_hands()
        before = len(table.told)
        if held:
            table.core.handle(ZoneUnknown(table.now_ns, BOARD, "deaf"))
        await table.die()
        assert not [event for event in table.told[before:] if isinstance(event, ZoneUnknown)]
        await asyncio.sleep(10)
        standing = [hold.reason.value for hold in table.view().holds]
        since = [type(event) for event in table.told[before:]]
        await table.close()
        return standing, since

    return virtual_run(night(), limit_s=900)


def test_the_shuffler_has_latched_it_and_the_next_start_finds_it() -> None:
    standing, since = after_death(held=True)
    assert standing == ["restarted"]
    assert HoldFound in since


def test_without_one_a_start_between_hands_is_free() -> None:
    standing, since = after_death(held=False)
    assert standing == []
    assert HoldFound not in since
