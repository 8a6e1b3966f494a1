"""The reference device in C, as a process, in place of the twin: one felt, one clock, the same faults.

The process has no time of its own: each thing that happens is told to it with the running
loop's milliseconds, and it answers with what it did and when it must be asked again. So virtual
time holds, and a run is a function of its inputs as with the twin.
"""

import asyncio
from collections import deque
from pathlib import Path
from random import Random
from typing import Final

from dealerbox.model.cards import Uid
from dealerbox.model.shuffler import Cap
from dealerbox.ports import DeviceGone, Line
from dealerbox_drivers.felt import BEHIND_GATE, MACHINE, OUTLET, Felt
from dealerbox_drivers.shuffler.messages import ResetCause, Sensor, Status
from dealerbox_drivers.shuffler.twin import FULL_CAPS, MADE, REAL, STEPS
from dealerbox_drivers.shuffler.twin_machine import INFEED, Timings
from dealerbox_drivers.shuffler.twin_process import Machine, Memory, Process, ReferenceGone, State
from dealerbox_drivers.shuffler.twin_state import Identity

BUILT: Final = Path(__file__).parents[3] / "firmware-protocols/shuffler/v1/reference/build/shuffler"
"""Where `make reference` puts the program."""

_PLACES: Final = (MACHINE, BEHIND_GATE, OUTLET, INFEED)
_CHUNK: Final = 2048
_TIMES: Final = {
    "begin": "begin_ms",
    "feed-min": "feed_min_ms",
    "feed-max": "feed_max_ms",
    "coil": "coil_ms",
    "push": "push_ms",
    "gate": "gate_ms",
    "retract": "retract_ms",
    "shuffle": "shuffle_ms",
    "count-card": "count_card_ms",
    "dwell": "dwell_ms",
    "infeed": "infeed_ms",
}


class ReferenceShuffler:
    """The reference device on `line` over `felt`. Made within a running loop; on from the first moment.

    `close` ends the process; so does the end of `run`. ReferenceGone where the process is not there.
    """

    def __init__(
        self,
        line: Line,
        felt: Felt,
        rng: Random,
        *,
        program: Path = BUILT,
        caps: Cap = FULL_CAPS,
        timings: Timings = REAL,
        identity: Identity = MADE,
        first_tick: int = 0,
    ) -> None:
        self.on = False
        self.machine = Machine(self.tell)
        self.nvm = Memory(self)
        self.state = State(self)
        self._line = line
        self._felt = felt
        self._silent = False
        self._forced: dict[Sensor, bool] = {}
        self._plugged = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._zero_s = self._loop.time()
        self._wake: asyncio.TimerHandle | None = None
        self._told: deque[str] = deque()
        self._moving = ("", "", "")
        self._people = False
        options = {name: getattr(timings, field) for name, field in _TIMES.items()}
        options |= {"caps": int(caps), "capacity": identity.capacity, "serial": identity.serial}
        options |= {"seed": rng.randint(1, 2**32 - 1), "first-tick": first_tick}
        self._process = Process(program, options)
        self._unwatch = felt.watch(self._card_moved)
        self._tell_cards()
        self.power_on()

    @property
    def bad_frames(self) -> int:
        """Frames of this life that said nothing."""
        return self.status()[1]

    async def run(self) -> None:
        """Serve until cancelled, then end the process. When the line goes, wait for another to be plugged in."""
        try:
            while True:
                self._plugged.clear()
                try:
                    while True:
                        data = await self._line.read()
                        for start in range(0, len(data), _CHUNK):
                            self.tell(f"bytes {data[start : start + _CHUNK].hex()}")
                except DeviceGone:
                    await self._plugged.wait()
        finally:
            self.close()

    def close(self) -> None:
        """End the process; twice is once."""
        self._unwatch()
        if self._wake:
            self._wake.cancel()
        self._process.end()

    def plug(self, line: Line, *, resets: bool = False) -> None:
        """Put another line in. `resets`: DTR is wired to the reset pin."""
        self._line = line
        self._plugged.set()
        if resets:
            self.power_off()
            self.power_on(ResetCause.PIN)

    def power_on(self, cause: ResetCause = ResetCause.POWER) -> None:
        """Boot."""
        self.tell(f"power {int(cause)}")

    def power_off(self) -> None:
        """Lose power now: motion stops, the gate falls shut, nothing more is said."""
        self.tell("power 0")

    def cut_before(self, step: str) -> None:
        """Lose power once, when `step` of `STEPS` (or `writing`) would come next."""
        if step not in (*STEPS, "writing"):
            raise ValueError(f"no step {step!r}; steps are {', '.join(STEPS)}, writing")
        self.tell(f"cut {step}")

    def silence(self, *, silent: bool = True) -> None:
        """Send nothing, though all is heard; or speak again."""
        self._silent = silent

    def open_door(self, *, is_open: bool = True) -> None:
        """Open the door, or shut it."""
        self.tell(f"door {int(is_open)}")

    def force(self, sensor: Sensor, value: bool | None) -> None:
        """Make a sensor say something whatever is true; None: the truth again."""
        self._forced.pop(sensor, None)
        if value is not None:
            self._forced[sensor] = value
        said = sum(bit for bit, on in self._forced.items() if on)
        self.tell(f"force {sum(self._forced)} {said}")

    def turn_service_key(self, *, on: bool) -> None:
        """Turn the service key: nothing moves while it is on."""
        self.tell(f"key {int(on)}")

    def fail(self, error: int) -> None:
        """Have an error of its own (a motor, a homing switch)."""
        self.tell(f"error {error}")

    def status(self) -> tuple[Status, int]:
        """Return what a QUERY would be answered now (without power: from the memory), and the frames dropped."""
        told = self._exchange("status")
        found = next(line.split() for line in told if line.startswith("status"))
        self._carry_out([line for line in told if not line.startswith("status")])
        return _status(bytes.fromhex(found[1])), int(found[2])

    def tell(self, what: str) -> None:
        """Tell the process what happens now (`host/side.h`), and do what it did."""
        self._carry_out(self._exchange(what))

    def _carry_out(self, told: list[str]) -> None:
        before = bool(self._told)
        self._told.extend(told)
        if before:
            return  # somebody reacts to a card's move: what came before is done first, further up
        while self._told:
            self._do(self._told[0].split())
            self._told.popleft()
        if self._people:
            self._people = False
            self._tell_cards()

    def _exchange(self, what: str) -> list[str]:
        now_ms = int((self._loop.time() - self._zero_s) * 1000 + 1e-6)
        told, due_ms = self._process.exchange(now_ms, what)
        self._wake_at(due_ms)
        return told

    def _wake_at(self, due_ms: int | None) -> None:
        if self._wake:
            self._wake.cancel()
            self._wake = None
        if due_ms is not None:
            self._wake = self._loop.call_at(self._zero_s + due_ms / 1000, self.tell, "")

    def _do(self, words: list[str]) -> None:
        match words:
            case ["bytes", coded]:
                self._write(bytes.fromhex(coded))
            case ["move", before, after, cards]:
                self._move(before, after, int(cards))
            case ["shuffled"]:
                self._felt.shuffle()
            case ["power", on]:
                self.on = on == "1"
            case _:
                raise ReferenceGone(f"the reference device said {' '.join(words)!r}")

    def _write(self, data: bytes) -> None:
        if self._silent:
            return
        try:
            self._line.write(data)
        except DeviceGone:
            return  # the reader of the same line hears of it

    def _move(self, before: str, after: str, cards: int) -> None:
        """Move cards as the machine did: in their order, but a retracted one becomes the next out."""
        at = self._felt.at(before)
        moved = at[-cards:] if before == BEHIND_GATE else at[:cards]
        for uid in reversed(moved) if after == MACHINE and before == BEHIND_GATE else moved:
            self._moving = (uid, before, after)
            if after == MACHINE and before == BEHIND_GATE:
                self._felt.insert(uid, after, 0)
            else:
                self._felt.put(uid, after)
            self._moving = ("", "", "")

    def _card_moved(self, uid: Uid, before: str, after: str) -> None:
        if (uid, before, after) == self._moving or not {before, after} & set(_PLACES):
            return
        if self._told:
            self._people = True  # told when all that the machine has done lies on the felt
        else:
            self._tell_cards()

    def _tell_cards(self) -> None:
        self.tell("cards " + " ".join(str(len(self._felt.at(place))) for place in _PLACES))


def _status(body: bytes) -> Status:
    values = dict(zip(Status.__struct_fields__, Status.layout.unpack(body), strict=True))
    known = {name: kind(values[name]) for name, kind in Status.flags.items()}
    return Status(**values | known)
