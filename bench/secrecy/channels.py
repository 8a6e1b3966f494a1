"""Everything that leaves a station, channel by channel."""

from collections.abc import Callable
from typing import Final

import msgspec

from dealerbox.station.control import Control
from dealerbox.station.peer import Peer

JOURNAL: Final = "journal"
LOG: Final = "log"
EXPORTED: Final = frozenset({JOURNAL, LOG})
"""What is the daemon's own while a hand is open, and is read between hands alone."""
HEARD: Final = "heard from "
"""Begins the name of what a device says to the station: there a reader names tags."""

QUESTIONS: Final = (
    b'{"ask":"status"}',
    b'{"ask":"health"}',
    b'{"ask":"gauges"}',
    b'{"ask":"rule","ruling":"stand","reason":""}',
    b'{"ask":"cards"}',
)
"""What is asked after every event: three that are answered, one that is refused, one that nobody understands."""

Tell = Callable[["Said"], None]


class Said(msgspec.Struct, frozen=True):
    """One thing that left the station."""

    channel: str
    at_ns: int
    in_hand: bool
    """A hand was open."""
    data: bytes


class Taps:
    """Hears every channel; a thing that is asked for again and again is told when it is another than before."""

    def __init__(self, *told: Tell) -> None:
        self._told = told
        self._last: dict[str, bytes] = {}
        self.in_hand = False
        """Whether a hand is open, as the engine says."""

    def tell(self, channel: str, at_ns: int, data: bytes) -> None:
        """Take what a channel says."""
        said = Said(channel, at_ns, self.in_hand, data)
        for told in self._told:
            told(said)

    def shown(self, channel: str, at_ns: int, data: bytes) -> None:
        """Take what a channel shows now."""
        if self._last.get(channel) != data:
            self._last[channel] = data
            self.tell(channel, at_ns, data)

    def ask(self, control: Control, at_ns: int, peer: Peer) -> None:
        """Take what a control socket answers to each question now."""
        for question in QUESTIONS:
            self.shown(f"socket {question.decode()}", at_ns, control.answer(question, peer))


def is_live(channel: str) -> bool:
    """Tell whether anybody can read a channel while a hand is open, who is not a device's own cable."""
    return channel not in EXPORTED and not channel.startswith(HEARD)
