"""The station's memory stays in memory: no page of it is waited for while a card is in the air."""

import ctypes
import os
import resource
from collections.abc import Mapping
from typing import Final

_MCL_CURRENT: Final = 1
_MCL_FUTURE: Final = 2
_MCL_ONFAULT: Final = 4


def keep_resident(environ: Mapping[str, str]) -> str:
    """Lock what this process touches, now and later; return '' or one sentence when a service manager asks in vain.

    With MCL_ONFAULT (Linux 4.4): pages are locked as they are touched; all that is mapped would be twice as much.
    Address space is what the limit counts, so that any but an unlimited one would let a later allocation fail: then
    nothing is locked. Started by hand, it is not missed.
    """
    if resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == resource.RLIM_INFINITY:
        libc = ctypes.CDLL(None, use_errno=True)
        if not libc.mlockall(_MCL_CURRENT | _MCL_FUTURE | _MCL_ONFAULT):
            return ""
        why = os.strerror(ctypes.get_errno())
    else:
        why = "there is a limit"
    if "NOTIFY_SOCKET" not in environ:
        return ""
    return f"memory is not locked ({why}): a card may have to wait for a page; set LimitMEMLOCK=infinity in the unit"
