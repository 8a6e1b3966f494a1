"""Lines: pipes of bytes to the things on the table.

pyserial opens and configures a port, once; its descriptor is then read and written by
the loop itself: a thread in the path would cost more than the whole decision. Whatever
way a port is lost, its users see DeviceGone.
"""

import asyncio
import contextlib
import errno
import fcntl
import os
import stat
import termios
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import serial

from dealerbox.ports import ConfigError, DeviceGone
from dealerbox_drivers.holders import holders
from dealerbox_drivers.memory_line import MOST_UNREAD, Delayed, Inbox, Lossy, MemoryLine, OneByte, memory_pair

__all__ = [
    "Delayed",
    "Lossy",
    "MemoryLine",
    "OneByte",
    "SerialLine",
    "SerialPort",
    "memory_pair",
    "open_serial",
    "pty_pair",
]

MOST_UNSENT: Final = 65_536
"""Bytes kept for a port that does not take them; one more and it counts as gone."""
MOST_A_READ: Final = 4096
PTY_MAJORS: Final = range(136, 144)
"""Device numbers of the kernel's pseudo-terminals (Documentation/admin-guide/devices.txt)."""
TAKEN: Final = (errno.EBUSY, errno.EAGAIN)
WHAT_TO_DO: Final = {
    errno.ENOENT: "there is no such port: plug the device in, or correct `port`",
    errno.EACCES: "not allowed: add this user to the port's group (usually dialout)",
    errno.EPERM: "not allowed: add this user to the port's group (usually dialout)",
}
PULLED: Final = "the port is gone: check the cable, the plug and the device's power"


class SerialLine:
    """A terminal's descriptor as a Line: never blocks, keeps at most 64 KiB either way.

    Input that nobody reads stays in the kernel; output that nobody takes ends the line.
    `release` closes the descriptor.
    """

    def __init__(self, name: str, descriptor: int, release: Callable[[], None]) -> None:
        self.name = name
        self._descriptor = descriptor
        self._release = release
        self._loop = asyncio.get_running_loop()
        self._inbox = Inbox()
        self._unsent = bytearray()
        self._open = True
        self._listening = False
        os.set_blocking(descriptor, False)
        self._listen()

    async def read(self) -> bytes:
        data = await self._inbox.take()
        self._listen()
        return data

    def write(self, data: bytes) -> None:
        if not self._open:
            raise DeviceGone(f"{self.name}: the line is closed")
        if self._unsent:
            self._unsent += data
        else:
            self._unsent += data[self._send(data) :]
            if self._unsent:
                self._loop.add_writer(self._descriptor, self._send_rest)
        if len(self._unsent) > MOST_UNSENT:
            why = f"{self.name}: the device takes no more bytes ({len(self._unsent)} unsent): check its power and cable"
            self._end(why)
            raise DeviceGone(why)

    def close(self) -> None:
        self._end(f"{self.name}: the line is closed", forget=True)

    def _listen(self) -> None:
        if self._open and not self._listening and len(self._inbox) < MOST_UNREAD:
            self._loop.add_reader(self._descriptor, self._take)
            self._listening = True

    def _take(self) -> None:
        try:
            data = os.read(self._descriptor, MOST_A_READ)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._end(f"{self.name}: {PULLED} ({error})")
            return
        if not data:  # a terminal that was hung up ends without an error
            self._end(f"{self.name}: {PULLED}")
            return
        self._inbox.put(data)
        if len(self._inbox) >= MOST_UNREAD:
            self._loop.remove_reader(self._descriptor)
            self._listening = False

    def _send(self, data: bytes) -> int:
        try:
            return os.write(self._descriptor, data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            why = f"{self.name}: {PULLED} ({error})"
            self._end(why)
            raise DeviceGone(why) from error

    def _send_rest(self) -> None:
        try:
            del self._unsent[: self._send(bytes(self._unsent[:MOST_A_READ]))]
        except DeviceGone:
            return  # the reader is told by `_end`
        if not self._unsent:
            self._loop.remove_writer(self._descriptor)

    def _end(self, why: str, *, forget: bool = False) -> None:
        self._inbox.end(why, forget=forget)
        if not self._open:
            return
        self._open = False
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        try:
            if self._unsent:  # else the kernel would wait up to 30 s in close for a device that takes nothing
                termios.tcflush(self._descriptor, termios.TCOFLUSH)
        except (termios.error, OSError):
            pass
        finally:
            self._unsent.clear()
            self._shut()

    def _shut(self) -> None:
        with contextlib.suppress(
            serial.SerialException, termios.error, OSError
        ):  # the port is gone already: nothing is left to close
            self._release()


class SerialPort(msgspec.Struct, frozen=True):
    """A serial port and how it is to be opened; called, it opens (an `OpenLine`).

    Eight data bits, one stop bit. `parity`: N, E or O. Opening may restart the device
    behind it: Linux raises DTR and RTS for a moment even where both are asked to stay down.
    """

    port: str
    baud: int
    parity: str = serial.PARITY_NONE

    async def __call__(self) -> SerialLine:
        """Open the port anew, for this process alone. DeviceGone with what to do when it cannot be had."""
        opened = self.configured()
        try:
            opened.open()
            if not is_pty(self.port):  # on a pty the mark would outlive a process that was killed
                fcntl.ioctl(opened.fileno(), termios.TIOCEXCL)
        except (serial.SerialException, termios.error, OSError, ValueError) as error:
            opened.close()
            raise DeviceGone(f"{self.port}: {_advice(error, self.port)} ({error})") from error
        return SerialLine(self.port, opened.fileno(), opened.close)

    def configured(self) -> serial.Serial:
        """Return the port as pyserial will open it, not opened yet.

        A pty carries no parity and refuses it when it is opened a second time: there it is none.
        """
        settings = serial.Serial()
        settings.port = self.port
        settings.baudrate = self.baud
        settings.parity = serial.PARITY_NONE if is_pty(self.port) else self.parity
        settings.exclusive = True
        settings.dtr = False
        settings.rts = False
        settings.timeout = 0
        settings.write_timeout = 1
        return settings


def open_serial(port: str, baud: int, parity: str = serial.PARITY_NONE) -> SerialPort:
    """Return what opens `port`, 8 data bits and 1 stop bit; ConfigError for settings that no port has."""
    if baud not in serial.Serial.BAUDRATES:
        raise ConfigError(f"{port}: baud {baud} is none that ports have; common: 9600, 38400, 57600, 115200")
    if parity not in (serial.PARITY_NONE, serial.PARITY_EVEN, serial.PARITY_ODD):
        raise ConfigError(f"{port}: parity {parity!r} is not known; known: N, E, O")
    return SerialPort(port, baud, parity)


def is_pty(port: str) -> bool:
    """Tell whether `port` (a link is followed) is a pseudo-terminal."""
    try:
        status = Path(port).stat()
    except OSError:
        return False
    return stat.S_ISCHR(status.st_mode) and os.major(status.st_rdev) in PTY_MAJORS


def pty_pair() -> tuple[str, SerialLine]:
    """Return the path of a new pseudo-terminal and the Line at its far side, for a twin.

    The path may be opened, closed and opened again; closing the Line unplugs it.
    """
    far, near = os.openpty()
    tty.setraw(near)  # no echo and no line editing, before anybody opens it
    path = os.ttyname(near)

    def release() -> None:
        os.close(near)  # kept open till now, else the far side would end with the first user
        os.close(far)

    return path, SerialLine(f"{path} (far side)", far, release)


def _advice(error: Exception, port: str) -> str:
    number = getattr(error, "errno", None)
    if isinstance(error, termios.error):
        number = error.args[0] if error.args else None
    if number in TAKEN:
        return f"another process has the port: {', '.join(holders(port)) or '`fuser -v` tells root which'}; stop it"
    if number in WHAT_TO_DO:
        return WHAT_TO_DO[number]
    return "the port cannot be opened: check that it is a serial port and takes these settings"
