"""The mutants that mutmut makes of a module, and which of them are no program that types let through."""

import ast
import difflib
import importlib
import json
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

BUILD: Final = Path("build/mutation")
_CLASS: Final = "ǁ"
"""mutmut calls the third mutant of `f` `x_f__mutmut_3`, that of `C.f` `xǁCǁf__mutmut_3`."""


class Mutant(NamedTuple):
    """One function, changed.

    `function`: its name in its module (`f`, `C.f`). `source`: the whole of it, changed, under mutmut's `name`, indented
    as the function is. `changed`: the lines of the statements that are others, the function's first line is 0.
    """

    name: str
    function: str
    source: str
    diff: tuple[str, ...]
    changed: frozenset[int]


def mutants(file: Path) -> list[Mutant]:
    """Return mutmut's mutants of a module's functions. ImportError where there is no mutmut."""
    made = importlib.import_module("mutmut.mutation.file_mutation").mutate_file_contents(str(file), file.read_text())
    lines = made.code.splitlines()
    texts = {node.name: lines[slice(*_span(node))] for _, node in _functions(made.code)}
    return [_mutant(name, texts) for name in made.mutant_names]


def _mutant(name: str, texts: dict[str, list[str]]) -> Mutant:
    base = name.rpartition("__mutmut_")[0]
    function = base.removeprefix("x_") if _CLASS not in base else ".".join(base.split(_CLASS)[1:])
    was = [_renamed(line, f"{base}__mutmut_orig", function) for line in texts[f"{base}__mutmut_orig"]]
    now = [_renamed(line, name, function) for line in texts[name]]
    diff: list[str] = []
    changed: set[int] = set()
    for same, begin, end, new_begin, new_end in difflib.SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if same != "equal":
            diff += [f"- {line.strip()}" for line in was[begin:end]]
            diff += [f"+ {line.strip()}" for line in now[new_begin:new_end]]
            changed.update(range(begin, max(end, begin + 1)))
    return Mutant(name, function, "\n".join(texts[name]), tuple(diff), _statements(was, changed))


def _statements(lines: Sequence[str], changed: Iterable[int]) -> frozenset[int]:
    """Return every line of the innermost statements that these lines are of: a test that runs none sees no change."""
    found = ast.walk(ast.parse(textwrap.dedent("\n".join(lines))))
    spans = [_span(node) for node in found if isinstance(node, ast.stmt)]
    whole = (0, len(lines))
    inner = [min((span for span in spans if span[0] <= line < span[1]), key=_size, default=whole) for line in changed]
    return frozenset(line for span in inner for line in range(*span))


def _size(span: tuple[int, int]) -> int:
    return span[1] - span[0]


def _renamed(line: str, name: str, function: str) -> str:
    return line.replace(f"def {name}(", f"def {function.rpartition('.')[2]}(")


def _functions(source: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions of a module and the methods of its classes, by their names in it."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def _span(node: ast.stmt) -> tuple[int, int]:
    """Return where a statement's lines begin, its decorators with it, and end; the first line of a file is 0."""
    assert node.end_lineno is not None
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1, node.end_lineno


def refused(file: Path, made: Sequence[Mutant]) -> frozenset[str]:
    """Return the names of the mutants that mypy refuses: each stands behind its function, as one of its own.

    RuntimeError where mypy does not run, or finds a fault that is no mutant's.
    """
    source = file.read_text()
    ends = {name: node.end_lineno for name, node in _functions(source)}
    told: list[str] = []
    owner: dict[int, str] = {}
    for number, line in enumerate(source.splitlines(), 1):
        told.append(line)
        for mutant in made:
            if ends[mutant.function] == number:
                rows = mutant.source.splitlines()
                owner |= {len(told) + row: mutant.name for row in range(1, len(rows) + 1)}
                told += rows
    BUILD.mkdir(parents=True, exist_ok=True)
    shadow = BUILD / "typed.py"
    shadow.write_text("\n".join(told) + "\n")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--output", "json", "--cache-dir", str(BUILD / "mypy")]
    done = subprocess.run(
        [*mypy, "--shadow-file", str(file), str(shadow), str(file)], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1) or done.stderr:
        raise RuntimeError(f"mypy did not run on {file}: {done.stderr or done.stdout}")
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    errors = [error for error in said if error["severity"] == "error"]
    for error in errors:
        if Path(error["file"]) != file or error["line"] not in owner:
            raise RuntimeError(f"mypy refuses more than the mutants of {file}: {error['file']}: {error['message']}")
    return frozenset(owner[error["line"]] for error in errors)
