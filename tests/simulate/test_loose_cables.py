"""A cable pulled out at any byte while cards are dealt: held within a second, whole within five of its return."""

import asyncio
from functools import partial
from random import Random

import pytest

from dealerbox.model.commands import Hold, Release
from dealerbox.model.events import DeviceBack, ShufflerMet, ZoneKnown
from dealerbox.model.reasons import Reason
from dealerbox.simulate.evening import Evening, play_wires, table_setup
from dealerbox.simulate.mischief import Mischief
from dealerbox.simulate.run import ENGINE
from dealerbox.simulate.wire_twins import READERS, Loss
from dealerbox.simulate.wires import WireTable
from dealerbox.station.virtual import virtual_clock, virtual_run

AWAY_S = 2.5
S = 1_000_000_000


class Loose:
    """A line that is pulled out once so many more bytes have gone through it, either way."""

    def __init__(self, line, pull) -> None:
        self.left = 0
        """Bytes until it is pulled; 0: it holds."""
        self._line, self._pull = line, pull

    def _through(self, data: bytes) -> bytes:
        if not self.left:
            return data
        kept, self.left = data[: self.left], max(0, self.left - len(data))
        if not self.left:
            self._pull()
        return kept

    async def read(self) -> bytes:
        return self._through(await self._line.read()) or await self._line.read()

    def write(self, data: bytes) -> None:
        self._line.write(self._through(data))

    def close(self) -> None:
        self._line.close()


class Night:
    """One hand of two at the daemon's own wires; a device's cable is pulled out in its middle, and put back."""

    def __init__(self, device: str, most: int) -> None:
        self.device, self.most = device, most
        self.zones = tuple(READERS.get(device, {}).values()) or (device,)
        self.released = self.pulled_ns = self.held_ns = self.back_ns = self.whole_ns = 0
        self.line = None

    async def live(self) -> None:
        setup = table_setup(Random("loose"), (2, 2), 500)
        table = self.table = WireTable(setup, ENGINE, f"{self.device}:{self.most}", [self])
        opener = table.twins._opener
        table.twins._opener = lambda name: partial(self.opened, opener(name)) if name == self.device else opener(name)
        self.evening = Evening("loose", table, Mischief((), Random(1)), None, (2, 2))
        await play_wires(self.evening, table, 1)

    async def opened(self, opening):
        line = await opening()
        self.line = Loose(line, self.pull)
        return self.line

    def pull(self) -> None:
        twins = self.table.twins
        self.pulled_ns = virtual_clock()
        twins._lost[self.device] = Loss.UNPLUGGED
        twins._cables[self.device].broken = True
        twins._lines.pop(self.device).close()
        self.say(gone=True)
        asyncio.get_running_loop().call_later(AWAY_S, self.put_back)

    def put_back(self) -> None:
        self.back_ns = virtual_clock()
        self.table.twins.find(self.device)
        self.say(gone=False)

    def say(self, *, gone: bool) -> None:
        for told in self.table.gone:
            for zone in self.zones:
                told(zone, gone)

    def heard(self, event, commands) -> None:
        """Watch what is told and decided; the cable is pulled after the third card."""
        for command in commands:
            self.released += isinstance(command, Release)
            if isinstance(command, Hold) and command.reason is Reason.DEVICE_LOST and self.pulled_ns:
                self.held_ns = self.held_ns or event.at_ns
        if self.released == 3 and self.line is not None and not self.pulled_ns and not self.line.left:
            self.line.left = self.most
        match event:
            case ZoneKnown() if self.back_ns and event.zone == self.zones[-1]:
                self.whole_ns = self.whole_ns or event.at_ns
            case ShufflerMet() if self.back_ns and self.device == "shuffler" and event.agreed:
                self.whole_ns = self.whole_ns or event.at_ns
            case DeviceBack():
                assert event.device == self.device


@pytest.mark.parametrize(
    ("device", "most"),
    [("shuffler", 1), ("shuffler", 150), ("seats-left", 37), ("middle", 3), ("mouth", 1), ("outlet", 90)],
)
def test_the_deal_is_held_within_a_second_and_goes_on_to_its_end_once_the_device_is_back(device, most) -> None:
    night = Night(device, most)
    virtual_run(night.live(), limit_s=6000)
    verdict = night.evening.checker.verdict
    assert night.pulled_ns
    assert 0 <= night.held_ns - night.pulled_ns <= 1 * S
    assert 0 < night.whole_ns - night.back_ns <= 5 * S
    assert night.evening.dealer.hands == 1
    assert (verdict.unlawful, verdict.missed, verdict.false) == ([], [], [])
