"""What the twin takes and refuses: PROTOCOL.md section 4, "a command, in this order"."""

import pytest

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.shuffler import messages as m
from dealerbox_drivers.shuffler.messages import Code, CommandState, DeviceState, Lock
from dealerbox_drivers.shuffler.twin import FULL_CAPS

DONE, FAILED, UNCERTAIN = CommandState.DONE, CommandState.FAILED, CommandState.UNCERTAIN


def test_a_card_is_brought_up_and_let_out(at_bench):
    async def scene(b):
        s = await b.bring()
        assert (s.cmd_state, s.cmd_result, s.pulses, s.machine, s.exit_id) == (DONE, Code.MOVED, 1, 51, 3)
        card = b.felt.at("behind_gate")
        s = await b.do(m.Release, card_id=3, open_ms=10_000)
        assert (s.cmd_state, s.cmd_result, s.exit_id, s.out_total) == (DONE, Code.PASSED, 0, 1)
        assert b.felt.at("outlet") == card
        assert (s.state, s.locks) == (DeviceState.ARMED, Lock(0))

    at_bench(scene)


def test_the_first_card_spends_its_shuffle_and_the_second_needs_none(at_bench):
    async def scene(b):
        s = await b.bring()
        assert (s.token_id, s.deal_id) == (0, 2)
        await b.do(m.Release, card_id=3, open_ms=1000)
        s = await b.do(m.Dispense, deal_id=2, first=0)
        assert s.exit_id == 5

    at_bench(scene)


def test_the_next_card_may_come_up_while_the_last_lies_at_the_outlet_only_with_present_ahead(at_bench):
    async def scene(b):
        await b.bring()
        await b.do(m.Release, card_id=3, open_ms=1000)
        return (await b.say(m.Dispense, deal_id=2, first=0)).code

    assert at_bench(scene) == Code.OK
    assert at_bench(scene, caps=FULL_CAPS & ~Cap.PRESENT_AHEAD) == Code.OUTLET_FULL


def test_a_repeat_moves_nothing(at_bench):
    async def scene(b):
        s = await b.ready()
        await b.say(m.Dispense, deal_id=s.token_id, first=1)
        command = b.said
        assert (await b.ask(command, flags=1)).code == Code.IN_PROGRESS
        await b.final()
        s = await b.ask(command, flags=1)
        assert (s.code, s.cmd_state, s.machine) == (Code.REPEAT, DONE, 51)
        assert len(b.felt.at("behind_gate")) == 1

    at_bench(scene)


def test_a_late_release_never_opens_the_gate_for_the_next_card(at_bench):
    async def scene(b):
        await b.bring()
        await b.do(m.Release, card_id=3, open_ms=1000)
        release = b.said
        await b.do(m.Dispense, deal_id=2, first=0)
        assert (await b.ask(release)).code == Code.STALE_ID
        assert len(b.felt.at("behind_gate")) == 1

    at_bench(scene)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"epoch": 1}, Code.BAD_EPOCH),
        ({"cmd_id": 1}, Code.STALE_ID),
        ({"cmd_id": 0}, Code.STALE_ID),
        ({"fence": 1}, Code.BAD_FENCE),
        ({"prev_id": 1}, Code.BAD_PREV),
        ({"epoch": 1, "cmd_id": 1, "fence": 1}, Code.BAD_EPOCH),
        ({"cmd_id": 1, "fence": 1}, Code.STALE_ID),
        ({"fence": 1, "prev_id": 1}, Code.BAD_FENCE),
    ],
)
def test_a_command_is_stopped_at_the_fence_and_changes_nothing(at_bench, wrong, code):
    async def scene(b):
        before = await b.ready()
        s = await b.say(m.Dispense, **({"deal_id": 2, "first": 1} | wrong))
        assert s.code == code
        assert (s.cmd_id, s.fence, s.machine, s.token_id) == (before.cmd_id, before.fence, 52, 2)

    at_bench(scene)


def test_a_permit_from_before_a_restriction_is_dead_though_armed_anew(at_bench):
    async def scene(b):
        s = await b.ready()
        dead = m.Dispense(s.epoch, s.fence, 3, 2, 2, 1)
        held = await b.ask(m.HoldRequest(1, 1))
        await b.ask(m.ClearHold(held.epoch, held.hold_no, 1, 1, 7))
        await b.arm()
        assert (await b.ask(dead)).code == Code.BAD_FENCE

    at_bench(scene)


def test_while_a_command_moves_everything_else_is_busy(at_bench):
    async def scene(b):
        s = await b.ready()
        await b.say(m.Dispense, deal_id=2, first=1)
        assert (await b.say(m.Dispense, deal_id=2, first=0)).code == Code.BUSY
        assert (await b.places(52)).code == Code.BUSY
        assert (await b.arm()).code == Code.BUSY
        assert s.cmd_id == 2

    at_bench(scene)


def test_a_refusal_behind_the_fence_consumes_its_id(at_bench):
    async def scene(b):
        await b.ready()
        s = await b.say(m.Dispense, deal_id=99, first=1)
        assert (s.code, s.cmd_id, s.cmd_state, s.cmd_result) == (Code.NO_TOKEN, 3, FAILED, Code.NO_TOKEN)
        assert (await b.ask(b.said)).code == Code.REPEAT
        assert (await b.say(m.Dispense, deal_id=2, first=0)).code == Code.NO_TOKEN
        assert (await b.say(m.Release, card_id=4, open_ms=1000)).code == Code.EXIT_EMPTY
        assert (await b.do(m.Dispense, deal_id=2, first=1)).exit_id == 6
        assert (await b.say(m.Dispense, deal_id=2, first=0)).code == Code.EXIT_FULL
        assert (await b.say(m.Release, card_id=5, open_ms=1000)).code == Code.WRONG_CARD
        assert (await b.say(m.Count, scope=0)).code == Code.EXIT_FULL
        assert (await b.say(m.Dispense, deal_id=2, first=0, dest=1)).code == Code.UNSUPPORTED
        assert (await b.places(52)).code == Code.NOT_ASKED

    at_bench(scene)


def test_an_empty_machine_gives_nothing(at_bench):
    async def scene(b):
        await b.ready()
        assert (await b.say(m.Dispense, deal_id=2, first=1)).code == Code.EMPTY

    at_bench(scene, cards=0)


def test_numbers_that_mean_nothing_change_nothing(at_bench):
    async def scene(b):
        await b.ready()
        assert (await b.say(m.Dispense, deal_id=2, first=2)).code == Code.BAD_FRAME
        assert (await b.places(55)).code == Code.BAD_FRAME
        assert (await b.query()).cmd_id == 2

    at_bench(scene)


def test_under_a_hold_cards_may_go_in_but_not_out(at_bench):
    async def scene(b):
        await b.bring()
        await b.ask(m.HoldRequest(1, 1))
        assert (await b.say(m.Release, card_id=3, open_ms=1000)).code == Code.NOT_ARMED
        assert (await b.arm()).code == Code.OK
        s = await b.say(m.Release, card_id=3, open_ms=1000)
        assert (s.code, s.cmd_state) == (Code.HELD, FAILED)
        s = await b.do(m.Retract, card_id=3)
        assert (s.cmd_state, s.machine, s.exit_id, s.order, s.deal_id) == (DONE, 52, 0, 1, 0)
        assert len(b.felt.at("machine")) == 52
        assert (await b.do(m.Shuffle, expect=52, scope=1)).token_id == 7

    at_bench(scene)
