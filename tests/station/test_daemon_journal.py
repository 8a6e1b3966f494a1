"""What a start asks of the journal and its disk, and what the last moment leaves in it."""

import errno
import os
import shutil
import signal
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from dealerbox.journal import reserve as reserve_module
from dealerbox.journal import tape as tape_module
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.kept import read_kept
from dealerbox.model.commands import Hold
from dealerbox.model.events import SpaceLeft, ZoneUnknown
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import BOARD
from dealerbox.ports import JournalError
from dealerbox.station.past import recall


def full(*_, **__) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def full_disk(monkeypatch) -> Callable[[], None]:
    """From its call on no segment is reserved and none is made ahead."""

    def filled() -> None:
        monkeypatch.setattr(reserve_module, "claim", full)
        monkeypatch.setattr(tape_module, "make", full)

    return filled


def segments(config) -> list[str]:
    return sorted(path.name for path in (config.state_dir / "journal").iterdir())


def test_the_evenings_records_have_their_room_before_any_device_is_opened(live, actor, config) -> None:
    seen: list[int] = []

    async def look(emit) -> None:
        seen.extend(path.stat().st_blocks * 512 for path in sorted((config.state_dir / "journal").iterdir()))

    assert live(actor(look), config=replace(config, records=4097)) == (0, [])
    assert seen == [16 << 20, 16 << 20]


def test_a_closed_table_does_not_open_without_room_for_its_evening(live, actor, config, full_disk) -> None:
    live(actor())
    (config.state_dir / "journal" / "00000001.journal").unlink()
    full_disk()
    with pytest.raises(JournalError, match="room for 4096 of the 9000 records that an evening needs; make room on it"):
        live(actor(), config=replace(config, records=9000))


def test_a_table_that_was_open_goes_on_with_what_room_there_is_and_says_so(live, actor, config, full_disk) -> None:
    live(actor())
    full_disk()
    told: list[SpaceLeft] = []

    async def look(emit) -> None:
        state = recall(RealDisk(config.state_dir / "journal")).state
        told.append(state.space)

    code, said = live(actor(look), config=replace(config, records=100_000))
    assert code == 0
    assert said[0].endswith("the disk has room for 4093 of the 100000 records that an evening needs; make room on it")
    assert recall(RealDisk(config.state_dir / "journal")).state.space == "full"


def test_a_journal_older_than_the_kept_head_stops_the_table_with_one_sentence(live, actor, config, tmp_path) -> None:
    (tmp_path / "stick").mkdir()
    kept = replace(config, head_file=tmp_path / "stick" / "head")
    assert live(actor(), config=kept) == (0, [])
    old = tmp_path / "old"
    shutil.copytree(config.state_dir / "journal", old)
    assert live(actor(), config=kept) == (0, [])
    head = read_kept(tmp_path / "stick" / "head")
    assert head == recall(RealDisk(config.state_dir / "journal")).recovery.head
    shutil.rmtree(config.state_dir / "journal")
    shutil.copytree(old, config.state_dir / "journal")
    with pytest.raises(JournalError) as refused:
        live(actor(), config=kept)
    assert str(refused.value) == (
        f"the journal in {config.state_dir}/journal is rolled back: it ends with record 3; record {head.seq} was known"
        f" from {tmp_path}/stick/head; put back the newer journal, or the director looks into it and takes that head"
        " away"
    )
    shutil.rmtree(config.state_dir / "journal")
    with pytest.raises(JournalError, match="it ends with record 0"):
        live(actor(), config=kept)


def test_without_a_kept_head_the_start_says_what_it_cannot_know(live, actor, config, tmp_path) -> None:
    live(actor())
    _, said = live(actor(), config=replace(config, head_file=tmp_path / "head"))
    assert said == [f"{tmp_path}/head: no head is kept there yet; that this journal is the newest is not known"]


def test_a_medium_that_is_gone_stops_no_play_and_is_told_at_the_end(live, actor, config, tmp_path) -> None:
    code, said = live(actor(), config=replace(config, head_file=tmp_path / "gone" / "head"))
    assert code == 0
    assert said == [f"{tmp_path}/gone/head: the journal's head cannot be kept there: No such file or directory"]


def test_a_hold_given_in_the_moment_of_sigterm_is_in_the_journal(live, actor, config) -> None:
    async def hold_and_end(emit) -> None:
        emit(ZoneUnknown(1, BOARD, "deaf"))
        os.kill(os.getpid(), signal.SIGTERM)

    there = actor(hold_and_end, end=False)
    assert live(there) == (0, [])
    state = recall(RealDisk(config.state_dir / "journal")).state
    given = [command for command in there.given if isinstance(command, Hold)]
    assert [hold.reason for hold in given] == [Reason.DEVICE_LOST, Reason.RESTARTED]
    assert [hold.reason for hold in state.holds] == [Reason.DEVICE_LOST]
    assert state.memory.hold_key == given[0].key
