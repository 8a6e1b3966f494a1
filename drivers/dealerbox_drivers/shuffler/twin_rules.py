"""What the shuffler's twin accepts and refuses (PROTOCOL.md section 4): pure, from its record and sensors."""

from typing import Any, Final

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.messages import Code, CommandState, Lock, Sensor, Type
from dealerbox_drivers.shuffler.twin_memory import Record

OUTWARD: Final = (m.Dispense, m.Release)
CYCLES: Final = (Type.SHUFFLE, Type.COUNT, Type.RETURN)
PLACES_SETTLES: Final = Lock.UNCERTAIN | Lock.CONTENT | Lock.WIPED | Lock.ERROR
"""Locks that a person's word lifts."""

UNANSWERED: Final = frozenset({Type.EVENT_ACK, Type.EVENT})
"""Types below 80 (hex) that get no answer, whatever is wrong with them."""
KINDS: Final = {body: kind for kind, body in m.REQUESTS.items() if issubclass(body, m.Permit)}
"""Type of each command."""

_NEEDS: dict[type[m.Body], Cap] = {
    m.Release: Cap.GATE,
    m.Retract: Cap.RETRACT | Cap.GATE,
    m.Count: Cap.OWN_COUNT,
    m.Return: Cap.RETURN,
}


def stopped(body: m.Permit, record: Record, *, busy: bool, armed: bool) -> Code | None:
    """Tell what stops a command at the fence, in the page's order; None: it is through, and its id is consumed."""
    if body.epoch != record.epoch:
        return Code.BAD_EPOCH
    if body.cmd_id == record.cmd_id != 0:
        return Code.IN_PROGRESS if record.cmd_state == CommandState.MOVING else Code.REPEAT
    if body.cmd_id <= record.cmd_id:
        return Code.STALE_ID
    if busy:
        return Code.BUSY
    if body.fence != record.fence:
        return Code.BAD_FENCE
    if body.prev_id != record.cmd_id:
        return Code.BAD_PREV
    if not armed and not isinstance(body, m.Places):
        return Code.NOT_ARMED
    return None


def refused(body: m.Permit, record: Record, caps: Cap, sensors: Sensor) -> Code | None:
    """Tell why a command that is through the fence moves nothing; None: it moves."""
    if isinstance(body, OUTWARD) and Lock.HOLD in record.locks:
        return Code.HELD
    if Lock.CONTENT in record.locks and not isinstance(body, m.Count | m.Places):
        return Code.CONTENT
    if not _able(body, caps):
        return Code.UNSUPPORTED
    slot = Sensor.BEHIND_GATE in sensors
    match body:
        case m.Dispense():
            return _refused_dispense(body, record, caps, sensors)
        case m.Release() | m.Retract():
            if record.exit_id == 0 or (Cap.SLOT_SENSOR in caps and not slot):
                return Code.EXIT_EMPTY
            return None if body.card_id == record.exit_id else Code.WRONG_CARD
        case m.Shuffle() | m.Count() | m.Return():
            return Code.EXIT_FULL if record.exit_id or slot else None
        case m.Places():
            if not record.locks & (PLACES_SETTLES | Lock.HOLD):
                return Code.NOT_ASKED
            lies = Cap.SLOT_SENSOR in caps and (body.exit_id != 0) != slot
            return Code.SENSOR_SAYS_NO if lies or Sensor.DOOR_OPEN in sensors else None
    return Code.UNSUPPORTED


def agrees(body: m.Arm, record: Record, caps: Cap, sensors: Sensor) -> bool:
    """Tell whether an ARM says what the device knows."""
    content = Lock.CONTENT in record.locks
    said = (body.epoch, body.fence, body.last_id, body.exit_id)
    slot_agrees = Cap.SLOT_SENSOR not in caps or (Sensor.BEHIND_GATE in sensors) == (record.exit_id != 0)
    return (
        said == (record.epoch, record.fence, record.cmd_id, record.exit_id)
        and (content or body.machine == record.machine)
        and slot_agrees
        and Sensor.IN_GATE not in sensors
        and (Cap.GATE not in caps or Sensor.GATE_LOCKED in sensors)
    )


def in_range(body: m.Body, capacity: int) -> bool:
    """Tell whether each number of a body means something."""
    match body:
        case m.Dispense():
            return body.first <= 1
        case m.Shuffle() | m.Count():
            return body.scope <= 1
        case m.Places():
            return body.machine <= capacity and body.order <= 1 and body.exit_id <= body.cmd_id
    return True


def spent(body: m.Permit, record: Record, caps: Cap) -> dict[str, int]:
    """Tell what is written with MOVING, so that no power cut gives a shuffle twice."""
    match body:
        case m.Dispense() if body.first:
            return {"token_id": 0, "deal_id": body.deal_id}
        case m.Count() if Cap.COUNT_KEEPS_ORDER in caps:
            return {}
        case m.Shuffle() | m.Count() | m.Return():
            return {"token_id": 0, "deal_id": 0, "order": 1}
    return {}


def _able(body: m.Permit, caps: Cap) -> bool:
    if isinstance(body, m.Shuffle):
        return (Cap.STUB_SHUFFLE if body.scope else Cap.SHUFFLE) in caps
    if isinstance(body, m.Dispense):
        return body.dest == 0
    return _NEEDS.get(type(body), Cap(0)) in caps


def _refused_dispense(body: m.Dispense, record: Record, caps: Cap, sensors: Sensor) -> Code | None:
    if record.exit_id or Sensor.BEHIND_GATE in sensors:
        return Code.EXIT_FULL
    if Cap.PRESENT_AHEAD not in caps and Sensor.OUTLET in sensors:
        return Code.OUTLET_FULL
    if record.machine == 0:
        return Code.EMPTY
    own = record.token_id if body.first else record.deal_id
    return None if own == body.deal_id != 0 else Code.NO_TOKEN


def journalled(body: m.Permit, record: Record) -> dict[str, int]:
    """Tell what is written of every command that is through the fence."""
    arg = getattr(body, "card_id", 0) or getattr(body, "deal_id", 0)
    return {"cmd_id": body.cmd_id, "cmd_kind": KINDS[type(body)], "cmd_arg": arg, "pulses": 0}


def settled(body: m.Places, record: Record) -> dict[str, Any]:
    """Tell what a person's word makes of the record."""
    lost = {"deal_id": 0, "token_id": 0} if body.order else {}
    return lost | {
        "cmd_state": CommandState.DONE,
        "cmd_result": Code.SET,
        "machine": body.machine,
        "exit_id": body.exit_id,
        "order": body.order,
        "error": 0,
        "locks": record.locks & Lock.HOLD,
    }
