"""The pins of the 40-pin header: which there are, and who may have them.

Numbers are BCM (GPIO) numbers, as gpiozero takes them. The header carries GPIO 0 to
27; 0 and 1 belong to the identity EEPROM of an add-on board, 2 and 3 to I2C, 14 and
15 to the UART. That leaves 22 for lamps, keys and button sensors.
"""

from collections.abc import Mapping
from typing import Final

HEADER: Final = frozenset(range(28))
"""GPIO numbers that the 40-pin header carries."""
EEPROM: Final = frozenset({0, 1})
I2C: Final = frozenset({2, 3})
"""I2C bus 1 (SDA, SCL), with 1.8 kOhm pull-ups on the board."""
UART: Final = frozenset({14, 15})
"""The header's serial port (TXD, RXD)."""
FREE: Final = HEADER - EEPROM - I2C - UART
"""What is left when both buses are in use: 22 pins."""


def pin_faults(claims: Mapping[str, int], *, uart: bool = True, i2c: bool = True) -> list[str]:
    """Say what is wrong with the pins claimed, one sentence each; none: all is well.

    `claims`: name of the thing (a config key such as `panel.go.pin`) to its pin.
    `uart`, `i2c`: whether that bus is in use, so that its pins are taken.
    """
    faults, owners = [], dict[int, str]()
    taken = {
        **dict.fromkeys(EEPROM, "the identity EEPROM of add-on boards"),
        **(dict.fromkeys(UART, "the serial port (UART)") if uart else {}),
        **(dict.fromkeys(I2C, "the I2C bus") if i2c else {}),
    }
    for name, pin in claims.items():
        if pin not in HEADER:
            faults.append(f"{name}: the header has no GPIO {pin}; it has 2 to 27 (BCM numbers, not places on the plug)")
        elif pin in taken:
            free = ", ".join(map(str, sorted(FREE - set(claims.values())))) or "none"
            faults.append(f"{name}: GPIO {pin} is taken by {taken[pin]}; still free: {free}")
        elif pin in owners:
            free = ", ".join(map(str, sorted(FREE - set(claims.values())))) or "none"
            faults.append(f"{name}: GPIO {pin} is already used by {owners[pin]}; still free: {free}")
        owners.setdefault(pin, name)
    return faults
