"""From a config file to devices, and what becomes of one that cannot be made yet."""

import asyncio

import msgspec
import pytest

from dealerbox.config import DeviceConfig
from dealerbox.model.commands import Clear, Hold, Lamp, Show
from dealerbox.model.events import KeyPressed
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.shuffler import Memory
from dealerbox.ports import ConfigError, DeviceGone
from dealerbox.station.build import deck_tags, devices_of, setup_of
from dealerbox.station.health import Health
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.registry import DRIVERS, Driver, Role, ShufflerSettings
from dealerbox_drivers.rfid.contacts import Sifted
from dealerbox_drivers.rfid.settings import FeigSettings, Pn532Settings, TagButtonSettings

MEMORY = Memory(session=4)
HOLD = Hold(key=3, reason=Reason.JAM, clause="house")
OLD_HOLD = Hold(key=2, reason=Reason.JAM, clause="house")
GREEN, RED = (Show(lamp=lamp, buzzer=False) for lamp in (Lamp.GREEN, Lamp.RED))


class Pad:
    """A panel that notes what it is told."""

    made = 0

    def __init__(self, name, settings, factory, clock, face) -> None:
        self.name, self.factory, self.told = name, factory, []

    def obey(self, command) -> None:
        self.told.append(command)

    async def run(self, emit) -> None:
        emit(KeyPressed(1, Key.ACK))
        await asyncio.Event().wait()


@pytest.fixture
def pad(config, monkeypatch):
    """The config with one panel, whose driver is `Pad`."""
    driver = Driver(name="pad", role=Role.PANEL, module="x", device="Pad", settings=type(msgspec.Struct))
    monkeypatch.setattr(Driver, "load", lambda self: Pad)
    return msgspec.structs.replace(config, devices=(DeviceConfig("panel", driver, None),))


def test_the_engine_knows_the_shuffler_by_the_name_that_the_config_gives_it(config) -> None:
    shoe = DeviceConfig("shoe", DRIVERS["shuffler-v1"], ShufflerSettings(port="/dev/null"))
    assert setup_of(config).shuffler == "shuffler"
    assert setup_of(msgspec.structs.replace(config, devices=(shoe,))).shuffler == "shoe"


def test_the_tags_of_a_deck_come_with_its_slot(config) -> None:
    tags = deck_tags(config)
    assert [(deck.slot, len(deck.cards), deck.jokers, deck.cut_card) for deck in tags] == [
        (1, 52, (), ""),
        (2, 52, (), ""),
    ]


def test_pins_come_from_one_factory_that_is_passed_in(pad) -> None:
    made = []
    both = msgspec.structs.replace(pad, devices=pad.devices * 2)
    devices = devices_of(both, MEMORY, lambda: 1, pin_factory=lambda: made.append("factory") or "factory")
    assert [device.factory for device in devices] == ["factory", "factory"]
    assert made == ["factory"]


def test_a_device_that_cannot_be_made_yet_is_lost_until_it_can(pad, run) -> None:
    async def live():
        tries = []

        def pins():
            tries.append(virtual_clock())
            if len(tries) < 4:
                raise DeviceGone("pins: no header yet")
            return "factory"

        (device,) = devices_of(pad, MEMORY, virtual_clock, pin_factory=pins)
        for command in (GREEN, OLD_HOLD, Clear(0, 2, 0), HOLD, RED):
            device.obey(command)
        events: list = []
        health = Health([device], events.append, virtual_clock, pytest.fail)
        health.start()
        await asyncio.sleep(5)
        device.obey(GREEN)
        await health.stop()
        return events, device

    events, device = run(live())
    assert [type(event).__name__ for event in events] == ["DeviceLost", "DeviceBack", "KeyPressed"]
    assert events[0].why == "pins: no header yet"
    assert device._made.told == [RED, HOLD, GREEN]


def test_a_driver_that_is_not_installed_is_named(pad, monkeypatch) -> None:
    def load(self):
        raise ImportError("No module named 'lgpio'", name="lgpio")

    monkeypatch.setattr(Driver, "load", load)
    with pytest.raises(ConfigError, match=r"devices.panel: driver pad needs lgpio: install it"):
        devices_of(pad, MEMORY, lambda: 1, pin_factory=object)


def test_readers_with_the_same_word_share_a_field(config) -> None:
    def reader(name, word):
        return DeviceConfig(name, DRIVERS["pn532"], Pn532Settings(port="/dev/null", zone="exit", field=word))

    readers = (reader("a", "left"), reader("b", "left"), reader("c", "right"), reader("d", ""))
    config = msgspec.structs.replace(config, devices=readers)
    fields = [device._field for device in devices_of(config, MEMORY, virtual_clock)]
    assert fields[0] is fields[1]
    assert fields[0] is not fields[2]
    assert fields[3] is None


@pytest.mark.parametrize(
    ("driver", "port", "line"),
    [
        ("feig", "/dev/null", "SerialPort"),
        ("feig", "usb:1-1.4", "UsbPort"),
        ("acr122u", "usb:072f:2200", "UsbPort"),
        ("acr1552u", "usb:072f:2303:A7", "UsbPort"),
    ],
)
def test_a_reader_is_opened_on_the_line_that_its_port_names(config, driver, port, line) -> None:
    where = {"zones": {0: "exit"}} if driver == "feig" else {"zone": "exit"}
    settings = DRIVERS[driver].settings(port=port, **where)
    config = msgspec.structs.replace(config, devices=(DeviceConfig("reader", DRIVERS[driver], settings),))
    (device,) = devices_of(config, MEMORY, virtual_clock)
    assert type(device._open_line).__name__ == line


def test_a_tag_in_the_button_is_read_by_the_tables_readers(config) -> None:
    seats = DeviceConfig("seats", DRIVERS["feig"], FeigSettings(port="/dev/null", zones={1: "seat:1", 2: "seat:2"}))
    button = DeviceConfig("button", DRIVERS["button-tag"], TagButtonSettings(tags=("E0040000000000CC",)))
    config = msgspec.structs.replace(config, devices=(seats, button))
    reader, sensor = devices_of(config, MEMORY, virtual_clock)
    assert (reader.name, sensor.name) == ("seats", "button")
    assert isinstance(reader, Sifted)
    assert reader._contacts is sensor._contacts
