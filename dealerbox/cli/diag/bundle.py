"""`dealerbox diag bundle`: one file for support."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.cli.technician import file_option

if TYPE_CHECKING:
    from dealerbox.config.values import Config
    from dealerbox.diagnostics.bundles.examined import Finding
    from dealerbox.diagnostics.bundles.file import Manifest


@click.command(
    short_help="Put together one file for support.",
    epilog="Example: dealerbox diag bundle --capture seats.capture table-1.zip",
)
@click.argument("bundle_file", metavar="BUNDLE", type=click.Path(readable=False, path_type=Path))
@file_option
@click.option(
    "--capture",
    "captures",
    multiple=True,
    type=click.Path(readable=False, path_type=Path),
    metavar="FILE",
    help="A capture to add.",
)
@click.option("--without-log", is_flag=True, help="Leave the evening's log out: that may be done while a hand is open.")
@click.option("--list", "listing", is_flag=True, help="Show what is in a bundle instead, and that it is what it was.")
@click.option("--json", "bare", is_flag=True, help="One line of JSON.")
def bundle(
    bundle_file: Path, file: str, captures: tuple[Path, ...], without_log: bool, listing: bool, bare: bool
) -> int:
    """Put together configuration, versions, health, counters, the last evening's log by tokens, and captures.

    The new file BUNDLE is a zip. Before it has its name it is read back and searched for tags, faces and keys, in any
    spelling; where one is found there is no bundle. What cannot be had (no station runs, no rights) is left out, and
    why is said.

    Exit 0: made, or listed. 1: something was found that may not leave, and nothing was made. 65: no bundle, half of
    one, or of a newer Dealerbox. 66: not there. 77: a hand is open.
    """
    from dealerbox.diagnostics.bundles.file import read

    if listing:
        manifest, _ = read(bundle_file)
        _show(bundle_file, manifest, bare)
        return Exit.DONE
    if bundle_file.exists():
        raise click.UsageError(f"{bundle_file} is there already: name a new file")
    manifest, found = _made(bundle_file, file, captures, without_log)
    if found:
        for one in found:
            where = f"{one.member}, line {one.line}" if one.line else one.member
            click.echo(f"{where}: {one.what}; leave it out, or blot it out at its source", err=True)
        click.echo(f"{bundle_file}: not made: {len(found)} times something that may not leave the table", err=True)
        return Exit.FOUND
    _show(bundle_file, manifest, bare)
    return Exit.DONE


def _made(
    bundle_file: Path, station: str, captures: tuple[Path, ...], without_log: bool
) -> "tuple[Manifest, list[Finding]]":
    """Write the bundle beside its name, examine what was written, and give it its name or remove it."""
    import dealerbox
    from dealerbox.config.checks import checked
    from dealerbox.diagnostics.bundles import file as form
    from dealerbox.diagnostics.bundles.examined import examined
    from dealerbox.diagnostics.bundles.gathered import secrets_of
    from dealerbox_drivers.pins.budget import pin_faults
    from dealerbox_drivers.registry import DRIVERS

    config = checked(station, DRIVERS, pin_faults)
    left_out: dict[str, str] = {}
    contents = dict(_contents(config, captures, without_log, left_out))
    unnamed = bundle_file.with_name(f".{bundle_file.name}.unexamined")
    try:
        form.write(
            unnamed,
            contents,
            software=dealerbox.__version__,
            table=config.table,
            made_s=int(time.time()),
            left_out=left_out,
        )
        manifest, written = form.read(unnamed)
        written[form.MANIFEST] = msgspec.json.encode(manifest)
        found = examined(written, secrets_of(config))
        if not found:
            unnamed.rename(bundle_file)
    finally:
        unnamed.unlink(missing_ok=True)
    return manifest, found


def _contents(
    config: "Config", captures: tuple[Path, ...], without_log: bool, left_out: dict[str, str]
) -> Iterator[tuple[str, bytes]]:
    from dealerbox.diagnostics.bundles import gathered
    from dealerbox.diagnostics.captures.file import read as read_capture
    from dealerbox.ports import NotAllowed

    yield from gathered.configuration(config)
    yield "versions.json", gathered.versions()
    yield "disk.json", gathered.disk(config)
    yield from gathered.said(str(config.socket), left_out)
    if without_log:
        left_out["log/evening.jsonl"] = "was not asked for"
    else:
        yield from _log(config, left_out)
    for capture in captures:
        if not read_capture(capture).header.is_masked:
            raise NotAllowed(f"{capture}: has tags as they were read; take another, without --as-read")
        yield f"captures/{capture.name}", capture.read_bytes()


def _log(config: "Config", left_out: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield the last evening, between hands alone."""
    import tempfile

    from dealerbox.cli.log_files import export_journals, refuse_open_hand
    from dealerbox.diagnostics.bundles.examined import names_a_face
    from dealerbox.diagnostics.bundles.gathered import counters, evening
    from dealerbox.ports import NotAllowed

    journal = config.state_dir / "journal"
    try:
        with tempfile.TemporaryFile() as spool:
            refuse_open_hand([journal])
            export_journals([journal], None, "events", spool.write)
            spool.seek(0)
            found = evening(spool, str(journal), names_a_face)
    except NotAllowed as error:
        raise NotAllowed(f"{error}; or make the bundle --without-log") from error
    except OSError as error:
        left_out["log/evening.jsonl"] = f"{error.filename or journal}: {(error.strerror or str(error)).lower()}"
        return
    if found.why:
        left_out["log/evening.jsonl, the rest"] = found.why
    yield "log/evening.jsonl", b"".join(found.lines)
    yield "log/hands.jsonl", b"".join(msgspec.json.encode(hand) + b"\n" for hand in found.hands)
    yield "log/counters.json", counters(found)


def _show(bundle_file: Path, manifest: "Manifest", bare: bool) -> None:
    if bare:
        click.echo(msgspec.json.encode(manifest))
        return
    made = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(manifest.made_s))
    click.echo(f"{bundle_file}: {manifest.table}, made {made} by Dealerbox {manifest.software}")
    rows = [(member.name, f"{member.size:,} bytes") for member in manifest.members]
    rows += [(name, f"left out: {why}") for name, why in manifest.left_out.items()]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table("in it", "")
        for row in rows:
            table.add_row(*row, style="yellow" if row[1].startswith("left out") else "")
        Console().print(table)
        return
    width = max(len(name) for name, _ in rows)
    for name, what in rows:
        click.echo(f"  {name:<{width}}  {what}")
