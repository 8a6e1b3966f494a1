"""The journal as evidence: an exported log that anybody can verify, with nothing else at hand.

A line for each record, of every kind: `{"seq":N,"record":"BASE64","event":{...},"commands":[...]}`. `record` is the
record's header as it is on the disk (record.py); `{` and what follows it is the payload, byte for byte. BLAKE2b-256 of
header and payload is what the next record names. The last line says how many there are and the newest one's hash:
`{"exported":{"records":N,"head":"SEQ:HASH"}}`. `dealerbox replay` plays the file.
"""

import base64
import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from dealerbox.journal.disk import Shelf
from dealerbox.journal.record import BLOCK, NO_HASH, BadRecord, Record, RecordKind, check_of, decode, header
from dealerbox.journal.recover import Head, Recovery, Verdict, recover
from dealerbox.journal.segment import SEGMENT_BYTES
from dealerbox.journal.signed import Signed, genuine

_LINE: Final = re.compile(rb'\{"seq":(\d{1,19}),"record":"([A-Za-z0-9+/]{128})",(.*)\n', re.DOTALL)
_BEGINS: Final = {
    RecordKind.HEAD: b"{",
    RecordKind.EVENT: b'{"event":',
    RecordKind.BASE: b"{",
    RecordKind.SIGNED: b'{"signed":',
}


class Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The payload of a signed record."""

    signed: Signed


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What verifying found: clean, corrupt or rolled back."""

    verdict: Verdict
    head: Head = Head()
    why: str = ""
    """Where it is not what it was, in one sentence; '' clean."""
    signed: Signed | None = None
    """The newest head in it that is signed; None: no hand has ended in it."""


class _Changed(Exception):
    """Why it is not what it was."""


def evidence(disk: Shelf, write: Callable[[bytes], object], *, segment_bytes: int = SEGMENT_BYTES) -> Recovery:
    """Write every record as a line, and the closing line if the journal is whole; return the verdict on it."""
    number = 0

    def take(record: Record) -> None:
        nonlocal number
        number += 1
        write(line(record))

    found = recover(disk, take, segment_bytes=segment_bytes)
    if found.verdict is not Verdict.CORRUPT:
        write(closing(number, found.head))
    return found


def line(record: Record) -> bytes:
    """Return the line of a record, a JSON object, with its newline."""
    coded = base64.b64encode(header(record))
    return b'{"seq":%d,"record":"%s",%s\n' % (record.seq, coded, record.payload[1:])


def closing(records: int, head: Head) -> bytes:
    """Return the last line of an exported log."""
    return b'{"exported":{"records":%d,"head":"%d:%s"}}\n' % (records, head.seq, head.digest.hex().encode())


class Heads:
    """Follows a chain of records that hangs together, and looks at the heads that are signed in it."""

    def __init__(self, anchor: Signed | None = None) -> None:
        """`anchor`: a head known from elsewhere; its key is the station's."""
        self.newest: Signed | None = None
        self.why = ""
        """What is wrong with the first signed head that is; '' nothing."""
        self._key = anchor.key if anchor else ""
        self._digests: dict[int, bytes] = {}

    def take(self, record: Record) -> None:
        """Take the next record."""
        self._digests[record.seq - 1] = record.previous
        if record.kind is RecordKind.SIGNED and not self.why:
            self.why = self._signed(record)

    def _signed(self, record: Record) -> str:
        try:
            signed = msgspec.json.decode(record.payload, type=Sealed).signed
            known = self._digests.get(signed.seq)
        except (msgspec.DecodeError, RecursionError):
            return f"record {record.seq}: no signed head is in it"
        if known is None or known.hex() != signed.hash:
            return f"record {record.seq}: signs a record {signed.seq} that is not the one before it"
        if self._key and signed.key != self._key:
            return f"record {record.seq}: signed with another key than {self._key[:16]}..."
        if not genuine(signed):
            return f"record {record.seq}: its signature is not made with its key"
        self._key, self.newest = signed.key, signed
        return ""


def verify(lines: Iterable[bytes], name: str, anchor: Signed | None = None) -> Verified:
    """Return whether the exported log `name` is what the station wrote, and no older than the head `anchor`.

    Whatever was changed, taken out, put in, moved, joined or cut is found, up to the last head that is known
    elsewhere: who has the station's key can write another end.
    """
    log = _Log(anchor)
    try:
        for number, text in enumerate(lines, 1):
            log.take(text, f"{name}: line {number}")
        log.end(name)
    except _Changed as found:
        return Verified(verdict=Verdict.CORRUPT, head=log.head, why=str(found))
    if log.older:
        return Verified(verdict=Verdict.ROLLED_BACK, head=log.head, why=log.older)
    return Verified(verdict=Verdict.CLEAN, head=log.head, signed=log.heads.newest)


class _Log:
    """An exported log, line by line."""

    def __init__(self, anchor: Signed | None) -> None:
        self.head = Head()
        self.heads = Heads(anchor)
        self.older = ""
        """Why it is not the log of which the anchor is known; '' it may be."""
        self._anchor = anchor.head() if anchor else Head()
        self._records = 0
        self._closed = False

    def take(self, text: bytes, place: str) -> None:
        """Take one line. _Changed."""
        if self._closed:
            raise _Changed(f"{place}: goes on after its end")
        if text.startswith(b'{"exported":'):
            if text != closing(self._records, self.head):
                raise _Changed(f"{place}: not {self._records} records that end with record {self.head.seq}")
            self._closed = True
            return
        record, digest = _record(text, place)
        if self._records == 0:
            self._first(record, place)
        elif record.seq != self.head.seq + 1 or record.previous != self.head.digest:
            raise _Changed(f"{place}: record {record.seq} does not follow record {self.head.seq}")
        self._records += 1
        self.head = Head(record.seq, digest)
        self._known()
        self.heads.take(record)
        if self.heads.why:
            raise _Changed(f"{place}: {self.heads.why}")

    def end(self, name: str) -> None:
        """Take the end of the file. _Changed."""
        if not self._closed:
            raise _Changed(f"{name}: cut short after record {self.head.seq}, or not exported to its end")
        if self.head.seq < self._anchor.seq:
            self.older = f"it ends with record {self.head.seq}; record {self._anchor.seq} was known"

    def _first(self, record: Record, place: str) -> None:
        begins = record.seq == 1 and record.previous == NO_HASH
        if not begins and record.kind is not RecordKind.BASE:
            raise _Changed(f"{place}: begins with record {record.seq}; what came before it is missing")
        self.head = Head(record.seq - 1, record.previous)
        if 0 < self._anchor.seq < record.seq - 1:
            self.older = f"it begins after record {record.seq - 1}; record {self._anchor.seq} was known"
        self._known()

    def _known(self) -> None:
        if self.head.seq == self._anchor.seq and self.head.digest != self._anchor.digest:
            self.older = self.older or f"record {self.head.seq} is not the one that is known from elsewhere"


def _record(text: bytes, place: str) -> tuple[Record, bytes]:
    """Return the record of a line with its hash. _Changed."""
    match = _LINE.fullmatch(text)
    if match is None:
        raise _Changed(f"{place}: no record; only what `dealerbox log export` wrote can be verified")
    body = base64.b64decode(match[2]) + b"{" + match[3]
    data = body + check_of(body)
    decoded = decode(data + bytes(-len(data) % BLOCK))
    if isinstance(decoded, BadRecord):
        raise _Changed(f"{place}: {decoded.why}")
    record, digest = decoded
    if match[1] != b"%d" % record.seq:
        raise _Changed(f"{place}: is numbered {match[1].decode()}, and holds record {record.seq}")
    if not record.payload.startswith(_BEGINS[record.kind]):
        raise _Changed(f"{place}: record {record.seq} is no {record.kind.name.lower()}")
    return record, digest
