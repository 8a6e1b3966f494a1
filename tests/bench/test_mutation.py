"""A toy module, its mutants written out as mutmut writes them, and a test that sees some of them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.mutation.__main__ import main

ROOT = Path(__file__).parents[2]
TOY = """\
def more(number: int) -> int:
    return number + 1


class Pair:
    @staticmethod
    def twice(number: int) -> int:
        return number * 2
"""
TEST = """\
import toy


def test_more() -> None:
    assert toy.more(1) == 2


def test_twice() -> None:
    assert toy.Pair.twice(3) == 6
"""
MADE = """\
from typing import NamedTuple


class Made(NamedTuple):
    code: str
    mutant_names: list[str]


def mutate_file_contents(name: str, source: str) -> Made:
    names = ["x_more__mutmut_1", "x_more__mutmut_2", "x_more__mutmut_3", "xǁPairǁtwice__mutmut_1"]
    return Made(CODE, names)


CODE = '''
def x_more__mutmut_orig(number: int) -> int:
    return number + 1


def x_more__mutmut_1(number: int) -> int:
    return number - 1


def x_more__mutmut_2(number: int) -> int:
    return None


def x_more__mutmut_3(number: int) -> int:
    return number * 2


class Pair:
    @staticmethod
    def xǁPairǁtwice__mutmut_orig(number: int) -> int:
        return number * 2

    @staticmethod
    def xǁPairǁtwice__mutmut_1(number: int) -> int:
        return number * 3
'''
"""


def tried(folder: Path, test: str) -> subprocess.CompletedProcess[str]:
    (folder / "mutmut" / "mutation").mkdir(parents=True)
    (folder / "mutmut" / "mutation" / "file_mutation.py").write_text(MADE)
    (folder / "toy.py").write_text(TOY)
    (folder / "test_toy.py").write_text(test)
    command = [sys.executable, "-m", "bench.mutation", "toy.py", "--survivors", "--tests", "test_toy.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_what_types_refuse_is_not_tried_and_what_no_test_sees_is_shown(tmp_path: Path) -> None:
    done = tried(tmp_path, TEST)
    assert (done.returncode, json.loads(done.stdout)) == (
        0,
        {
            "file": "toy.py",
            "mutants": 4,
            "refused by types": 1,
            "tried": 3,
            "killed": 2,
            "survivors": [
                {"name": "x_more__mutmut_3", "diff": ["- return number + 1", "+ return number * 2"]},
            ],
        },
    ), done.stderr


def test_a_test_that_fails_by_itself_kills_nothing(tmp_path: Path) -> None:
    done = tried(tmp_path, TEST.replace("== 6", "== 7"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "test_toy.py::test_twice fails without a mutant" in done.stderr


def test_without_mutmut_it_is_said_where_to_read_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mutmut", None)
    assert main(["toy.py"]) == 2
    assert capsys.readouterr().err == (
        "bench.mutation: no mutmut here; CONTRIBUTING.md, Tests, makes an environment that has it\n"
    )
