"""`dealerbox explain CODE`."""

import difflib

import click
import msgspec

from dealerbox.cli.codes import Code, codes


@click.command(short_help="Say what a code means and what to do.", epilog="Example: dealerbox explain wrong_seat")
@click.argument("code", required=False)
@click.option("--json", "bare", is_flag=True, help="One line of JSON a code.")
def explain(code: str | None, bare: bool) -> None:
    """Say what a hold, a refusal, an exit code, a clause or a code of the shuffler means, and what to do.

    Without CODE: every code with its meaning. docs/codes.md is the same table.
    """
    known = {one.code: one for one in codes()}
    if code is None:
        for one in known.values():
            click.echo(msgspec.json.encode(one) if bare else f"{one.code:22}{one.means}")
        return
    wanted = code.strip().removeprefix("§").removesuffix(":")
    found = known.get(wanted) or known.get(wanted.lower()) or known.get(_as_shuffler(wanted))
    if found is None:
        near = difflib.get_close_matches(wanted.lower(), known, 3)
        hint = f"the nearest: {', '.join(near)}" if near else "`dealerbox explain` lists them"
        raise click.UsageError(f"there is no code {code!r}; {hint}")
    click.echo(msgspec.json.encode(found) if bare else _told(found))


def _as_shuffler(word: str) -> str:
    """Return a number of the shuffler's wire as its code is written: 0x32, 32h and shuffler-32 are one."""
    return f"shuffler-{word.lower().removeprefix('shuffler-').removeprefix('0x').removesuffix('h').upper()}"


def _told(found: Code) -> str:
    steps = [f"  {number}. {step}" for number, step in enumerate(found.steps, 1)]
    return "\n".join([f"{found.code} ({found.source})", f"  {found.means}", *steps])
