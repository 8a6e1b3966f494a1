"""The drivers of a full table, polling for ever, and the far sides of their wires.

`python -m bench.full_table`: the twins, in a process of their own; prints where each is plugged in as one JSON object,
then answers every line on its standard input with the looks that each reader's antennas were asked for so far.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, Device, DeviceGone
from dealerbox.simulate.pack import deck_tags, pack
from dealerbox.simulate.wire_twins import BUTTON, every_key
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import open_serial, pty_pair
from dealerbox_drivers.pins.button import expander_button
from dealerbox_drivers.pins.button_twin import ExpanderTwin, Magnets
from dealerbox_drivers.pins.panel import Panel
from dealerbox_drivers.pins.twin_pins import wired_factory
from dealerbox_drivers.rfid.ccid.device import Acr122Reader, Acr1552Reader
from dealerbox_drivers.rfid.ccid.twin import Acr122Twin, Acr1552Twin
from dealerbox_drivers.rfid.feig import twin as feig
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.pn532.device import Pn532Reader
from dealerbox_drivers.rfid.pn532.twin import Pn532Twin
from dealerbox_drivers.rfid.r321.device import R321Reader
from dealerbox_drivers.rfid.r321.twin import R321Twin
from dealerbox_drivers.rfid.settings import Acr122Settings, Acr1552Settings, FeigSettings, Pn532Settings, R321Settings
from dealerbox_drivers.shuffler.device import Shuffler
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.usb.line import open_usb
from dealerbox_drivers.usb.twin import CCID_CLASS, TwinBus

REAL: Final = feig.Timings(answer=6, inventory=38, each_tag=4, rf_reset=18)
"""What a FEIG reader takes with the bytes of question and answer at 38400 baud in them, ms."""
ULTRALIGHT: Final = tuple(Uid(f"04A1B2C3D4{number:04X}") for number in range(1, 9))


class OnSerial(msgspec.Struct, frozen=True):
    """A reader on a serial line."""

    settings: Any
    twin: Any
    device: Any
    baud: int
    parity: str
    floor_ms: float
    """The least that the look of one of its antennas takes by the reader's page and its own times, with these cards."""

    @property
    def zones(self) -> Mapping[int, str]:
        """Antenna -> zone."""
        zones: Mapping[int, str] = self.settings.antennas()
        return zones


def _feig(zones: dict[int, str], floor_ms: float) -> OnSerial:
    settings = FeigSettings(port="pty", zones=zones)
    return OnSerial(settings, lambda *far: feig.FeigTwin(*far, REAL), FeigReader, 38400, "E", floor_ms)


READERS: Final[Mapping[str, OnSerial]] = {
    # Behind a multiplexer: 5 ms of silence before each question, 5 for the switch, an RF reset; two tags, or four.
    "seats-left": _feig(
        {number: f"seat:{number}" for number in range(1, 5)}, (5 + 6) + 5 + (5 + 18) + (5 + 38 + 4 * 2)
    ),
    "middle": _feig({1: "board", 2: "burn", 3: "muck", 4: "aside"}, (5 + 6) + 5 + (5 + 18) + (5 + 38 + 4 * 4)),
    "outlet": _feig({0: "exit"}, 5 + 38 + 4),
    # Three requests, 50 ms apart (V1.1, 1.1).
    "seats-right": OnSerial(
        R321Settings(port="pty", zones={1: "seat:5", 2: "seat:6"}), R321Twin, R321Reader, 115200, "N", 3 * 50
    ),
    # Field on, 5 ms for the tags to start, a list of one, release, field off; 1 ms between.
    "mouth": OnSerial(
        Pn532Settings(port="pty", zone="infeed"), Pn532Twin, Pn532Reader, 115200, "N", 4 * (1 + 1) + 3 * 2 + 5 + 8
    ),
}
ZONES: Final = sum(len(reader.zones) for reader in READERS.values())
LYING: Final = {**{f"seat:{number}": 2 for number in range(1, 7)}, "board": 5, "burn": 3, "muck": 8, "outlet": 1}
"""How many cards lie where, while nothing happens."""


def _laid_out() -> Felt:
    cards = list(deck_tags(pack(1), 1).cards)
    felt = Felt([cards, ULTRALIGHT], Random(1))
    for zone, number in LYING.items():
        for _ in range(number):
            felt.put(cards.pop(), zone)
    felt.put(ULTRALIGHT[0], "infeed")
    return felt


async def _serve() -> None:
    felt = _laid_out()
    ports, lines, twins = {}, [], {}
    for name, reader in READERS.items():
        ports[name], line = pty_pair()
        lines.append(line)
        twins[name] = reader.twin(line, felt, reader.zones)
    ports["shuffler"], line = pty_pair()
    lines.append(line)
    shuffler = ShufflerTwin(line, felt, Random(1))
    serving = [asyncio.create_task(twin.run()) for twin in (shuffler, *twins.values())]
    print(json.dumps(ports), flush=True)
    asked = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(asked), sys.stdin)
    while await asked.readline():
        print(json.dumps({name: twin.inventories for name, twin in twins.items()}), flush=True)
    for task in serving:
        task.cancel()


class Table:
    """The far side of a full table, in its own process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.ports: dict[str, str] = self._line()

    def looks(self) -> dict[str, int]:
        """Return how many looks each reader's antennas were asked for since the start."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return {name: int(number) for name, number in self._line().items()}

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the twins of the full table have ended")
        told: dict[str, Any] = json.loads(line)
        return told


@contextlib.contextmanager
def far_side() -> Iterator[Table]:
    """Run the twins while the block lasts."""
    command = [sys.executable, "-m", "bench.full_table"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Table(process)
        finally:
            process.kill()


def near_side(ports: Mapping[str, str], clock: Clock = boottime_ns) -> list[Device]:
    """Return the shuffler, the readers on serial lines, the panel and the button of the table, not yet running."""
    devices: list[Device] = [
        Shuffler("shuffler", open_serial(ports["shuffler"], 115200), clock, Memory(session=1)),
    ]
    for name, reader in READERS.items():
        port = open_serial(ports[name], reader.baud, reader.parity)
        devices.append(reader.device(name, port, clock, reader.settings))
    factory = wired_factory()
    felt = Felt([], Random(1))
    felt.set_button((1,))
    button = expander_button("button", BUTTON, factory, clock, ExpanderTwin(BUTTON, Magnets(felt)))
    return [*devices, button, Panel("panel", every_key(), factory, clock)]


def on_usb(clock: Clock = boottime_ns) -> tuple[list[Device], list[asyncio.Future[None]]]:
    """Return both CCID readers, each with its transfers on threads, and their twins, which run in this very loop."""
    bus, felt = TwinBus(threads=True), _laid_out()
    devices: list[Device] = []
    serving: list[asyncio.Future[None]] = []
    for socket, settings, reader, twin in (
        ("usb:1-1.1", Acr122Settings(port="usb:1-1.1", zone="infeed"), Acr122Reader, Acr122Twin),
        ("usb:1-1.2", Acr1552Settings(port="usb:1-1.2", zone="infeed"), Acr1552Reader, Acr1552Twin),
    ):
        kind, far, device = settings.usb, twin, reader
        plugged = bus.plug(kind.models[0], socket.removeprefix("usb:"), interface_class=CCID_CLASS, notices=True)
        served = far(plugged, felt, {0: "infeed"}, None, notify=plugged.notify)
        serving.append(asyncio.ensure_future(_until_unplugged(served)))
        devices.append(device(f"{reader.family} on {socket}", open_usb(socket, kind, bus), clock, settings))
    return devices, serving


async def _until_unplugged(twin: Any) -> None:
    with contextlib.suppress(DeviceGone):
        await twin.run()


if __name__ == "__main__":
    asyncio.run(_serve())
