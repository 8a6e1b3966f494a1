"""The control socket: one JSON object a line in, one a line out, by who the kernel says is asking.

`{"ask":"status"}` -> the View; `{"ask":"health"}` -> the devices; `{"ask":"rule",...}` -> a ruling of the
director (1830(2)); `{"ask":"dealer","badge":"D-17"}` -> who deals now, by the director's word;
`{"ask":"decks"}` -> the deck files are read anew, for a new set. Whatever is wrong is answered `{"error":"..."}`.
Nobody can press the dealer's keys here.
"""

import asyncio
import contextlib
import grp
import os
import pwd
import socket
import struct
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from dealerbox.model.cards import Token
from dealerbox.model.events import DealerNamed, Ruled
from dealerbox.model.keys import Ruling
from dealerbox.model.view import View
from dealerbox.ports import Clock, DealerboxError, Emit
from dealerbox.station.health import DeviceHealth

LONGEST_LINE: Final = 4096
MOST_CALLERS: Final = 16
LONGEST_BADGE: Final = 64
IDLE_S: Final = 60.0
"""A caller that says nothing for so long is hung up."""
_PEER: Final = struct.Struct("3i")


class Authority(StrEnum):
    """What a socket's callers may ask, each with what the one before may."""

    WATCH = "watch"
    DIRECTOR = "director"


class Peer(msgspec.Struct, frozen=True):
    """Who is on the other end, as the kernel knows it. A pid is never an identity."""

    uid: int
    gid: int


class Status(msgspec.Struct, frozen=True, tag_field="ask", tag="status", forbid_unknown_fields=True):
    """What may be shown of the table."""


class HealthAsked(msgspec.Struct, frozen=True, tag_field="ask", tag="health", forbid_unknown_fields=True):
    """How the devices are."""


class Rule(msgspec.Struct, frozen=True, kw_only=True, tag_field="ask", tag="rule", forbid_unknown_fields=True):
    """A ruling, with its reason."""

    ruling: Ruling
    reason: str
    seat: int = 0
    seats: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    value: int = 0
    """BEGAN: minutes since the tournament began. HOUR: minutes since midnight, 0 as the clock shows. SEATS: 1 if they
    were drawn anew."""


class DealerSits(msgspec.Struct, frozen=True, kw_only=True, tag_field="ask", tag="dealer", forbid_unknown_fields=True):
    """Who deals now: the name on counts that are confirmed without a badge; '' nobody."""

    badge: str


class Enrol(msgspec.Struct, frozen=True, tag_field="ask", tag="decks", forbid_unknown_fields=True):
    """Read the deck files anew: a second deck, or a new set of two, has come to the table (1804B(8))."""


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is answered where no View is."""

    ok: bool = False
    error: str = ""
    devices: tuple[DeviceHealth, ...] = ()
    view: View | None = None


_ASKED: Final = msgspec.json.Decoder(Status | HealthAsked | Rule | DealerSits | Enrol)
_ENCODER: Final = msgspec.json.Encoder()

MayRule = Callable[[Peer], str]
"""Returns the name under which a peer rules, '' when he may not."""


class Control:
    """One socket of one authority."""

    def __init__(
        self,
        *,
        view: Callable[[], View],
        devices: Callable[[], tuple[DeviceHealth, ...]],
        emit: Emit,
        clock: Clock,
        may_rule: MayRule,
        enrol: Callable[[str], str] = lambda by: "this station reads no other decks",
        authority: Authority = Authority.DIRECTOR,
    ) -> None:
        """`enrol` brings the decks that the files name now to the table by somebody's word; '' or why not."""
        self._enrol = enrol
        self._view, self._devices = view, devices
        self._emit, self._clock = emit, clock
        self._may_rule, self._authority = may_rule, authority
        self._callers: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._path: Path | None = None

    async def open(self, path: Path, group: str = "") -> None:
        """Listen at `path`, mode 0660, for `group` if it is named. DealerboxError when that cannot be."""
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            _take_over(path)
            before = os.umask(0o117)
            try:
                listening.bind(str(path))
            finally:
                os.umask(before)
            if group:
                os.chown(path, -1, grp.getgrnam(group).gr_gid)
        except (OSError, KeyError) as error:
            listening.close()
            raise DealerboxError(f"{path}: cannot listen there: {error}") from error
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

    def answer(self, line: bytes, peer: Peer) -> bytes:
        """Return the answer to one line, without its newline."""
        try:
            asked: Status | HealthAsked | Rule | DealerSits | Enrol = _ASKED.decode(line)
        except msgspec.DecodeError as error:
            return _error(f"not understood: {error}; ask one of status, health, rule, dealer, decks")
        match asked:
            case Status():
                return _ENCODER.encode(self._view())
            case HealthAsked():
                return _ENCODER.encode(Answer(ok=True, devices=self._devices()))
            case Rule():
                return self._rule(asked, peer)
            case DealerSits():
                return self._dealer(asked, peer)
            case Enrol():
                return self._decks(peer)

    def _ruler(self, peer: Peer) -> str:
        return self._may_rule(peer) if self._authority is Authority.DIRECTOR else ""

    def _dealer(self, asked: DealerSits, peer: Peer) -> bytes:
        name = self._ruler(peer)
        if not name:
            return _not_allowed(peer)
        if len(asked.badge) > LONGEST_BADGE or not asked.badge.isprintable():
            return _error(f"'badge' has at most {LONGEST_BADGE} characters that can be printed")
        self._emit(DealerNamed(self._clock(), asked.badge.strip(), name))
        return _ENCODER.encode(Answer(ok=True, view=self._view()))

    def _decks(self, peer: Peer) -> bytes:
        name = self._ruler(peer)
        if not name:
            return _not_allowed(peer)
        why = self._enrol(name)
        return _error(why) if why else _ENCODER.encode(Answer(ok=True, view=self._view()))

    def _rule(self, asked: Rule, peer: Peer) -> bytes:
        name = self._ruler(peer)
        if not name:
            return _not_allowed(peer)
        if not asked.reason.strip():
            return _error("a ruling needs its reason: give 'reason' some words")
        ruled = Ruled(
            self._clock(),
            ruling=asked.ruling,
            by=name,
            reason=asked.reason,
            seat=asked.seat,
            seats=asked.seats,
            tokens=tuple(map(Token, asked.tokens)),
            value=asked.value,
        )
        self._emit(ruled)
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
        peer = _peer(writer.get_extra_info("socket"))
        try:
            with contextlib.suppress(ConnectionError, TimeoutError):
                while True:
                    async with asyncio.timeout(IDLE_S):
                        line = await _line(reader)
                    if line == b"":
                        return
                    if line is None:
                        writer.write(_error(f"a line may have {LONGEST_LINE} bytes") + b"\n")
                        return
                    writer.write(self.answer(line, peer) + b"\n")
                    async with asyncio.timeout(IDLE_S):
                        await writer.drain()
        finally:
            writer.close()


def group_members(group: str) -> MayRule:
    """Return who may rule: members of `group` by the system's user database, under their user name.

    The station's own user may too (the demo, a test): who has it has the station.
    """

    def may_rule(peer: Peer) -> str:
        try:
            user = pwd.getpwuid(peer.uid)
            if peer.uid == os.geteuid():
                return user.pw_name
            wanted = grp.getgrnam(group).gr_gid
        except KeyError:
            return ""
        return user.pw_name if wanted in os.getgrouplist(user.pw_name, user.pw_gid) else ""

    return may_rule


def is_group(name: str) -> bool:
    """Tell whether the system has a group of this name."""
    try:
        grp.getgrnam(name)
    except KeyError:
        return False
    return True


async def _line(reader: asyncio.StreamReader) -> bytes | None:
    """Return the next line, b'' at the end, None when it is too long."""
    try:
        return await reader.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        return error.partial
    except asyncio.LimitOverrunError:
        return None


def _peer(connection: socket.socket) -> Peer:
    _, uid, gid = _PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    return Peer(uid, gid)


def _take_over(path: Path) -> None:
    """Remove the socket of a station that is dead; OSError when one still answers."""
    if not path.exists():
        return
    if not path.is_socket():
        raise OSError("something that is no socket lies there; move it away")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise OSError("another station answers at this socket; stop it first")


def _not_allowed(peer: Peer) -> bytes:
    return _error(f"user {peer.uid} may not rule here (1830(2)): only members of the director's group may")


def _error(text: str) -> bytes:
    return _ENCODER.encode(Answer(error=text))
