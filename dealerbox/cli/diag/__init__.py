"""`dealerbox diag`: what a technician asks of a table and of its devices; a command a module."""

from typing import Final

import click

from dealerbox.cli.lazily import Lazily

COMMANDS: Final = (
    "list",
    "probe",
    "watch",
    "service",
    "button",
    "calibrate",
    "clock",
    "deal-test",
    "journal",
    "link",
    "panel",
    "reader",
    "selftest",
    "shuffler",
    "conformance",
    "decode",
    "replay",
    "audit",
    "capture",
    "bundle",
)


@click.group(
    cls=Lazily,
    room=__name__,
    commands_of_room=COMMANDS,
    short_help="List devices; take a table for service; question one device.",
    epilog="Example: dealerbox diag conformance /dev/ttyUSB0",
)
def diag() -> None:
    """List a table's devices; take it for service, between hands; question one device, with the station stopped."""
