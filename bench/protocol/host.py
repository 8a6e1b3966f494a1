"""The host of the model: sections 5 and 6 of the page. It acts on the STATUS it reads, and that may be an old one."""

from collections.abc import Iterator
from typing import NamedTuple

from bench.protocol.values import (
    ARM,
    CLEAR,
    COMMAND,
    HARD,
    HOLD,
    NO_HOLD,
    Broken,
    End,
    Faults,
    Frame,
    Host,
    Kind,
    Lock,
    Permit,
    Setting,
    Standing,
    Status,
    World,
)


class Act(NamedTuple):
    """One thing that a host may do on a STATUS."""

    label: str
    host: Host
    world: World
    said: Frame | None = None
    cycles: int = 0


def held(host: Host, standing: Standing = Standing.UNRECORDED) -> tuple[Host, Frame]:
    """Return a host with a new hold, and the HOLD that goes out before anything is recorded."""
    key = host.key + 1
    pair = (host.session, key)
    return host._replace(standing=standing, hold=pair, key=key), (HOLD, *pair)


def reads(setting: Setting, host: Host, world: World, status: Status, left: Faults) -> Iterator[Act]:
    """Yield what the host may do when it reads `status`; nothing where the page bids it ignore it."""
    if status.session > host.session:
        yield Act("a later session is met", _above(host, status), world)
        return
    newest = (status.epoch, status.fence)
    if not status.greeted or newest < host.seen:
        return
    host = host._replace(seen=newest)
    pending = host.pending
    if pending is not None:
        yield from _owed(host, world, status, pending)
    elif status.epoch != host.epoch or status.cmd_id > host.settled:
        yield from _strange(setting, host, world, status)
    elif status.cmd_id == host.settled and not status.moving:
        yield from _settled(setting, host, world, status, left)


def _owed(host: Host, world: World, status: Status, pending: Permit) -> Iterator[Act]:
    if pending.epoch != status.epoch:
        yield Act("the look of a person settles what a lost memory owed", *_closed(host, world, pending, None))
    elif status.cmd_id == pending.id:
        if status.end == End.UNCERTAIN:
            uncertain = host._replace(machine=world.machine, exit_id=_brought(host, pending), settled=pending.id)
            yield Act("a person looks where the card is", *_closed(uncertain, world, pending, None))
        elif status.end != End.MOVING and not status.moving:
            yield Act("settled", *_final(host, world, status, pending))
    elif status.cmd_id > pending.id:
        yield Act("another history: a person looks what became of it", *_closed(host, world, pending, None))
    elif status.cmd_id < pending.id and status.fence > pending.fence:
        yield Act("void", *_closed(host, world, pending, 0))


def _closed(host: Host, world: World, pending: Permit, cards: int | None) -> tuple[Host, World]:
    """No longer owe a command; `cards` have left under it, for ever (None: a person has looked)."""
    out = world.out if world.out_id == pending.id else 0
    if cards is not None and out != cards:
        raise Broken("done, and no card has left" if cards else "void, failed or not taken, and a card has left")
    closed = max(world.closed, pending.id)
    forgotten = {"out_id": 0, "out": 0} if world.out_id <= closed else {}
    return host._replace(pending=None, recorded=True), world._replace(closed=closed, **forgotten)


def _brought(host: Host, pending: Permit) -> int:
    return pending.id if pending.kind == Kind.DISPENSE else host.exit_id


def _final(host: Host, world: World, status: Status, pending: Permit) -> tuple[Host, World]:
    host = host._replace(settled=pending.id)
    cards = 0
    if status.end == End.DONE:
        match pending.kind:
            case Kind.DISPENSE if status.exit_id == pending.id:
                host = host._replace(exit_id=pending.id, machine=host.machine - 1)
            case Kind.DISPENSE:  # without a gate
                host = host._replace(machine=host.machine - 1)
                cards = 1
            case Kind.RELEASE:
                host = host._replace(exit_id=0)
                cards = 1
            case Kind.RETRACT:
                host = host._replace(exit_id=0, machine=host.machine + 1)
            case Kind.SHUFFLE | Kind.COUNT | Kind.RETURN:
                host = host._replace(machine=status.machine)
            case Kind.PLACES:
                host = host._replace(machine=pending.a, exit_id=pending.b, epoch=pending.epoch)
    return _closed(host, world, pending, cards)


def _strange(setting: Setting, host: Host, world: World, status: Status) -> Iterator[Act]:
    """Another history than the journal's: a hold, and a person's word once the device has it."""
    if status.moving:
        return
    if not host.standing and setting.rules.stranger_is_held:
        yield from _hold_of(host, world, status)
    elif not setting.rules.stranger_is_held or _latched(host, status):
        yield from _places(setting, host, world, status)
    else:
        yield from _insists(setting, host, world, status)


def _hold_of(host: Host, world: World, status: Status) -> Iterator[Act]:
    if status.locks & Lock.HOLD:
        found = host._replace(standing=Standing.RECORDED, hold=status.hold[1:], ended=NO_HOLD)
        yield Act("a hold is found", found, world)
    else:
        yield Act("the stranger is held", *_said(held(host), world))


def _said(made: tuple[Host, Frame], world: World) -> tuple[Host, World, Frame]:
    return made[0], world, made[1]


def _latched(host: Host, status: Status) -> bool:
    return bool(status.locks & Lock.HOLD) and status.hold[1:] >= host.hold and host.standing == Standing.RECORDED


def _insists(setting: Setting, host: Host, world: World, status: Status) -> Iterator[Act]:
    """The device lacks a hold that stands here: the same again; of a process before this one, with a new key.

    Known there and gone, though nobody here has cleared it: another host had this session too.
    """
    if host.standing != Standing.RECORDED:
        return
    if host.hold[0] != host.session:
        yield Act("the hold is sent anew", *_said(held(host, Standing.RECORDED), world))
    elif status.hold[1:] < host.hold:
        yield Act("the hold again", host, world, (HOLD, *host.hold))
    elif setting.rules.known_hold_greets_anew:
        yield Act("a later session is needed", _above(host, status), world)


def _above(host: Host, status: Status) -> Host:
    return host._replace(session=status.session + 1, seen=(0, 0), key=0)


def _settled(setting: Setting, host: Host, world: World, status: Status, left: Faults) -> Iterator[Act]:
    """Nothing is owed: both at the same id."""
    if not status.locks & (HARD | Lock.CONTENT) and (status.machine, status.exit_id) != (host.machine, host.exit_id):
        yield from _strange(setting, host, world, status)
        return
    latched = bool(status.locks & Lock.HOLD)
    if host.standing:
        if _latched(host, status) and world.behind <= 1:  # what is wrong is put right first
            yield Act("a person ends the hold", host._replace(standing=Standing.NONE, ended=status.hold), world)
        elif not latched or status.hold[1:] < host.hold:
            yield from _insists(setting, host, world, status)
    elif latched and status.hold == host.ended:
        yield Act("CLEAR_HOLD", host, world, (CLEAR, host.session, status.epoch, status.hold))
    elif latched:
        yield from _hold_of(host, world, status)
        return
    if status.locks & (HARD | Lock.CONTENT):
        yield from _places(setting, host, world, status)
    if status.locks & HARD:
        return
    if not status.armed:
        arm = (ARM, host.session, status.epoch, status.fence, status.cmd_id, host.machine, host.exit_id)
        yield Act("ARM", host, world, arm)
        return
    yield from _gives(setting, host, world, status, left)


def _gives(setting: Setting, host: Host, world: World, status: Status, left: Faults) -> Iterator[Act]:
    if host.top >= setting.ids:
        return
    stopped = bool(host.standing or status.locks)
    one_tag = world.behind == 1 or not setting.rules.exit_reader_asked or not setting.rules.one_card_at_exit
    if not stopped and (not host.exit_id or not setting.rules.one_card_at_exit):
        if status.token:
            yield _give(setting, host, world, status, Kind.DISPENSE, status.token, 1)
        elif status.deal:
            yield _give(setting, host, world, status, Kind.DISPENSE, status.deal, 0)
    if not stopped and host.exit_id and one_tag:
        yield _give(setting, host, world, status, Kind.RELEASE, host.exit_id)
    if host.exit_id and not one_tag and not host.standing:
        yield Act("two tags at the exit: held", *_said(held(host), world))
    if not left.cycle:
        return
    if host.exit_id and one_tag:
        yield _give(setting, host, world, status, Kind.RETRACT, host.exit_id)
    if not host.exit_id:
        yield _give(setting, host, world, status, Kind.SHUFFLE, host.machine)
        yield _give(setting, host, world, status, Kind.COUNT)
        yield _give(setting, host, world, status, Kind.RETURN, 1)


def _give(setting: Setting, host: Host, world: World, status: Status, kind: Kind, a: int = 0, b: int = 0) -> Act:
    """A permit under the fence just read: in the journal, and not yet sent."""
    id_ = max(host.top, status.cmd_id) + 1
    permit = Permit(COMMAND, host.session, kind, id_, status.epoch, status.fence, status.era, status.cmd_id, a, b)
    inward = kind not in (Kind.DISPENSE, Kind.RELEASE, Kind.PLACES)
    # After a lost journal an id that was void may be given again: nothing of the first giving can be obeyed.
    world = world._replace(given=max(world.given, id_), closed=min(world.closed, id_ - 1))
    giving = host._replace(pending=permit, top=id_, recorded=setting.rules.host_writes_first)
    return Act(f"{kind.name} {id_}", giving, world, cycles=int(inward))


def _places(setting: Setting, host: Host, world: World, status: Status) -> Iterator[Act]:
    """A person's word, which is true: how many are inside, and which card is behind the gate; a second is put back."""
    if world.behind > 1:
        return
    known = host.exit_id or status.exit_id or max(host.top, status.cmd_id) + 1
    yield _give(setting, host, world, status, Kind.PLACES, world.machine, known if world.behind else 0)


def died(host: Host, world: World) -> tuple[Host, World]:
    """Return what the next process knows: the journal, and a session above the last."""
    standing = host.standing if host.standing == Standing.RECORDED else Standing.NONE
    again = host._replace(session=host.session + 1, seen=(0, 0), standing=standing, recorded=True, key=0)
    if host.recorded or host.pending is None:
        return again, world
    forgotten = host.pending.id - 1
    return again._replace(pending=None, top=forgotten), world._replace(given=forgotten)
