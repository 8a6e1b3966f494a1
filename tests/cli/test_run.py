"""`dealerbox run --config FILE`: the daemon's own exit codes; a config that cannot be used starts nothing."""

from pathlib import Path
from typing import Any

import pytest

from dealerbox.station import daemon


def test_a_file_that_is_not_there_is_one_sentence_and_66(dealerbox: Any, tmp_path: Path) -> None:
    assert dealerbox("run", "--config", f"{tmp_path}/station.toml") == (
        66,
        "",
        f"{tmp_path}/station.toml: no such file or directory; check the path\n",
    )


def test_a_config_that_cannot_be_used_is_one_sentence_and_78(dealerbox: Any, tmp_path: Path) -> None:
    file = tmp_path / "station.toml"
    file.write_text("[table\n")
    answer = dealerbox("run", "--config", str(file))
    assert (answer.code, answer.out) == (78, "")
    assert answer.err.startswith(f"{file}: not TOML: ")
    assert len(answer.err.splitlines()) == 1


def test_the_file_is_asked_for(dealerbox: Any) -> None:
    answer = dealerbox("run")
    assert answer.code == 2
    assert "Missing option '--config'" in answer.err


def test_the_daemon_says_how_it_ended(dealerbox: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def main(arguments: list[str]) -> int:
        asked.append(arguments)
        return 74

    monkeypatch.setattr(daemon, "main", main)
    file = tmp_path / "station.toml"
    file.touch()
    assert dealerbox("run", "--config", str(file)).code == 74
    assert asked == [["--config", str(file)]]
