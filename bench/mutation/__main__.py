"""`python -m bench.mutation FILE... [--survivors] [--tests PATH...]`: what tests see of mutmut's changes to functions.

A JSON line a file: how many mutants mutmut makes, how many mypy refuses, how many were tried, how many a test kills.
Each is asked of every test that runs a changed statement, of `tests/law` and `tests/engine` unless told, but for those
that `tried.LEFT_OUT` names. `--survivors` gives the changes that no test sees. Exit 1 when a test fails or mypy finds a
fault without any mutant, 2 when mutmut or mypy is missing.
"""

import argparse
import importlib.util
import json
import sys
from pathlib import Path
from typing import Final

from bench.mutation.made import mutants, refused
from bench.mutation.tried import Tests, collected

TESTS: Final = ("tests/law", "tests/engine")


def main(words: list[str]) -> int:
    """Try the mutants of the files named and print a line for each file as it ends."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutation")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--survivors", action="store_true", help="print the change of each mutant that no test sees")
    parser.add_argument("--tests", nargs="+", default=TESTS, metavar="PATH", help="the tests to ask")
    told = parser.parse_args(words)
    missing = [name for name in ("mutmut", "mypy") if importlib.util.find_spec(name) is None]
    if missing:
        lack = " and ".join(missing)
        print(
            f"bench.mutation: no {lack} here; CONTRIBUTING.md, Tests, makes an environment that has it", file=sys.stderr
        )
        return 2
    out = sys.stdout

    def work(tests: Tests) -> None:
        for file in told.files:
            print(json.dumps(_figures(file, tests, told.survivors), ensure_ascii=False), file=out, flush=True)

    return 0 if collected(told.tests, told.files, work) else 1


def _figures(file: Path, tests: Tests, survivors: bool) -> dict[str, object]:
    made = mutants(file)
    no_program = refused(file, made)
    tried = [mutant for mutant in made if mutant.name not in no_program]
    left = [mutant for mutant in tried if not tests.killer(file, mutant)]
    figures: dict[str, object] = {
        "file": str(file),
        "mutants": len(made),
        "refused by types": len(no_program),
        "tried": len(tried),
        "killed": len(tried) - len(left),
    }
    return figures | {"survivors": [{"name": one.name, "diff": one.diff} for one in left]} if survivors else figures


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
