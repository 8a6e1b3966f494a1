"""Ports go by the sockets that they hang on, and what is plugged in beside the file's devices is told."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from dealerbox.config.checks import checked
from dealerbox.config.values import Config
from dealerbox.diagnostics.listed import Listed, listed, unnamed
from dealerbox.diagnostics.plugged import by_path, driver_of_model, serial_ports, usb_models
from dealerbox_drivers.pins.budget import pin_faults
from dealerbox_drivers.registry import DRIVERS

CONFIG = Path(__file__).parents[2] / "config"


@pytest.fixture
def desk(tmp_path: Path) -> SimpleNamespace:
    """Two serial ports with names by their sockets, the first with two of them; three USB devices, one of them ours."""
    dev, links, sysfs = tmp_path / "dev", tmp_path / "by-path", tmp_path / "sys"
    for folder in (dev, links, sysfs):
        folder.mkdir()
    for name, port in (("usb-0:1.1", "ttyUSB0"), ("usbv2-0:1.1", "ttyUSB0"), ("usb-0:1.2", "ttyUSB1")):
        (dev / port).touch()
        (links / name).symlink_to(dev / port)
    for name, vendor, product in (("1-1.4", "072f", "2200"), ("1-2", "1d6b", "0002"), ("usb1", "", "")):
        (sysfs / name).mkdir()
        (sysfs / name / "idVendor").write_text(vendor + "\n")
        (sysfs / name / "idProduct").write_text(product + "\n")
    return SimpleNamespace(dev=dev, links=links, sysfs=sysfs)


def test_a_port_goes_by_its_socket_whatever_it_is_called(desk: SimpleNamespace) -> None:
    assert by_path(str(desk.dev / "ttyUSB1"), desk.links) == str(desk.links / "usb-0:1.2")
    assert by_path(str(desk.links / "usb-0:1.2"), desk.links) == str(desk.links / "usb-0:1.2")
    assert by_path(str(desk.dev / "ttyUSB7"), desk.links) == ""
    assert by_path(str(desk.dev / "ttyUSB1"), desk.dev / "none") == ""


def test_a_port_of_two_names_is_one_port(desk: SimpleNamespace) -> None:
    assert serial_ports(desk.links) == [str(desk.links / "usb-0:1.1"), str(desk.links / "usb-0:1.2")]


def test_usb_devices_are_known_by_vendor_and_product(desk: SimpleNamespace) -> None:
    (one,) = usb_models(desk.sysfs)
    assert (one.port, one.driver) == ("usb:1-1.4", "acr122u")
    assert driver_of_model()[0x0505, 0x5050] == "r321"


def table(folder: Path, port: str) -> Config:
    shutil.copytree(CONFIG, folder, dirs_exist_ok=True)
    text = (folder / "station.toml").read_text()
    first = next(line for line in text.splitlines() if line.startswith("port"))
    (folder / "station.toml").write_text(text.replace(first, f'port = "{port}"', 1))
    return checked(str(folder / "station.toml"), DRIVERS, pin_faults)


def test_a_port_that_the_file_does_not_name_is_told_with_what_hangs_on_usb(
    desk: SimpleNamespace, tmp_path: Path
) -> None:
    config = table(tmp_path / "etc", str(desk.dev / "ttyUSB0"))
    found = unnamed(config, desk.links, desk.sysfs)
    assert [(one.port, one.driver, one.fails()) for one in found] == [
        (str(desk.links / "usb-0:1.2"), "", False),
        ("usb:1-1.4", "acr122u", False),
    ]
    (first, *_) = listed(config, (), desk.links)
    assert (first.there, first.path) == (True, str(desk.links / "usb-0:1.1"))


@pytest.mark.parametrize(
    ("port", "path", "wanders"),
    [("/dev/ttyUSB0", "/dev/serial/by-path/a", True), ("/dev/serial/by-path/a", "/dev/serial/by-path/a", False)],
)
def test_a_name_that_may_be_anothers_after_a_re_plug_is_told(port: str, path: str, wanders: bool) -> None:
    assert Listed(name="x", driver="feig", port=port, path=path, there=True).wanders() is wanders
