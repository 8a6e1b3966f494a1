"""`dealerbox simulate --seeds` and `--story`: many nights, and one done again."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealerbox.simulate.run import simulate
from dealerbox.simulate.script import Story


def test_seeds_are_played_side_by_side_and_end_with_one_line(dealerbox: Any, tmp_path: Path) -> None:
    answer = dealerbox("simulate", "--seeds", "1-2", "--hands", "1", "--seats", "2", "--failures", f"{tmp_path}/f")
    assert answer.code == 0
    night = msgspec.json.decode(answer.out)
    assert (night["seeds"], night["done"], night["hands"], night["failures"]) == ([1, 2], 2, 2, [])
    assert night["commit"]
    assert night["table_hours"] > 0
    assert "seeds" in answer.err
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize("seeds", ["5-1", "x", "1-x", "-3"])
def test_seeds_that_are_none_are_refused(dealerbox: Any, seeds: str) -> None:
    assert dealerbox("simulate", "--seeds", seeds).code == 2


def test_what_is_unknown_is_refused_before_any_seed(dealerbox: Any) -> None:
    answer = dealerbox("simulate", "--seeds", "1-2", "--fault", "wrong_sit")
    assert (answer.code, answer.out) == (2, "")
    assert "unknown fault wrong_sit" in answer.err


def test_a_story_is_done_again_by_its_file(dealerbox: Any, tmp_path: Path) -> None:
    stories: list[Story] = []
    simulate(1, "2", 3, stories=stories)
    file = tmp_path / "story.json"
    file.write_bytes(msgspec.json.encode(stories[0]))
    answer = dealerbox("simulate", "--story", str(file))
    assert answer.code == 0
    assert answer.out == f"{len(stories[0].acts)} acts done again, 0 findings\n"
    file.write_text("{}")
    assert dealerbox("simulate", "--story", str(file)).code == 2
