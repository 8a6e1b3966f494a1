"""How the shuffler's twin answers its host, request by request (PROTOCOL.md section 4)."""

from collections.abc import Callable
from typing import Final

from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler import twin_rules as rules
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import Code, CommandState, Lock, Type
from dealerbox_drivers.shuffler.twin_link import TwinLink
from dealerbox_drivers.shuffler.twin_state import SOFT, TwinState

_BARRED: Final = Lock.UNCERTAIN | Lock.WIPED | Lock.ERROR | Lock.DOOR | Lock.SERVICE
"""Locks under which no ARM is taken."""


class Answers:
    """What a host hears in one life.

    `begin(command)` starts a motion whose MOVING is written; `lease_until(at_s)` sets the lease's end.
    """

    def __init__(
        self,
        state: TwinState,
        link: TwinLink,
        *,
        begin: Callable[[m.Permit], None],
        lease_until: Callable[[float], None],
    ) -> None:
        self.bad_frames = 0
        self._state = state
        self._link = link
        self._begin = begin
        self._lease_until = lease_until

    def receive(self, item: wire.Frame | Exception) -> None:
        """Take one thing that came in."""
        if isinstance(item, wire.RefusedFrame) and not (item.type & m.ANSWER or item.type in rules.UNANSWERED):
            hello = item.type == Type.HELLO
            self._link.answer(item, self._state.ident(greeted=False) if hello else self._state.status(item.code))
        elif isinstance(item, wire.Frame):
            self._request(item)
        else:
            self.bad_frames += 1

    def _request(self, frame: wire.Frame) -> None:
        state = self._state
        match frame.body:
            case m.Hello():
                self._link.answer(frame, state.ident(greeted=self._hello(frame.session, frame.body)))
                return
            case m.EventAck():
                self._link.acknowledge(frame.body.event_no)
                return
            case m.Event() | m.Ident() | m.Status():
                self.bad_frames += 1
                return
            case m.Query():
                code = Code.OK
            case m.HoldRequest():
                code = self._hold(frame.session, frame.body)
            case body if not rules.in_range(body, self._state.identity.capacity):
                code = Code.BAD_FRAME
            case body:
                code = self._stranger(frame.session) or self._from_host(body)
        self._state.step("answered")
        self._link.answer(frame, state.status(code))

    def _hello(self, session: int, body: m.Hello) -> bool:
        state = self._state
        if session < state.record.session or not body.proto_min <= wire.VERSION <= body.proto_max:
            return False
        if session > state.record.session:
            state.end_lease()
            state.restrict(soft=Lock.SESSION, session=session)
        state.greeted = True
        self._link.greet(session)
        return True

    def _stranger(self, session: int) -> Code | None:
        if not self._state.greeted or session > self._state.record.session:
            return Code.NO_SESSION
        return Code.STALE_SESSION if session < self._state.record.session else None

    def _hold(self, session: int, body: m.HoldRequest) -> Code:
        record = self._state.record
        if (session, body.key) <= (record.seen_session, record.seen_key):
            return Code.HOLD_KNOWN
        self._state.restrict(
            hard=Lock.HOLD,
            seen_session=session,
            seen_key=body.key,
            hold_no=record.fence + 1,
            hold_session=session,
            hold_key=body.key,
            hold_reason=body.reason,
        )
        return Code.OK

    def _from_host(self, body: m.Body) -> Code:
        match body:
            case m.Heartbeat():
                return self._heartbeat(body)
            case m.ClearHold():
                return self._clear_hold(body)
            case m.Arm():
                return self._arm(body)
            case m.Permit():
                return self._command(body)
        return Code.BAD_FRAME

    def _heartbeat(self, body: m.Heartbeat) -> Code:
        if body.boot_id != self._state.boot_id:
            return Code.NO_SESSION
        self._lease_until(self._state.lend(body.echo_tick))
        return Code.OK

    def _clear_hold(self, body: m.ClearHold) -> Code:
        record = self._state.record
        latched = (record.epoch, record.hold_no, record.hold_session, record.hold_key)
        said = (body.epoch, body.hold_no, body.hold_session, body.hold_key)
        if Lock.HOLD not in record.locks or said != latched:
            return Code.NOT_THAT_HOLD
        self._state.restrict(locks=record.locks & ~Lock.HOLD)
        return Code.OK

    def _arm(self, body: m.Arm) -> Code:
        state = self._state
        if state.busy:
            return Code.BUSY
        barred = bool(state.locks() & _BARRED) or not state.lease_runs()
        if barred or not rules.agrees(body, state.record, self._state.caps, self._state.machine.sensors()):
            return Code.DISAGREE
        state.armed = True
        state.soft &= ~SOFT
        return Code.OK

    def _command(self, body: m.Permit) -> Code:
        state = self._state
        if stop := rules.stopped(body, state.record, busy=state.busy, armed=state.armed):
            return stop
        refusal = rules.refused(body, state.record, self._state.caps, self._state.machine.sensors())
        self._state.step("journalled")
        journal = rules.journalled(body, state.record)
        if refusal:
            state.write(**journal, cmd_state=CommandState.FAILED, cmd_result=refusal)
            return refusal
        if isinstance(body, m.Places):
            state.armed = False
            state.write(**journal | rules.settled(body, state.record))
            return Code.OK
        state.write(
            **journal | rules.spent(body, state.record, self._state.caps), cmd_state=CommandState.MOVING, cmd_result=0
        )
        state.busy = True
        state.restricted.clear()
        state.stopped.clear()
        self._begin(body)
        return Code.OK
