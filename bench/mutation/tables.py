"""Mutants of module tables and constants, of dealerbox/law and dealerbox/engine unless told.

`python -m bench.mutation.tables [FILE...]`

mutmut makes none of them. One mutant for each row of a module-level table, deleted, and changed to the value of the
row after it; one for each number, one more. Each is run against the tests of law and engine, but for those that
`tried.LEFT_OUT` names. A JSON line for each survivor and one for each file. Exit 1 when one survives that
`docs/mutation.md` does not list by its name.

Which test may see it is found quickly, in a process parted from one that has collected them all (`placed`); whether it
does is asked where nothing but the mutant was ever loaded (`loaded`).
"""

import ast
import copy
import importlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.mutation.loaded import Apart
from bench.mutation.placed import Rooms
from bench.mutation.tried import Tests, collected

ROOMS: Final = ("dealerbox/law", "dealerbox/engine")
TESTS: Final = ("tests/law", "tests/bench/test_law.py", "tests/engine")
LISTED: Final = Path("docs/mutation.md")
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


def survives(file: Path, mutant: Mutant, tests: Tests, rooms: Rooms, apart: Apart) -> bool:
    """Tell whether every test passes with the mutant in place of its module."""
    found = tests.first_to_fail(partial(rooms.put, file, mutant.source))
    if found and apart.killer(file, mutant.source, [found]):
        return False
    return not apart.killer(file, mutant.source, TESTS)


def main(names: list[str]) -> int:
    """Try the mutants of the files named, of every file of both rooms when none is."""
    for module in LOADED_ONCE:
        importlib.import_module(module)
    apart = Apart()
    files = [Path(name) for name in names] or [file for room in ROOMS for file in sorted(Path(room).glob("*.py"))]
    listed = LISTED.read_text() if LISTED.exists() else ""
    out = sys.stdout
    unlisted = 0

    def work(tests: Tests) -> None:
        nonlocal unlisted
        rooms = Rooms(ROOMS)
        for file in files:
            began = time.monotonic()
            tried = survivors = 0
            for mutant in mutants(file):
                tried += 1
                if survives(file, mutant, tests, rooms, apart):
                    survivors += 1
                    known = f"`{mutant.name}`" in listed
                    unlisted += not known
                    print(json.dumps({"survives": mutant.name, "listed": known}), file=out, flush=True)
            seconds = round(time.monotonic() - began, 1)
            if tried:
                told = {"file": str(file), "mutants": tried, "killed": tried - survivors, "seconds": seconds}
                print(json.dumps(told), file=out, flush=True)

    went_well = collected(TESTS, [], work)
    return 1 if unlisted or not went_well else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
