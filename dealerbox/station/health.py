"""Devices kept running: a lost one is told, reopened with back-off, and told back when it answers."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from dealerbox.model.events import DeviceBack, DeviceLost, Event, ZoneUnknown
from dealerbox.ports import Clock, Device, DeviceGone, DeviceWrong, Emit
from dealerbox.station.condition import Condition, DeviceHealth
from dealerbox.station.telling import told

FIRST_S: Final = 0.1
LONGEST_S: Final = 3.0
"""Between tries at last: what is plugged in again is whole within five seconds, its start and first look included."""
WRONG_S: Final = 3.0
"""Between tries while another thing answers in a device's place: it may be the cable of the next."""
LETTING_GO_S: Final = 2.0
"""Longest wait for a device to close its line to whom it is lent."""
QUIET_S: Final = 3.0
"""A device that has nothing to say on opening is back when it has not failed for so long."""


_AWAY: Final = (Condition.LOST, Condition.WRONG, Condition.LENT)

Say = Callable[[str], None]
"""Tells a sentence to whoever watches the station."""


def quiet(_: str) -> None:
    """Tell nobody."""


def introduced(
    health: Sequence[DeviceHealth], devices: Sequence[Device], ports: Mapping[str, str], *, by_itself: bool
) -> tuple[DeviceHealth, ...]:
    """Return the health of `devices` with the port of each by its name, and `by_itself` with what it says that it is.

    A device could say a tag where its name should be: that is left out while a hand is open.
    """
    told = []
    for each, device in zip(health, devices, strict=True):
        traffic = getattr(device, "traffic", None) if by_itself else None
        identity, firmware = (traffic.identity, traffic.firmware) if traffic else ("", "")
        told.append(replace(each, port=ports.get(each.name, ""), identity=identity, firmware=firmware))
    return tuple(told)


class Tended:
    """One device: runs it for ever, tells DeviceLost once a loss and DeviceBack once a return."""

    def __init__(self, device: Device, emit: Emit, clock: Clock, say: Say) -> None:
        self._device, self._emit, self._clock, self._say = device, emit, clock, say
        self._quiet: asyncio.TimerHandle | None = None
        self.health = DeviceHealth(device.name, Condition.OPENING)

    async def run(self) -> None:
        """Serve until cancelled. Whatever the device raises beyond DeviceGone and DeviceWrong is a fault of ours."""
        pause_s = FIRST_S
        while True:
            began_s = asyncio.get_running_loop().time()
            self._await_news()
            try:
                await self._device.run(self._heard)
            except DeviceGone as error:
                self._lose(Condition.LOST, str(error))
            except DeviceWrong as error:
                self._lose(Condition.WRONG, str(error))
            else:
                raise RuntimeError(f"{self._device.name}: run() returned without being cancelled")
            finally:
                self._stop_waiting()
            if asyncio.get_running_loop().time() - began_s > LONGEST_S:
                pause_s = FIRST_S
            await asyncio.sleep(WRONG_S if self.health.condition is Condition.WRONG else pause_s)
            pause_s = min(2 * pause_s, LONGEST_S)

    def _heard(self, event: Event) -> None:
        """Pass on what the device says; anything but its own blindness proves that it answers."""
        if isinstance(event, ZoneUnknown):
            self._stop_waiting()
        elif self.health.condition is not Condition.WORKING:
            self._work()
        self._emit(event)

    def _await_news(self) -> None:
        if self.health.condition is not Condition.WORKING:
            self._quiet = asyncio.get_running_loop().call_later(QUIET_S, self._work)

    def _stop_waiting(self) -> None:
        if self._quiet:
            self._quiet.cancel()
            self._quiet = None

    def _work(self) -> None:
        self._stop_waiting()
        was_lost = self.health.condition in _AWAY
        self.health = replace(self.health, condition=Condition.WORKING, why="")
        if was_lost:
            self._emit(DeviceBack(self._clock(), self._device.name))
            self._say(f"{self._device.name}: answers again")

    def lend(self, by: str) -> None:
        """The line is closed, and somebody else's for now."""
        self._lose(Condition.LENT, f"lent to {by}")

    def _lose(self, condition: Condition, why: str) -> None:
        was_lost = self.health.condition in _AWAY
        self.health = replace(self.health, condition=condition, why=why)
        if condition is not Condition.LENT:
            self.health = replace(self.health, last=why, losses=self.health.losses + (not was_lost))
        if not was_lost:
            self._emit(DeviceLost(self._clock(), self._device.name, why))
            self._say(f"{self._device.name}: does not answer: {why}")


class Health:
    """All devices of the table."""

    def __init__(
        self, devices: Sequence[Device], emit: Emit, clock: Clock, fault: Callable[[str], None], say: Say = quiet
    ) -> None:
        """`fault(why)`: a device's task died in a way that no device may die. `say`: which is lost, which is back."""
        self._tended = [Tended(device, emit, clock, say) for device in devices]
        self._fault = fault
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._loans: dict[str, str] = {}
        """Device -> who has its line, or is about to."""
        self._stopping = False

    def start(self) -> None:
        """Run every device; returns at once."""
        for tended in self._tended:
            self._tend(tended)

    def _tend(self, tended: Tended) -> None:
        task = asyncio.create_task(tended.run(), name=tended.health.name)
        self._tasks[task] = tended.health.name
        task.add_done_callback(self._died)

    def promise(self, name: str, by: str) -> str:
        """Keep a device for who asks for it; return '', or why it cannot be had."""
        names = [tended.health.name for tended in self._tended]
        if name not in names:
            return f"no device is called {name!r} here; there are: {', '.join(names) or 'none'}"
        if name in self._loans:
            return f"{name} is lent to {self._loans[name]} already: wait until that tool has ended"
        self._loans[name] = by
        return ""

    async def lend(self, name: str) -> None:
        """Close the line of a device that was promised, and leave it alone. TimeoutError: it does not let go."""
        for task in [task for task, of in self._tasks.items() if of == name]:
            task.cancel()
            await asyncio.wait([task], timeout=LETTING_GO_S)
            if not task.done():
                raise TimeoutError
            del self._tasks[task]
        self._named(name).lend(self._loans[name])

    def take_back(self, name: str) -> None:
        """Nobody has the device any more: it is tended again."""
        del self._loans[name]
        if name not in self._tasks.values() and not self._stopping:
            self._tend(self._named(name))

    def lent(self) -> dict[str, str]:
        """Return who has which device."""
        return dict(self._loans)

    def _named(self, name: str) -> Tended:
        return next(tended for tended in self._tended if tended.health.name == name)

    async def stop(self) -> None:
        """Cancel every device and wait until each has closed its line."""
        self._stopping = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def devices(self) -> tuple[DeviceHealth, ...]:
        """Return how each device is."""
        return tuple(tended.health for tended in self._tended)

    def dead(self) -> tuple[str, ...]:
        """Return the names of devices that nobody runs any more."""
        return tuple(name for task, name in self._tasks.items() if task.done())

    def _died(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            return
        error = task.exception()
        self._fault(f"a fault of the station itself, in device {task.get_name()}: {told(error)}")
