"""The device of the model: sections 3 and 4 of the page."""

from collections.abc import Iterator

from bench.protocol.values import (
    ARM,
    CLEAR,
    HARD,
    HELLO,
    HOLD,
    OF_ONE_CARD,
    OUTWARD,
    UNKNOWN,
    Broken,
    Device,
    End,
    Frame,
    Kind,
    Lock,
    Motion,
    Permit,
    Rules,
    Setting,
    World,
)

_PLACES = Lock.HOLD | Lock.CONTENT | HARD
Step = tuple[str, Device, World]


def restricted(setting: Setting, device: Device, locks: int = 0, *, raises: bool = True) -> Device:
    """Return what Restrict makes of a device: locked, the fence up, what had not begun ended in the same write."""
    fence = device.fence + 1 if raises and setting.rules.lock_raises_fence else device.fence
    made = device._replace(
        fence=fence,
        era=device.era + 1,
        armed=False,
        locks=device.locks | locks,
        machine=UNKNOWN if locks & Lock.CONTENT else device.machine,
    )
    if made.motion == Motion.OPEN:
        return made._replace(motion=Motion.LOCKED)
    if made.motion != Motion.WRITTEN or made.command is None:
        return made
    kind = made.command.kind
    if kind == Kind.RELEASE:
        return ended(made, End.NOT_TAKEN)
    if kind == Kind.DISPENSE and not setting.gate:
        return ended(made, End.FAILED)
    return ended(made, End.DONE) if kind == Kind.RETURN else made


def ended(device: Device, end: End, **also: int) -> Device:
    """Return a device whose command has come to its end, written."""
    command = device.command
    assert command is not None
    return device._replace(cmd_id=command.id, kind=command.kind, end=end, motion=Motion.IDLE, command=None, **also)


def booted(setting: Setting, device: Device, world: World, *, wiped: bool = False) -> Device:
    """Return a device after the power came back."""
    if wiped or not setting.nvm:
        return _formatted(setting, device)
    end, locks = device.end, device.locks
    if end == End.MOVING:
        one_card = device.kind in OF_ONE_CARD
        end, lock = (End.UNCERTAIN, Lock.UNCERTAIN) if one_card else (End.INTERRUPTED, Lock.CONTENT)
        locks |= lock
    if (device.exit_id != 0) != (world.behind > 0):
        locks |= Lock.UNCERTAIN
    if not setting.rules.hold_is_latched:
        locks &= ~Lock.HOLD
    off = device._replace(motion=Motion.IDLE, command=None, end=end, greeted=False, locks=locks)
    return restricted(setting, off, Lock.CONTENT if locks & Lock.CONTENT else 0)


def _formatted(setting: Setting, device: Device) -> Device:
    if not setting.rules.wipe_is_told:
        return Device(epoch=device.epoch, era=device.era + 1)
    return Device(epoch=device.epoch + 1, era=device.era + 1, locks=Lock.WIPED | Lock.CONTENT, machine=UNKNOWN)


def obeyed(setting: Setting, device: Device, world: World, frame: Frame) -> tuple[Device, World] | None:
    """Return what a frame makes of the device; None: nothing."""
    tag = frame[0]
    if tag == HELLO:
        return _greeted(setting, device, world, frame[1])
    if tag == HOLD:
        return _held(setting, device, world, (frame[1], frame[2]))
    if not device.greeted or (frame[1] != device.session and setting.rules.session_raises_fence):
        return None
    if tag == CLEAR:
        return _cleared(setting, device, world, frame)
    if tag == ARM:
        return (device._replace(armed=True), world) if _agrees(device, world, frame) else None
    assert isinstance(frame, Permit)
    return _commanded(setting, device, world, frame)


def _greeted(setting: Setting, device: Device, world: World, session: int) -> tuple[Device, World] | None:
    if session < device.session or (session == device.session and device.greeted):
        return None
    if session > device.session:
        raises = setting.rules.session_raises_fence
        device = restricted(setting, device._replace(session=session), raises=raises)
        if not raises:  # the simplification: the machine stays as it was
            device = device._replace(armed=device.greeted)
    return device._replace(greeted=True), world


def _held(setting: Setting, device: Device, world: World, pair: tuple[int, int]) -> tuple[Device, World] | None:
    if pair <= device.hseen:
        return None
    held = restricted(setting, device, Lock.HOLD)
    return held._replace(hold=(held.fence, *pair), hseen=pair), world._replace(owed=True)


def _cleared(setting: Setting, device: Device, world: World, frame: Frame) -> tuple[Device, World] | None:
    _, _, epoch, hold = frame
    same = (epoch, hold) == (device.epoch, device.hold)
    if not device.locks & Lock.HOLD or (setting.rules.clear_has_number and not same):
        return None
    clear = device._replace(locks=device.locks & ~Lock.HOLD)
    raises = setting.rules.clear_raises_fence
    clear = restricted(setting, clear) if raises else clear._replace(armed=False)
    return clear, world._replace(owed=False) if same else world


def _agrees(device: Device, world: World, frame: Frame) -> bool:
    _, _, epoch, fence, last_id, machine, exit_id = frame
    if device.motion or device.armed or device.locks & HARD:
        return False
    if (epoch, fence, last_id, exit_id) != (device.epoch, device.fence, device.cmd_id, device.exit_id):
        return False
    return (machine == device.machine or bool(device.locks & Lock.CONTENT)) and (exit_id != 0) == (world.behind > 0)


def fits(rules: Rules, device: Device, permit: Permit) -> bool:
    """Tell whether a permit is right in all that only ever moves on: session, epoch, id, fence. Else it is dead."""
    if permit.session != device.session and rules.session_raises_fence:
        return False
    if (permit.epoch, permit.fence) != (device.epoch, device.fence):
        return False
    if permit.kind == Kind.RELEASE and not rules.release_has_id:
        return True
    return permit.id > device.cmd_id and permit.prev == device.cmd_id


def _commanded(setting: Setting, device: Device, world: World, permit: Permit) -> tuple[Device, World] | None:
    if not fits(setting.rules, device, permit) or device.motion:
        return None
    if permit.kind == Kind.PLACES:
        return _placed(device, world, permit)
    if not device.armed:
        return None
    refused = _refused(setting, device, world, permit)
    if refused:
        if not setting.rules.refusal_takes_id:
            return None
        return device._replace(cmd_id=permit.id, kind=permit.kind, end=End.FAILED), world
    if permit.kind in OUTWARD and permit.era != device.era:
        raise Broken("a permit older than the last restriction is obeyed")
    if not setting.rules.device_writes_first:
        return device._replace(motion=Motion.WRITTEN, command=permit), world
    begun = device._replace(cmd_id=permit.id, kind=permit.kind, end=End.MOVING, motion=Motion.WRITTEN, command=permit)
    if permit.kind == Kind.DISPENSE and permit.b and setting.rules.token_spent_first:
        begun = begun._replace(token=0, deal=permit.a)
    if permit.kind in (Kind.SHUFFLE, Kind.RETURN):
        begun = begun._replace(token=0, deal=0)
    return begun, world


def _refused(setting: Setting, device: Device, world: World, permit: Permit) -> bool:
    kind = permit.kind
    if kind in OUTWARD and device.locks & Lock.HOLD:
        return True
    if kind != Kind.COUNT and device.locks & Lock.CONTENT:
        return True
    occupied = device.exit_id != 0 or world.behind > 0
    if kind == Kind.DISPENSE:
        if occupied and setting.rules.one_card_at_exit:
            return True
        if world.outlet or device.machine <= 0:
            return True
        return permit.a == 0 or permit.a != (device.token if permit.b else device.deal)
    if kind in (Kind.RELEASE, Kind.RETRACT):
        known = not setting.rules.release_has_id or permit.a == device.exit_id
        return not setting.gate or not (device.exit_id and world.behind and known)
    return occupied


def _placed(device: Device, world: World, permit: Permit) -> tuple[Device, World]:
    """PLACES: a person's word, against the one sensor that can contradict it."""
    said = device._replace(cmd_id=permit.id, kind=permit.kind)
    if not device.locks & _PLACES or (permit.b != 0) != (world.behind > 0):
        return said._replace(end=End.FAILED), world
    placed = said._replace(
        end=End.DONE, machine=permit.a, exit_id=permit.b, armed=False, locks=device.locks & Lock.HOLD
    )
    return placed, world._replace(unseen=False)


def steps(setting: Setting, device: Device, world: World, misfeed: int) -> Iterator[Step]:
    """Yield what a command under way may come to next."""
    command = device.command
    if command is None:
        return
    match command.kind:
        case Kind.DISPENSE:
            yield from _dispense(setting, device, world, command, misfeed)
        case Kind.RELEASE:
            yield from _release(setting, device, world, command)
        case Kind.RETRACT:
            yield _retract(device, world)
        case Kind.SHUFFLE:
            number = world.shuffles + 1
            token = number if world.machine == command.a else 0
            yield (
                "shuffled",
                ended(device, End.DONE, machine=world.machine, token=token),
                world._replace(shuffles=number),
            )
        case Kind.COUNT:
            counted = ended(device, End.DONE, machine=world.machine, locks=device.locks & ~Lock.CONTENT)
            yield "counted", counted, world
        case Kind.RETURN:
            yield from _return(setting, device, world)


def _dispense(setting: Setting, device: Device, world: World, command: Permit, misfeed: int) -> Iterator[Step]:
    if device.motion != Motion.WRITTEN:
        yield _fed(setting, device, world, command)
        return
    if world.machine:
        yield "a card comes up", device._replace(motion=Motion.MOVED_ONE), _up(setting, world, command, 1)
    if not misfeed:
        return
    yield "! nothing comes up", device._replace(motion=Motion.MOVED_NONE), world
    if world.machine > 1 and setting.gate:
        two = _up(setting, world, command, 2)
        yield "! two cards come up", device._replace(motion=Motion.MOVED_TWO), two
        yield "! two cards come up as one", device._replace(motion=Motion.MOVED_ONE), two._replace(unseen=True)


def _up(setting: Setting, world: World, command: Permit, number: int) -> World:
    if command.b:
        bit = 1 << command.a
        if world.spent & bit:
            raise Broken("a shuffle opens two hands")
        world = world._replace(spent=world.spent | bit)
    if setting.gate:
        return world._replace(machine=world.machine - number, behind=world.behind + number)
    may_leave(world)
    return left(setting, world._replace(machine=world.machine - number), command.id, number)


def _fed(setting: Setting, device: Device, world: World, command: Permit) -> Step:
    if command.b and not (setting.rules.token_spent_first and setting.rules.device_writes_first):
        device = device._replace(token=0, deal=command.a)
    if device.motion == Motion.MOVED_NONE:
        return "no feed", ended(device, End.FAILED), world
    if device.motion == Motion.MOVED_TWO:
        wrong = ended(device, End.UNCERTAIN)
        if setting.rules.error_locks:
            wrong = restricted(setting, wrong, Lock.UNCERTAIN | Lock.ERROR)
        return "misfed", wrong, world
    exit_id = command.id if setting.gate else 0
    inside = device.machine if device.machine == UNKNOWN else device.machine - 1
    return "written: up", ended(device, End.DONE, exit_id=exit_id, machine=inside), world


def _release(setting: Setting, device: Device, world: World, command: Permit) -> Iterator[Step]:
    match device.motion:
        case Motion.WRITTEN:
            yield "the gate opens", device._replace(motion=Motion.OPEN), world
        case Motion.OPEN:
            may_leave(world)
            yield "a card is in the gate", device._replace(motion=Motion.IN_GATE), world
            yield "nobody takes it", device._replace(motion=Motion.LOCKED), world
        case Motion.IN_GATE:
            gone = left(setting, world._replace(behind=0), command.id, world.behind)
            yield "the card passes", device._replace(motion=Motion.LOCKED), gone
        case Motion.LOCKED if world.behind:
            yield "written: not taken", ended(device, End.NOT_TAKEN), world
        case Motion.LOCKED:
            yield "written: passed", ended(device, End.DONE, exit_id=0), world


def _retract(device: Device, world: World) -> Step:
    if device.motion == Motion.WRITTEN:
        back = world._replace(behind=world.behind - 1, machine=world.machine + 1)
        return "the card goes back", device._replace(motion=Motion.MOVED_ONE), back
    inside = device.machine if device.machine == UNKNOWN else device.machine + 1
    return "written: back", ended(device, End.DONE, exit_id=0, deal=0, token=0, machine=inside), world


def _return(setting: Setting, device: Device, world: World) -> Iterator[Step]:
    if device.motion == Motion.ENTERED:
        inside = device.machine if device.machine == UNKNOWN else device.machine + 1
        yield "written: returned", ended(device, End.DONE, machine=inside), world
        return
    yield "nothing is put in", ended(device, End.DONE), world
    if world.machine + world.behind < setting.cards:
        entered = world._replace(machine=world.machine + 1)
        yield "a card is put in", device._replace(motion=Motion.ENTERED), entered


def may_leave(world: World) -> None:
    """Check the moment in which a card begins to leave."""
    if world.owed:
        raise Broken("a card leaves under a hold that nobody who knew it has cleared")


def left(setting: Setting, world: World, id_: int, number: int) -> World:
    """Return the world after so many cards left under an id."""
    if id_ > world.given:
        raise Broken("a card leaves under an id that nobody gave")
    if id_ <= world.closed:
        raise Broken("a card leaves under an id that is settled")
    out = number + (world.out if world.out_id == id_ else 0)
    if out > 1:
        raise Broken("two cards leave under one release")
    return world._replace(out_id=id_, out=out, outlet=not setting.present_ahead)
