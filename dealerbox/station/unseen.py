"""Nothing of the running station is written down by others: no core file, no debugger's copy, no trace (P4)."""

import ctypes
import os
import resource
from collections.abc import MutableMapping
from typing import Final

_PR_SET_DUMPABLE: Final = 4
TRACES: Final = ("PYUSB_DEBUG", "PYUSB_LOG_FILENAME", "LIBUSB_DEBUG")
"""Variables that make a library write down what passes on its wires, tags and all."""


def keep_unseen(environ: MutableMapping[str, str]) -> list[str]:
    """Make this process one that nobody can look into, root aside; return a sentence for each thing that is not so.

    No core is dumped, not even to a program that collects them, for which the limit alone means nothing; no process of
    the same user can attach to it. What asks libraries for traces is taken out of `environ` before they are loaded.
    """
    said = []
    for name in TRACES:
        if environ.pop(name, None) is not None:
            said.append(f"{name} is not heeded: it would write down what readers say; take it away")
    try:
        if resource.getrlimit(resource.RLIMIT_CORE) != (0, 0):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except OSError as error:
        said.append(f"core files are not ruled out ({error.strerror}); set LimitCORE=0 in the unit")
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
        why = os.strerror(ctypes.get_errno())
        said.append(f"other processes of this user can look into the station ({why}); let the unit allow prctl")
    return said
