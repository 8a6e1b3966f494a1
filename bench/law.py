"""`python -m bench.law`: write docs/law.md from the tables of dealerbox/law and from who cites them.

Clause by clause: what it asks, the readings that a machine decides by, the holds, the code, the tests; and each reading
a sentence at a time (bench/sentences.toml).
Nothing of it is written by hand, so it cannot drift: a test compares, and fails too where code cites
a clause, a reading or a reason that no test names.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.citations import Cited, citations
from bench.sentences import Place, faults, sentences
from dealerbox.law.chapter import PEOPLE, chapter
from dealerbox.law.clauses import CLAUSES
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox.law.rules import RULES

ROOT = Path(__file__).parents[1]
PAGE = "docs/law.md"
CODE = ("dealerbox/law", "dealerbox/engine", "dealerbox/config", "dealerbox/station")
OF_THE_LAW = tuple(f"tests/{room}/" for room in ("law", "engine", "config", "lawful", "closure", "incidents"))
"""Tests elsewhere use a clause as a word to show; a reason counts wherever a test meets it."""
TABLES = ("dealerbox/law/clauses.py", "dealerbox/law/chapter.py", "dealerbox/law/rules.py")
"""They say what a clause asks; that is not yet keeping it."""
HEAD = """\
# The law, clause by clause

Delaware, Title 28, Chapter 18: No Limit Texas Hold'em Poker. Each clause that a machine can decide, in a line of
ours; the readings and holds that it gives; where it stands in the code; the tests that show it. After them the
readings, the holds, and the clauses that are the people's business.

Made by `python -m bench.law` from `dealerbox/law`, from the citations in source and tests and from
`bench/sentences.toml`: change those, not this page.
"""


class Law:
    """Source and tests under `root`, asked who cites what."""

    def __init__(self, root: Path) -> None:
        self.code = [cited for cited in citations(root, CODE) if cited.path not in TABLES]
        self.root = root
        self.sentences = sentences(root)
        self.tests = [cited for cited in citations(root, ("tests",)) if _shows(cited)]

    def where(self, what: str) -> list[Cited]:
        """Return the code that cites it."""
        return [cited for cited in self.code if cited.what == what]

    def shown(self, what: str) -> list[Cited]:
        """Return the tests of the law that cite it; of a reason that none of them meets, the others."""
        found = [cited for cited in self.tests if cited.what == what]
        return [cited for cited in found if cited.path.startswith(OF_THE_LAW)] or found

    def pending(self) -> list[str]:
        """Return the clauses that a machine can decide and no code does yet."""
        return [clause for clause in CLAUSES if clause != "house" and not self._kept(clause)]

    def faults(self) -> list[str]:
        """Return what is wrong, a sentence each: nothing may be cited that is not there or that no test shows."""
        known = {*CLAUSES, *PEOPLE, *chapter()}
        found = [
            f"{cited.path}: {cited.name}: cites {cited.what}, which the chapter has not"
            for cited in (*self.code, *self.tests)
            if cited.what[0].isdigit() and cited.what not in known
        ]
        found += [
            f"{clause}: neither in dealerbox/law/clauses.py nor the people's business in dealerbox/law/chapter.py"
            for clause in chapter()
            if not {clause, clause.split("(")[0]} & {*CLAUSES, *PEOPLE}
        ]
        reasons = [f"Reason.{reason.name}" for reason in IRREGULARITIES]
        found += [
            f"{what}: {_places(self.where(what))} keeps it and no test cites it; name it in a test's name or docstring"
            for what in (*CLAUSES, *RULES, *reasons)
            if self.where(what) and not self.shown(what)
        ]
        if self.sentences:
            raised = {cited.what for cited in self.code if "irregularities" not in cited.path or cited.what in RULES}
            found += [f"{what}: no code cites it" for what in (*RULES, *reasons) if what not in raised]
            found += [f"{what}: no test cites it" for what in (*RULES, *reasons) if not self.shown(what)]
            found += [f"{clause}: no code keeps it" for clause in self.pending()]
        return [*found, *faults(self.root, tuple(RULES))]

    def page(self) -> str:
        """Return docs/law.md."""
        parts = (self._clauses(), self._readings(), self._sentences(), self._holds(), self._people())
        return "\n".join([HEAD, *(line for part in parts for line in part)])

    def _kept(self, clause: str) -> bool:
        readings = [number for number, rule in RULES.items() if clause in rule.clauses]
        return any(self.where(what) and self.shown(what) for what in (clause, *readings))

    def _clauses(self) -> Iterator[str]:
        pending = self.pending()
        yield "## What the station keeps\n"
        for clause in sorted(set(CLAUSES) - {"house"}, key=_chapter_order):
            if clause in pending:
                continue
            yield f"### {clause}\n\n{CLAUSES[clause]}\n"
            readings = [number for number, rule in RULES.items() if clause in rule.clauses]
            if readings:
                yield f"- readings: {', '.join(f'[{number}](#readings)' for number in readings)}"
            holds = [f"`{reason}`" for reason, row in IRREGULARITIES.items() if row.clause == clause]
            if holds:
                yield f"- holds and refusals: {', '.join(holds)}"
            yield from _listed("code", self.where(clause))
            yield from _listed("tests", self.shown(clause))
            yield ""
        if pending:
            yield "## What no code keeps yet\n"
            yield from (f"- **{clause}** {CLAUSES[clause]}" for clause in sorted(pending, key=_chapter_order))
            yield ""

    def _readings(self) -> Iterator[str]:
        yield "## Readings\n"
        yield "C: a choice where the text leaves room. T: the table. H: the hand. S: the shuffler and the readers."
        yield "P: what must hold in every state.\n"
        yield "| | reading | clauses | code | tests |\n|---|---|---|---|---|"
        for number, rule in RULES.items():
            clauses = ", ".join(rule.clauses) or "ours"
            yield f"| {number} | {rule.text} | {clauses} | {_cell(self.where(number))} | {_cell(self.shown(number))} |"
        yield ""

    def _sentences(self) -> Iterator[str]:
        yield "## Sentence by sentence\n"
        yield "What a machine can decide of each reading. `python -m bench.sentences` runs the tests, and finds whether"
        yield "the code beside them is run.\n"
        yield "| | sentence | code | tests |\n|---|---|---|---|"
        for one in self.sentences:
            places = (_places_of(one.code), _places_of(one.tests)) if one.code else ("the people's business", "")
            yield f"| {one.rule} | {one.text} | {' | '.join(places)} |"
        yield ""

    def _holds(self) -> Iterator[str]:
        yield "## Holds, refusals and notices\n"
        yield "| reason | clause | what the panel says | code | tests |\n|---|---|---|---|---|"
        for reason, row in IRREGULARITIES.items():
            what = f"Reason.{reason.name}"
            code = [cited for cited in self.where(what) if "irregularities" not in cited.path]
            cells = (f"`{reason}`", row.clause, row.what, _files(code), _files(self.shown(what)))
            yield f"| {' | '.join(cells)} |"
        yield ""

    def _people(self) -> Iterator[str]:
        yield "## The people's business\n"
        yield "The station has no sensor for these and decides nothing about them.\n"
        yield from (f"- **{clause}** {text}" for clause, text in PEOPLE.items())
        yield ""


def _chapter_order(clause: str) -> tuple[str, int]:
    """Sort citations as the chapter has them."""
    section, _, number = clause.partition("(")
    return section, int(number.rstrip(")") or 0) if number else 0


def _shows(cited: Cited) -> bool:
    """Whether a citation in the tests is a test's own, or its file's: not a helper's, not a value at hand."""
    if not cited.what.startswith("Reason.") and not cited.path.startswith(OF_THE_LAW):
        return False
    return cited.name.rsplit(".", 1)[-1].startswith("test_") or (cited.told and not cited.name)


def _grouped(cited: Iterable[Cited]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in cited:
        names = found.setdefault(one.path, [])
        if one.name and one.name not in names:
            names.append(one.name)
    return found


def _listed(title: str, cited: list[Cited]) -> Iterator[str]:
    if cited:
        yield f"- {title}:"
    for path, names in _grouped(cited).items():
        yield f"  - [{path}](../{path})" + (": " + ", ".join(f"`{name}`" for name in names) if names else "")


def _cell(cited: list[Cited]) -> str:
    return "; ".join(
        f"[{_short(path)}](../{path})" + (": " + ", ".join(f"`{name}`" for name in names) if names else "")
        for path, names in _grouped(cited).items()
    )


def _places_of(places: Iterable[Place]) -> str:
    return "; ".join(f"[{_short(place.path)}](../{place.path}): `{place.name}`" for place in places)


def _files(cited: list[Cited]) -> str:
    return ", ".join(f"[{_short(path)}](../{path})" for path in _grouped(cited))


def _short(path: str) -> str:
    return path.split("/", 1)[1].removesuffix(".py")


def _places(cited: list[Cited]) -> str:
    return ", ".join(f"{one.path}: {one.name}" for one in cited[:2])


def main() -> int:
    """Write the page; say what is wrong with it."""
    law = Law(ROOT)
    (ROOT / PAGE).write_text(law.page(), "utf-8")
    for fault in law.faults():
        print(fault, file=sys.stderr)
    return 1 if law.faults() else 0


if __name__ == "__main__":
    sys.exit(main())
