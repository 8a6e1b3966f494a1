"""`dealerbox log`: a verdict in words with a code each, the record at fault named, nothing changed by looking."""

import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bench.kept_journal import kept
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.evidence import Sealed
from dealerbox.journal.kept import said, write_kept
from dealerbox.journal.record import ClockQuality, Stamp
from dealerbox.journal.recover import Head, recover
from dealerbox.journal.signed import Signer, written

BLOCK = 4096
SEGMENT = 16 << 20
SIGNER = Signer(b"k" * 32)


def write(folder: Path, number: int = 3) -> Head:
    """Write a head and so many events, and return the journal's head."""
    ticks = [b'{"event":{"event":"Tick","at_ns":%d},"commands":[]}' % each for each in range(number)]
    return kept(folder, ticks, stamp=Stamp(1_500_000_000, 1_750_000_000_250_000, ClockQuality.SYNCED))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "journal")
    write(tmp_path / "journal")
    return tmp_path / "journal"


def seal(folder: Path) -> None:
    """A run more, which signs the head before it."""
    head = recover(RealDisk(folder), lambda record: None).head
    kept(folder, sealed=msgspec.json.encode(Sealed(SIGNER.sign(head))))


def change(folder: Path, offset: int, data: bytes) -> None:
    with (folder / "00000001.journal").open("r+b") as file:
        file.seek(offset)
        file.write(data)


def digest(folder: Path) -> dict[str, tuple[str, int]]:
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns) for path in folder.iterdir()
    }


def test_a_clean_journal_is_told_with_its_head_and_0(dealerbox: Any, folder: Path) -> None:
    head = recover(RealDisk(folder), lambda record: None).head
    assert dealerbox("log", "verify", str(folder)) == (0, f"{folder}: clean, 8 records; head {said(head)}\n", "")


def test_segments_named_one_by_one_are_the_same_journal(dealerbox: Any, folder: Path) -> None:
    answer = dealerbox("log", "verify", str(folder / "00000001.journal"))
    assert (answer.code, answer.out) == (0, dealerbox("log", "verify", str(folder)).out)


def test_a_torn_tail_is_1(dealerbox: Any, folder: Path) -> None:
    change(folder, 8 * BLOCK, b"DLBX torn")
    answer = dealerbox("log", "verify", str(folder))
    assert answer.code == 1
    assert f"{folder}: torn tail: {folder}/00000001.journal, offset 32768: record 9: its " in answer.out


@pytest.mark.parametrize("command", ["verify", "show", "export"])
def test_a_corrupt_journal_is_65_names_the_record_and_is_not_changed(
    dealerbox: Any, folder: Path, command: str
) -> None:
    change(folder, 2 * BLOCK + 120, b"\xff")
    before = digest(folder)
    answer = dealerbox("log", command, str(folder))
    assert answer.code == 65
    assert "corrupt" in answer.out + answer.err
    assert "offset 8192: record 3: its check is wrong" in answer.out + answer.err
    assert digest(folder) == before


@pytest.mark.parametrize("bytes_left", [0, 100, 3 * BLOCK, 5 * BLOCK + 7])
@pytest.mark.parametrize("command", ["verify", "show", "export"])
def test_a_truncated_journal_is_65_says_what_is_left_and_is_not_changed(
    dealerbox: Any, folder: Path, bytes_left: int, command: str
) -> None:
    os.truncate(folder / "00000001.journal", bytes_left)
    before = digest(folder)
    answer = dealerbox("log", command, str(folder))
    assert answer.code == 65
    told = (
        f"has {bytes_left} bytes and must have {SEGMENT}: what came after record {bytes_left // BLOCK} may be cut off"
    )
    assert told in answer.out + answer.err
    assert digest(folder) == before


def test_a_journal_older_than_the_head_given_is_3(dealerbox: Any, folder: Path, tmp_path: Path) -> None:
    head = write(folder)
    write_kept(tmp_path / "head.json", SIGNER.sign(head))
    for given in (said(head), written(SIGNER.sign(head)), str(tmp_path / "head.json")):
        assert dealerbox("log", "verify", "--head", given, str(folder)).code == 0
    change(folder, 8 * BLOCK, bytes(4 * BLOCK))
    for given in (said(head), str(tmp_path / "head.json")):
        answer = dealerbox("log", "verify", "--head", given, str(folder))
        assert answer.code == 3
        assert answer.out == f"{folder}: rolled back: it ends with record 8; record 12 was known\n"


def test_of_several_journals_the_worst_is_the_code(dealerbox: Any, folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "other")
    change(folder, BLOCK, b"\xff")
    answer = dealerbox("log", "verify", str(folder), str(tmp_path / "other"))
    assert answer.code == 65
    assert len(answer.out.splitlines()) == 2


def test_show_prints_a_line_a_record_and_the_verdict_apart(dealerbox: Any, folder: Path) -> None:
    answer = dealerbox("log", "show", "--first", "4", "--last", "5", str(folder))
    assert answer.code == 0
    assert answer.out.splitlines() == [
        '       4  event  2025-06-15 15:06:40.250Z synced           1.500 s  {"event":{"event":"Tick","at_ns":2},'
        '"commands":[]}',
        '       5  head   2025-06-15 15:06:40.250Z synced           1.500 s  {"format":1}',
    ]
    assert "clean, 8 records" in answer.err


def test_export_writes_every_record_and_never_over_a_file(dealerbox: Any, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "night.jsonl"
    assert dealerbox("log", "export", "--output", str(out), str(folder)).code == 0
    *records, closing = out.read_text().splitlines()
    assert [line[:8] for line in records] == [f'{{"seq":{n},'[:8] for n in range(1, 9)]
    assert closing.startswith('{"exported":{"records":8,"head":"8:')
    again = dealerbox("log", "export", "--output", str(out), str(folder))
    assert again.code == 74
    assert again.err.startswith(f"{out}: file exists")


def test_the_events_alone_are_a_view_of_a_journal_and_of_what_was_exported(
    dealerbox: Any, folder: Path, tmp_path: Path
) -> None:
    events = dealerbox("log", "export", "--view", "events", str(folder)).out
    assert [line[:8] for line in events.splitlines()] == [f'{{"seq":{n},'[:8] for n in (2, 3, 4, 6, 7, 8)]
    dealerbox("log", "export", "--output", str(tmp_path / "all"), str(folder))
    assert dealerbox("log", "export", "--view", "events", str(tmp_path / "all")).out == events


def test_what_was_exported_is_verified_with_nothing_else_at_hand(dealerbox: Any, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "night.jsonl"
    seal(folder)
    dealerbox("log", "export", "--output", str(out), str(folder))
    head = recover(RealDisk(folder), lambda record: None).head
    shutil.rmtree(folder)
    answer = dealerbox("log", "verify", "--head", said(head), str(out))
    assert answer == (0, f"{out}: clean, 10 records; head {said(head)}; head 8 signed by {SIGNER.key}\n", "")
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines).replace(b'"at_ns":1}', b'"at_ns":2}'))
    answer = dealerbox("log", "verify", str(out))
    assert (answer.code, answer.out) == (65, f"{out}: corrupt: {out}: line 4: record 4 does not follow record 3\n")
    out.write_bytes(b"".join(lines[:-1]))
    assert "cut short after record 10" in dealerbox("log", "verify", str(out)).out
    newer = said(Head(12, bytes(32)))
    out.write_bytes(b"".join(lines))
    answer = dealerbox("log", "verify", "--head", newer, str(out))
    assert (answer.code, answer.out) == (3, f"{out}: rolled back: it ends with record 10; record 12 was known\n")


def test_a_journal_says_which_head_its_station_signed(dealerbox: Any, folder: Path) -> None:
    seal(folder)
    assert dealerbox("log", "verify", str(folder)).out.endswith(f"; head 8 signed by {SIGNER.key}\n")
    forged = Signer(b"f" * 32).sign(recover(RealDisk(folder), lambda record: None).head)
    answer = dealerbox("log", "verify", "--head", written(forged), str(folder))
    assert answer.code == 65
    assert "record 10: signed with another key than" in answer.out


def test_a_head_whose_signature_is_not_its_keys_is_none(dealerbox: Any, folder: Path) -> None:
    head = SIGNER.sign(recover(RealDisk(folder), lambda record: None).head)
    changed = written(replace(head, signature=head.signature[::-1]))
    answer = dealerbox("log", "verify", "--head", changed, str(folder))
    assert (answer.code, answer.err) == (74, "head 8: its signature is not made with its key; it was changed\n")


@pytest.mark.parametrize(
    ("name", "code", "sentence"),
    [
        ("nothing", 66, "no such file or directory; check the path"),
        ("empty", 66, "no journal lies there; check the path"),
        ("notes.txt", 65, "corrupt: {0}: line 1: no record; only what `dealerbox log export` wrote can be verified"),
    ],
)
def test_what_is_no_journal_is_one_sentence(
    dealerbox: Any, tmp_path: Path, name: str, code: int, sentence: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("hello")
    answer = dealerbox("log", "verify", str(tmp_path / name))
    assert (answer.code, answer.out + answer.err) == (
        code,
        f"{tmp_path / name}: {sentence.format(tmp_path / name)}\n",
    )


def test_a_head_that_is_none_is_one_sentence(dealerbox: Any, folder: Path, tmp_path: Path) -> None:
    answer = dealerbox("log", "verify", "--head", "12", str(folder))
    assert (answer.code, answer.err) == (66, "12: no head, and no file that keeps one; check the path\n")
    (tmp_path / "head").write_text("rubbish")
    assert dealerbox("log", "verify", "--head", str(tmp_path / "head"), str(folder)).code == 74


@pytest.mark.parametrize("command", ["verify", "show", "export", "prune"])
def test_every_part_explains_itself_with_an_example(dealerbox: Any, command: str) -> None:
    answer = dealerbox("log", command, "--help")
    assert (answer.code, f"Example: dealerbox log {command}" in answer.out) == (0, True)
