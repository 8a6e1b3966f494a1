"""A display in the config: what is made of it, what it costs one who has none, and that a panel may lean on it."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec

from dealerbox.config import DeviceConfig
from dealerbox.model.commands import Lamp, Show
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Memory
from dealerbox.station.build import devices_of, setup_of
from dealerbox_drivers.display.oled import Display
from dealerbox_drivers.display.settings import DisplaySettings
from dealerbox_drivers.pins.layout import CompactSettings
from dealerbox_drivers.pins.twin_pins import wired_factory
from dealerbox_drivers.registry import DRIVERS

ROOT = Path(__file__).parents[2]
DISPLAY = DeviceConfig("glass", DRIVERS["display-oled"], DisplaySettings())
PANEL = DeviceConfig("panel", DRIVERS["panel-compact"], CompactSettings())


def test_its_loss_is_no_hold(config) -> None:
    assert setup_of(config).optional == ()
    assert setup_of(msgspec.structs.replace(config, devices=(DISPLAY,))).optional == ("glass",)


def test_the_panel_says_its_own_words_on_it(config) -> None:
    both = msgspec.structs.replace(config, devices=(DISPLAY, PANEL))
    display, panel = devices_of(both, Memory(session=1), lambda: 1, pin_factory=wired_factory)
    assert isinstance(display, Display)
    panel.obey(Show(lamp=Lamp.GREEN, buzzer=False, lit=(Key.START,), go=Key.START, prompt="Ready."))
    assert display.page().foot == "GO START"


def test_a_station_without_one_loads_nothing_of_it() -> None:
    program = (
        "import sys, dealerbox.station.daemon, dealerbox.cli.main, dealerbox_drivers.registry, "
        "dealerbox_drivers.pins.panel; print(sorted({'luma', 'PIL'} & set(sys.modules)))"
    )
    sources = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "drivers")))}
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=sources, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"
