"""What went over a device's wire since the start, in numbers, and who it says that it is: for a technician."""

from collections import deque
from typing import Final

KEPT: Final = 256
"""Round trips that are remembered: a median and a 99th percentile of how it is now, not of how it once was."""
LONGEST_WORDS: Final = 60
"""Characters kept of what a device says of itself."""


class Traffic:
    """Counters of one device; whoever speaks on its wire adds to them, once a message. Never what a message said.

    They are read between two events, so they need no lock, and they only grow: a rate is a difference.
    """

    def __init__(self) -> None:
        self.identity = ""
        """What it says that it is; '' before it was asked."""
        self.firmware = ""
        self.opened = 0
        """Times that its line was opened."""
        self.looks = 0
        """Times that it was asked what it senses."""
        self.frames = 0
        """Messages that came in and were understood."""
        self.missing = 0
        """Answers that did not come in time."""
        self.resyncs = 0
        """Times that the two sides were out of step and found each other again."""
        self.trips_s: deque[float] = deque(maxlen=KEPT)
        """From a question to its answer, the newest last; none of a question that was repeated."""

    def met(self, identity: str, firmware: str) -> None:
        """Keep what it says of itself, as far as it can be printed in a line."""
        self.identity, self.firmware = _in_a_line(identity), _in_a_line(firmware)

    def answered(self, trip_s: float) -> None:
        """An answer came, so long after its question."""
        self.frames += 1
        self.trips_s.append(trip_s)


def _in_a_line(words: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in words)[:LONGEST_WORDS].strip()
