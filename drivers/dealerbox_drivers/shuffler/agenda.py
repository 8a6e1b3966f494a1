"""What the host asks its shuffler next, the most pressing first (PROTOCOL.md sections 5 and 8): pure."""

from collections import deque
from typing import Final

import msgspec

from dealerbox.model import commands
from dealerbox.model.shuffler import Cap
from dealerbox.ports import DeviceGone
from dealerbox_drivers.shuffler.host import PROTOCOL, Host
from dealerbox_drivers.shuffler.messages import (
    Body,
    DeviceState,
    Heartbeat,
    Hello,
    Ident,
    Query,
    Sensor,
    Status,
    Type,
)
from dealerbox_drivers.shuffler.permits import OUTWARD, arm_of, body_of, final_ms
from dealerbox_drivers.shuffler.reconcile import Owed, is_armable

HEARTBEAT_NS: Final = 250_000_000
"""The lease is 1000 ms: three may be lost."""
MOST_GREETINGS: Final = 10
"""HELLO and QUERY in a row that no usable STATUS follows."""
MOST_REFUSALS: Final = 20
"""Times that an ARM or a permit is neither taken nor refused for good, one a heartbeat: five seconds."""

Request = tuple[Type, Body]


class Agenda:
    """Permits that wait, and the order in which things are asked of the machine that `host` knows.

    Times are those of one clock, in ns. One request at a time; HOLD is not asked but said, past all of these.
    """

    def __init__(self, name: str, host: Host, host_id: int = 0) -> None:
        self.heartbeat_ns = 0
        """When the next heartbeat is due."""
        self._name = name
        self._host = host
        self._host_id = host_id
        self._waiting: deque[commands.Permit] = deque()
        self._greetings = 0
        self._look = True
        self._sent: Request | None = None
        """The owed command's frame; None: a process before this one sent it."""
        self._asked: Request | None = None
        """The last ARM, CLEAR_HOLD or permit: the very same again only after another heartbeat."""
        self._refusals = 0
        self._overdue: tuple[int, int] = (0, 0)
        """Id of the owed command, and when it must have ended."""

    def begin(self) -> None:
        """Start on a fresh line: nobody is greeted there."""
        self._greetings = self.heartbeat_ns = 0
        self._host.greet_again()

    def look(self) -> None:
        """Take a hint: something has happened, STATUS will say what."""
        self._look = True

    def add(self, permit: commands.Permit, at_ns: int) -> None:
        """Let a permit wait its turn; an outward one is void while a hold stands."""
        record = self._host.record
        self._host.record = msgspec.structs.replace(record, given=max(record.given, permit.id))
        self._waiting.append(permit)
        if self._host.holds.standing is not None:
            self.drop_outward(at_ns)

    def drop_outward(self, at_ns: int) -> None:
        """Void what would let a card out and was not sent yet."""
        for permit in [permit for permit in self._waiting if isinstance(permit, OUTWARD)]:
            self._waiting.remove(permit)
            self._host.void(permit.id, "held", at_ns)

    def next(self, now_ns: int) -> Request | None:
        """Return what to ask now; None: nothing before `heartbeat_ns`, if nothing else happens.

        DeviceGone when the machine keeps on doing neither what it is asked nor refusing it.
        """
        host = self._host
        ident, status = host.ident, host.newest
        if ident is None or status is None or status.boot_id != ident.boot_id:
            return self._meeting(ident)
        self._greetings = 0
        if self._look:
            self._look = False
            return Type.QUERY, Query()
        if now_ns >= self.heartbeat_ns:
            self.heartbeat_ns = now_ns + HEARTBEAT_NS
            self._asked = None
            return Type.HEARTBEAT, Heartbeat(status.boot_id, status.tick)
        if host.hold_request() is not None:
            return None
        if status.state == DeviceState.ARMED and host.owed is None:
            self._refusals = 0
        if host.owed is not None:
            return self._owed(host.owed, status, ident, now_ns)
        if clear := host.holds.release(status, host.session):
            return self._once((Type.CLEAR_HOLD, clear))
        return self._permitted(status, ident, now_ns)

    def _meeting(self, ident: Ident | None) -> Request:
        self._greetings += 1
        if self._greetings > MOST_GREETINGS:
            raise DeviceGone(f"{self._name}: the shuffler answers but will not stay greeted: restart the machine")
        self._look = ident is None
        return (Type.QUERY, Query()) if ident else (Type.HELLO, Hello(PROTOCOL, PROTOCOL, self._host_id))

    def _once(self, request: Request | None) -> Request | None:
        """Return a request that should change what STATUS says, unless it was just asked and changed nothing."""
        if request is None or request == self._asked:
            return None
        self._asked = request
        return request

    def _owed(self, owed: Owed, status: Status, ident: Ident, now_ns: int) -> Request | None:
        """Return the same bytes again if they can still be taken; else the end is waited for."""
        if self._overdue[0] != owed.id:
            self._overdue = (owed.id, now_ns + final_ms(owed.kind, ident) * 1_000_000)
        if not self._host.again:
            if now_ns > self._overdue[1]:
                raise DeviceGone(f"{self._name}: command {owed.id} ({owed.kind}) does not end: look into the machine")
            return None
        if self._refusals > MOST_REFUSALS:
            raise DeviceGone(f"{self._name}: command {owed.id} ({owed.kind}) is not taken (code {status.code:02X})")
        if status.state == DeviceState.LOCKED and owed.kind != "Places":
            return self._arm(status)
        request = self._once(self._sent)
        self._refusals += request is not None
        return request

    def _permitted(self, status: Status, ident: Ident, now_ns: int) -> Request | None:
        """Return the first permit that waits, or the ARM that it needs."""
        if self._host.standing is None:
            return None
        while self._waiting and (why := self._forbidden(self._waiting[0], status, ident)):
            self._host.void(self._waiting.popleft().id, why, now_ns)
        permit = self._waiting[0] if self._waiting else None
        if status.state == DeviceState.LOCKED and not isinstance(permit, commands.Places):
            return self._arm(status)
        if permit is None or status.state not in (DeviceState.ARMED, DeviceState.LOCKED):
            return None
        if isinstance(permit, commands.Dispense) and _outlet_is_full(status, ident):
            return None
        return self._give(self._waiting.popleft(), status, ident, now_ns)

    def _forbidden(self, permit: commands.Permit, status: Status, ident: Ident) -> str:
        """Return why a waiting permit can never be given as things stand; '': it can."""
        if permit.id <= status.cmd_id:
            return "stale_id"
        if isinstance(permit, OUTWARD) and self._host.holds.stops_outward(status):
            return "held"
        if isinstance(permit, commands.Release) and not ident.caps & Cap.GATE:
            return "unsupported"
        standing = self._host.standing or ""
        if isinstance(permit, commands.Places) or (isinstance(permit, commands.Count) and standing == "content"):
            return ""
        return standing

    def _give(self, permit: commands.Permit, status: Status, ident: Ident, now_ns: int) -> Request | None:
        self._sent = body_of(permit, status)
        if self._sent is None:
            self._host.void(permit.id, "no such command", now_ns)
            return None
        kind = type(permit).__name__
        self._host.owed = Owed(permit.id, kind, status.epoch, status.fence)
        self._host.again = False
        self._refusals = 0
        self._overdue = (permit.id, now_ns + final_ms(kind, ident) * 1_000_000)
        self._asked = self._sent
        return self._sent

    def _arm(self, status: Status) -> Request | None:
        """Return ARM where the records agree; refused for long, they do not agree after all."""
        if not is_armable(self._host.record, status):
            return None
        request = self._once(arm_of(self._host.record.machine, status))
        self._refusals += request is not None
        if self._refusals > MOST_REFUSALS:
            self._refusals = 0
            self._host.estrange("refused")
            self._look = True
        return request


def _outlet_is_full(status: Status, ident: Ident) -> bool:
    """Tell whether a machine that cannot present ahead still has the last card in its outlet."""
    waits = not ident.caps & Cap.PRESENT_AHEAD and ident.caps & Cap.OUTLET_SENSOR
    return bool(waits and status.sensors & Sensor.OUTLET)
