"""`dealerbox status`."""

import contextlib
import socket
import sys
from typing import Final, TypeVar

import click
import msgspec

from dealerbox.cli.picture import show
from dealerbox.model.view import View
from dealerbox.ports import DeviceGone

T = TypeVar("T")

PATIENCE_S: Final = 2.0
"""A station answers between two events: within a moment, or not at all."""
LONGEST_ANSWER: Final = 1 << 20


class _Refusal(msgspec.Struct):
    error: str = ""


@click.command(short_help="Show the table of a running station.", epilog="Example: dealerbox status --json")
@click.option(
    "--socket",
    "path",
    default="/run/dealerbox/control.sock",
    show_default=True,
    metavar="PATH",
    type=click.Path(),
    help="The station's control socket.",
)
@click.option("--json", "bare", is_flag=True, help="Print the station's answer as it came: one line of JSON.")
def status(path: str, bare: bool) -> None:
    """Show the table: seats, burns, board, muck, lamps, what is expected next, what is held and what to do.

    Exit 69: no station answers at that socket.
    """
    answer = ask(path, b'{"ask":"status"}')
    refusal = decoded(path, answer, _Refusal).error
    if refusal:
        raise DeviceGone(f"{path}: the station refuses: {refusal}")
    if bare:
        click.echo(answer)
        return
    show(decoded(path, answer, View), sys.stdout.isatty())


def ask(path: str, question: bytes) -> bytes:
    """Return the station's answer to one line, without its newline. DeviceGone when none answers."""
    answer = b""
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as station:
        station.settimeout(PATIENCE_S)
        try:
            station.connect(path)
            station.sendall(question + b"\n")
            while not answer.endswith(b"\n"):
                more = station.recv(65_536)
                if not more or len(answer) > LONGEST_ANSWER:
                    raise DeviceGone(f"{path}: the station hung up; try again, or see `systemctl status dealerbox`")
                answer += more
        except PermissionError as error:
            raise DeviceGone(f"{path}: you may not ask; join the group of the socket") from error
        except TimeoutError as error:
            raise DeviceGone(f"{path}: the station does not answer; see `systemctl status dealerbox`") from error
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise DeviceGone(f"{path}: {why}; no station runs there: start it, or name its --socket") from error
    return answer.rstrip(b"\n")


def decoded(path: str, answer: bytes, kind: type[T]) -> T:
    """Return what the station answered. DeviceGone when that is no station's answer."""
    try:
        return msgspec.json.decode(answer, type=kind)
    except msgspec.DecodeError as error:
        raise DeviceGone(f"{path}: no station's answer ({error}); is this its control socket?") from error
