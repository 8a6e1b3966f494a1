"""The header's chip is known by its label, and gpiozero never chooses for us."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dealerbox.ports import DeviceGone
from dealerbox_drivers.pins.gpio import contact_input, header_chip, on_edge, pi_factory
from dealerbox_drivers.pins.twin_pins import wired, wired_factory

PI_5_BEFORE = {
    0: "gpio-brcmstb@107d508500", 1: "gpio-brcmstb@107d508520", 2: "gpio-brcmstb@107d517c00",
    3: "gpio-brcmstb@107d517c20", 4: "pinctrl-rp1",
}  # fmt: skip
"""gpiodetect on a Pi 5 before raspberrypi/linux pull 6144, as told there."""
PI_5_SINCE = {0: "pinctrl-rp1", **dict.fromkeys((10, 11, 12, 13), "gpio-brcmstb@107d508500")}


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        (PI_5_BEFORE, 4),
        (PI_5_SINCE, 0),
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        ({1: "raspberrypi-exp-gpio", 2: "pinctrl-bcm2835"}, 2),
    ],
)
def test_the_header_is_found_by_its_label_whatever_its_number(labels: dict[int, str], number: int) -> None:
    assert header_chip(labels) == number


def test_a_machine_without_the_header_is_said() -> None:
    with pytest.raises(DeviceGone, match="found: gpiochip0 INT34C5:00"):
        header_chip({0: "INT34C5:00"})
    with pytest.raises(DeviceGone, match="found: none"):
        header_chip({})


def machine(devices: Path, labels: dict[int, str], fails: str = "") -> Any:
    """Return an importer of a pretended lgpio over nodes made in `devices`."""
    for number in labels:
        (devices / f"gpiochip{number}").touch()
    opened: list[int] = []

    def gpiochip_open(number: int) -> int:
        if fails:
            raise RuntimeError(fails)
        opened.append(number)
        return number

    lgpio = SimpleNamespace(
        gpiochip_open=gpiochip_open,
        gpiochip_close=opened.remove,
        gpio_get_chip_info=lambda handle: [0, 54, f"gpiochip{handle}", labels[handle]],
        opened=opened,
    )
    modules = {"lgpio": lgpio, "gpiozero.pins.lgpio": SimpleNamespace(LGPIOFactory=lambda chip: ("factory", chip))}
    return modules.__getitem__


def test_a_pis_factory_is_lgpios_on_the_header_chip(tmp_path: Path) -> None:
    load = machine(tmp_path, PI_5_SINCE)
    (tmp_path / "gpiochip4").symlink_to(tmp_path / "gpiochip0")
    assert pi_factory(load, tmp_path) == ("factory", 0)
    assert load("lgpio").opened == []


def test_a_chip_that_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with pytest.raises(DeviceGone, match="pins: RuntimeError: can not open gpiochip"):
        pi_factory(machine(tmp_path, PI_5_SINCE, "can not open gpiochip"), tmp_path)


def test_a_machine_without_lgpio_is_said_and_nothing_else_is_tried(tmp_path: Path) -> None:
    def load(module: str) -> Any:
        raise ImportError(f"No module named '{module}'")

    with pytest.raises(DeviceGone, match="No module named 'lgpio'; install python3-lgpio"):
        pi_factory(load, tmp_path)


def test_edges_are_told_until_they_are_stopped_and_closing_alone_does_not_stop_them() -> None:
    """LGPIOPin.close() of gpiozero 2.0.1 leaves its callback: `stop` takes it away before."""
    factory, told = wired_factory(), list[bool]()
    contact = contact_input(factory, 5)
    stop = on_edge(contact, told.append)
    wired(factory, 5).drive(False)
    wired(factory, 5).drive(None)
    assert told == [True, False]
    stop()
    assert contact.pin.when_changed is None
    wired(factory, 5).drive(False)
    assert told == [True, False]
    contact.close()
    stop()
