import asyncio

import pytest

from dealerbox.model.events import ButtonAt, DeviceBack, DeviceLost, ZoneKnown, ZoneUnknown
from dealerbox.model.zones import BOARD
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox.station.condition import Condition, DeviceHealth
from dealerbox.station.health import Health
from dealerbox.station.virtual import START_NS, virtual_clock


class Scripted:
    """A device whose `run` follows a script: an event is emitted, a number slept, an exception raised."""

    def __init__(self, *runs: list) -> None:
        self.name = "reader"
        self.runs = list(runs)
        self.opened_s: list[float] = []
        self.closed = 0

    async def run(self, emit) -> None:
        self.opened_s.append(round((virtual_clock() - START_NS) / 1e9, 3))
        script = self.runs.pop(0) if len(self.runs) > 1 else self.runs[0]
        try:
            for item in script:
                match item:
                    case float() | int():
                        await asyncio.sleep(item)
                    case Exception():
                        raise item
                    case "return":
                        return
                    case _:
                        emit(item)
            await asyncio.Event().wait()
        finally:
            self.closed += 1


@pytest.fixture
def tended(run):
    """Run a scripted device for some seconds; return events, faults, the Health at its end."""

    def tend(device, seconds: float):
        async def live():
            events: list = []
            faults: list = []
            health = Health([device], events.append, virtual_clock, faults.append)
            health.start()
            await asyncio.sleep(seconds)
            seen = health.devices(), health.dead()
            await health.stop()
            return events, faults, *seen

        return run(live())

    return tend


GONE = DeviceGone("/dev/ttyUSB0: unplugged")
KNOWN = ZoneKnown(1, BOARD)


def test_a_device_that_works_is_neither_lost_nor_back(tended) -> None:
    device = Scripted([KNOWN, ButtonAt(2, (1,))])
    events, faults, health, dead = tended(device, 100)
    assert events == [KNOWN, ButtonAt(2, (1,))]
    assert health == (DeviceHealth("reader", Condition.WORKING),)
    assert (faults, dead, device.closed) == ([], (), 1)


def test_an_absent_device_is_told_once_and_tried_ever_more_slowly(tended) -> None:
    device = Scripted([GONE])
    events, faults, health, _ = tended(device, 30)
    assert events == [DeviceLost(START_NS, "reader", "/dev/ttyUSB0: unplugged")]
    assert device.opened_s == [0, 0.1, 0.3, 0.7, 1.5, 3.1, 6.1, 9.1, 12.1, 15.1, 18.1, 21.1, 24.1, 27.1]
    why = "/dev/ttyUSB0: unplugged"
    assert health == (DeviceHealth("reader", Condition.LOST, why, last=why, losses=1),)
    assert faults == []


def test_a_lost_device_is_back_before_the_first_thing_it_says(tended) -> None:
    events, _, health, _ = tended(Scripted([KNOWN, 60, GONE], [GONE], [1, KNOWN]), 100)
    assert health == (DeviceHealth("reader", Condition.WORKING, last="/dev/ttyUSB0: unplugged", losses=1),)
    assert [type(event) for event in events] == [ZoneKnown, DeviceLost, DeviceBack, ZoneKnown]
    assert events[2].at_ns - events[1].at_ns == 1_300_000_000


def test_a_device_that_was_well_for_long_is_reopened_quickly_again(tended) -> None:
    device = Scripted([GONE], [GONE], [KNOWN, 60, GONE], [KNOWN])
    tended(device, 100)
    assert device.opened_s == [0, 0.1, 0.3, 60.4]


def test_blindness_is_no_sign_of_life(tended) -> None:
    blind = ZoneUnknown(1, BOARD, "no answer")
    events, _, health, _ = tended(Scripted([GONE], [blind, 10, GONE], [blind]), 100)
    assert [type(event) for event in events] == [DeviceLost, ZoneUnknown, ZoneUnknown]
    assert health[0].condition is Condition.LOST


def test_a_device_with_nothing_to_say_is_back_when_it_stays(tended) -> None:
    events, _, health, _ = tended(Scripted([GONE], [2, GONE], []), 100)
    assert [type(event) for event in events] == [DeviceLost, DeviceBack]
    assert health[0].condition is Condition.WORKING


def test_another_thing_in_its_place_is_said_and_tried_slowly(tended) -> None:
    device = Scripted([DeviceWrong("/dev/ttyUSB0: serial 7 answers, the config asks for 5")])
    events, _, health, _ = tended(device, 35)
    assert device.opened_s == list(range(0, 35, 3))
    assert len(events) == 1
    why = "/dev/ttyUSB0: serial 7 answers, the config asks for 5"
    assert health == (DeviceHealth("reader", Condition.WRONG, why, last=why, losses=1),)


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (ValueError("pin"), "a fault of the station itself, in device reader: ValueError in "),
        ("return", "a fault of the station itself, in device reader: RuntimeError in run (station/health.py:"),
    ],
)
def test_a_device_that_dies_any_other_way_is_a_fault_with_its_name(tended, last, said) -> None:
    _, faults, _, dead = tended(Scripted([KNOWN, last]), 5)
    assert [fault.startswith(said) for fault in faults] == [True]
    assert dead == ("reader",)


def test_whoever_watches_hears_once_that_a_device_is_lost_and_once_that_it_is_back(run) -> None:
    async def live() -> list[str]:
        said: list[str] = []
        health = Health(
            [Scripted([GONE], [GONE], [KNOWN])], lambda event: None, virtual_clock, said.append, said.append
        )
        health.start()
        await asyncio.sleep(10)
        await health.stop()
        return said

    assert run(live()) == ["reader: does not answer: /dev/ttyUSB0: unplugged", "reader: answers again"]
