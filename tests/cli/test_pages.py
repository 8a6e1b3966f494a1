"""What the pages tell people to type is understood as it stands there."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dealerbox.cli.main import dealerbox

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(page for page in (ROOT / "docs").glob("*.md") if page.name not in ("field-checks.md", "mutation.md")),
]
BEFORE = r"(?:sudo |\.venv/bin/)*"
TYPED = re.compile(
    rf"^ {{4}}{BEFORE}(dealerbox (?:[^\n\\]|\\\n)+)|`{BEFORE}((?:dealerbox|diag) [a-z][^`]+)`", re.MULTILINE
)
"""A line of its own, which may go on below, or words within a sentence."""
LIST = re.compile(r"[a-z]+, ")


def typed(page: Path) -> Iterator[list[str]]:
    """Yield the words of each command on a page; of `begin|end` the first, and without what stands for more."""
    for line, span in TYPED.findall(page.read_text("utf-8")):
        if LIST.search(span):  # the commands that there are
            continue
        words = shlex.split((line or span).replace("\\\n", " "), comments=True)
        words = [word.strip("[]").partition("|")[0] for word in words if word.strip(".…") and word[0] != "<"]
        yield words[1:] if words[0] == "dealerbox" else words


def understood(words: list[str]) -> None:
    """UsageError unless the command, its options and their values are known; what is left out may be."""
    command: click.Command = dealerbox
    context = click.Context(command)
    while isinstance(command, click.Group):
        if not words or words[0].startswith("-"):
            return
        found = command.get_command(context, words[0])
        if found is None:
            raise click.UsageError(f"no such command: {words[0]}")
        command, words = found, words[1:]
        context = click.Context(command, info_name=command.name, parent=context)
    try:
        command.parse_args(context, list(words))
    except (click.MissingParameter, click.exceptions.Exit):
        return


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_on_a_page_is_understood_as_it_stands(page: Path) -> None:
    wrong = []
    for words in typed(page):
        try:
            understood(words)
        except click.UsageError as error:
            wrong.append(f"{' '.join(words)}: {error.format_message()}")
    assert wrong == []


def test_a_command_or_option_that_there_is_not_is_told() -> None:
    for words in (["diag", "lend"], ["diag", "link", "--port", "x"], ["diag", "service", "stop"]):
        with pytest.raises(click.UsageError):
            understood(words)
