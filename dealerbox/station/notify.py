"""The service manager: READY, WATCHDOG and STATUS by sd_notify(3), and who has earned a ping."""

import asyncio
import os
import socket
from collections.abc import Callable, Mapping
from typing import Final

from dealerbox.ports import Clock

CHECK_S: Final = 1.0
"""Between two looks at the parts where no watchdog asks."""


class Notify:
    """Sends to NOTIFY_SOCKET of `environ`; without one it says nothing. Never blocks, never raises."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        self._said = ""
        if self._socket:
            self._socket.setblocking(False)
        self.watchdog_s = _watchdog_s(environ)
        """The manager's limit between two pings; 0: it does not watch."""

    def send(self, text: str) -> None:
        """Send one or more `KEY=value` lines."""
        if self._socket:
            try:
                self._socket.sendto(text.encode(), self._address)
            except OSError:
                return  # a manager that does not listen must not stop the table

    def ready(self) -> None:
        self.send("READY=1")

    def status(self, text: str) -> None:
        """Tell the status line, if it is another than the last."""
        if text != self._said:
            self._said = text
            self.send(f"STATUS={text}")

    def stopping(self) -> None:
        self.send("STOPPING=1")

    def close(self) -> None:
        if self._socket:
            self._socket.close()


def _watchdog_s(environ: Mapping[str, str]) -> float:
    owner = environ.get("WATCHDOG_PID", "")
    usec = environ.get("WATCHDOG_USEC", "")
    if not usec.isdigit() or (owner and owner != str(os.getpid())):
        return 0.0
    return int(usec) / 1e6


Parts = Callable[[], tuple[str, ...]]
"""Returns the names of the parts that made no progress since the last call."""


async def watch(
    notify: Notify,
    stuck: Parts,
    clock: Clock,
    status: Callable[[], str],
    late: Callable[[float], None] = lambda late_s: None,
) -> None:
    """Ping the manager's watchdog while every part makes progress, until cancelled; name the parts that do not.

    `late` hears, at each look, how much later than asked for the loop woke.

    Pings come three in each limit, so that one lost costs nothing.
    """
    pause_s = notify.watchdog_s / 3 or CHECK_S
    while True:
        before_ns = clock()
        await asyncio.sleep(pause_s)
        late_s = (clock() - before_ns) / 1e9 - pause_s
        late(late_s)
        parts = stuck()
        if parts:
            notify.status(f"no progress: {', '.join(parts)}")
        else:
            notify.status(status() if late_s < pause_s else f"the loop was {late_s:.1f} s late")
            if notify.watchdog_s:
                notify.send("WATCHDOG=1")
