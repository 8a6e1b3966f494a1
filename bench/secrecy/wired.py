"""An evening over the daemon's own wires, pins and display, every one of them heard."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random

from msgspec.structs import replace

from bench.secrecy.channels import HEARD, Taps
from bench.secrecy.journaled import Chain
from dealerbox.engine.facts import in_hand
from dealerbox.model.cards import Token, Uid
from dealerbox.model.commands import Command
from dealerbox.model.events import Event
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, Device, Line, OpenLine
from dealerbox.simulate.evening import Evening, play_wires, table_setup
from dealerbox.simulate.mischief import Mischief
from dealerbox.simulate.run import ENGINE
from dealerbox.simulate.table import Engine
from dealerbox.simulate.wire_journal import CrashJournal
from dealerbox.simulate.wire_twins import SLOW, SLOW_SCAN_MS, Twins
from dealerbox.simulate.wires import WireTable
from dealerbox.station.asked import Authority
from dealerbox.station.condition import DeviceHealth
from dealerbox.station.control import Control
from dealerbox.station.gauges import Gauges, JournalGauge, Spread
from dealerbox.station.gauging import clock_gauge, device_gauge
from dealerbox.station.health import introduced
from dealerbox.station.peer import Peer
from dealerbox.station.show import status_line
from dealerbox.station.virtual import virtual_clock, virtual_run
from dealerbox_drivers.display.oled import Display
from dealerbox_drivers.display.settings import DisplaySettings
from dealerbox_drivers.display.twin import DisplayTwin
from dealerbox_drivers.face import Face

SOMEBODY = Peer(1000, "somebody")


class HeardLine:
    """Satisfies `Line`: tells what goes each way."""

    def __init__(self, line: Line, said: Callable[[bytes], None], heard: Callable[[bytes], None]) -> None:
        self._line, self._said, self._heard = line, said, heard

    async def read(self) -> bytes:
        data = await self._line.read()
        self._heard(data)
        return data

    def write(self, data: bytes) -> None:
        self._said(data)
        self._line.write(data)

    def close(self) -> None:
        self._line.close()


class HeardDisplay(DisplayTwin):
    """Tells every transfer on its bus."""

    def __init__(self, said: Callable[[bytes], None]) -> None:
        super().__init__()
        self._said = said

    async def transfer(self, address: int, write: bytes, read: int = 0) -> bytes:
        self._said(write)
        return await super().transfer(address, write, read)


class HeardTwins(Twins):
    """The table's twins, with a display beside them and an ear at each line and pin."""

    def __init__(self, taps: Taps, decks: Sequence[Sequence[Uid]], seed: str, clock: Clock, shuffler: str) -> None:
        super().__init__(decks, seed, clock, shuffler, SLOW)
        self._taps = taps
        self.made: list[Device] = []
        """What the daemon that runs now was given."""
        lamps = {f"lamp {lamp.value}": watched for lamp, watched in self.panel.lamps.items()}
        for name, watched in {**lamps, "buzzer": self.panel.buzzer}.items():
            watched.pin.watching = partial(self._blinked, name, watched.pin.watching)

    def devices(self, memory: Memory, clock: Clock) -> list[Device]:
        display = HeardDisplay(partial(self._told, "display"))
        self.made = [*super().devices(memory, clock), Display("display", DisplaySettings(), clock, Face(), display)]
        return self.made

    def _opener(self, name: str) -> OpenLine:
        open_line = super()._opener(name)

        async def heard() -> Line:
            return HeardLine(
                await open_line(), partial(self._told, f"said to {name}"), partial(self._told, HEARD + name)
            )

        return heard

    def _told(self, channel: str, data: bytes) -> None:
        self._taps.tell(channel, virtual_clock(), data)

    def _blinked(self, name: str, before: Callable[[bool], None], on: bool) -> None:
        before(on)
        self._told(name, bytes([on]))


class HeardJournal(CrashJournal):
    """Tells the records that it takes."""

    def __init__(self, rng: Random, chain: Chain) -> None:
        super().__init__(rng)
        self._chain = chain

    def append(self, payload: bytes) -> int:
        self._chain.add(virtual_clock(), payload)
        return super().append(payload)


class HeardTable(WireTable):
    """A table at which somebody reads every channel, and asks at the socket after every event."""

    def __init__(
        self, setup: Setup, engine: Engine, seed: str, taps: Taps, tags: Mapping[Uid, Token] | None, config: str
    ) -> None:
        super().__init__(setup, engine, seed, tags=tags, twins=partial(HeardTwins, taps))
        self._taps = taps
        self._journal = HeardJournal(Random(f"{seed}:disk"), Chain(taps, config))
        self.observers.append(self)
        self._control = Control(
            Authority.DIRECTOR,
            view=self.view,
            devices=self._found,
            gauges=self._gauges,
            emit=lambda event: None,
            clock=virtual_clock,
        )

    def heard(self, event: Event, commands: tuple[Command, ...]) -> None:
        """Something has happened: look at once what is shown of it."""
        asyncio.get_running_loop().call_soon(self._look)

    def _found(self) -> tuple[DeviceHealth, ...]:
        return introduced(self._health.devices(), self._made(), {}, by_itself=not in_hand(self.core.state))

    def _gauges(self) -> Gauges:
        journal, now_ns = self._journal, virtual_clock()
        records, durable = len(journal.records), journal.durable
        return Gauges(
            at_ns=now_ns,
            devices=tuple(map(device_gauge, self._made())),
            journal=JournalGauge(records=records, durable=durable, left=0, evening=0, sync=Spread()),
            clocks=clock_gauge(self.core.state, now_ns, 0, 0),
        )

    def _made(self) -> list[Device]:
        assert isinstance(self.twins, HeardTwins)
        return self.twins.made

    def _look(self) -> None:
        if self._dead or self.down:
            return
        self._taps.in_hand = in_hand(self.core.state)
        at_ns = virtual_clock()
        self._taps.ask(self._control, at_ns, SOMEBODY)
        line = status_line(self.core.view, self._health.devices())
        self._taps.shown("status line", at_ns, line.encode())


def evening(
    seed: str,
    hands: int,
    taps: Taps,
    *,
    tags: Mapping[Uid, Token] | None = None,
    decks: tuple[DeckInfo, ...] = (),
    config: str = "",
    seats: tuple[int, int] = (4, 4),
    kinds: tuple[str, ...] = (),
    engine: Engine = ENGINE,
) -> Evening:
    """Play `hands` hands and return the evening; `taps` hears it all. The same seed is the same evening.

    `tags` and `decks`: which tag is glued to which card, and what the config says of the decks; `config`: its hash.
    """

    async def night() -> Evening:
        setup = table_setup(Random(f"{seed}:setup"), seats, SLOW_SCAN_MS)
        setup = replace(setup, decks=decks) if decks else setup
        table = HeardTable(setup, engine, seed, taps, tags, config)
        mischief = Mischief(kinds, Random(f"{seed}:faults"))
        played = Evening(seed, table, mischief, None, seats)
        await play_wires(played, table, hands)
        return played

    return virtual_run(night(), limit_s=20_000)
