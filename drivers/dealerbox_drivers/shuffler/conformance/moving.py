"""Questions under which cards move: the cards told are in the machine, its door is shut, nothing lies at the exit."""

from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.conformance.asker import Asker, NotAsked, expect, expect_that
from dealerbox_drivers.shuffler.messages import Code, CommandState, DeviceState, Lock

OPEN_MS = 5000
SETTLED = Lock.UNCERTAIN | Lock.CONTENT | Lock.WIPED | Lock.ERROR


class Moving:
    """The questions, with what a person must do between them."""

    def __init__(self, asker: Asker, cards: int, cut_power: Callable[[], Awaitable[None]] | None) -> None:
        self._a, self._cut_power = asker, cut_power
        self._caps = Cap(0)
        self._cards = cards
        """In the machine, as far as is known."""

    def questions(self) -> list[tuple[str, str, Callable[[], Awaitable[None]]]]:
        """Name, section of the page, and question, in the order in which they may be put."""
        return [
            ("fence", "4, A command, in this order", self.fence),
            ("one card", "4, DISPENSE and RELEASE", self.once),
            ("taken back", "4, RETRACT", self.back),
            ("power at rest", "4, Boot", self.power_at_rest),
            ("power in motion", "4, Boot", self.power_in_motion),
        ]

    async def places(self) -> None:
        """A person's word is taken under a hold, and lifts what it settles."""
        a = self._a
        self._caps = Cap((await a.greet()).caps)
        await a.hold()
        said = await a.command(m.Places, machine=self._cards, exit_id=0, order=1, person=0)
        if said.code == Code.SENSOR_SAYS_NO:
            raise NotAsked("a card lies behind the gate, or the door is open: put all cards in, and shut it")
        expect("code of PLACES under a hold", Code(said.code), Code.OK)
        found = (said.machine, said.exit_id, said.order, said.token_id, said.error)
        expect("machine, exit, order, token and error after it", found, (self._cards, 0, 1, 0, 0))
        expect("locks that it lifts", said.locks & SETTLED, Lock(0))
        expect("code of its CLEAR_HOLD", Code((await a.clear()).code), Code.OK)
        expect("code of PLACES that nothing asks for", Code((await self._unasked()).code), Code.NOT_ASKED)

    async def _unasked(self) -> m.Status:
        return await self._a.command(m.Places, machine=self._cards, exit_id=0, order=1, person=0)

    async def fence(self) -> None:
        """A command whose numbers do not fit is stopped, in the page's order, and changes nothing."""
        a, s = self._a, await self._ready()
        right = m.Dispense(s.epoch, s.fence, s.cmd_id + 1, s.cmd_id, s.token_id, 1)
        for wrong, code in (
            ({"epoch": s.epoch ^ 1}, Code.BAD_EPOCH),
            ({"cmd_id": s.cmd_id - 1}, Code.STALE_ID),
            ({"cmd_id": 0}, Code.STALE_ID),
            ({"fence": s.fence - 1}, Code.BAD_FENCE),
            ({"fence": s.fence + 1}, Code.BAD_FENCE),
            ({"prev_id": s.cmd_id - 1}, Code.BAD_PREV),
            ({"epoch": s.epoch ^ 1, "fence": s.fence - 1}, Code.BAD_EPOCH),
            ({"first": 2}, Code.BAD_FRAME),
        ):
            found = await a.status(replace(right, **wrong))
            expect(f"code of a DISPENSE with {wrong}", Code(found.code), code)
            unchanged = (found.cmd_id, found.machine, found.token_id, found.fence)
            expect("last id, machine, token and fence after it", unchanged, (s.cmd_id, s.machine, s.token_id, s.fence))
        held = await a.hold()
        await a.clear()
        armed = await a.arm()
        expect("code of an ARM after a hold", Code(armed.code), Code.OK)
        expect_that("the hold has raised the fence", held.fence > s.fence)
        found = await a.status(right)
        expect("code of a permit from before the hold", Code(found.code), Code.BAD_FENCE)

    async def once(self) -> None:
        """One card for one id: a repeat moves nothing, and a shuffle is spent by its first card."""
        a, s = self._a, await self._ready()
        token = s.token_id
        refused = await a.command(m.Dispense, deal_id=token + 1, first=1)
        expect("code of a DISPENSE of another shuffle", Code(refused.code), Code.NO_TOKEN)
        expect("its id is consumed, state", CommandState(refused.cmd_state), CommandState.FAILED)
        first = await a.command(m.Dispense, deal_id=token, first=1)
        expect("code of the first card's DISPENSE", Code(first.code), Code.OK)
        expect("token and deal while it moves", (first.token_id, first.deal_id), (0, token))
        command = a.said
        expect("code of its repeat while it moves", Code((await a.status(command)).code), Code.IN_PROGRESS)
        other = await a.command(m.Dispense, deal_id=token, first=0)
        expect("code of another while it moves", Code(other.code), Code.BUSY)
        s = await a.final()
        expect("how it ended", (CommandState(s.cmd_state), Code(s.cmd_result)), (CommandState.DONE, Code.MOVED))
        expect("cards in the machine", s.machine, self._cards - 1)
        again = await a.status(command)
        expect("code of its repeat afterwards", Code(again.code), Code.REPEAT)
        expect("machine and exit after the repeat", (again.machine, again.exit_id), (s.machine, s.exit_id))
        self._cards -= 1
        if Cap.GATE in self._caps:
            await self._one_release(s)

    async def _one_release(self, up: m.Status) -> None:
        a = self._a
        full = await a.command(m.Dispense, deal_id=up.deal_id, first=0)
        expect("code of a DISPENSE over a full exit", Code(full.code), Code.EXIT_FULL)
        other = await a.command(m.Release, card_id=up.exit_id + 1, open_ms=OPEN_MS)
        expect("code of a RELEASE of another card", Code(other.code), Code.WRONG_CARD)
        await a.hold()
        expect("code of an ARM under a hold", Code((await a.arm()).code), Code.OK)
        held = await a.command(m.Release, card_id=up.exit_id, open_ms=OPEN_MS)
        expect("code of a RELEASE under a hold", Code(held.code), Code.HELD)
        await a.clear()
        expect("code of an ARM after it", Code((await a.arm()).code), Code.OK)
        taken = await a.command(m.Release, card_id=up.exit_id, open_ms=OPEN_MS)
        release = a.said
        expect("code of a RELEASE", Code(taken.code), Code.OK)
        passed = await a.final()
        ended = (CommandState(passed.cmd_state), Code(passed.cmd_result))
        expect("how it ended", ended, (CommandState.DONE, Code.PASSED))
        expect("exit and cards let out", (passed.exit_id, passed.out_total), (0, up.out_total + 1))
        again = await a.status(release)
        expect("code of its repeat", Code(again.code), Code.REPEAT)
        expect("cards let out after the repeat", again.out_total, passed.out_total)

    async def back(self) -> None:
        """A card that is taken back costs the order and the shuffle."""
        if Cap.RETRACT not in self._caps or Cap.GATE not in self._caps:
            raise NotAsked("the machine takes no card back")
        a, s = self._a, await self._ready()
        up = await a.done(m.Dispense, deal_id=s.token_id, first=1)
        back = await a.done(m.Retract, card_id=up.exit_id)
        expect("how a RETRACT ended", CommandState(back.cmd_state), CommandState.DONE)
        found = (back.machine, back.exit_id, back.order, back.deal_id, back.token_id)
        expect("machine, exit, order, deal and token after it", found, (self._cards, 0, 1, 0, 0))

    async def power_at_rest(self) -> None:
        """A hold outlives the power, a permit does not, and nothing moves at a boot."""
        a, s = self._a, await self._ready()
        right = m.Dispense(s.epoch, s.fence, s.cmd_id + 1, s.cmd_id, s.token_id, 1)
        held = await a.hold()
        await self._cut()
        now = await a.query()
        expect("state after a boot", DeviceState(now.state), DeviceState.LOCKED)
        expect_that("it says BOOT, and the hold stands", (Lock.BOOT | Lock.HOLD) & ~now.locks == Lock(0))
        latched = (now.hold_no, now.hold_key)
        expect("the hold latched", latched, (held.hold_no, held.hold_key))
        expect_that(f"the fence {now.fence} is above {held.fence}", now.fence > held.fence)
        expect_that("the boot has a number of its own", now.boot_id != held.boot_id)
        expect("code of a HEARTBEAT before the greeting", Code((await a.beat()).code), Code.NO_SESSION)
        await a.hello(a.session)
        expect("code of a permit from before the cut", Code((await a.status(right)).code), Code.BAD_FENCE)
        await a.clear()

    async def power_in_motion(self) -> None:
        """A DISPENSE cut short is uncertain: its id is consumed, its shuffle spent, and it never moves again."""
        a, s = self._a, await self._ready()
        token = s.token_id
        await a.command(m.Dispense, deal_id=token, first=1)
        command = a.said
        await self._cut()
        await a.hello(a.session)
        again = await a.status(command)
        expect("code of its repeat", Code(again.code), Code.REPEAT)
        expect("its state", CommandState(again.cmd_state), CommandState.UNCERTAIN)
        expect("token and deal", (again.token_id, again.deal_id), (0, token))
        expect_that("it says UNCERTAIN", Lock.UNCERTAIN in again.locks)
        expect("code of an ARM", Code((await a.arm()).code), Code.DISAGREE)

    async def _cut(self) -> None:
        if self._cut_power is None:
            raise NotAsked("nobody is there to cut the power")
        await self._cut_power()

    async def _ready(self) -> m.Status:
        """Greeted, places said, armed, shuffled; returns STATUS with its token."""
        a = self._a
        await self.places()
        expect("code of an ARM", Code((await a.arm()).code), Code.OK)
        if Cap.SHUFFLE not in self._caps:
            raise NotAsked("the machine does not shuffle: without a shuffle no card comes out")
        s = await a.done(m.Shuffle, expect=self._cards, scope=0)
        ended = (CommandState(s.cmd_state), Code(s.cmd_result))
        expect(f"how a SHUFFLE of {self._cards} cards ended", ended, (CommandState.DONE, Code.CYCLE_DONE))
        expect("token and order after it", (s.token_id, s.order), (s.cmd_id, 0))
        return s
