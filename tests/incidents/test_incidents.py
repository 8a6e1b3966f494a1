"""Each incident is stopped at the first event where it can be known, for its own reason; nothing is let out after."""

from pathlib import Path

import pytest

from bench.incidents.__main__ import PAGE, ROOT, page
from bench.incidents.scenes import FINED, TOLD, Scene
from dealerbox.cli.main import run
from dealerbox.station.entry import decode

FOLDER = Path(__file__).parent
SETTLING_NS = 1_500_000_000
STALE = "write logs and page anew: make pages"
each = pytest.mark.parametrize("scene", [*FINED, *TOLD], ids=lambda scene: scene.name)


@each
def test_it_is_stopped_where_it_can_be_known_and_nothing_is_let_out_after_it(scene: Scene) -> None:
    """P1."""
    table = scene.table()
    number, stop = table.stops()[scene.after]
    assert (number, stop.reason) == (scene.stopped_at, scene.reason)
    assert table.permits_after(number) == []
    assert table.known
    assert 0 <= table.log[number - 1][0].at_ns - table.log[table.known - 1][0].at_ns <= SETTLING_NS
    assert len(table.log) > number, "somebody tries to go on"


@each
def test_its_log_is_the_scene_as_it_plays_now(scene: Scene) -> None:
    kept = [decode(line) for line in (FOLDER / scene.file).read_bytes().splitlines()]
    assert kept == [decode(line) for line in scene.table().lines().splitlines()], STALE


@each
@pytest.mark.usefixtures("capsys")
def test_its_log_replays_to_the_same_decisions(scene: Scene) -> None:
    """P6."""
    assert run(["replay", "--expect", str(FOLDER / scene.file)]) == 0


def test_every_log_here_is_of_a_scene() -> None:
    logs = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.jsonl")}
    assert logs == {scene.file for scene in (*FINED, *TOLD)}


def test_the_letters_are_all_there() -> None:
    assert {scene.name[0] for scene in FINED} == set("abcdefgh")


def test_the_page_is_what_the_scenes_say_now() -> None:
    assert (ROOT / PAGE).read_text("utf-8") == page(), STALE
