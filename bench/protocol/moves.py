"""What may happen next in a state of the model: host, device, person, line, and what goes wrong."""

from collections.abc import Iterator

from bench.protocol import device as machine
from bench.protocol import host as station
from bench.protocol.values import (
    ARM,
    CLEAR,
    HELLO,
    HOLD,
    UNKNOWN,
    Broken,
    Device,
    Faults,
    Frame,
    Host,
    Kind,
    Lock,
    Motion,
    Permit,
    Setting,
    Standing,
    State,
    Status,
    World,
    status_of,
)

Move = tuple[str, State]
"""A label, beginning with `!` where something goes wrong, and what comes of it."""


def first(setting: Setting) -> State:
    """Return the state in which all begins: nothing greeted yet, a fresh shuffle in the machine, both records equal."""
    device = Device(machine=setting.cards, token=1)
    host = Host(epoch=1, machine=setting.cards)
    return State(host, device, World(setting.cards), (), (), setting.faults)


def moves(setting: Setting, state: State) -> Iterator[Move]:
    """Yield every move; Broken where an invariant does not hold."""
    yield from _host(setting, state)
    yield from _line(setting, state)
    yield from _device(setting, state)
    yield from _people(setting, state)
    yield from _faults(setting, state)


def _next(
    setting: Setting,
    state: State,
    host: Host | None = None,
    device: Device | None = None,
    world: World | None = None,
    said: tuple[Frame, ...] = (),
    heard: tuple[Status, ...] | None = None,
    left: Faults | None = None,
) -> State:
    """Return a state with these parts changed, and without frames that can have no effect any more."""
    before, dev, truth, up, down, faults = state
    now, dev = host or before, device or dev
    if said:
        up = tuple(sorted({*up, *said}))
    if heard is not None:
        down = heard
    if not setting.keeps_dead:
        if device is not None or said:
            up = tuple(frame for frame in up if _lives(setting, dev, frame))
        if host is not None or heard is not None:
            down = tuple(status for status in down if _tells(now, status))
    return State(now, dev, world or truth, up, down, left or faults)


def _lives(setting: Setting, device: Device, frame: Frame) -> bool:
    """Tell whether a frame may yet be obeyed: sessions, epochs, fences and ids never go back."""
    rules = setting.rules
    tag = frame[0]
    if tag == HELLO:
        return bool(frame[1] >= device.session)
    if tag == HOLD:
        return frame[1:] > device.hseen or setting.faults.wipe > 0 or not setting.nvm
    if tag == CLEAR:
        standing = bool(device.locks & Lock.HOLD) and frame[3] == device.hold
        return frame[1] == device.session and (standing or not rules.clear_has_number)
    if tag == ARM:
        own = frame[1] == device.session or not rules.session_raises_fence
        return own and frame[2:5] == (device.epoch, device.fence, device.cmd_id)
    assert isinstance(frame, Permit)
    return machine.fits(rules, device, frame)


def _tells(host: Host, status: Status) -> bool:
    return status.session >= host.session and (status.epoch, status.fence) >= host.seen


def _host(setting: Setting, state: State) -> Iterator[Move]:
    host, device, world, up, down, left = state
    hello = (HELLO, host.session)
    if hello not in up and (host.session > device.session or not device.greeted):
        yield "HELLO", _next(setting, state, said=(hello,))
    if host.standing == Standing.UNRECORDED:
        yield "the hold is recorded", _next(setting, state, host._replace(standing=Standing.RECORDED))
    if not host.recorded:
        yield "the permit is recorded", _next(setting, state, host._replace(recorded=True))
    pending = host.pending
    unsent = pending is not None and pending.session == host.session and pending not in up
    if pending is not None and unsent and (setting.keeps_dead or _lives(setting, device, pending)):
        yield f"{Kind(pending.kind).name} {pending.id} is sent", _next(setting, state, said=(pending,))
    for status in down:
        for act in station.reads(setting, host, world, status, left):
            said = () if act.said is None else (act.said,)
            rest = left._replace(cycle=left.cycle - act.cycles) if act.cycles else None
            made = _next(setting, state, act.host, None, act.world, said, left=rest)
            if made != state:
                yield f"host: {act.label}", made


def _line(setting: Setting, state: State) -> Iterator[Move]:
    """STATUS at any moment. The line holds so many; one more takes the place of any of them."""
    down = state.down
    status = status_of(state.device)
    if status in down or not (_tells(state.host, status) or setting.keeps_dead):
        return
    if len(down) < setting.in_flight:
        yield "STATUS", _next(setting, state, heard=tuple(sorted((*down, status))))
        return
    for lost in down:
        kept = tuple(sorted((*(other for other in down if other is not lost), status)))
        yield "STATUS", _next(setting, state, heard=kept)


def _device(setting: Setting, state: State) -> Iterator[Move]:
    _, device, world, up, _, left = state
    for frame in up:
        made = machine.obeyed(setting, device, world, frame)
        if made is not None and made != (device, world):
            yield f"device: {_name(frame)}", _next(setting, state, None, *made)
    for label, now, truth in machine.steps(setting, device, world, left.misfeed):
        rest = left._replace(misfeed=left.misfeed - 1) if label.startswith("!") else None
        yield label, _next(setting, state, None, now, truth, left=rest)


def _name(frame: Frame) -> str:
    if frame[0] > ARM:
        return f"{Kind(frame[2]).name} {frame[3]}"
    return ("HELLO", "HOLD", "CLEAR_HOLD", "ARM")[frame[0]]


def _people(setting: Setting, state: State) -> Iterator[Move]:
    """The last card is taken from the outlet; a person puts one of two cards at the exit back, through the door."""
    host, device, world, *_ = state
    if world.outlet:
        yield "the card is taken", _next(setting, state, world=world._replace(outlet=False))
    if world.behind > 1 and not device.motion and (host.standing or device.locks & Lock.UNCERTAIN):
        put_back = world._replace(behind=1, machine=world.machine + world.behind - 1)
        opened = machine.restricted(setting, device, Lock.CONTENT)
        yield "a person puts a card back", _next(setting, state, None, opened, put_back)


def _faults(setting: Setting, state: State) -> Iterator[Move]:
    host, device, world, _, _, left = state
    if left.host:
        again, truth = station.died(host, world)
        yield "! the host dies", _next(setting, state, again, None, truth, left=left._replace(host=left.host - 1))
    if left.device:
        yield from _cut(setting, state, left._replace(device=left.device - 1), wiped=False)
    if left.wipe:
        yield from _cut(setting, state, left._replace(wipe=left.wipe - 1), wiped=True)
    if left.loss:
        rest = left._replace(loss=left.loss - 1)
        yield "! the journal is lost", _next(setting, state, Host(), left=rest)
    if left.hold and not host.standing and host.seen[0]:
        now, frame = station.held(host)
        rest = left._replace(hold=left.hold - 1)
        yield "! the engine holds", _next(setting, state, now, said=(frame,), left=rest)
    if left.lease and (device.armed or device.motion):
        locked = machine.restricted(setting, device)
        yield "! the lease ends", _next(setting, state, None, locked, left=left._replace(lease=left.lease - 1))
    if left.hand and world.behind and not (device.motion and device.kind in (Kind.RELEASE, Kind.RETRACT)):
        taken = world._replace(behind=world.behind - 1)
        locks = Lock.UNCERTAIN if setting.rules.unasked_sensor_locks else 0
        seen = machine.restricted(setting, device, locks) if locks else device
        yield (
            "! a hand takes the card",
            _next(setting, state, None, seen, taken, left=left._replace(hand=left.hand - 1)),
        )


def _cut(setting: Setting, state: State, left: Faults, *, wiped: bool) -> Iterator[Move]:
    """Lose the device's power. A card in the gate falls through, or it does not."""
    _, device, world, *_ = state
    worlds = [world]
    if device.motion == Motion.IN_GATE and device.command is not None:
        worlds.append(machine.left(setting, world._replace(behind=0), device.command.id, world.behind))
    back = () if not wiped and setting.nvm else tuple((HELLO, s) for s in range(1, state.host.session + 1))
    label = "! the memory is wiped" if wiped else "! the device's power goes"
    for truth in worlds:
        on = machine.booted(setting, device, truth, wiped=wiped)
        yield label, _next(setting, state, None, on, truth, back, left=left)


def check(setting: Setting, state: State) -> None:
    """Raise Broken where an invariant of whole states does not hold."""
    host, device, world, *_ = state
    if device.motion == Motion.OPEN and (not device.armed or device.locks & Lock.HOLD):
        raise Broken("the gate is open and the device not armed, or held")
    if not device.armed or device.motion or world.unseen:
        return
    if device.locks & ~(Lock.HOLD | Lock.CONTENT):
        raise Broken("armed under a lock")
    counted = device.machine == UNKNOWN or device.machine == world.machine
    one = world.behind <= 1 or not setting.rules.one_card_at_exit
    if not counted or not one or (device.exit_id != 0) != (world.behind > 0):
        raise Broken("armed, and its record is not the truth")
    both = host.pending is None and (host.epoch, host.settled) == (device.epoch, device.cmd_id)
    known = device.machine in (UNKNOWN, host.machine)
    if both and not (known and host.exit_id == device.exit_id):
        raise Broken("armed and settled, and the host's record is another")


def at_rest(state: State) -> bool:
    """Tell whether play may go on: armed, settled, nothing held, both records equal."""
    host, device, *_ = state
    return (
        device.armed
        and not device.motion
        and not device.locks
        and host.pending is None
        and not host.standing
        and (host.epoch, host.settled) == (device.epoch, device.cmd_id)
        and host.session == device.session
    )
