"""The bench's questions: both implementations keep the page, and each of ten that do not is caught."""

import asyncio
import shutil
import subprocess
from random import Random

import pytest

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.shuffler.conformance.bench import Level, Verdict, conform
from dealerbox_drivers.shuffler.twin import FULL_CAPS
from dealerbox_drivers.shuffler.twin_machine import Timings
from dealerbox_drivers.shuffler.twin_reference import BUILT, ReferenceShuffler

QUICK = Timings(shuffle_ms=500)
SOURCE = BUILT.parents[1]


@pytest.fixture
def asked(run, felt_of):
    """`asked(make, level, caps)`: put every question to what `make` makes, in virtual time; return the findings."""

    def ask(make, level=Level.MOTION, caps=FULL_CAPS, cards=20):
        async def scene():
            line, far = memory_pair()
            felt = felt_of(cards)
            made = make(far, felt, Random(2), caps=caps, timings=QUICK)
            serving = asyncio.ensure_future(made.run())

            async def cut_power():
                made.power_off()
                await asyncio.sleep(1)
                for uid in felt.at("behind_gate"):
                    felt.put(uid, "machine")
                made.power_on()

            try:
                return [finding async for finding in conform(line, level, cards, cut_power)]
            finally:
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)

        return run(scene(), limit_s=3600)

    return ask


def broken(findings):
    return [finding for finding in findings if finding.verdict is not Verdict.KEPT]


def test_the_page_is_kept(asked, device):
    findings = asked(device)
    assert broken(findings) == []
    assert len(findings) == 14


def test_a_machine_without_a_gate_is_asked_what_it_can_do(asked, device):
    findings = asked(device, caps=FULL_CAPS & ~(Cap.GATE | Cap.SLOT_SENSOR | Cap.RETRACT))
    assert [(finding.question, finding.verdict) for finding in broken(findings)] == [("taken back", Verdict.NOT_ASKED)]


def test_read_only_moves_nothing_and_says_what_could_not_be_asked(asked, device):
    findings = asked(device, level=Level.READ_ONLY)
    assert [finding.question for finding in broken(findings)] == ["arming", "lease"]  # a memory never used is WIPED
    assert {finding.verdict for finding in broken(findings)} == {Verdict.NOT_ASKED}
    assert "WIPED" in broken(findings)[0].why


FAULTS = {
    "a spoilt frame is taken": (
        "noise",
        "frame.c",
        "return take_u32(&from) == frame_crc(bytes, length - CRC_SIZE) ? length - CRC_SIZE : 0;",
        "(void)from; return length - CRC_SIZE;",
    ),
    "an older session is greeted": (
        "sessions",
        "request.c",
        "if (request->session < device->record.session)\n        return CODE_STALE_SESSION;\n    if (least",
        "if (least",
    ),
    "a repeat is not known": (
        "one card",
        "command.c",
        "if (permit->cmd_id != 0 && permit->cmd_id == record->cmd_id)\n        return",
        "if (permit->cmd_id != 0 && permit->cmd_id == record->cmd_id && device_moving(device))\n        return",
    ),
    "a hold raises no fence": (
        "holds",
        "device.c",
        "    device->record.fence++;\n    device->record.locks |= kept;",
        "    device->record.fence += !(kept & LOCK_HOLD);\n    device->record.locks |= kept;",
    ),
    "a hold is cleared by any number": (
        "holds",
        "request.c",
        "same = take_u32(&body) == record->hold_no && same;",
        "(void)take_u32(&body);",
    ),
    "the lease is counted from arrival": (
        "lease",
        "request.c",
        "uint32_t end = echo + LEASE_MS;",
        "uint32_t end = device->now + LEASE_MS;",
    ),
    "the lease ends and nothing locks": (
        "lease",
        "device.c",
        "if (device->armed || device_moving(device))",
        "if (device_moving(device))",
    ),
    "a dead permit is taken": (
        "fence",
        "command.c",
        "permit->fence != record->fence",
        "permit->fence > record->fence",
    ),
    "a shuffle is spent twice": (
        "one card",
        "command.c",
        "            record->token_id = 0;\n            record->deal_id",
        "            record->deal_id",
    ),
    "a hold is forgotten without power": (
        "power at rest",
        "record.c",
        "put_u16(&to, record->locks);",
        "put_u16(&to, record->locks & (unsigned)~LOCK_HOLD);",
    ),
    "a command is journalled after it moved": (
        "power in motion",
        "command.c",
        "if (!device_write(device)) {",
        "if (record->cmd_state != COMMAND_MOVING && !device_write(device)) {",
    ),
    "an event is told once": (
        "events",
        "event.c",
        "if (device->event_sent && ",
        "if (device->event_sent || ",
    ),
}
"""What is wrong, and by which question it is caught: file, what it says, what it says then."""


@pytest.fixture
def with_fault(tmp_path):
    """Build the reference device with one piece of its source put wrong."""

    def build(file, right, wrong):
        folder = tmp_path / "reference"
        shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("build"))
        source = (folder / file).read_text()
        assert source.count(right) == 1, f"{file} has {right!r} {source.count(right)} times"
        (folder / file).write_text(source.replace(right, wrong))
        sources = [str(path) for path in (*folder.glob("*.c"), *folder.glob("host/*.c"))]
        program = folder / "shuffler"
        subprocess.run(["cc", "-std=c99", "-D_XOPEN_SOURCE=700", *sources, "-o", str(program)], check=True)
        return program

    return build


@pytest.mark.parametrize("fault", FAULTS)
def test_a_device_that_breaks_the_page_is_caught(asked, with_fault, fault):
    question, file, right, wrong = FAULTS[fault]
    program = with_fault(file, right, wrong)
    found = broken(asked(lambda *told, **how: ReferenceShuffler(*told, program=program, **how)))
    assert question in {finding.question for finding in found if finding.verdict is Verdict.BROKEN}
    assert all(finding.why and finding.page for finding in found)
