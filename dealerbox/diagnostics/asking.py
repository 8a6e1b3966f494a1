"""One question to a running station over its control socket, and its answer."""

import contextlib
import socket
from collections.abc import Iterator
from typing import Final, TypeVar

import msgspec

from dealerbox.ports import DeviceGone, NotAllowed

T = TypeVar("T")

PATIENCE_S: Final = 2.0
"""A station answers between two events: within a moment, or not at all."""
LONGEST_ANSWER: Final = 1 << 20


class _Refusal(msgspec.Struct):
    """What a station answers when it does not do what it was asked."""

    error: str = ""


def ask(path: str, question: bytes) -> bytes:
    """Return the station's answer to one line, without its newline.

    DeviceGone when none answers, NotAllowed when its socket is not for who asks.
    """
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as station:
        station.settimeout(PATIENCE_S)
        with told(path):
            station.connect(path)
        return exchanged(station, path, question)


def exchanged(station: socket.socket, path: str, question: bytes) -> bytes:
    """Return what a station that was called at `path` answers to one line; it may be asked again. DeviceGone."""
    answer = b""
    with told(path):
        station.sendall(question + b"\n")
        while not answer.endswith(b"\n"):
            more = station.recv(65_536)
            if not more or len(answer) > LONGEST_ANSWER:
                raise DeviceGone(f"{path}: the station hung up; try again, or see `systemctl status dealerbox`")
            answer += more
    return answer.rstrip(b"\n")


@contextlib.contextmanager
def told(path: str) -> Iterator[None]:
    """Say what goes wrong with a socket as DeviceGone or NotAllowed, with its cause and what to do."""
    try:
        yield
    except PermissionError as error:
        raise NotAllowed(f"{path}: you may not ask; join the group of the socket") from error
    except TimeoutError as error:
        raise DeviceGone(f"{path}: the station does not answer; see `systemctl status dealerbox`") from error
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise DeviceGone(f"{path}: {why}; no station runs there: start it, or name its --socket") from error


def decoded(path: str, answer: bytes, kind: type[T]) -> T:
    """Return what the station answered. NotAllowed when it refuses, DeviceGone when that is no station's answer."""
    try:
        refused = msgspec.json.decode(answer, type=_Refusal).error
        if refused:
            raise NotAllowed(f"{path}: the station refuses: {refused}")
        return msgspec.json.decode(answer, type=kind)
    except msgspec.DecodeError as error:
        raise DeviceGone(f"{path}: no station's answer ({error}); is this its control socket?") from error
