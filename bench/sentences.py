"""What a machine can decide of each reading, a sentence at a time: where it is kept and which test shows it.

`python -m bench.sentences`: run each of those tests, and say where one does not run the code that it is said to show.
The list is bench/sentences.toml; `bench.law` writes it into docs/law.md.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[1]
LIST: Final = "bench/sentences.toml"
PEOPLE: Final = "people"


class Place(NamedTuple):
    """A function and its file, from the root."""

    path: str
    name: str


class Sentence(NamedTuple):
    """One sentence of a reading; without code and tests it is the people's business."""

    rule: str
    text: str
    code: tuple[Place, ...]
    tests: tuple[Place, ...]


def sentences(root: Path = ROOT) -> list[Sentence]:
    """Return all of them, in the order of the list."""
    if not (root / LIST).exists():
        return []
    listed = tomllib.loads((root / LIST).read_text("utf-8"))
    return [_sentence(rule, text, said) for rule, its in listed.items() for text, said in its.items()]


def _sentence(rule: str, text: str, said: str | list[str]) -> Sentence:
    places = [] if said == PEOPLE else [_place(one) for one in said]
    tests = tuple(place for place in places if place.path.startswith("tests/"))
    return Sentence(rule, text, tuple(place for place in places if place not in tests), tests)


def _place(said: str) -> Place:
    module, _, name = said.partition(":")
    if "test_" in module:
        return Place(f"tests/{module}.py", f"test_{name}")
    return Place(f"dealerbox/{module}.py", name)


def faults(root: Path, rules: tuple[str, ...]) -> Iterator[str]:
    """Yield what is wrong: a reading without a sentence, a sentence without code or test, a place that is not there."""
    listed = sentences(root)
    if not listed:
        return
    yield from (f"{LIST}: {rule}: no sentence" for rule in rules if rule not in {one.rule for one in listed})
    for one in listed:
        if one.rule not in rules:
            yield f"{LIST}: {one.rule}: no such reading"
        if bool(one.code) != bool(one.tests):
            yield f"{LIST}: {one.rule}: {one.text}: {'no test' if one.code else 'no code'}"
        for place in (*one.code, *one.tests):
            if place.name not in _functions(root / place.path):
                yield f"{LIST}: {one.rule}: {place.path} has no {place.name}"


@cache
def _functions(path: Path) -> frozenset[str]:
    if not path.exists():
        return frozenset()
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


class Watched:
    """A pytest plugin: which functions of dealerbox each test has run, its fixtures and parameters taken together."""

    def __init__(self) -> None:
        self.ran: dict[Place, set[Place]] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note what is called from setup to teardown."""
        path = Path(item.path).relative_to(ROOT).as_posix()
        ran = self.ran.setdefault(Place(path, item.name.split("[")[0]), set())
        ours = f"{ROOT}/dealerbox/"
        seen = set()

        def call(frame: object, event: str, _arg: object) -> None:
            code = getattr(frame, "f_code", None)
            if event == "call" and code is not None and code not in seen and code.co_filename.startswith(ours):
                seen.add(code)

        sys.setprofile(call)
        yield
        sys.setprofile(None)
        ran.update(Place(code.co_filename.removeprefix(f"{ROOT}/"), code.co_name) for code in seen)


def unshown() -> list[str]:
    """Run the tests; return, a line each, where none of a sentence's tests runs a function that keeps it."""
    listed = sentences()
    watched = Watched()
    tests = sorted({f"{place.path}::{place.name}" for one in listed for place in one.tests})
    failed = pytest.main(["-q", "-p", "no:cacheprovider", "--no-header", *tests], plugins=[watched])
    found = [f"{ROOT}: pytest ends with {failed}"] if failed else []
    for one in listed:
        ran = set().union(*(watched.ran.get(place, set()) for place in one.tests))
        found += [
            f"{one.rule}: {one.text} {place.path}: {place.name}: not run" for place in one.code if place not in ran
        ]
    return found


if __name__ == "__main__":
    wrong = unshown()
    print("\n".join(wrong), file=sys.stderr)
    raise SystemExit(1 if wrong else 0)
