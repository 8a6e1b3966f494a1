"""A bus in software with one reader's endpoints on it."""

from collections.abc import Callable
from typing import Any

import pytest

from dealerbox_drivers.usb.line import open_usb
from dealerbox_drivers.usb.names import Kind
from dealerbox_drivers.usb.twin import CCID_CLASS, TwinBus

MODEL = (0x072F, 0x2200)
KIND = Kind(models=(MODEL, (0x072F, 0x90CC)), interface_class=CCID_CLASS)


class Desk:
    """A bus, a reader in socket 1-1.4, and what opens it."""

    def __init__(self, name: str = "usb:1-1.4", *, threads: bool = False, **how: Any) -> None:
        self.bus = TwinBus(threads=threads)
        self.reader = self.bus.plug(MODEL, "1-1.4", interface_class=CCID_CLASS, notices=True, **how)
        self.open = self.opener(name, threads=threads)

    def opener(self, name: str, *, threads: bool = False) -> Any:
        return open_usb(name, KIND, self.bus, *([] if threads else [self.bus.workers]))


@pytest.fixture
def desk() -> Callable[..., Desk]:
    """`desk(name, **how)`: within a running loop."""
    return Desk
