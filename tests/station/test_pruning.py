"""Records go only when they were exported, and only from a closed table."""

import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from dealerbox.journal.disk import RealDisk
from dealerbox.journal.evidence import evidence
from dealerbox.journal.kept import read_kept
from dealerbox.model.events import Ruled
from dealerbox.model.keys import Ruling
from dealerbox.ports import JournalError
from dealerbox.station.past import recall
from dealerbox.station.pruning import NotNow, prune_journal


def exported(config, folder: Path) -> Path:
    file = folder / "night.jsonl"
    with file.open("wb") as out:
        evidence(RealDisk(config.state_dir / "journal"), out.write)
    return file


@pytest.fixture
def close(live, actor, config):
    """Run the station once; the director closes the table."""

    async def rule(emit) -> None:
        at_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        emit(Ruled(at_ns, ruling=Ruling.CLOSE, by="d", reason="the end"))

    return lambda config=config: live(actor(rule), config=config)


def test_a_pruned_journal_leads_to_the_same_state_and_the_station_goes_on(live, actor, config, close, tmp_path) -> None:
    kept = replace(config, head_file=tmp_path / "head")
    close(kept)
    before = recall(RealDisk(config.state_dir / "journal"))
    said = prune_journal(kept, exported(config, tmp_path))
    assert said == f"{config.state_dir}/journal: 1 segments removed; the journal begins with record 5"
    after = recall(RealDisk(config.state_dir / "journal"))
    assert (after.state, after.numbered, after.recovery.head.seq) == (before.state, before.numbered, 5)
    assert read_kept(tmp_path / "head") == after.recovery.head
    assert live(actor(), config=kept) == (0, [])
    assert recall(RealDisk(config.state_dir / "journal")).state.memory.session == 2


def test_an_open_table_is_not_pruned(live, actor, config, tmp_path) -> None:
    live(actor())
    with pytest.raises(NotNow, match=r"journal: the table is opening: the director closes it first"):
        prune_journal(config, exported(config, tmp_path))


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda data: b"", "line 1 is not what the journal has"),
        (lambda data: data[:-1], "line 5 is not what the journal has"),
        (lambda data: data.replace(b"the end", b"the End"), "is not what the journal has"),
        (lambda data: data + b"{}\n", "goes on after line 5"),
    ],
)
def test_what_was_not_exported_whole_is_not_pruned(config, close, tmp_path, spoil, why) -> None:
    close()
    file = exported(config, tmp_path)
    file.write_bytes(spoil(file.read_bytes()))
    before = {path: path.read_bytes() for path in (config.state_dir / "journal").iterdir()}
    with pytest.raises(NotNow, match=why):
        prune_journal(config, file)
    assert {path: path.read_bytes() for path in (config.state_dir / "journal").iterdir()} == before


def test_a_running_station_is_not_pruned_under_its_feet(live, actor, config, tmp_path) -> None:
    async def prune(emit) -> None:
        with pytest.raises(JournalError, match="another station runs"):
            prune_journal(config, tmp_path / "night.jsonl")

    assert live(actor(prune)) == (0, [])


def test_no_journal_is_none_made(config, tmp_path) -> None:
    with pytest.raises(FileNotFoundError):
        prune_journal(config, tmp_path / "night.jsonl")
    assert not config.state_dir.exists()
