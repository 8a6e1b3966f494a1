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
    short_help="Find out what is wrong with a table, and prove that it is right.",
    epilog="Example: dealerbox diag selftest --card 2026-12-01.json",
)
def diag() -> None:
    """Find out what is wrong with a table, and prove that it is right: docs/technician.md.

    What takes a device for itself wants the table in service (`dealerbox diag service begin`, between hands), or its
    station stopped. While a hand is open nothing moves and nothing is changed.
    """
