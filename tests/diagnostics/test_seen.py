"""A station looked at again and again: what it shows now, and how its wires have done lately."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dealerbox.diagnostics.seen import WINDOW, Lookout, Seen
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.ports import DeviceGone, NotAllowed
from dealerbox.station.asked import Authority
from dealerbox.station.condition import Condition, DeviceHealth
from dealerbox.station.control import Control
from dealerbox.station.gauges import ClockGauge, DeviceGauge, Gauges, JournalGauge, Spread, Wire

VIEW = View(table="7", phase="between", hand=3)
MOUTH = DeviceHealth("mouth", Condition.WORKING)


class Station:
    """A control socket, and what stands behind it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.view = VIEW
        self.wire = Wire()
        self.at_s = 0
        self.up_s = 0
        self.control = self._made()

    def _made(self) -> Control:
        return Control(
            Authority.LOOK,
            view=lambda: self.view,
            devices=lambda: (MOUTH,),
            gauges=self.gauges,
            emit=lambda event: None,
            clock=lambda: 0,
        )

    def gauges(self) -> Gauges:
        return Gauges(
            at_ns=self.at_s * 10**9,
            devices=(DeviceGauge(name="mouth", wire=self.wire),),
            journal=JournalGauge(records=5, durable=5, left=9, evening=9, sync=Spread()),
            clocks=ClockGauge(boottime_s=self.at_s, up_s=self.up_s),
        )

    async def restart(self) -> None:
        await self.control.close()
        self.control = self._made()
        await self.control.open(self.path)

    def passes(self, seconds: int, **more: int) -> None:
        """So much time goes by, and so much over the wire."""
        self.at_s, self.up_s = self.at_s + seconds, self.up_s + seconds
        self.wire = replace(self.wire, **{name: getattr(self.wire, name) + value for name, value in more.items()})


@pytest.fixture
def at(tmp_path: Path) -> Callable[[Callable[[Station, Lookout], Any]], None]:
    """`at(story)`: a story of a station and of one who looks at it."""

    def told(story: Callable[[Station, Lookout], Any]) -> None:
        async def whole() -> None:
            station = Station(tmp_path / "control.sock")
            await station.control.open(station.path)
            lookout = Lookout(str(station.path))
            try:
                await story(station, lookout)
            finally:
                await lookout.end()
                await station.control.close()

        asyncio.run(whole())

    return told


def test_a_look_is_the_view_the_devices_and_the_gauges(at: Any) -> None:
    async def story(station: Station, lookout: Lookout) -> None:
        seen = await lookout.look()
        assert (seen.view, seen.devices, seen.gauges) == (VIEW, (MOUTH,), station.gauges())
        assert (seen.in_hand, seen.in_service) == (False, False)
        hold = Standing(reason=Reason.SERVICE, clause="house", what="x", remedy="y")
        station.view = replace(VIEW, street="flop", holds=(hold,))
        seen = await lookout.look()
        assert (seen.in_hand, seen.in_service) == (True, True)

    at(story)


def test_rates_are_those_of_the_last_looks_and_not_of_the_whole_evening(at: Any) -> None:
    async def story(station: Station, lookout: Lookout) -> None:
        await lookout.look()
        assert lookout.rates()[0].polls_s is None
        station.passes(1, looks=20, frames=90, faults=5, missing=5)
        await lookout.look()
        (rate,) = lookout.rates()
        assert (rate.polls_s, rate.bad) == (20.0, 0.1)
        for _ in range(WINDOW):
            station.passes(1, looks=10, frames=10)
            await lookout.look()
        (rate,) = lookout.rates()
        assert (rate.polls_s, rate.bad) == (10.0, 0.0)

    at(story)


def test_a_station_that_was_started_again_is_asked_anew_and_its_counters_begin_anew(at: Any) -> None:
    async def story(station: Station, lookout: Lookout) -> None:
        station.passes(100, looks=1000)
        await lookout.look()
        await station.restart()
        station.up_s, station.wire = 0, Wire()
        with pytest.raises(DeviceGone, match="the station hung up"):
            await lookout.look()
        await lookout.look()
        assert lookout.rates()[0].polls_s is None

    at(story)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([b"SSH-2.0-OpenSSH\n"], "no station's answer"),
        ([b'{"error":"busy"}\n'], "the station refuses: busy"),
        ([b""], "the station hung up"),
        ([b'{"table":"7","phase":"between","hand":3}\n', b'{"ok":true}\n', b'{"ok":true}\n'], "no gauges"),
    ],
)
def test_what_is_no_station_is_said_so(tmp_path: Path, answers: list[bytes], said: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await reader.readline()
            writer.write(answer)
        writer.close()

    async def story() -> None:
        path = str(tmp_path / "other.sock")
        async with await asyncio.start_unix_server(serve, path):
            with pytest.raises((DeviceGone, NotAllowed), match=said):
                await Lookout(path).look()

    asyncio.run(story())


def test_nobody_at_the_socket_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(DeviceGone, match="no such file or directory; see"):
        asyncio.run(Lookout(str(tmp_path / "none.sock")).look())


def test_a_look_is_a_line_of_json(at: Any) -> None:
    import msgspec

    async def story(station: Station, lookout: Lookout) -> None:
        seen = await lookout.look()
        assert msgspec.json.decode(msgspec.json.encode(seen), type=Seen) == seen

    at(story)
