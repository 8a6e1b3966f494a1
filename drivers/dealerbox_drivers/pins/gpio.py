"""gpiozero at arm's length: pins by a factory that is passed in, and errors in our own words.

gpiozero without a factory would look for one, try four, and end with whatever answers
(`PinFactoryFallback`): nothing here ever lets it. It has no types, so a factory is Any.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from gpiozero import (
    Device,
    GPIOPinInUse,
    InputDevice,
    OutputDevice,
    PinFactoryFallback,
    PinFixedPull,
    PinInvalidPin,
)

from dealerbox.ports import ConfigError, DealerboxError, DeviceGone, DeviceWrong

PinFactory = Any
"""A gpiozero pin factory: `LGPIOFactory` on a Pi, `MockFactory` behind a twin."""

HEADER_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip behind the 40-pin header: Pi 5 and CM5, Pi 4 and CM4, Zero 2 W."""


def given(factory: PinFactory) -> PinFactory:
    """Return the factory. ConfigError for None: gpiozero would take its global default instead."""
    if factory is None or factory is Device.pin_factory:
        raise ConfigError("pins need a pin factory of their own; pass pi_factory(), never gpiozero's default")
    return factory


@contextmanager
def told(name: str) -> Iterator[None]:
    """Say whatever goes wrong with pins as DeviceGone or DeviceWrong of the device `name`."""
    try:
        yield
    except DealerboxError:
        raise
    except (PinInvalidPin, PinFixedPull) as error:
        raise DeviceWrong(f"{name}: {error}; correct its pins in the config") from error
    except GPIOPinInUse as error:
        raise DeviceGone(f"{name}: {error}; another device or process has it") from error
    # Each factory lets its own library's errors through, and lgpio.error is a bare Exception.
    except Exception as error:
        raise DeviceGone(f"{name}: {type(error).__name__}: {error}") from error


def contact_input(factory: PinFactory, pin: int) -> Any:
    """Return an input, active while its contact connects it to ground."""
    return InputDevice(pin, pull_up=True, pin_factory=factory)


def signal_output(factory: PinFactory, pin: int) -> Any:
    """Return an output, low (off) until told otherwise."""
    return OutputDevice(pin, pin_factory=factory)


def on_edge(contact: Any, callback: Callable[[bool], None]) -> Callable[[], None]:
    """Call `callback(active)` at each edge, on whatever thread the factory has; return how to stop.

    gpiozero keeps only a weak reference to the callback, and closing an input of lgpio does
    not cancel it: keep what is returned, and call it before closing.
    """

    def changed(_ticks: object, state: object) -> None:
        callback(not state)

    contact.pin.edges = "both"
    contact.pin.when_changed = changed

    def stop() -> None:
        _ = changed
        if contact.pin is not None:
            contact.pin.when_changed = None

    return stop


def header_chip(labels: dict[int, str]) -> int:
    """Return the number of the chip behind the 40-pin header, of numbers and labels.

    A number is never believed: it changed with a kernel (raspberrypi/linux 6144). DeviceGone without one.
    """
    for wanted in HEADER_LABELS:
        for number, label in sorted(labels.items()):
            if label == wanted:
                return number
    found = ", ".join(f"gpiochip{number} {label}" for number, label in sorted(labels.items())) or "none"
    raise DeviceGone(f"no GPIO chip is the 40-pin header of a Pi ({', '.join(HEADER_LABELS)}); found: {found}")


def pi_factory(load: Callable[[str], Any] = import_module, devices: Path = Path("/dev")) -> PinFactory:
    """Return a pin factory for this Pi's own header, by lgpio; DeviceGone says what is missing.

    lgpio makes a pipe in its working directory when imported: give it a writable one
    (`LG_WD`, or the unit's RuntimeDirectory).
    """
    with told("pins"), warnings.catch_warnings():
        warnings.simplefilter("error", PinFactoryFallback)
        try:
            lgpio = load("lgpio")
            factory = load("gpiozero.pins.lgpio").LGPIOFactory
        except ImportError as error:
            raise DeviceGone(f"pins: {error}; install python3-lgpio (Debian) or lgpio") from error
        return factory(chip=header_chip(_labels(lgpio, devices)))


def _labels(lgpio: Any, devices: Path) -> dict[int, str]:
    labels = {}
    for node in devices.glob("gpiochip*"):
        number = node.name.removeprefix("gpiochip")
        if node.is_symlink() or not number.isdecimal():
            continue  # newer kernels keep the old number as a link to the new one
        handle = lgpio.gpiochip_open(int(number))
        try:
            labels[int(number)] = str(lgpio.gpio_get_chip_info(handle)[3])
        finally:
            lgpio.gpiochip_close(handle)
    return labels
