"""`dealerbox diag probe`: what is on a port?"""

import asyncio
import contextlib
import sys
from typing import Final

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.sockets import socket_option
from dealerbox.diagnostics.plugged import serial_ports, usb_models
from dealerbox.diagnostics.probing import Tried, probed, probed_usb
from dealerbox.diagnostics.whose import refuse_taken
from dealerbox_drivers.usb.names import is_usb

_PARITY: Final = {"N": "no parity", "E": "even parity", "O": "odd parity"}


def _ports(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete a port by what is plugged in."""
    there = [*serial_ports(), *(model.port for model in usb_models())]
    return [port for port in there if port.startswith(incomplete)]


@click.command(short_help="What is on this port?", epilog="Example: dealerbox diag probe /dev/serial/by-path/...-port0")
@click.argument("port", shell_complete=_ports)
@socket_option("control.sock", "The station's control socket: a port that it holds is left alone.")
@click.option("--json", "bare", is_flag=True, help="A line of JSON for each family that was asked.")
def probe(port: str, path: str, bare: bool) -> int:
    """Ask at PORT, a serial port or usb:BUS-PORT, which of the known devices is there: half a minute where none is.

    Each is asked who it is and nothing more: no motor moves, no field is lit, no session begins. A USB device is known
    by its vendor and product. While a hand is open nothing is asked, and nothing at a port that the station holds.

    Exit 0: one answers. 1: none does. 69: the port is not there, or another process has it. 77: it is the station's, or
    a hand is open.
    """
    alone = refuse_taken(port, path)
    if alone and not bare:
        click.echo(f"no station is asked: {alone}", err=True)
    return asyncio.run(_asked(port, bare))


async def _asked(port: str, bare: bool) -> int:
    """Say what came of each attempt, and return the exit code."""
    heard = 0
    async with contextlib.aclosing(probed_usb(port) if is_usb(port) else probed(port)) as attempts:
        async for tried in attempts:
            heard += tried.heard
            if bare:
                click.echo(msgspec.json.encode(tried))
            elif tried.answers or sys.stderr.isatty():
                click.echo(_said(tried), err=not tried.answers)
            if tried.answers:
                return Exit.DONE
    if not bare:
        click.echo(
            f"{port}: {heard} bytes came, and none of the known devices says so: check its wires and its speed"
            if heard
            else f"{port}: nothing answers: check power, plug, and that receive and transmit are not exchanged"
        )
    return Exit.FOUND


def _said(tried: Tried) -> str:
    how = f"{tried.baud} baud, {_PARITY[tried.parity]}" if tried.baud else "USB"
    if not tried.answers:
        return f"{tried.driver:<12} {how}: no answer"
    firmware = f", firmware {tried.firmware}" if tried.firmware else ""
    return f'{tried.identity}{firmware}\n  driver = "{tried.driver}" ({how})'
