"""Questions under which nothing moves. No id is consumed; sessions and fence rise, and each hold made is cleared."""

import asyncio
from typing import Final

from msgspec.structs import replace

from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.conformance.asker import Asker, NotAsked, Unmet, expect, expect_that
from dealerbox_drivers.shuffler.messages import Code, DeviceState, Flag, Lock, Type

IN_THE_WAY: Final = Lock.UNCERTAIN | Lock.WIPED | Lock.ERROR | Lock.DOOR | Lock.SERVICE
"""Locks under which nothing arms the device."""


async def identity(a: Asker) -> None:
    """IDENT and STATUS say what can be."""
    found = await a.greet()
    expect("protocol", found.proto, 1)
    expect("longest payload", found.max_payload, 200)
    expect("session in IDENT", found.session, a.session)
    expect_that(f"capacity {found.capacity}: at least a deck of 52", 52 <= found.capacity < m.MACHINE_UNKNOWN)
    expect_that(f"epoch {found.epoch:08X}: never 0", found.epoch != 0)
    s = await a.query()
    expect("boot in STATUS", s.boot_id, found.boot_id)
    expect("epoch in STATUS", s.epoch, found.epoch)
    expect("machine FF and the lock CONTENT", s.machine == m.MACHINE_UNKNOWN, Lock.CONTENT in s.locks)


async def noise(a: Asker) -> None:
    """What is no frame is dropped without an answer, and the frame after it is heard."""
    good = a.frame(m.Query())
    spoilt = bytearray(good)
    spoilt[-3] ^= 0x01 if spoilt[-3] != 0x01 else 0x02
    for what, data in {
        "a frame with a wrong crc": bytes(spoilt),
        "a frame that is not COBS": b"\0\x09\x01\x02\0",
        "a frame shorter than header and crc": b"\0" + wire.cobs_encode(b"\x01\x02\x00\x01") + b"\0",
        "300 bytes without a zero": b"\0" + b"\x55" * 300 + b"\0",
        "empty frames": b"\0" * 20,
        "noise": bytes(range(255, 0, -7)) + b"\0",
        "a frame cut off": good[:9] + b"\0",
        "a STATUS": a.frame(m.Query(), kind=Type.QUERY | m.ANSWER),
        "an EVENT": a.frame(m.Query(), kind=Type.EVENT),
        "an EVENT_ACK cut short": a.frame(m.Query(), kind=Type.EVENT_ACK),
    }.items():
        a.send(data)
        await a.hears_nothing(what)
        a.send(a.frame(m.Query()))
        expect(f"type of the answer to a QUERY after {what}", (await a.heard(f"a QUERY after {what}")).type, 0x82)
    a.send(a.frame(m.Query())[:-1] + a.frame(m.Query()))
    for _ in range(2):
        await a.heard("one of two frames that share a zero")


async def shapes(a: Asker) -> None:
    """Longer bodies are taken, shorter ones and unknown types refused, other versions too but for HOLD and HELLO."""
    await a.greet()
    longer = wire.Frame(Type.QUERY, Flag.NONE, 7, a.session, m.Event(1, 2, 3, 4, 5))
    a.send(wire.encode(longer))
    expect("type of the answer to a QUERY with a longer body", (await a.heard("a longer QUERY")).type, 0x82)
    a.send(a.frame(m.Query(), kind=0x3F))
    expect("type of the answer to the type 3F", (await a.heard("the type 3F")).type, 0xBF)
    for kind in (Type.ARM, Type.HOLD, Type.DISPENSE, Type.PLACES, Type.HEARTBEAT):
        s = await a.status(m.Query(), kind=kind)
        expect(f"code of a {kind.name} without its body", Code(s.code), Code.BAD_FRAME)
    s = await a.status(m.Query(), version=2)
    expect("code of a QUERY of version 2", Code(s.code), Code.BAD_VERSION)
    s = await a.query()
    arm = m.Arm(s.epoch, s.fence, s.cmd_id, s.machine, s.exit_id)
    expect("code of an ARM of version 2", Code((await a.status(arm, version=2)).code), Code.BAD_VERSION)


async def sessions(a: Asker) -> None:
    """An older session is stale, a newer one restricts, the same one changes nothing, an unknown one is no session."""
    await a.greet()
    before = await a.query()
    stored = before.session
    stale = await a.hello(stored - 1)
    expect("protocol and session told to a stale HELLO", (stale.proto, stale.session), (0, stored))
    expect("protocol told to a host of versions 2 to 3", (await a.hello(stored + 1, 2, 3)).proto, 0)
    expect("protocol told to the same session again", (await a.hello(stored)).proto, 1)
    s = await a.query()
    expect("fence and session after all three", (s.fence, s.session), (before.fence, stored))
    expect("protocol told to a newer session", (await a.hello(stored + 1)).proto, 1)
    s = await a.query()
    expect("fence and session after it", (s.fence, s.session), (before.fence + 1, stored + 1))
    expect_that("a newer session locks with SESSION", Lock.SESSION in s.locks and s.state == DeviceState.LOCKED)
    for session, code in ((stored, Code.STALE_SESSION), (stored + 2, Code.NO_SESSION)):
        for body in (m.Heartbeat(s.boot_id, s.tick), m.Arm(s.epoch, s.fence, s.cmd_id, s.machine, s.exit_id)):
            found = await a.status(body, session=session)
            expect(f"code of a {type(body).__name__} of another session", Code(found.code), code)
    a.session = stored + 1
    found = await a.status(m.Heartbeat(s.boot_id ^ 1, s.tick))
    expect("code of a HEARTBEAT to another boot", Code(found.code), Code.NO_SESSION)


async def holds(a: Asker) -> None:
    """A hold is latched under its number until that number is cleared; a repeat is known; anybody may hold."""
    await a.greet()
    before = await a.query()
    s = await a.status(m.HoldRequest(5, 0x0203))
    expect("code of a HOLD", Code(s.code), Code.OK)
    expect("fence after it", s.fence, before.fence + 1)
    latched = (s.hold_no, s.hold_session, s.hold_key, s.hold_reason)
    expect("what is latched", latched, (s.fence, a.session, 5, 0x0203))
    expect_that("the lock HOLD stands", Lock.HOLD in s.locks and s.state == DeviceState.LOCKED)
    for key, session in ((5, a.session), (4, a.session), (9, a.session - 1)):
        known = await a.status(m.HoldRequest(key, 0), session=session)
        expect(f"code of an older HOLD, key {key}", Code(known.code), Code.HOLD_KNOWN)
        expect("fence after it", known.fence, s.fence)
    newer = await a.status(m.HoldRequest(6, 1), version=2)
    expect("code of a newer HOLD, of version 2", Code(newer.code), Code.OK)
    expect("its number", newer.hold_no, s.fence + 1)
    right = m.ClearHold(newer.epoch, newer.hold_no, a.session, 6, 0)
    for name in ("epoch", "hold_no", "hold_session", "hold_key"):
        wrong = await a.status(replace(right, **{name: getattr(right, name) - 1}))
        expect(f"code of a CLEAR_HOLD with another {name}", Code(wrong.code), Code.NOT_THAT_HOLD)
        expect_that("the hold stands after it", Lock.HOLD in wrong.locks)
    cleared = await a.status(right)
    expect("code of the CLEAR_HOLD that fits", Code(cleared.code), Code.OK)
    expect("fence after it", cleared.fence, newer.fence + 1)
    expect_that("the hold is gone after it", Lock.HOLD not in cleared.locks)
    expect("code of the same again", Code((await a.status(right)).code), Code.NOT_THAT_HOLD)
    expect("code of the HOLD it cleared", Code((await a.status(m.HoldRequest(6, 1))).code), Code.HOLD_KNOWN)


async def arming(a: Asker) -> None:
    """ARM wants a lease and five right numbers, and a restriction ends it: a late copy arms nobody."""
    await a.greet()
    s = await armable(a)
    arm = m.Arm(s.epoch, s.fence, s.cmd_id, s.machine, s.exit_id)
    expect("code of an ARM without a lease", Code((await a.status(arm)).code), Code.DISAGREE)
    wrongs = {"epoch": s.epoch ^ 1, "fence": s.fence - 1, "last_id": s.cmd_id + 1, "exit_id": s.exit_id + 1}
    if Lock.CONTENT not in s.locks:
        wrongs["machine"] = s.machine + 1
    for name, value in wrongs.items():
        expect(f"code of an ARM with another {name}", Code((await a.arm(**{name: value})).code), Code.DISAGREE)
    armed = await a.status(arm)
    expect("code of the ARM that fits", Code(armed.code), Code.OK)
    expect("state after it", DeviceState(armed.state), DeviceState.ARMED)
    expect("soft locks after it", armed.locks & (Lock.BOOT | Lock.SESSION | Lock.LEASE), Lock(0))
    expect("fence after it", armed.fence, s.fence)
    held = await a.hold()
    expect("state under a hold", DeviceState(held.state), DeviceState.LOCKED)
    await a.beat()
    expect("code of a late copy of ARM", Code((await a.status(arm)).code), Code.DISAGREE)
    await a.clear()


async def lease(a: Asker) -> None:
    """The lease ends 1000 ms after the tick that was echoed, whenever the heartbeat came; and the device locks."""
    await a.greet()
    await armable(a)
    s = await a.arm()
    expect("code of an ARM", Code(s.code), Code.OK)
    s = await a.beat()
    old = s.tick
    await asyncio.sleep(0.7)
    late = await a.status(m.Heartbeat(s.boot_id, old))
    expect("state 700 ms after the tick echoed", DeviceState(late.state), DeviceState.ARMED)
    await a.status(m.Heartbeat(s.boot_id, (late.tick + 60_000) % 2**32))
    await asyncio.sleep(0.5)
    ended = await a.query()
    expect("state 1200 ms after the tick echoed", DeviceState(ended.state), DeviceState.LOCKED)
    expect_that("it says LEASE", Lock.LEASE in ended.locks)
    expect("fence after it", ended.fence, s.fence + 1)


async def told(a: Asker) -> None:
    """The oldest event is told again each 250 ms until it is acknowledged, and the next at once after it."""
    await a.greet()
    await asyncio.sleep(0.5)
    a.acknowledging = False
    a.events.clear()
    await a.hold()
    await a.clear()
    await asyncio.sleep(0.6)
    numbers = [event.event_no for event in a.events]
    expect_that(f"one event is told two to four times in 600 ms: {numbers}", 2 <= len(numbers) <= 4)
    expect("how many different ones", len(set(numbers)), 1)
    expect("event_next in STATUS", (await a.query()).event_next, numbers[0])
    a.acknowledge(numbers[0])
    await asyncio.sleep(0.1)
    expect_that(f"the next one comes at once after the ACK of {numbers[0]}", a.events[-1].event_no > numbers[0])
    a.acknowledging = True
    a.acknowledge(a.events[-1].event_no)


async def armable(a: Asker) -> m.Status:
    """Return STATUS where ARM could be taken; NotAsked where something is in its way."""
    s = await a.query()
    if in_the_way := s.locks & IN_THE_WAY:
        names = " and ".join(lock.name or "" for lock in in_the_way)
        raise NotAsked(f"the machine is locked by {names}: put it right, or ask at the level motion")
    if s.state not in (DeviceState.LOCKED, DeviceState.ARMED):
        raise Unmet(f"the machine moves, and nobody asked it to: state {s.state}")
    return s
