"""The journal's head, handed out after each hand: in the status, and to a file on another medium if one is named."""

from collections.abc import Callable
from pathlib import Path

from dealerbox.journal.kept import Keeper, said
from dealerbox.journal.recover import Head


class Handing:
    """Hands a head out at a start, at the end of each hand and at the close: never while a hand is open (P4)."""

    def __init__(self, file: Path | None, newest: Callable[[], int]) -> None:
        """`newest` tells the seq of the newest record given, durable or not."""
        self.said = ""
        """The head last handed out, `SEQ:HASH`; '' none in this run."""
        self._newest = newest
        self._keeper = Keeper(file) if file else None
        self._open = True
        self._due = 0
        """Seq that must be durable first; 0: nothing is to be handed out."""

    @property
    def why(self) -> str:
        """What keeps the head from being kept elsewhere; '' nothing."""
        return self._keeper.why if self._keeper else ""

    def look(self, is_open: bool, durable: Head) -> None:
        """Take whether a hand is open and the newest durable record: a head goes out with the end of its hand."""
        if is_open:
            self._due = 0
        elif self._open:
            self._due = self._newest()
        self._open = is_open
        if self._due and durable.seq >= self._due:
            self._due = 0
            self._hand_out(durable)

    def close(self, durable: Head) -> str:
        """Hand out the last head of all; return what kept it from being kept, '' nothing."""
        self._hand_out(durable)
        return self._keeper.close() if self._keeper else ""

    def _hand_out(self, head: Head) -> None:
        self.said = said(head)
        if self._keeper:
            self._keeper.keep(head)
