"""Bad input is one sentence and a documented exit code, never a traceback."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from dealerbox import __version__
from dealerbox.cli.exits import Exit, exit_of, sentences_of
from dealerbox.cli.main import COMMANDS
from dealerbox.cli.main import dealerbox as dealerbox_command
from dealerbox.ports import ConfigError, DealerboxError, DeviceGone, JournalError

ROOT = Path(__file__).parents[2]


def test_the_version_is_told(dealerbox: Any) -> None:
    assert dealerbox("--version") == (0, f"dealerbox, version {__version__}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(dealerbox: Any, command: str) -> None:
    answer = dealerbox(command, "--help")
    assert answer.code == 0
    assert f"Example: dealerbox {command}" in answer.out


def test_the_help_has_a_whole_line_for_every_command(dealerbox: Any) -> None:
    answer = dealerbox("--help")
    told = [line for line in answer.out.splitlines() if line.split()[:1] and line.split()[0] in COMMANDS]
    assert len(told) == len(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in told)


def test_help_is_told_to_whoever_asks_for_it_as_a_command(dealerbox: Any) -> None:
    assert dealerbox("help") == dealerbox("--help")


def test_a_pipe_that_is_closed_is_no_error(tmp_path: Path) -> None:
    log = tmp_path / "night.jsonl"
    command = [sys.executable, "-m", "dealerbox"]
    sources = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'drivers'}"}
    subprocess.run([*command, "simulate", "--hands", "3", "--log", log], cwd=ROOT, env=sources, check=True)
    with subprocess.Popen(
        [*command, "replay", log], cwd=ROOT, env=sources, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as played:
        played.stdout.readline()
        played.stdout.close()
        assert played.stderr.read() == b""
    assert played.returncode == Exit.INTERRUPTED


def test_whether_a_path_may_be_read_is_told_by_who_opens_it() -> None:
    """Click would call a socket or a file without rights a matter of usage; the sentence of ours says what to do."""
    for command in every_command(dealerbox_command):
        judged = [each.name for each in command.params if isinstance(each.type, click.Path) and each.type.readable]
        assert judged == [], command.name


def every_command(group: click.Command) -> Iterator[click.Command]:
    yield group
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            if command := group.get_command(context, name):
                yield from every_command(command)


def test_an_unknown_command_is_a_matter_of_usage(dealerbox: Any) -> None:
    answer = dealerbox("shuffle")
    assert answer.code == Exit.USAGE
    assert "No such command 'shuffle'" in answer.err


def test_an_unknown_option_is_a_matter_of_usage(dealerbox: Any) -> None:
    answer = dealerbox("check", "--prots", "station.toml")
    assert answer.code == Exit.USAGE
    assert "--ports" in answer.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("c"), 78),
        (JournalError("j"), 74),
        (DeviceGone("d"), 69),
        (DealerboxError("x"), 65),
        (FileNotFoundError(2, "No such file or directory", "a.toml"), 66),
        (PermissionError(13, "Permission denied", "a.toml"), 66),
        (OSError(28, "No space left on device", "a.log"), 74),
    ],
)
def test_every_error_has_its_exit_code(error: Any, code: int) -> None:
    assert exit_of(error) == code


def test_an_error_of_the_system_says_what_where_and_what_to_do() -> None:
    error = PermissionError(13, "Permission denied", "/etc/station.toml")
    assert sentences_of(error) == ["/etc/station.toml: permission denied; ask for leave, or run as the user who may"]


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dealerbox", "check", "no-such.toml"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'drivers'}"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        66,
        "",
        "no-such.toml: no such file or directory; check the path\n",
    )
