"""A module's tables in the place of those that were loaded, wherever they were imported to or worked into others."""

import ast
import importlib
import sys
from collections.abc import Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from types import CodeType
from typing import Any, Final

_KEPT: Final = (ast.ClassDef, ast.FunctionDef)
"""What stays as it was loaded: a function finds the new tables by their names, and values keep their classes."""


class Rooms:
    """The modules of some folders, loaded, in an order in which each comes after those that it imports."""

    def __init__(self, folders: Sequence[str]) -> None:
        files = [file for folder in folders for file in sorted(Path(folder).glob("*.py")) if file.stem != "__init__"]
        trees = {_module(file): ast.parse(file.read_text()) for file in files}
        self._imports = {name: _imported(tree) & trees.keys() for name, tree in trees.items()}
        self._order = tuple(TopologicalSorter(self._imports).static_order())
        self._codes = {name: _tables(tree, name) for name, tree in trees.items()}
        for name in self._order:
            importlib.import_module(name)

    def put(self, file: Path, source: str) -> None:
        """Work the tables of a module out anew from this source, and those of each module that imports it.

        Not seen: a table that was worked into a class, a default or what a test is given before it runs.
        """
        changed = _module(file)
        codes = {**self._codes, changed: _tables(ast.parse(source), changed)}
        anew = {changed}
        new: dict[str, list[tuple[Any, Any]]] = {}
        for name in self._order:
            if name not in anew and not self._imports[name] & anew:
                continue
            anew.add(name)
            space = sys.modules[name].__dict__
            before = dict(space)
            exec(codes[name], space)
            for what, old in before.items():
                if space.get(what) is not old and not what.startswith("__"):
                    new.setdefault(what, []).append((old, space[what]))
        _imported_elsewhere(new)


def _imported_elsewhere(new: dict[str, list[tuple[Any, Any]]]) -> None:
    for module in list(sys.modules.values()):
        space = getattr(module, "__dict__", {})
        for what in new.keys() & space.keys():
            for old, value in new[what]:
                if space[what] is old:
                    space[what] = value


def _tables(tree: ast.Module, name: str) -> CodeType:
    body = [statement for statement in tree.body if not isinstance(statement, _KEPT)]
    return compile(ast.Module(body, []), name, "exec")


def _imported(tree: ast.Module) -> set[str]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {f"{node.module}{name}" for node in found for name in ("", *(f".{one.name}" for one in node.names))}


def _module(file: Path) -> str:
    return ".".join(file.with_suffix("").parts)
