"""The checker of the floors: reads imports without running them, and says which go up."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]

# What each room may import of ours, besides itself. A room that is not here has no floor yet.
FLOORS: Mapping[str, frozenset[str]] = {
    room: frozenset(below.split())
    for room, below in {
        "model": "",
        "ports": "model",
        "law": "model",
        "engine": "law model",
        "config": "law ports model",
        "enrolment": "config law ports model",
        "journal": "ports model",
        "drivers": "ports model",
        "station": "drivers journal config engine law ports model",
        "simulate": "station drivers journal config engine law ports model",
        "diagnostics": "station drivers journal config engine law ports model",
        "cli": "diagnostics simulate station drivers journal enrolment config engine law ports model",
    }.items()
}
# The rooms without clock, thread, file, log or chance, and all that they may import that is not ours.
PURE_ROOMS = frozenset({"model", "law", "engine"})
PURE_IMPORTS = frozenset(
    {"__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "itertools"}
)
PURE_IMPORTS |= {"math", "operator", "re", "string", "types", "typing", "msgspec"}
PURE_MEANS_NO = frozenset({"open", "print", "input", "exec", "eval", "__import__", "breakpoint"})
CAGE = "dealerbox.engine.phases"
FOR_PEOPLE = frozenset({"click", "rich"})
ROOMS_FOR_PEOPLE = frozenset({"cli", "simulate"})
LIVE_SCREEN = "dealerbox.cli.watching"
"""The only package that imports Textual, an extra that a table may do without."""
DOTTED = re.compile(r"(dealerbox|dealerbox_drivers)(\.\w+)+(:\w+)?")


class Module(NamedTuple):
    """One module's source; `package` tells an `__init__`, whose relative imports begin at itself."""

    source: str
    package: bool = False


Tree = Mapping[str, Module]


def imports(name: str, module: Module) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything imported: also inside functions, under TYPE_CHECKING, relative, or by a text
    that spells a module of ours, as `import_module` takes it. `from a import b` yields `a.b`, whatever `b` is."""
    for node in ast.walk(ast.parse(module.source)):
        match node:
            case ast.Import():
                yield from ((node.lineno, alias.name) for alias in node.names)
            case ast.ImportFrom():
                base = name.split(".")
                base = base[: len(base) - node.level + module.package] if node.level else []
                base += [node.module] if node.module else []
                yield from ((node.lineno, ".".join([*base, alias.name])) for alias in node.names)
            case ast.Constant(value=str() as text) if DOTTED.fullmatch(text):
                yield node.lineno, text.replace(":", ".")


def room_of(name: str) -> str | None:
    """The room of a module of ours; None for others' and for the bare package."""
    match name.split("."):
        case ["dealerbox_drivers", *_]:
            return "drivers"
        case ["dealerbox", "__main__"]:
            return "cli"
        case ["dealerbox", room, *_] if room != "__version__":
            return room
        case _:
            return None


def is_twin(name: str) -> bool:
    """Whether a module is of the simulated world: a twin, or the felt."""
    parts = name.split(".")
    return parts[0] == "dealerbox_drivers" and any(re.fullmatch(r"felt|twin|twin_.+|.+_twin", part) for part in parts)


def judged(name: str, target: str) -> str | None:
    """What is wrong with module `name` importing `target`; None when nothing is."""
    room, other, outside = room_of(name), room_of(target), target.split(".")[0]
    if other is not None and other != room and room in FLOORS and other not in FLOORS[room]:
        return f"{room} may not import {other}: it is no floor below"
    if is_twin(target) and not is_twin(name) and room != "simulate":
        return "only twins and dealerbox.simulate import a twin or the felt"
    if outside == "transitions" and name != CAGE:
        return f"transitions stays in its cage, {CAGE}"
    if outside == "textual" and not name.startswith(LIVE_SCREEN):
        return f"textual stays with the live screen: {LIVE_SCREEN} alone imports it"
    if outside in FOR_PEOPLE and room not in ROOMS_FOR_PEOPLE:
        return f"{outside} is for people: {' and '.join(sorted(ROOMS_FOR_PEOPLE))} alone import it"
    ours = outside in {"dealerbox", "dealerbox_drivers"}
    if room in PURE_ROOMS and not ours and outside not in PURE_IMPORTS and name != CAGE:
        return f"{room} is pure: no clock, thread, file, log or chance"
    return None


def find_violations(tree: Tree) -> list[str]:
    """Each breach as `module:line: what it does: why that is none of its business`."""
    found = []
    for name, module in tree.items():
        room = room_of(name)
        if room is not None and room not in FLOORS:
            found.append(f"{name}:1: room {room} has no floor; give it one in tests/house/conftest.py")
        for line, target in imports(name, module):
            if why := judged(name, target):
                found.append(f"{name}:{line}: imports {target}: {why}")
        if room in PURE_ROOMS:
            for node in ast.walk(ast.parse(module.source)):
                if isinstance(node, ast.Name) and node.id in PURE_MEANS_NO:
                    found.append(f"{name}:{node.lineno}: uses {node.id}: {room} is pure")
    return found


def closure_of(tree: Tree, start: str) -> frozenset[str]:
    """Every module of the tree that importing `start` may load, and the first name of every other."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        parts = waiting.pop().split(".")
        if parts[0] not in {"dealerbox", "dealerbox_drivers"}:
            reached.add(parts[0])
            continue
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            if name in tree and name not in reached:
                reached.add(name)
                waiting += [target for _, target in imports(name, tree[name])]
    return frozenset(reached)


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the source tree."""
    return ROOT


@pytest.fixture(scope="session")
def tree() -> Tree:
    """Every module of both packages by its dotted name."""
    found = {}
    for source_root, package in ((ROOT, "dealerbox"), (ROOT / "drivers", "dealerbox_drivers")):
        for path in sorted((source_root / package).rglob("*.py")):
            parts = path.relative_to(source_root).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            found[".".join(parts[:-1] if is_package else parts)] = Module(path.read_text("utf-8"), is_package)
    return found


@pytest.fixture(scope="session")
def violations() -> Callable[[Tree], list[str]]:
    """The checker itself."""
    return find_violations


@pytest.fixture(scope="session")
def sample() -> Callable[[str, str], list[str]]:
    """What the checker says of one module, given its name and source."""
    return lambda name, source: find_violations({name: Module(source)})


@pytest.fixture(scope="session")
def module() -> Callable[..., Module]:
    """Makes a module of a source."""
    return Module


@pytest.fixture(scope="session")
def closure() -> Callable[[Tree, str], frozenset[str]]:
    """What importing a module may load."""
    return closure_of
