"""The daemon as the demo starts it: the station's own, but for where its pins end and what its wall clock says.

`python -m dealerbox.simulate.demo.daemon PINS --config FILE`; PINS is an inherited socket. It ends with its parent.
"""

import datetime
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from dealerbox.config import Config
from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, Device
from dealerbox.simulate.demo.pins import near_factory
from dealerbox.station import daemon
from dealerbox.station.build import devices_of

EVENING_S: Final = 19 * 3600
"""Seven in the evening: a tournament may begin (1827) and has its six hours before it."""


def evening(now: Callable[[], float] = time.time) -> Callable[[], tuple[int, int, bool]]:
    """Return a wall clock that says seven in the evening (UTC) of today when it is first made, and runs on."""
    began = now()
    today = datetime.datetime.fromtimestamp(began, datetime.UTC).replace(hour=0, minute=0, second=0, microsecond=0)

    def read() -> tuple[int, int, bool]:
        passed_s = int(now() - began)
        return int(today.timestamp()) + EVENING_S + passed_s, (EVENING_S + passed_s) % 86_400, True

    return read


def main(arguments: Sequence[str]) -> int:
    """Run the station with the demo's pins and return its exit code."""
    pins = socket.socket(fileno=int(arguments[0]))

    def build(config: Config, memory: Memory, clock: Clock) -> list[Device]:
        factory = near_factory(pins, gone=partial(os.kill, os.getpid(), signal.SIGTERM))
        return devices_of(config, memory, clock, pin_factory=lambda: factory)

    return daemon.main(arguments[1:], build=build, wall=evening())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
