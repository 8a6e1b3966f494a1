"""A device of the table for a tool alone: lent by a station in service, or opened directly where none runs.

Nothing is opened while a hand is open, on the table or in the journal of a station that is down.
"""

import asyncio
import contextlib
import fcntl
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from dealerbox.config.station import load
from dealerbox.config.values import Config, DeviceConfig
from dealerbox.diagnostics.asking import PATIENCE_S, decoded, exchanged, told
from dealerbox.journal.disk import RealShelf
from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, Device, DeviceGone, NotAllowed, OpenLine
from dealerbox.station.asked import Answer
from dealerbox.station.build import devices_of, line_of
from dealerbox.station.loop import boottime_ns
from dealerbox.station.past import leaves_hand_open
from dealerbox.station.state_dir import LOCK
from dealerbox_drivers.registry import DRIVERS

T = TypeVar("T")

TECHNICIAN: Final = "tech.sock"
"""Beside the control socket."""


class Loan:
    """One device, for as long as its `borrowed` lasts."""

    def __init__(
        self,
        config: Config,
        device: DeviceConfig,
        caller: socket.socket | None,
        pin_factory: Callable[[], Any] | None,
    ) -> None:
        self.config, self.device = config, device
        self._caller, self._pin_factory = caller, pin_factory

    @property
    def name(self) -> str:
        return self.device.name

    @property
    def lent(self) -> bool:
        """A station runs, and has lent it; False: no station runs."""
        return self._caller is not None

    def line(self) -> OpenLine:
        """Return what opens its line. DeviceGone names the process that holds a port."""
        return line_of(self.device)

    def driven(self, clock: Clock = boottime_ns, memory: Memory | None = None) -> Device:
        """Return its driver's device, not opened yet, as a station would make it."""
        alone = replace(self.config, devices=(self.device,))
        (made,) = devices_of(alone, memory or Memory(), clock, pin_factory=self._pin_factory)
        return made

    def pins(self) -> Any:
        """Return the factory of the pins that it is on. DeviceGone where there are none."""
        if self._pin_factory is not None:
            return self._pin_factory()
        from dealerbox_drivers.pins.gpio import pi_factory

        return pi_factory()

    async def ended(self) -> None:
        """Wait until the station takes it back, by whatever accident: then nothing more may be asked of the device.

        DeviceGone then; for ever where no station has lent it.
        """
        if self._caller is None:
            await asyncio.Event().wait()
            return
        loop = asyncio.get_running_loop()
        self._caller.setblocking(False)
        await loop.sock_recv(self._caller, 1)
        raise DeviceGone(f"{self.name}: the station has ended, and the loan with it; begin again")


@contextlib.contextmanager
def borrowed(config: Config, name: str, *, pin_factory: Callable[[], Any] | None = None) -> Iterator[Loan]:
    """Give a device of the table to a tool alone, until the end of the `with`.

    `pin_factory` makes the gpiozero factory of pins; None: that of this Pi's header.
    NotAllowed while a hand is open, or a station runs that is not in service, or where that cannot be known;
    DeviceGone where no device has that name, or the station cannot lend it. What to do is in the sentence.
    """
    device = named(config, name)
    with contextlib.ExitStack() as closing:
        caller = _lent(config, name, closing)
        if caller is None:
            refuse_open_hand(config)
        yield Loan(config, device, caller, pin_factory)


async def while_lent(found: AsyncIterator[T], loans: Iterable[Loan]) -> AsyncGenerator[T, None]:
    """Yield what is found; DeviceGone as soon as one of the loans has ended. To be closed (`aclose`)."""
    endings = [asyncio.ensure_future(loan.ended()) for loan in loans]
    tasks: list[asyncio.Future[Any]] = [*endings]
    try:
        while True:
            coming = asyncio.ensure_future(_next(found))
            tasks = [coming, *endings]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for ended in endings:
                if ended.done():
                    ended.result()
            try:
                item = await coming
            except _End:
                return
            yield item
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _End(Exception):
    """Nothing more comes: a task may not end with StopAsyncIteration."""


async def _next(found: AsyncIterator[T]) -> T:
    try:
        return await anext(found)
    except StopAsyncIteration as end:
        raise _End from end


def named(config: Config, name: str) -> DeviceConfig:
    """Return a device by its name, or a reader by a zone that it watches. DeviceGone with all that there are."""
    for device in config.devices:
        if device.name == name or name in device.settings.watched():
            return device
    there = ", ".join(device.name for device in config.devices) or "none"
    zones = ", ".join(zone for device in config.devices for zone in device.settings.watched()) or "none"
    raise DeviceGone(f"{config.file}: no device and no zone is called {name!r}; devices: {there}; zones: {zones}")


@contextlib.contextmanager
def port_alone(file: str, port: str) -> Iterator[None]:
    """Have a port to oneself: one that the table of `file` names is borrowed, any other is nobody's.

    As `borrowed`; a `file` that there is not says nothing.
    """
    with contextlib.ExitStack() as lending:
        if Path(file).exists():
            config = load(file, DRIVERS, decks=False)
            for device in config.devices:
                if any(Path(own).resolve() == Path(port).resolve() for own in device.settings.ports()):
                    lending.enter_context(borrowed(config, device.name))
        yield


def refuse_open_hand(config: Config) -> None:
    """NotAllowed unless it is known that no hand is open at this table, whose station does not run."""
    folder = config.state_dir / "journal"
    try:
        if _is_locked(config.state_dir / LOCK):
            raise NotAllowed(f"{config.state_dir}: a station is starting or ending; wait a moment, then try again")
        is_open = folder.exists() and leaves_hand_open(RealShelf(folder))
    except PermissionError as error:
        raise NotAllowed(
            f"{folder}: you may not see whether a hand is open there; start the station and take the table "
            "(`dealerbox diag service begin`), or ask as the station's user"
        ) from error
    if is_open:
        raise NotAllowed(
            f"{folder}: the station was stopped in mid-hand; start it, end the hand, then take the table "
            "(`dealerbox diag service begin`)"
        )


def _is_locked(file: Path) -> bool:
    try:
        with file.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _lent(config: Config, name: str, closing: contextlib.ExitStack) -> socket.socket | None:
    """Return the open connection over which the station lends the device; None: no station runs."""
    path = config.socket.with_name(TECHNICIAN)
    caller = _called(path, closing)
    if caller is None:
        if _called(config.socket, closing) is not None:
            raise NotAllowed(
                f"{path}: the station has no technician's socket: make the group {config.technicians!r}, or name "
                "another ([control] technicians), and start it anew"
            )
        return None
    device = named(config, name).name
    question = msgspec.json.encode({"ask": "lend", "device": device})
    decoded(str(path), exchanged(caller, str(path), question), Answer)
    return caller


def _called(path: Path, closing: contextlib.ExitStack) -> socket.socket | None:
    """Return a connection to the station at `path`; None: none runs there."""
    caller = closing.enter_context(contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)))
    caller.settimeout(2 * PATIENCE_S)
    try:
        with told(str(path)):
            caller.connect(str(path))
    except DeviceGone as error:
        if isinstance(error.__cause__, FileNotFoundError | ConnectionRefusedError):
            return None
        raise
    return caller
