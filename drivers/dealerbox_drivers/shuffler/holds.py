"""The host's newest hold and the hold that the device has latched (PROTOCOL.md sections 4 and 5): pure."""

import zlib

from dealerbox.model.commands import Clear, Hold
from dealerbox_drivers.shuffler.messages import ClearHold, HoldRequest, Lock, Status


class Holds:
    """Which hold stands, whether the device has it, and which latch may be let go.

    `known_key`: key of the newest hold that the memory of earlier runs knows of.
    """

    def __init__(self, known_key: int) -> None:
        self.standing: Hold | None = None
        self._known_key = known_key
        self._newest_key = known_key
        self._clearing: Clear | None = None
        self._found: tuple[int, int] | None = None

    def give(self, hold: Hold) -> None:
        """Let `hold` stand, unless a newer one does."""
        if self.standing is None or hold.key > self.standing.key:
            self.standing = hold
            self._newest_key = max(self._newest_key, hold.key)
            self._clearing = None

    def clear(self, clear: Clear) -> None:
        """Let no hold stand, unless the one that stands is newer than the one meant."""
        if self.standing is None or clear.key >= self.standing.key:
            self.standing = None
            self._clearing = clear

    def request(self, status: Status | None, session: int) -> HoldRequest | None:
        """Return what must still be said for the device to hold what stands here; None: it does."""
        hold = self.standing
        if hold is None or (status is not None and self._covers(status, session, hold.key)):
            return None
        return HoldRequest(hold.key, reason_number(hold.reason))

    def is_known_and_gone(self, status: Status, session: int) -> bool:
        """Tell whether the device had the hold that stands here and let it go: another host had this session too."""
        hold = self.standing
        if hold is None or status.locks & Lock.HOLD:
            return False
        return (status.hold_session, status.hold_key) >= (session, hold.key)

    def stops_outward(self, status: Status) -> bool:
        """Tell whether nothing may be let out: a hold stands here or is latched there."""
        return self.standing is not None or bool(status.locks & Lock.HOLD)

    def finds(self, status: Status, session: int) -> bool:
        """Tell, once for each latch, that the device holds what the host cannot account for.

        A latch of an earlier run is accounted for if the memory knows its key and a hold stands
        here, which takes its place. A clearing ordered before this was known does not count.
        """
        latch = (status.hold_session, status.hold_key)
        if not status.locks & Lock.HOLD:
            self._found = None
            return False
        if status.hold_session == session and status.hold_key <= self._newest_key:
            return False
        replaced = self.standing is not None and status.hold_session < session and status.hold_key <= self._known_key
        if replaced or latch == self._found:
            return False
        self._found = latch
        self._clearing = None
        return True

    def release(self, status: Status, session: int) -> ClearHold | None:
        """Return what lets the latch go, with the numbers just read; None: there is none, or it must stay."""
        if self._clearing is None or not status.locks & Lock.HOLD:
            return None
        own = status.hold_session == session and status.hold_key <= self._clearing.key
        if not own and (status.hold_session, status.hold_key) != self._found:
            return None
        return ClearHold(status.epoch, status.hold_no, status.hold_session, status.hold_key, self._clearing.person)

    def _covers(self, status: Status, session: int, key: int) -> bool:
        return bool(status.locks & Lock.HOLD) and (status.hold_session, status.hold_key) >= (session, key)


def reason_number(reason: str) -> int:
    """Return 16 bits that stand for a reason on the wire: the low half of its name's CRC-32, so no list is needed."""
    return zlib.crc32(reason.encode()) & 0xFFFF
