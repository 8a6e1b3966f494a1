"""The option that names a station's socket."""

from collections.abc import Callable
from typing import Any, Final

import click

RUNTIME_DIR: Final = "/run/dealerbox"


def socket_option(name: str, words: str) -> Callable[[Any], Any]:
    """Return `--socket PATH`, given to a command as `path`; `name` is that of the installed station's."""
    return click.option(
        "--socket",
        "path",
        default=f"{RUNTIME_DIR}/{name}",
        show_default=True,
        metavar="PATH",
        type=click.Path(readable=False),
        help=words,
    )
