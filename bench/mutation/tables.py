"""Mutants of module tables and constants, of dealerbox/law and dealerbox/engine unless told.

`python -m bench.mutation.tables [FILE...]`

mutmut makes none of them. One mutant for each row of a module-level table, deleted, and changed to the value of the
row after it; one for each number, one more. Each is run against the tests of law and engine, but for those that
`tried.LEFT_OUT` names, in a process of its own, which ends at the first test that fails. A JSON line for each survivor
and one for each file. Exit 1 when one survives that `docs/mutation.md` does not list by its name.
"""

import ast
import contextlib
import copy
import importlib.abc
import importlib.util
import io
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import pytest

from bench.mutation.tried import LEFT_OUT

ROOMS: Final = ("dealerbox/law", "dealerbox/engine")
TESTS: Final = ("tests/law", "tests/bench/test_law.py", "tests/engine")
LISTED: Final = Path("docs/mutation.md")
LIKELY: Final = 4
"""So many files of tests that killed the mutants before are asked first."""
NOT_LOADED: Final = "not loaded"
LOADED_ONCE: Final = ("hypothesis", "msgspec")
"""What every test imports, and no mutant touches: loaded before the processes part."""
_ROWS: Final = (ast.Tuple, ast.List, ast.Set)


class Mutant(NamedTuple):
    """`name` is the same from run to run as long as the table's rows are."""

    name: str
    source: str


def mutants(file: Path) -> Iterator[Mutant]:
    """Yield every mutant of a module's tables and constants."""
    tree = ast.parse(file.read_text())
    for place, statement in enumerate(tree.body):
        name = _name(statement)
        if not name:
            continue
        found: Counter[str] = Counter()
        for what, changed in _changes(statement):
            found[what] += 1
            body = [*tree.body[:place], changed, *tree.body[place + 1 :]]
            made = ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))
            again = f" ({found[what]})" if found[what] > 1 else ""
            yield Mutant(f"{file.stem}.{name}: {what}{again}", made)


def _name(statement: ast.stmt) -> str:
    """Return the name that a module-level assignment gives, '' where it is none or only names a type."""
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        return statement.target.id
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _changes(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """Yield what is changed and the statement with that change; nodes are found again by their place in the walk."""
    nodes = list(ast.walk(_value(statement)))
    for place, node in enumerate(nodes):
        if isinstance(node, ast.Dict):
            yield from _of_dict(statement, place, node)
        elif isinstance(node, _ROWS) and len(node.elts) > 1:
            for row, element in enumerate(node.elts):
                yield f"without {_shown(element)}", _with(statement, place, partial(_delete, row))
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            other = not node.value
            yield f"{node.value} is {other}", _with(statement, place, partial(_write, other))
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            more = node.value + 1
            yield f"{node.value} is {more}", _with(statement, place, partial(_write, more))


def _of_dict(statement: ast.stmt, place: int, node: ast.Dict) -> Iterator[tuple[str, ast.stmt]]:
    for row, key in enumerate(node.keys):
        shown = _shown(key) if key else "a part"
        yield f"without {shown}", _with(statement, place, partial(_delete, row))
        other = node.values[(row + 1) % len(node.values)]
        if key and ast.dump(other) != ast.dump(node.values[row]):
            put = copy.deepcopy(other)
            yield (
                f"{shown} as the row after it",
                _with(statement, place, partial(_exchange, row, put)),
            )


def _delete(row: int, node: Any) -> None:
    for column in {"elts", "keys", "values"} & {*node._fields}:
        del getattr(node, column)[row]


def _exchange(row: int, value: ast.expr, node: Any) -> None:
    node.values[row] = value


def _write(value: object, node: Any) -> None:
    node.value = value


def _with(statement: ast.stmt, place: int, change: Callable[[Any], object]) -> ast.stmt:
    """Return the statement with the node at `place` of its walk changed."""
    made = copy.deepcopy(statement)
    change(list(ast.walk(_value(made)))[place])
    return made


def _value(statement: ast.stmt) -> ast.expr:
    assert isinstance(statement, ast.Assign | ast.AnnAssign)
    assert statement.value is not None
    return statement.value


def _shown(node: ast.AST) -> str:
    return re.sub(r"\s+", " ", ast.unparse(node))[:60]


class Put(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Loads one module from another source."""

    def __init__(self, module: str, file: Path, source: str) -> None:
        self._module, self._file, self._source = module, file, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._module:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=str(self._file))

    def get_source(self, fullname: str) -> str:
        return self._source


class _First:
    """A pytest plugin: the file of the first test that fails."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid.partition("::")[0]


def killer(file: Path, mutant: Mutant, tests: Sequence[str]) -> str:
    """Return the file of the test that fails with the mutant in place of its module; '' when each of `tests` passes.

    In a process of its own. NOT_LOADED where no test could even be collected.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        module = ".".join(file.with_suffix("").parts)
        sys.meta_path.insert(0, Put(module, file, mutant.source))
        first = _First()
        left_out = [f"--ignore={test}" for test in LEFT_OUT]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                words = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore", *left_out, *tests]
                code = int(pytest.main(words, plugins=[first]))
            except BaseException:
                code = 1
        os.write(write, (first.failed or NOT_LOADED if code else "").encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as answer:
        return answer.read()


def survives(file: Path, mutant: Mutant, likely: list[str]) -> bool:
    """Tell whether every test passes; asked first are the `likely` files, which killed before, the last one first."""
    found = (killer(file, mutant, likely[:LIKELY]) if likely else "") or killer(file, mutant, TESTS)
    if found and found != NOT_LOADED:
        likely[:] = [found, *(name for name in likely if name != found)]
    return not found


def main(names: list[str]) -> int:
    """Try the mutants of the files named, of every file of both rooms when none is."""
    for module in LOADED_ONCE:
        importlib.import_module(module)
    files = [Path(name) for name in names] or [file for room in ROOMS for file in sorted(Path(room).glob("*.py"))]
    listed = LISTED.read_text() if LISTED.exists() else ""
    unlisted = 0
    for file in files:
        likely: list[str] = []
        began = time.monotonic()
        tried = survivors = 0
        for mutant in mutants(file):
            tried += 1
            if survives(file, mutant, likely):
                survivors += 1
                known = f"`{mutant.name}`" in listed
                unlisted += not known
                print(json.dumps({"survives": mutant.name, "listed": known}), flush=True)
        seconds = round(time.monotonic() - began, 1)
        if tried:
            told = {"file": str(file), "mutants": tried, "killed": tried - survivors, "seconds": seconds}
            print(json.dumps(told), flush=True)
    return 1 if unlisted else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
