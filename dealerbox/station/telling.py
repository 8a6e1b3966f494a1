"""What may be said of an error where anybody can read it: a log, a screen, a status line (P4)."""

import re
import traceback
from pathlib import Path
from typing import Final

from dealerbox.ports import DealerboxError

_ROOMS: Final = 2
"""Last parts of a file's path that tell whose it is: `engine/placing.py`."""
_TAG: Final = re.compile("'[0-9A-Fa-f]{8,}'")


def told(error: BaseException | None) -> str:
    """Return what kind of error it is and where it arose: `KeyError in placed (engine/placing.py:41)`.

    What the error itself says is left out, since it may be a token or a tag, unless it is a sentence of ours or the
    system's. The journal's events lead to the same place again, where everything may be looked at.
    """
    if isinstance(error, DealerboxError):
        return f"{type(error).__name__}: {error}"
    said = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
    frames = traceback.extract_tb(error.__traceback__) if error else []
    if not frames:
        return f"{type(error).__name__}{said}"
    last = frames[-1]
    file = "/".join(Path(last.filename).parts[-_ROOMS:])
    return f"{type(error).__name__}{said} in {last.name} ({file}:{last.lineno})"


def without_tags(sentences: str) -> str:
    """Return what is said of the configuration without the tags that it names; `dealerbox check` names them."""
    return _TAG.sub("a tag", sentences)
