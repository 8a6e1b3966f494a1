"""The reference device's process and what somebody may meddle with in it."""

import subprocess
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Protocol

from dealerbox.ports import DealerboxError
from dealerbox_drivers.shuffler.messages import DeviceState, Lock, Status


class ReferenceGone(DealerboxError):
    """The process ended, or could not be started."""


class Process:
    """The program with its side channel (`host/side.h`) as its clock and its line. It takes no time."""

    def __init__(self, program: Path, options: Mapping[str, int]) -> None:
        """ReferenceGone where there is no such program."""
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        arguments = [str(program), "--clock", *words]
        try:
            self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except FileNotFoundError as error:
            raise ReferenceGone(f"{program} is not there: `make reference` builds it") from error

    def exchange(self, now_ms: int, what: str) -> tuple[list[str], int | None]:
        """Tell it what happens at `now_ms`; return what it did, and when it must run again at the latest (None: never).

        ReferenceGone once it has ended.
        """
        if self._process.stdin is None or self._process.stdout is None:
            raise ReferenceGone("the reference device was started without a side channel")
        try:
            self._process.stdin.write(f"{now_ms} {what}\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise ReferenceGone(f"the reference device has ended and did not hear {what!r}") from error
        told = []
        while not (said := self._process.stdout.readline()).startswith("ready"):
            if not said:
                raise ReferenceGone(f"the reference device ended at {what!r}: run it by hand to see why")
            told.append(said)
        due_ms = said.split()[1]
        return told, None if due_ms == "-" else int(due_ms)

    def end(self) -> None:
        """End it; twice is once."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()


class Told(Protocol):
    """A device that can be told things and asked how it stands."""

    def tell(self, what: str) -> None: ...

    def status(self) -> tuple[Status, int]: ...


class FaultQueue:
    """A queue of faults that lies in the process."""

    def __init__(self, verb: str, tell: Callable[[str], None]) -> None:
        self._verb, self._tell = verb, tell

    def append(self, fault: Enum) -> None:
        self._tell(f"{self._verb} {fault.name.lower()}")


class Faults:
    """What goes wrong next. It lies in the process: what is set here cannot be read here."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.feeds = FaultQueue("feed", tell)
        self.pushes = FaultQueue("push", tell)
        self._tell = tell

    def stick(self, retractions: int) -> None:
        """Leave the card where it was, so many times."""
        self._tell(f"stick {retractions}")

    def miscount_by(self, cards: int) -> None:
        """Add this to what is counted next."""
        self._tell(f"miscount {cards & 0xFFFFFFFF}")


class Machine:
    """The moving parts, as far as somebody may meddle with them."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.faults = Faults(tell)


class Memory:
    """The memory that outlives power; it lies in the process."""

    def __init__(self, device: Told) -> None:
        self._device = device

    def load(self) -> tuple[Status, int]:
        """Return what the newest whole record says, as a STATUS, and the frames dropped."""
        return self._device.status()

    def wipe(self) -> None:
        """Forget everything: a new board, or a flat battery."""
        self._device.tell("wipe")


class State:
    """What the device knows of itself."""

    def __init__(self, device: Told) -> None:
        self._device = device

    @property
    def record(self) -> Status:
        return self._device.status()[0]

    @property
    def armed(self) -> bool:
        return self.record.state == DeviceState.ARMED

    @property
    def busy(self) -> bool:
        return self.record.state in (DeviceState.BUSY, DeviceState.OPEN)

    def locks(self) -> Lock:
        return self.record.locks
