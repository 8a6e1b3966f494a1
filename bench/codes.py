"""docs/codes.md, written from `dealerbox.cli.codes`: `python -m bench.codes`, a part of `make pages`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from dealerbox.cli.codes import Code, codes

PAGE: Final = Path(__file__).parents[1] / "docs" / "codes.md"
_PARTS: Final = {
    "hold": (
        "Holds, refusals and notices",
        "The panel names the code beside the words; in place of `[zone]` it says which.",
    ),
    "exit": (
        "Exit codes",
        "Every `dealerbox` command ends with one of these. Whatever is wrong is told on standard error, one sentence a "
        "line: what, where, what to do. The numbers from 64 up are those of `sysexits.h`. `dealerbox run` that gets "
        "SIGTERM ends with 0: the gate is locked first. Under systemd, 78 is not worth a restart "
        "(`RestartPreventExitStatus=78`).",
    ),
    "shuffler": (
        "The shuffler's codes",
        "STATUS.code and STATUS.cmd_result of the shuffler's wire: in captures, and told by `diag conformance`.",
    ),
    "test": (
        "Steps of the technician's tests",
        "What must be so, and what to do where it is not, or could not be tested.",
    ),
    "clause": ("Clauses", "What a clause asks, as the panel says it."),
}


def page() -> str:
    """Return the whole page."""
    every = list(codes())
    parts = []
    for kind, (title, words) in _PARTS.items():
        parts.append(_part(title, words, [one for one in every if one.kind == kind]))
    return "\n".join(
        [
            "# Codes",
            "",
            "Written by `make pages` from `dealerbox/cli/codes.py`; `dealerbox explain CODE` says the same.",
            "",
            *parts,
        ]
    )


def _part(title: str, words: str, rows: Iterable[Code]) -> str:
    lines = [f"## {title}", "", words, "", "| code | means | from | what to do |", "|---|---|---|---|"]
    for one in rows:
        lines.append(f"| `{one.code}` | {one.means} | {one.source} | {_steps(one.steps)} |")
    return "\n".join([*lines, ""])


def _steps(steps: tuple[str, ...]) -> str:
    return steps[0] if len(steps) == 1 else " ".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
