"""What a STATUS proves to a host (PROTOCOL.md section 6): pure, no line, no clock.

`judge` is the reconcile table. It is given every STATUS of the host's own session that is not
old, and says what has become of the command that is owed and whether both records agree.
"""

from typing import Final

import msgspec

from dealerbox.model import events
from dealerbox.model.shuffler import Cap, Cycle, Memory, Result
from dealerbox_drivers.shuffler.messages import MACHINE_UNKNOWN, Code, CommandState, DeviceState, Lock, Status

CYCLES: Final = {"Shuffle": Cycle.SHUFFLE, "Count": Cycle.COUNT, "Return": Cycle.RETURN}
"""Class names of the commands that are cycles."""
MISFEEDS: Final = {Code.NO_FEED: Result.NO_FEED, Code.DOUBLE_FEED: Result.DOUBLE_FEED, Code.JAM: Result.JAM}
OBSTACLES: Final = (
    (Lock.UNCERTAIN, "uncertain"),
    (Lock.WIPED, "wiped"),
    (Lock.ERROR, "error"),
    (Lock.DOOR, "door"),
    (Lock.SERVICE, "service"),
    (Lock.CONTENT, "content"),
)
"""Locks that no ARM takes away, and the word for each; the worst first."""
RISES: Final = (
    (Lock.DOOR, "door"),
    (Lock.SERVICE, "service"),
    (Lock.ERROR, "error"),
    (Lock.UNCERTAIN, "sensor"),
)
"""Locks that a device raises unasked and that do not go by themselves; the one that explains the others first.

A lost lease is not among them: it goes with ARM. Lost content goes with one of them, or with a cycle that says so.
"""
UNARMABLE: Final = Lock.UNCERTAIN | Lock.WIPED | Lock.ERROR | Lock.DOOR | Lock.SERVICE


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The host's own record of the machine, as ARM will state it."""

    epoch: int
    given: int
    """Highest id ever given to a command."""
    settled: int
    machine: int
    exit_id: int
    out_total: int = -1
    """Cards let out as the device counts them; -1: not learnt yet in this run."""
    strange: str = ""
    """Why only a person's word (PLACES) can make both records agree again; '': they can be compared."""


class Owed(msgspec.Struct, frozen=True):
    """The command that was sent and is not settled."""

    id: int
    kind: str
    """Class name of the command."""
    epoch: int
    fence: int
    """Fence of its permit; 0: a process before this one gave it, and this one's HELLO has killed it."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a STATUS proves."""

    record: Record
    owed: Owed | None
    told: tuple[events.Event, ...] = ()
    again: bool = False
    """The owed command can still be accepted and was not: the same bytes again."""
    resting: bool = True
    """False: something moves; nothing else is proved yet."""


def remembered(memory: Memory) -> tuple[Record, Owed | None]:
    """Return the record and the owed command as a process before this one left them."""
    record = Record(
        epoch=memory.epoch,
        given=memory.next_id - 1,
        settled=memory.settled,
        machine=memory.machine,
        exit_id=memory.exit_id,
        strange="" if memory.epoch else "never met",
    )
    return record, Owed(memory.pending, memory.pending_kind, memory.epoch, 0) if memory.pending else None


def estranged(record: Record, why: str) -> Record:
    """Return a record that only a person's word makes comparable again."""
    return msgspec.structs.replace(record, strange=why)


def in_machine(status: Status) -> int:
    """Return how many cards the device says are in it; -1: it does not know."""
    return -1 if status.machine == MACHINE_UNKNOWN else status.machine


def is_old(status: Status, newest: Status | None) -> bool:
    """Tell whether `status` was made before `newest`, of the same epoch.

    Within a fence the tick decides (modulo 2^32), within a millisecond the progress of the command:
    a copy that the line kept back must not undo what is known.
    """
    if newest is None or status.fence > newest.fence:
        return False
    if status.fence < newest.fence:
        return True
    later_ms = (status.tick - newest.tick) & 0xFFFFFFFF
    if later_ms == 0:
        return (status.cmd_id, status.cmd_state) < (newest.cmd_id, newest.cmd_state)
    return later_ms >= 1 << 31


def obstacle(record: Record, locks: Lock) -> str:
    """Return in a word why the machine cannot be armed for outward work; '': both records agree."""
    return record.strange or next((word for lock, word in OBSTACLES if lock & locks), "")


def rise(risen: Lock) -> str:
    """Return in a word why the device has restricted itself; '' where it was asked to."""
    return next((word for lock, word in RISES if lock & risen), "")


def is_armable(record: Record, status: Status) -> bool:
    """Tell whether the device should accept ARM (its content may be unknown: COUNT needs it armed)."""
    at_rest = status.state == DeviceState.LOCKED and status.cmd_state != CommandState.MOVING
    return at_rest and not record.strange and not status.locks & UNARMABLE and not _difference(record, status)


def judge(record: Record, owed: Owed | None, status: Status, at_ns: int, caps: Cap) -> Verdict:
    """Settle what is owed by `status` and compare the records (section 6, row by row)."""
    if status.cmd_state == CommandState.MOVING:
        return Verdict(record=record, owed=owed, resting=False)
    if status.epoch != record.epoch and not record.strange:
        record = estranged(record, "epoch")
    if owed is None:
        return Verdict(record=_compared(record, status), owed=None)
    if owed.epoch == status.epoch and status.cmd_id == owed.id:
        record, told = _ended(record, owed, status, at_ns, caps)
        return Verdict(record=_compared(record, status), owed=None, told=told)
    if owed.epoch != status.epoch or status.cmd_id > owed.id:
        record = record if record.strange else estranged(record, "ahead")
        return Verdict(record=record, owed=None, told=_abandoned(owed, at_ns))
    if status.fence > owed.fence:
        void = events.CommandVoid(at_ns, owed.id, "held" if status.locks & Lock.HOLD else "fenced")
        return Verdict(record=_compared(record, status), owed=None, told=(void,))
    return Verdict(record=record, owed=owed, again=True)


def _compared(record: Record, status: Status) -> Record:
    """Return the record after comparing it with a device at rest with nothing owed."""
    if record.strange:
        return record
    if record.settled < status.cmd_id <= record.given and status.cmd_state == CommandState.FAILED:
        # An id of ours that was refused unmoved: void for the host, but the device has consumed it.
        record = msgspec.structs.replace(record, settled=status.cmd_id)
    if difference := _difference(record, status):
        return estranged(record, difference)
    return msgspec.structs.replace(record, out_total=status.out_total)


def _difference(record: Record, status: Status) -> str:
    if status.cmd_id != record.settled:
        return "ahead" if status.cmd_id > record.settled else "behind"
    if status.exit_id != record.exit_id:
        return "exit"
    if not status.locks & Lock.CONTENT and in_machine(status) != record.machine:
        return "machine"
    return "out" if record.out_total not in (-1, status.out_total) else ""


def _abandoned(owed: Owed, at_ns: int) -> tuple[events.Event, ...]:
    """Tell of a command whose fate the device no longer knows: a person's look settles it."""
    if owed.kind == "Places":
        return (events.CommandVoid(at_ns, owed.id, "epoch"),)
    if cycle := CYCLES.get(owed.kind):
        return (events.CycleEnded(at_ns, owed.id, cycle, Result.INTERRUPTED, 0),)
    return (events.Misfed(at_ns, owed.id, Result.UNCERTAIN),)


def _ended(
    record: Record, owed: Owed, status: Status, at_ns: int, caps: Cap
) -> tuple[Record, tuple[events.Event, ...]]:
    """Return the record after the end of `owed`, which is the device's last command, and what is told of it."""
    before, record = record, msgspec.structs.replace(record, settled=owed.id)
    result = status.cmd_result
    if result == Code.WRONG_NUMBER or status.cmd_state == CommandState.DONE:
        return _done(before, record, owed, status, at_ns, caps)
    if status.cmd_state == CommandState.NOT_TAKEN:
        return record, (events.CardNotTaken(at_ns, owed.id, before.exit_id),)
    if status.cmd_state == CommandState.FAILED:
        if result == Code.NO_FEED:
            return record, (events.Misfed(at_ns, owed.id, Result.NO_FEED),)
        return record, (events.CommandVoid(at_ns, owed.id, _name(result)),)
    cycle = CYCLES.get(owed.kind)
    if status.cmd_state == CommandState.INTERRUPTED and cycle:
        record = msgspec.structs.replace(record, machine=in_machine(status))
        return record, (events.CycleEnded(at_ns, owed.id, cycle, Result.INTERRUPTED, 0),)
    misfeed = next((told for code, told in MISFEEDS.items() if code == result), Result.UNCERTAIN)
    return estranged(record, record.strange or misfeed.value), (events.Misfed(at_ns, owed.id, misfeed),)


def _done(
    before: Record, record: Record, owed: Owed, status: Status, at_ns: int, caps: Cap
) -> tuple[Record, tuple[events.Event, ...]]:
    """Return what a command that was carried out makes of the record; `_compared` holds it against the device's."""
    replace = msgspec.structs.replace
    if cycle := CYCLES.get(owed.kind):
        result = Result.WRONG_NUMBER if status.cmd_result == Code.WRONG_NUMBER else Result.DONE
        machine = in_machine(status)
        number = machine - before.machine if cycle is Cycle.RETURN else machine
        return replace(record, machine=machine), (events.CycleEnded(at_ns, owed.id, cycle, result, number),)
    match owed.kind:
        case "Dispense" if caps & Cap.GATE:
            return replace(record, machine=before.machine - 1, exit_id=owed.id), (events.CardUp(at_ns, owed.id),)
        case "Dispense":
            passed = (events.CardUp(at_ns, owed.id), events.CardPassed(at_ns, owed.id, owed.id))
            return replace(record, machine=before.machine - 1, out_total=-1), passed
        case "Release":
            out_total = before.out_total + 1 if before.out_total >= 0 else -1
            record = replace(record, exit_id=0, out_total=out_total)
            return record, (events.CardPassed(at_ns, owed.id, before.exit_id),)
        case "Retract":
            record = replace(record, machine=before.machine + 1, exit_id=0)
            return record, (events.CardRetracted(at_ns, owed.id),)
        case "Places":
            record = replace(
                record,
                epoch=status.epoch,
                machine=in_machine(status),
                exit_id=status.exit_id,
                out_total=status.out_total,
                strange="",
            )
            return record, (events.PlacesSet(at_ns, owed.id),)
        case _:
            return estranged(record, "ahead"), (events.Misfed(at_ns, owed.id, Result.UNCERTAIN),)


def _name(code: int) -> str:
    return Code(code).name.lower() if code in Code.__members__.values() else f"code {code:02x}"
