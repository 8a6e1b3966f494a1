"""The journal's head, handed out after each hand: signed, on record, in the status, and to a file on another medium."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from dealerbox.journal.evidence import Sealed
from dealerbox.journal.kept import Keeper, said
from dealerbox.journal.recover import Head
from dealerbox.journal.signed import Signed, Signer


class Handing:
    """Hands a head out at a start, at the end of each hand and at the close: never while a hand is open (P4).

    That of a hand's end is signed and goes on record itself; it waits for `signer`, which is loaded while the table
    opens.
    """

    def __init__(self, file: Path | None, newest: Callable[[], int], seal: Callable[[bytes], object]) -> None:
        """`newest` tells the seq of the newest record given, durable or not; `seal` takes a signed head to record."""
        self.said = ""
        """The head last handed out, `SEQ:HASH`; '' none in this run."""
        self.signed: Signed | None = None
        """The same with its signature."""
        self.signer: Signer | None = None
        self._newest, self._seal = newest, seal
        self._keeper = Keeper(file) if file else None
        self._open, self._played = True, False
        self._due = 0
        """Seq that must be durable first; 0: nothing is to be handed out."""

    @property
    def why(self) -> str:
        """What keeps the head from being kept elsewhere; '' nothing."""
        return self._keeper.why if self._keeper else ""

    def look(self, is_open: bool, durable: Head) -> None:
        """Take whether a hand is open and the newest durable record: a head goes out with the end of its hand."""
        if is_open:
            self._due, self._played = 0, True
        elif self._open:
            self._due = self._newest()
        self._open = is_open
        if self._due and durable.seq >= self._due and (self.signer or not self._played):
            self._due = 0
            signed = self._hand_out(durable)
            if self._played:
                self._seal(msgspec.json.encode(Sealed(signed)))

    def close(self, durable: Head) -> str:
        """Hand out the last head of all; return what kept it from being kept, '' nothing."""
        self._hand_out(durable)
        return self._keeper.close() if self._keeper else ""

    def _hand_out(self, head: Head) -> Signed:
        self.said = said(head)
        self.signed = self.signer.sign(head) if self.signer else Signed(head.seq, head.digest.hex())
        if self._keeper:
            self._keeper.keep(self.signed)
        return self.signed
