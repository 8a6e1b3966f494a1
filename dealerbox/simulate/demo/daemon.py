"""The daemon as the demo starts it: the station's own, but for where its pins end and what its wall clock says.

`python -m dealerbox.simulate.demo.daemon PINS LATER --config FILE`: PINS is an inherited socket, LATER how many seconds
later than in the world it is at the table. It ends with its parent.
"""

import os
import socket
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from dealerbox.config import Config
from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, Device
from dealerbox.simulate.demo.pins import near_factory, tell_words
from dealerbox.station import daemon
from dealerbox.station.build import devices_of
from dealerbox.station.loop import WallReading
from dealerbox.station.running import Exit
from dealerbox_drivers.display.twin import DisplayTwin
from dealerbox_drivers.face import Face

DAY_S: Final = 86_400
EVENING_S: Final = 19 * 3600
"""Seven in the evening: a tournament may begin (1827) and has its six hours before it."""


def until_evening(now_s: float) -> int:
    """Return how many seconds after `now_s` it is seven in the evening (UTC) of that day; less than 0: before."""
    return EVENING_S - int(now_s) % DAY_S


def later(seconds: int, now: Callable[[], float] = time.time) -> WallReading:
    """Return a wall clock (UTC) that runs `seconds` before the world's, and is sure of it."""

    def read() -> tuple[int, int, bool]:
        wall_s = int(now()) + seconds
        return wall_s, wall_s % DAY_S, True

    return read


def main(arguments: Sequence[str]) -> int:
    """Run the station with the demo's pins and return its exit code."""
    pins = socket.socket(fileno=int(arguments[0]))

    def build(config: Config, memory: Memory, clock: Clock) -> list[Device]:
        # At once: the ptys died with the demo, and their names may be somebody's terminal before a reader is reopened.
        factory = near_factory(pins, gone=partial(os._exit, Exit.UNAVAILABLE))
        face = Face()
        tell_words(pins, face)
        return devices_of(config, memory, clock, pin_factory=lambda: factory, display_bus=DisplayTwin(), face=face)

    return daemon.main(arguments[2:], build=build, wall=later(int(arguments[1])))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
