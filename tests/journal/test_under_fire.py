"""The short form of the journal's proof, and that its judge bites: each guard is taken away once."""

import pytest
from msgspec.structs import replace

from bench.crash import calls, flips, forgets, states, tails
from bench.crash.disk import CrashDisk
from bench.crash.evening import Recorder, record_evening
from dealerbox.journal import recover as recover_module
from dealerbox.journal import segment as segment_module
from dealerbox.journal import writer as writer_module
from dealerbox.journal.recover import Head
from dealerbox.journal.tape import Tape


@pytest.fixture(scope="module")
def evening() -> list[bytes]:
    return record_evening(1, seed=1)


def test_every_crash_state_of_a_hand_keeps_what_was_acknowledged_and_nothing_else(evening) -> None:
    judge = states.prove(evening[:120], 1, pruned=True)
    assert judge.wrong == []
    assert judge.score["prunings"] >= 1
    assert judge.score["states"] > 1500
    assert judge.score["torn tail"] > 900


def test_the_first_failure_at_any_call_is_the_last(evening) -> None:
    score, wrong = calls.prove([[payload] for payload in evening[:4]] + [evening[4:7], evening[7:9]], 1)
    assert wrong == []
    assert min(score[error] for error in ("EIO", "ENOSPC", "EROFS", "EDQUOT", "EINTR", "short write")) > 10


def test_a_stall_of_750_ms_costs_nothing_but_time(evening) -> None:
    _, wrong = calls.stalled([[payload] for payload in evening[:3]])
    assert wrong == []


def test_a_flipped_bit_anywhere_names_its_record(evening) -> None:
    score, wrong = flips.prove(evening[:4], 1, every=7)
    assert wrong == []
    assert score["flips"] > 800


def test_a_flipped_bit_beside_a_torn_shared_sync_has_its_verdict(evening) -> None:
    score, wrong = tails.prove(evening, 1, every=2_500)
    assert wrong == []
    assert score["states"] == 200
    assert min(score["corrupt"], score["torn tail"]) > 2_000


def test_a_card_that_forgets_is_told_by_a_kept_head_and_by_the_shuffler(evening) -> None:
    score, wrong = forgets.prove(evening[:160], 1, most=3)
    assert wrong == []
    assert score["rolled back"] == score["forgotten"] > 300
    assert score["told by the shuffler"] > 5


# The guards, each taken away.


def test_a_writer_that_tells_before_the_sync_is_caught(evening, monkeypatch) -> None:
    monkeypatch.setattr(Tape, "sync", lambda self: None)
    recorder = Recorder(CrashDisk(), states.SEGMENT)
    recorder.write([[payload] for payload in evening[:3]])
    assert recorder.faults[0] == "record 1 was called durable, and 0 was the newest that was synced"


def test_a_card_that_lies_is_caught_by_the_judge(evening) -> None:
    judge = states.Judge(1)
    judge.disk.forgets = True
    judge.recorder.write([[payload] for payload in evening[:3]])
    assert judge.score["lost"] > 0


def test_a_start_that_takes_a_later_whole_record_for_proof_is_caught(evening, monkeypatch) -> None:
    """Without `synced` a record lost from a shared sync looks like damage."""
    judge = recover_module._Scan._judge

    def trusting(self, segment, offset) -> None:
        self.head = Head(0, self.head.digest)
        judge(self, segment, offset)

    monkeypatch.setattr(recover_module._Scan, "_judge", trusting)
    told = states.Judge(1)
    told.recorder.write([[payload] for payload in evening[:2]] + [evening[2:6]])
    assert "called corrupt" in told.score


def test_a_record_that_names_too_old_a_sync_is_caught(evening, monkeypatch) -> None:
    """As one would that is made while another is on its way to the disk."""
    encode = writer_module.encode
    monkeypatch.setattr(
        writer_module, "encode", lambda record: encode(replace(record, synced=max(0, record.synced - 1)))
    )
    _, wrong = tails.prove(evening, 1, every=9_000)
    assert any("torn tail at" in each and "wanted (<Verdict.CORRUPT" in each for each in wrong)
    _, wrong = flips.prove(evening[:4], 1, every=7)
    assert wrong


def test_a_start_that_does_not_mend_is_caught(evening, monkeypatch) -> None:
    monkeypatch.setattr(recover_module, "_zero", lambda *_: None)
    judge = states.prove(evening[:30], 1, pruned=False)
    assert judge.wrong[0].startswith("not mended: ")


def test_a_segment_that_is_used_before_its_name_is_safe_is_caught(evening, monkeypatch) -> None:
    monkeypatch.setattr(CrashDisk, "sync_directory", lambda self: None)
    assert states.prove(evening[:30], 1, pruned=False).wrong[0].startswith("lost: ")


def test_a_checksum_that_is_not_looked_at_is_caught(evening, monkeypatch) -> None:
    monkeypatch.setattr("dealerbox.journal.record.check_of", lambda data: bytes(32))
    _, wrong = flips.prove(evening[:2], 1, every=7)
    assert wrong


def test_a_second_try_after_a_failed_sync_is_caught(evening, monkeypatch) -> None:
    sync = Tape.sync

    def again(self) -> None:
        try:
            sync(self)
        except OSError:
            sync(self)

    monkeypatch.setattr(Tape, "sync", again)
    _, wrong = calls.prove([[payload] for payload in evening[:3]], 1)
    assert "EIO at call 6 (fdatasync): went unnoticed" in wrong


def test_a_write_that_is_interrupted_and_given_up_is_caught(evening, monkeypatch) -> None:
    monkeypatch.setattr(segment_module, "InterruptedError", ZeroDivisionError, raising=False)
    _, wrong = calls.prove([[payload] for payload in evening[:3]], 1)
    assert any("told though nothing was lost" in each for each in wrong)
