"""What the twins of all readers have: what they see of the felt, and their common faults."""

from collections.abc import Callable, Mapping
from typing import Generic, Protocol, TypeVar

from dealerbox.model.cards import Uid
from dealerbox.ports import Line

Question = TypeVar("Question")


class Readable(Protocol):
    """What a reader can read of the felt."""

    def readable(self, zone: str) -> tuple[Uid, ...]: ...


class ReaderTwin(Generic[Question]):
    """Faults are its public attributes: the same names for every family, so that one bench serves all."""

    def __init__(self, line: Line, felt: Readable, zones: Mapping[int, str]) -> None:
        self.deaf: dict[str, int] = {}
        """Zones in which a look fails, and the status told where the family has one."""
        self.silent = False
        """Answers nothing."""
        self.answer_with: Callable[[Question, bytes], bytes] | None = None
        """Turns an answer's bytes into what is sent in their place."""
        self.stall_ms = 0.0
        """How much later than it should the next answer comes, and all after it."""
        self.inventories = 0
        """Looks that were asked for."""
        self.too_soon = 0
        """Questions that came before the reader could hear them, and so were lost."""
        self.lit = False
        """Its field is on."""
        self._line, self._felt, self._zones = line, felt, dict(zones)

    def _stalled_ms(self) -> float:
        """Return how much later the answer comes that is made now."""
        stall_ms, self.stall_ms = self.stall_ms, 0.0
        return stall_ms

    def _sent(self, question: Question, data: bytes) -> bytes:
        """Return what is sent for an answer's bytes."""
        return self.answer_with(question, data) if self.answer_with else data
