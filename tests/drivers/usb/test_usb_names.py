"""USB devices as the kernel lists them, without pyusb."""

import pytest

from dealerbox_drivers.usb.names import is_plugged, is_usb, usb_name


@pytest.fixture
def sysfs(tmp_path):
    """A hub in 1-1 with two readers of one model, one of them with a serial number, and an interface."""
    for socket, said in {
        "1-1": ("1d6b", "0002", ""),
        "1-1.2": ("072f", "2200", ""),
        "1-1.4": ("072f", "2200", "A7"),
        "1-1.4:1.0": None,
    }.items():
        device = tmp_path / socket
        device.mkdir()
        for key, value in zip(("idVendor", "idProduct", "serial"), said or (), strict=False):
            if value:
                (device / key).write_text(f"{value}\n")
    return tmp_path


@pytest.mark.parametrize(
    ("port", "there"),
    [
        ("usb:1-1.4", True),
        ("usb:1-1.3", False),
        ("usb:072F:2200", True),
        ("usb:072f:2303", False),
        ("usb:072f:2200:A7", True),
        ("usb:072f:2200:B9", False),
    ],
)
def test_a_device_is_looked_for_where_the_kernel_lists_it(sysfs, port, there) -> None:
    assert is_plugged(port, sysfs) is there


def test_without_a_usb_bus_nothing_is_plugged_in(tmp_path) -> None:
    assert not is_plugged("usb:072f:2200", tmp_path / "none")


def test_a_serial_number_may_have_colons_and_a_path_is_no_usb_device() -> None:
    assert usb_name("usb:072f:2200:A:7").serial == "A:7"
    assert not is_usb("/dev/ttyUSB0")
