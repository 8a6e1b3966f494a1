"""What the daemon has in memory when its devices are made: the drivers that its config names, and no other."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import json, sys
from dealerbox.config.checks import checked
from dealerbox.model.shuffler import Memory
from dealerbox.station import daemon
from dealerbox.station.build import devices_of
from dealerbox_drivers.registry import DRIVERS
libraries = {"serial", "usb", "gpiozero", "luma", "PIL", "nacl", "rich", "click"}
begun = sorted(libraries & set(sys.modules))
config = checked(sys.argv[1], DRIVERS, lambda devices: ())
devices_of(config, Memory(), lambda: 0, pin_factory=lambda: object())
named = {device.driver.module for device in config.devices}
loaded = {driver.module for driver in DRIVERS.values()} & set(sys.modules)
print(json.dumps([begun, sorted(named), sorted(loaded), sorted(libraries & set(sys.modules))]))
"""


@pytest.fixture(scope="module")
def told() -> list[list[str]]:
    """Libraries loaded by the daemon alone; drivers that the shipped config names; those loaded; libraries by then."""
    program = [sys.executable, "-c", PROGRAM, str(ROOT / "config" / "station.toml")]
    paths = {"PYTHONPATH": f"{ROOT}:{ROOT / 'drivers'}"}
    said = subprocess.run(program, env=paths, capture_output=True, text=True, check=True)
    answer: list[list[str]] = json.loads(said.stdout)
    return answer


def test_the_daemon_itself_loads_no_library_of_a_driver(told) -> None:
    assert told[0] == []


def test_the_drivers_that_the_config_names_are_loaded_and_no_other(told) -> None:
    _, named, loaded, libraries = told
    assert loaded == named
    assert libraries == ["gpiozero", "serial"]
