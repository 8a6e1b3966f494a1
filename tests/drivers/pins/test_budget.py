"""A pin belongs to one thing, and to a thing that can have it."""

import pytest

from dealerbox_drivers.pins.budget import FREE, pin_faults


def test_twenty_two_pins_are_free_beside_uart_and_i2c() -> None:
    assert len(FREE) == 22
    assert pin_faults({f"thing {pin}": pin for pin in FREE}) == []


def test_a_pin_used_twice_is_named_with_both_users_and_what_is_free() -> None:
    (fault,) = pin_faults({"panel.go.pin": 5, "panel.action.pin": 6, "button.seats.3": 5})
    assert fault.startswith("button.seats.3: GPIO 5 is already used by panel.go.pin; still free: 4, 7, 8")


@pytest.mark.parametrize("pin", [28, 40, -1])
def test_a_pin_that_the_header_lacks_is_refused(pin: int) -> None:
    (fault,) = pin_faults({"panel.go.pin": pin})
    assert fault.startswith(f"panel.go.pin: the header has no GPIO {pin}")


@pytest.mark.parametrize(("pin", "owner"), [(14, "UART"), (15, "UART"), (2, "I2C"), (3, "I2C"), (0, "EEPROM")])
def test_a_pin_of_a_bus_in_use_is_refused(pin: int, owner: str) -> None:
    (fault,) = pin_faults({"panel.go.pin": pin})
    assert owner in fault


def test_the_pins_of_a_bus_not_in_use_are_free_once() -> None:
    claims = {"tx": 14, "rx": 15, "sda": 2, "scl": 3}
    assert pin_faults(claims, uart=False, i2c=False) == []
    assert len(pin_faults(claims, uart=False)) == 2
    assert len(pin_faults({**claims, "again": 14}, uart=False, i2c=False)) == 1
