"""The station's gauges: numbers of wires, pins, journal and clocks, read when somebody asks."""

import json
from typing import Any

import msgspec
import pytest

from dealerbox.engine.state import State
from dealerbox.law.custody import Since
from dealerbox.station.build import Unmade
from dealerbox.station.condition import Condition, DeviceHealth
from dealerbox.station.gauges import UNKNOWN, Spread
from dealerbox.station.gauging import clock_gauge, device_gauge, spread
from dealerbox.station.health import introduced
from dealerbox_drivers.rfid.contacts import Sifted, TagContacts
from dealerbox_drivers.traffic import Traffic

HOUR_NS = 3600 * 10**9


class Reader:
    """A device that counts."""

    def __init__(self) -> None:
        self.name = "left"
        self.faults = 3
        self.traffic = Traffic()

    def obey(self, command: Any) -> None: ...

    async def run(self, emit: Any) -> None: ...

    def pins(self) -> dict[str, str]:
        return {"door": "on"}


class Mute:
    """A device that counts nothing."""

    name = "display"

    def obey(self, command: Any) -> None: ...

    async def run(self, emit: Any) -> None: ...


def counted() -> Reader:
    reader = Reader()
    reader.traffic.met("ACME reader", "1.2")
    for trip_s in (0.001, 0.002, 0.004):
        reader.traffic.answered(trip_s)
    return reader


def test_a_device_tells_its_counters_and_its_pins() -> None:
    gauge = device_gauge(counted())
    assert gauge.wire is not None
    assert (gauge.wire.frames, gauge.wire.faults, gauge.wire.trip) == (3, 3, Spread(3, 2000, 4000, 4000))
    assert gauge.pins == {"door": "on"}
    assert msgspec.to_builtins(device_gauge(Mute())) == {"name": "display", "wire": None, "pins": {}}


def test_a_reader_behind_the_buttons_sieve_or_made_late_counts_too() -> None:
    sifted = device_gauge(Sifted(counted(), TagContacts((), ())))
    unmade = Unmade("left", counted)
    assert device_gauge(unmade).wire is None
    unmade._made = counted()
    assert sifted == device_gauge(unmade) == device_gauge(counted())


def test_a_spread_is_of_what_there_is() -> None:
    assert spread([]) == Spread()
    assert spread([0.5]) == Spread(1, 500_000, 500_000, 500_000)
    assert spread([number / 1000 for number in range(101)]) == Spread(101, 50_000, 99_000, 100_000)


def test_what_a_device_says_of_itself_is_left_out_while_a_hand_is_open_p4() -> None:
    health, ports = [DeviceHealth("left", Condition.WORKING)], {"left": "/dev/ttyUSB0"}
    (between,) = introduced(health, [counted()], ports, by_itself=True)
    assert (between.port, between.identity, between.firmware) == ("/dev/ttyUSB0", "ACME reader", "1.2")
    (in_hand,) = introduced(health, [counted()], ports, by_itself=False)
    assert (in_hand.port, in_hand.identity, in_hand.firmware) == ("/dev/ttyUSB0", "", "")


def test_the_clocks_of_the_law_are_told_as_the_interval_that_is_known() -> None:
    state = State()
    state.counted = Since(HOUR_NS, HOUR_NS)
    state.changed = Since(latest_ns=2 * HOUR_NS, here=False)
    clocks = clock_gauge(state, 3 * HOUR_NS, HOUR_NS, 4)
    told = {limit.what: (limit.least_s, limit.most_s) for limit in clocks.limits}
    assert told == {
        "count": (7200, 7200),
        "deck in play": (3600, UNKNOWN),
        "tournament": (UNKNOWN, UNKNOWN),
    }
    assert (clocks.up_s, clocks.late_ms, clocks.wall_s) == (7200, 4, 0)


def test_a_running_station_answers_with_its_gauges(live: Any, actor: Any, config: Any, asked: Any) -> None:
    told: list[Any] = []

    async def ask(emit: Any) -> None:
        told.extend(await asked(config.socket, b'{"ask":"gauges"}'))

    assert live(actor(ask), config=config) == (0, [])
    gauges = told[0]["gauges"]
    assert gauges["devices"] == [{"name": "shuffler", "wire": None, "pins": {}}]
    journal = gauges["journal"]
    assert journal["records"] >= journal["durable"] >= 2
    assert journal["sync"]["of"] >= 1
    assert journal["sync"]["most_us"] > 0
    assert gauges["clocks"]["wall_s"] == 1_750_000_000
    assert len(json.dumps(gauges)) < 4096


@pytest.mark.parametrize("ask", [b'{"ask":"gauges","more":1}', b'{"ask":"gauge"}'])
def test_a_question_that_is_none_is_answered_so(live: Any, actor: Any, config: Any, asked: Any, ask: bytes) -> None:
    told: list[Any] = []

    async def look(emit: Any) -> None:
        told.extend(await asked(config.socket, ask))

    live(actor(look), config=config)
    assert "not understood" in told[0]["error"]
