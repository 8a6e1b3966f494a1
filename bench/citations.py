"""Where the source and the tests cite the law: read by `ast`, from names, docstrings and texts.

A citation is written `1804A(3)`, several of a part as `1804A(4),(6)`; in a name `1804a3` or `1811_3`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dealerbox.law.rules import RULES
from dealerbox.model.reasons import Reason

CLAUSE = re.compile(r"(?<![\d_.])(18\d\d)\.?([AB]?)((?:\(\d+\))?(?:,\(\d+\))*)(?!\d|[A-Za-z])")
IN_NAME = re.compile(r"_(18[0-3]\d)([AaBb]?)(?:_?(\d+)|_[a-z])?(?=_|$)")
RULE = re.compile(r"(?<!\w)([CHSTP])(\d{1,2})(?:-[CHSTP]?(\d{1,2}))?(?!\w)")
REASONS = frozenset(Reason)


class Cited(NamedTuple):
    """A clause (`1804A(3)`), a rule (`H6`) or a reason (`Reason.JAM`), and who cites it."""

    what: str
    path: str
    name: str
    """Function, class or table; '' for the module itself."""
    told: bool
    """In a name or docstring, not only in a text or in what the code does."""


def clauses_in(text: str) -> Iterator[str]:
    """Yield every citation of a clause in `text`, spelled as on the panel."""
    for section, part, numbers in CLAUSE.findall(text):
        yield from [f"{section}{part}({n})" for n in re.findall(r"\d+", numbers)] or [section + part]


def clauses_in_name(name: str) -> Iterator[str]:
    """Yield every citation in the name of a test."""
    for section, part, number in IN_NAME.findall(name):
        yield f"{section}{part.upper()}" + (f"({number})" if number else "")


def rules_in(text: str) -> Iterator[str]:
    """Yield every rule that `text` cites; `C6-C8` is three."""
    for letter, first, last in RULE.findall(text):
        for number in range(int(first), int(last or first) + 1):
            if f"{letter}{number}" in RULES:
                yield f"{letter}{number}"


def citations(root: Path, folders: tuple[str, ...]) -> list[Cited]:
    """Return all that the modules under the folders cite, in the order of files and lines, each once."""
    found: dict[Cited, None] = {}
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            for cited in _module(ast.parse(path.read_text("utf-8")), name):
                found.setdefault(cited)
    return list(found)


def _module(tree: ast.Module, path: str) -> Iterator[Cited]:
    tables: dict[str, list[Cited]] = {}
    last = ""
    for node in tree.body:
        name, last = _name(node, last), _name(node, last)
        for cited in _node(node, path, name):
            if isinstance(node, ast.Assign | ast.AnnAssign):
                tables.setdefault(name, []).append(cited)
            yield cited
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for used in ast.walk(node):
                if isinstance(used, ast.Name):  # a table that a test is given is what it shows
                    yield from (cited._replace(name=name) for cited in tables.get(used.id, ()))


def _node(node: ast.stmt, path: str, name: str) -> Iterator[Cited]:
    if isinstance(node, ast.ClassDef):
        inner = ""
        for part in node.body:
            inner = _name(part, inner)
            whose = f"{name}.{inner}" if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) else name
            yield from _node(part, path, whose)
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        cited = (*clauses_in_name(node.name), *rules_in(node.name.replace("_", " ")))
        yield from (Cited(what, path, name, True) for what in cited)
    told = {id(part.value) for part in ast.walk(node) if isinstance(part, ast.Expr)}
    for part in ast.walk(node):
        match part:
            case ast.Constant(value=str() as text) if text in REASONS:
                yield Cited(f"Reason.{text.upper()}", path, name, False)
            case ast.Constant(value=str() as text):
                yield from (Cited(what, path, name, id(part) in told) for what in clauses_in(text))
                if id(part) in told:
                    yield from (Cited(what, path, name, True) for what in rules_in(text))
            case ast.Attribute(value=ast.Name(id="Reason"), attr=reason):
                yield Cited(f"Reason.{reason}", path, name, False)


def _name(node: ast.stmt, before: str) -> str:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.name
        case ast.Assign(targets=[ast.Name(id=name), *_]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Expr():
            return before  # the text below a table is about the table
        case _:
            return ""
