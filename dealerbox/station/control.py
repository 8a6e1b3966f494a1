"""The control sockets: one JSON object a line in, one a line out.

`{"ask":"status"}` -> the View; `{"ask":"health"}` -> the devices; `{"ask":"gauges"}` -> wires, pins, journal and clocks
in numbers, at every socket. At the technician's and the director's: `{"ask":"service","on":true}`, between hands, and
then `{"ask":"lend","device":"feig-1"}`: the station closes that device's line and leaves it to who asked for as long as
this connection stays open; `{"ask":"vouch","digest":"..."}` -> a self-test card signed for. At the director's:
`{"ask":"rule",...}` -> a ruling (1830(2));
`{"ask":"dealer","badge":"D-17"}` -> who deals now; `{"ask":"decks"}` -> the deck files are read anew, for a new set;
`{"ask":"fouled","seat":3}` -> in which zones the cards of a fouled hand lie (1810): no card, for the hand is open.
Whatever is wrong is answered `{"error":"..."}`. Nobody can press the dealer's keys here.

The group that may open a socket decides what may be asked there; who asked, by the kernel's word, is in the record
that is made of it before anything comes of it, and the answer waits until that record is durable.
"""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import msgspec

from dealerbox.model.events import DealerNamed, DeviceLent, Event, HandAsked, Ruled, ServiceBegan, ServiceEnded
from dealerbox.model.view import FouledHand, View
from dealerbox.ports import Clock, Emit
from dealerbox.station.asked import (
    WORDS,
    Answer,
    Authority,
    DealerSits,
    Enrol,
    Fouled,
    GaugesAsked,
    HealthAsked,
    Lend,
    Question,
    Rule,
    Service,
    Status,
    Vouch,
    may,
    where,
)
from dealerbox.station.condition import DeviceHealth
from dealerbox.station.doors import listen
from dealerbox.station.gauges import Gauges
from dealerbox.station.lending import Lending, NothingLent, said_of
from dealerbox.station.peer import Peer, peer_of
from dealerbox.station.vouching import Vouched

LONGEST_LINE: Final = 4096
MOST_CALLERS: Final = 16
UNSIGNED: Final = "the station cannot sign yet: ask again in a moment"
IDLE_S: Final = 60.0
"""A caller that says nothing for so long is hung up."""

_ASKED: Final[msgspec.json.Decoder[Question]] = msgspec.json.Decoder(Question)
_ENCODER: Final = msgspec.json.Encoder()


async def at_once() -> None:
    """There is nothing to wait for."""


class Control:
    """One socket, of one authority."""

    def __init__(
        self,
        authority: Authority,
        *,
        view: Callable[[], View],
        devices: Callable[[], tuple[DeviceHealth, ...]],
        emit: Emit,
        clock: Clock,
        gauges: Callable[[], Gauges | None] = lambda: None,
        enrol: Callable[[str], str] = lambda by: "this station reads no other decks",
        fouled: Callable[[int], FouledHand | None] = lambda seat: None,
        lending: Lending | None = None,
        vouch: Callable[[str, str], Vouched | None] = lambda digest, by: None,
        recorded: Callable[[], Awaitable[None]] = at_once,
        peer: Callable[[socket.socket], Peer | None] = peer_of,
    ) -> None:
        """`enrol` brings the decks that the files name now to the table by somebody's word; '' or why not.
        `fouled` says in which zones the cards of a seat's hand lie. `recorded` returns when all that was emitted is
        durable. `peer` tells who connected."""
        self._authority, self._enrol, self._fouled = authority, enrol, fouled
        self._view, self._devices, self._gauges = view, devices, gauges
        self._emit, self._clock = emit, clock
        self._vouch = vouch
        self._lending: Lending = lending or NothingLent()
        self._recorded, self._peer = recorded, peer
        self._changed = False
        self._callers: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._path: Path | None = None

    async def open(self, path: Path, group: str | None = None) -> None:
        """Listen at `path` for `group` (mode 0660), or for the station's own user alone (None, 0600).

        DealerboxError when that cannot be.
        """
        listening = listen(path, group)
        self._path = path
        self._server = await asyncio.start_unix_server(self._called, sock=listening, limit=LONGEST_LINE)

    async def close(self) -> None:
        """Hang up on everybody and remove the socket."""
        if self._server:
            self._server.close()
        callers = list(self._callers)
        for caller in callers:
            caller.cancel()
        if callers:
            await asyncio.wait(callers)
        if self._path:
            self._path.unlink(missing_ok=True)

    def answer(self, line: bytes, peer: Peer, loans: list[str] | None = None) -> bytes:
        """Return the answer to one line, without its newline.

        `loans`: the devices promised to this caller; one more is added to them. None: he can be lent nothing.
        """
        try:
            asked = _ASKED.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:  # lists in lists, as deep as a line is long
            return _error(f"not understood: {error}; ask one of {WORDS}")
        if not may(asked, self._authority):
            return _error(
                f"{peer} may not ask that here; the socket of the {where(asked)} answers it, for who is in its group"
            )
        match asked:
            case Status():
                return _ENCODER.encode(self._view())
            case HealthAsked():
                return _ENCODER.encode(Answer(ok=True, devices=self._devices()))
            case GaugesAsked():
                return _ENCODER.encode(Answer(ok=True, gauges=self._gauges()))
            case Vouch():
                vouched = self._vouch(asked.digest, str(peer))
                return _ENCODER.encode(Answer(ok=True, vouched=vouched)) if vouched else _error(UNSIGNED)
            case Service(on=False) if self._lending.lent():
                return _error(f"{said_of(self._lending.lent())}: end that tool first, then give the table back")
            case Lend():
                return self._promised(asked.device, peer, loans)
            case Service():
                return self._told((ServiceBegan if asked.on else ServiceEnded)(self._clock(), str(peer)))
            case Rule():
                return _error(asked.fault()) if asked.fault() else self._told(self._ruled(asked, peer))
            case DealerSits():
                named = DealerNamed(self._clock(), asked.badge.strip(), str(peer))
                return _error(asked.fault()) if asked.fault() else self._told(named)
            case Fouled():
                return self._fouled_hand(asked.seat, peer)
            case Enrol():
                self._changed = True
                why = self._enrol(str(peer))
                return _error(why) if why else _ENCODER.encode(Answer(ok=True, view=self._view()))

    def _ruled(self, asked: Rule, peer: Peer) -> Event:
        return Ruled(
            self._clock(),
            ruling=asked.ruling,
            by=str(peer),
            reason=asked.reason,
            seat=asked.seat,
            seats=asked.seats,
            cards=asked.cards,
            value=asked.value,
        )

    def _promised(self, device: str, peer: Peer, loans: list[str] | None) -> bytes:
        """Record who asks for a device; it is his if the table is."""
        why = (
            self._lending.promise(device, str(peer)) if loans is not None else "a device is lent to a caller who stays"
        )
        if why:
            return _error(why)
        said = self._told(DeviceLent(self._clock(), device, str(peer)))
        if self._view().refused is not None:
            self._lending.take_back(device)
            return _error(f"{device} is lent in service alone: `dealerbox diag service begin`, between hands")
        if loans is not None:
            loans.append(device)
        return said

    def _fouled_hand(self, seat: int, peer: Peer) -> bytes:
        """Record who asked, then answer."""
        self._changed = True
        self._emit(HandAsked(self._clock(), seat, str(peer)))
        return _ENCODER.encode(Answer(ok=True, fouled=self._fouled(seat)))

    def _told(self, event: Event) -> bytes:
        """Take an event of somebody's; the answer is what stands then."""
        self._changed = True
        self._emit(event)
        return _ENCODER.encode(Answer(ok=True, view=self._view()))

    def _called(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._callers) >= MOST_CALLERS:
            writer.write(_error(f"busy: {MOST_CALLERS} callers are served already") + b"\n")
            writer.close()
            return
        caller = asyncio.create_task(self._serve(reader, writer))
        self._callers.add(caller)
        caller.add_done_callback(self._callers.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loans: list[str] = []
        try:
            peer = self._peer(writer.get_extra_info("socket"))
            if peer is None:
                writer.write(_error("the system does not say who you are; ask as a user that it knows") + b"\n")
                return
            with contextlib.suppress(ConnectionError, TimeoutError):
                while await self._served(reader, writer, peer, loans):
                    pass
        finally:
            for device in loans:
                self._lending.take_back(device)
            writer.close()

    async def _served(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, peer: Peer, loans: list[str]
    ) -> bool:
        """Answer one line; tell whether another may follow. Who has something on loan may be silent."""
        async with asyncio.timeout(None if loans else IDLE_S):
            line = await _line(reader)
        if line == b"":
            return False
        if line is None:
            writer.write(_error(f"a line may have {LONGEST_LINE} bytes") + b"\n")
            return False
        self._changed = False
        had = len(loans)
        said = self.answer(line, peer, loans)
        async with asyncio.timeout(IDLE_S):
            if self._changed:
                await self._recorded()
            if len(loans) > had:
                said = await self._leave(loans)
            writer.write(said + b"\n")
            await writer.drain()
        await asyncio.sleep(0)  # lines that came together do not keep the table waiting
        return True

    async def _leave(self, loans: list[str]) -> bytes:
        """Close the line of the device promised last; the answer is what stands then."""
        try:
            await self._lending.lend(loans[-1])
        except TimeoutError:
            device = loans.pop()
            self._lending.take_back(device)
            return _error(f"{device} does not let go of its line: start the station anew")
        return _ENCODER.encode(Answer(ok=True, view=self._view()))


async def _line(reader: asyncio.StreamReader) -> bytes | None:
    """Return the next line, b'' at the end, None when it is too long."""
    try:
        return await reader.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        return error.partial
    except asyncio.LimitOverrunError:
        return None


def _error(text: str) -> bytes:
    return _ENCODER.encode(Answer(error=text))
