"""What the host asks next, frame by frame: against STATUS made by hand, in made-up time."""

import msgspec
import pytest

from dealerbox.model import events
from dealerbox.model.commands import Dispense, Places
from dealerbox.model.shuffler import Cap, Memory
from dealerbox.ports import DeviceGone, DeviceWrong
from dealerbox_drivers.shuffler.agenda import HEARTBEAT_NS, Agenda
from dealerbox_drivers.shuffler.host import Host
from dealerbox_drivers.shuffler.messages import (
    Arm,
    Code,
    CommandState,
    DeviceState,
    Heartbeat,
    Hello,
    Ident,
    Lock,
    Query,
    Sensor,
    Status,
    Type,
)
from dealerbox_drivers.shuffler.twin import FULL_CAPS

EPOCH = 0xE90C0001
MEMORY = Memory(session=29, serial=7, epoch=EPOCH, next_id=201, settled=200, machine=52)
IDENT = Ident(
    proto=1, capacity=54, max_payload=200, caps=FULL_CAPS, vendor=1, model=1, serial=7, firmware=1, boot_id=3,
    boot_count=1, reset_cause=1, nvm=0, epoch=EPOCH, fence=96, session=29, dispense_ms=2700, cycle_s=90,
)  # fmt: skip
REST = Status(
    code=0, state=DeviceState.LOCKED, locks=Lock.SESSION, epoch=EPOCH, fence=96, boot_id=3, tick=5000, session=29,
    cmd_id=200, cmd_kind=0x13, cmd_state=CommandState.DONE, cmd_result=Code.CYCLE_DONE, pulses=0, machine=52,
    order=0, exit_id=0, out_total=1000, taken_id=0, deal_id=0, token_id=200, hold_no=0, hold_session=0,
    hold_key=0, hold_reason=0, error=0, sensors=Sensor.GATE_LOCKED, event_next=0,
)  # fmt: skip
ARM = (Type.ARM, Arm(EPOCH, 96, 200, 52, 0))


class Talk:
    """A host that is shown what a test makes up, a millisecond after it asked."""

    def __init__(self, memory=MEMORY, identity=0):
        self.host = Host("shuffler", memory, identity)
        self.agenda = Agenda("shuffler", self.host)
        self.agenda.begin()
        self.now_ns = 10 * HEARTBEAT_NS
        self.seen = REST

    def next(self):
        return self.agenda.next(self.now_ns)

    def status(self, **changes):
        self.now_ns += 1_000_000
        self.seen = msgspec.structs.replace(self.seen, **{"tick": self.seen.tick + 1} | changes)
        self.host.take_status(self.seen, self.now_ns)

    def beat(self):
        """The next heartbeat is said, and answered with no news."""
        self.now_ns += HEARTBEAT_NS
        assert self.next()[0] == Type.HEARTBEAT
        self.status()

    def greeted(self):
        assert self.next() == (Type.HELLO, Hello(1, 1, 0))
        self.host.take_ident(IDENT)
        assert self.next() == (Type.QUERY, Query())
        self.status()
        assert self.next() == (Type.HEARTBEAT, Heartbeat(3, 5001))
        self.status()
        return self

    def armed(self):
        assert self.greeted().next() == ARM
        self.status(state=DeviceState.ARMED, locks=Lock(0))
        return self


def test_a_meeting_is_hello_query_heartbeat_arm_and_then_silence_till_the_next_heartbeat() -> None:
    talk = Talk().armed()
    assert talk.next() is None
    assert talk.host.told[-1].agreed
    talk.now_ns += HEARTBEAT_NS
    assert talk.next() == (Type.HEARTBEAT, Heartbeat(3, talk.seen.tick))


def test_a_hint_costs_one_query() -> None:
    talk = Talk().armed()
    talk.agenda.look()
    talk.agenda.look()
    assert (talk.next(), talk.next()) == ((Type.QUERY, Query()), None)


def test_a_permit_not_heard_in_the_last_answer_is_the_same_bytes_again_at_the_next_heartbeat() -> None:
    talk = Talk().armed()
    talk.agenda.add(Dispense(201, 200, True), talk.now_ns)
    said = talk.next()
    assert said[0] == Type.DISPENSE
    talk.status()
    assert talk.next() is None
    talk.beat()
    assert talk.next() == said


def test_a_machine_that_disarmed_under_the_same_fence_is_armed_before_the_same_bytes() -> None:
    talk = Talk().armed()
    talk.agenda.add(Dispense(201, 200, True), talk.now_ns)
    said = talk.next()
    talk.status(code=Code.NOT_ARMED, state=DeviceState.LOCKED)
    assert talk.next() == ARM
    talk.status(state=DeviceState.ARMED)
    assert talk.next() == said


def test_a_permit_that_is_never_taken_ends_the_line_so_that_a_hold_can_void_it() -> None:
    talk = Talk().armed()
    talk.agenda.add(Dispense(201, 200, True), talk.now_ns)
    talk.next()
    talk.status(code=Code.BAD_FRAME)

    def insist():
        for _ in range(50):
            talk.beat()
            talk.next()

    with pytest.raises(DeviceGone, match=r"201 .Dispense. is not taken"):
        insist()


def test_a_command_that_does_not_end_ends_the_line() -> None:
    talk = Talk().armed()
    talk.agenda.add(Dispense(201, 200, True), talk.now_ns)
    talk.next()
    talk.status(cmd_id=201, cmd_state=CommandState.MOVING, state=DeviceState.BUSY)

    def wait():
        for _ in range(50):
            talk.beat()
            assert talk.next() is None

    with pytest.raises(DeviceGone, match=r"201 .Dispense. does not end"):
        wait()


def test_an_arm_refused_for_five_seconds_is_a_matter_for_a_person() -> None:
    talk = Talk().greeted()
    said = []
    for _ in range(100):
        said.append(talk.next())
        talk.status(code=Code.DISAGREE)
        talk.now_ns += HEARTBEAT_NS // 2
    assert said.count(ARM) == 21
    assert talk.host.told[-1].why == "refused"


def test_leases_lost_now_and_then_are_no_refusal() -> None:
    talk = Talk().armed()
    for fence in range(97, 140):
        talk.beat()
        talk.status(fence=fence, state=DeviceState.LOCKED, locks=Lock.LEASE)
        assert talk.next()[0] == Type.ARM
        talk.status(state=DeviceState.ARMED, locks=Lock(0))
        assert talk.next() is None
    assert [type(event) for event in talk.host.told] == [events.ShufflerMet]


def test_frames_of_a_retired_epoch_another_session_or_an_older_fence_change_nothing() -> None:
    talk = Talk().armed()
    for changes in ({"session": 28}, {"fence": 95}, {"tick": 1}):
        old = msgspec.structs.replace(REST, cmd_id=150, machine=3, tick=9000)
        talk.host.take_status(msgspec.structs.replace(old, **changes), talk.now_ns)
    assert (len(talk.host.told), talk.next()) == (1, None)
    talk.host.greet_again()
    talk.host.take_ident(msgspec.structs.replace(IDENT, epoch=0xABC, fence=2, boot_id=4))
    talk.status(epoch=0xABC, fence=2, boot_id=4, tick=5, cmd_id=0, locks=Lock.WIPED | Lock.CONTENT, machine=0xFF)
    assert talk.host.told[-1].why == "epoch"
    talk.host.take_status(REST, talk.now_ns)
    talk.host.greet_again()
    talk.host.take_ident(IDENT)
    assert talk.next()[0] == Type.HELLO
    assert len(talk.host.told) == 2


def test_a_restart_seen_in_any_status_is_greeted_again() -> None:
    talk = Talk().armed()
    talk.status(boot_id=4, fence=97, locks=Lock.BOOT, state=DeviceState.LOCKED, tick=3)
    assert talk.next()[0] == Type.HELLO


def test_a_machine_whose_memory_went_back_is_strange() -> None:
    talk = Talk().armed()
    talk.host.greet_again()
    talk.host.take_ident(msgspec.structs.replace(IDENT, boot_id=4, fence=80))
    talk.status(boot_id=4, fence=80, locks=Lock.BOOT, state=DeviceState.LOCKED, tick=3)
    assert talk.host.told[-1].why == "behind"


def test_another_machine_than_the_one_last_met_is_strange() -> None:
    talk = Talk(msgspec.structs.replace(MEMORY, serial=8))
    talk.greeted()
    assert talk.host.told[-1].why == "serial"
    talk.agenda.add(Places(201, 52, 0, False, 7), talk.now_ns)
    assert talk.next()[0] == Type.PLACES


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"serial": 9}, "9 answers where 7 is configured"),
        ({"caps": FULL_CAPS | Cap.FACE_SENSOR}, "face"),
        ({"proto": 2}, "protocol"),
    ],
)
def test_a_machine_that_cannot_be_used_is_refused_in_a_sentence(changes, words) -> None:
    with pytest.raises(DeviceWrong, match=words):
        Talk(identity=7).host.take_ident(msgspec.structs.replace(IDENT, **changes))


def test_a_machine_that_answers_but_never_stays_greeted_is_gone() -> None:
    talk = Talk()

    def greet():
        for _ in range(20):
            if talk.next()[0] == Type.HELLO:
                talk.host.take_ident(IDENT)
            else:
                talk.status(code=Code.NO_SESSION)

    with pytest.raises(DeviceGone, match="stay greeted"):
        greet()
