"""What the journal remembers, as the state it leads to."""

import json
from collections.abc import Mapping

import msgspec

from dealerbox.engine.decks import identity
from dealerbox.engine.facts import in_hand
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.journal.disk import Disk, Shelf
from dealerbox.journal.record import Record, RecordKind
from dealerbox.journal.recover import Head, Recovery, Verdict, recover
from dealerbox.journal.segment import SEGMENT_BYTES
from dealerbox.model.events import DecksEnrolled, Event
from dealerbox.ports import DealerboxError, JournalError
from dealerbox.station.entry import decode
from dealerbox.station.telling import told

FORMAT = 1
"""Of the payloads: entries as JSON, `dealerbox.station.entry`."""


class Fault(DealerboxError):
    """The program itself is wrong: hold, stop, exit 70 (EX_SOFTWARE)."""


class Past(msgspec.Struct, frozen=True):
    """Where the last run ended."""

    state: State
    recovery: Recovery
    numbered: Mapping[int, int]
    """Deck slot -> the hand for which its tokens were last numbered."""


class _Base(msgspec.Struct, frozen=True):
    format: int
    state: State
    numbered: Mapping[int, int]


class _Player:
    """Plays records through the engine; keeps nothing but the state."""

    def __init__(self) -> None:
        self.state = State()
        self.numbered: dict[int, int] = {}
        self._begun = False

    def take(self, record: Record) -> None:
        if record.kind is RecordKind.BASE and not self._begun:
            begun = _begun(record)
            self.state, self.numbered = begun.state, dict(begun.numbered)
        self._begun = True
        if record.kind is RecordKind.HEAD:
            _ours(record)
        if record.kind is not RecordKind.EVENT:
            return
        event = _event(record)
        hand, decks = self.state.hand, self.state.decks
        try:
            self.state, _ = step(self.state, event)
        except Exception as error:
            raise Fault(
                f"record {record.seq} of the journal cannot be replayed: {told(error)}; "
                "keep the journal and report this"
            ) from error
        if isinstance(event, DecksEnrolled):
            here = {(deck.slot, identity(deck)) for deck in decks}
            for deck in self.state.decks:
                if (deck.slot, identity(deck)) not in here:
                    self.numbered.pop(deck.slot, None)
        if self.state.hand != hand:
            self.numbered[self.state.deck] = self.state.hand


def recall(
    disk: Disk, *, segment_bytes: int = SEGMENT_BYTES, anchor: Head | None = None, known_from: str = "elsewhere"
) -> Past:
    """Replay the journal; `anchor` is a head known from elsewhere, `known_from` where.

    JournalError when it is damaged, rolled back or cannot be read; Fault when the engine fails over it.
    """
    player = _Player()
    recovery = recover(disk, player.take, segment_bytes=segment_bytes, anchor=anchor)
    if recovery.verdict is Verdict.ROLLED_BACK:
        raise JournalError(
            f"the journal in {disk.where} is rolled back: {recovery.why} from {known_from}; "
            "put back the newer journal, or the director looks into it and takes that head away"
        )
    recovery.demand()
    return Past(player.state, recovery, player.numbered)


def leaves_hand_open(shelf: Shelf) -> bool:
    """Tell whether the hand that this journal ends in is still being played, so far as it can be replayed (P4).

    A damaged journal keeps its station from starting, and so does one that the engine fails over: no hand goes on.
    """
    player = _Player()
    try:
        recovery = recover(shelf, player.take)
    except (Fault, JournalError):
        return False
    return recovery.verdict in (Verdict.CLEAN, Verdict.TORN) and in_hand(player.state)


def head(software: str, config_sha256: str, recovery: Recovery) -> bytes:
    """Return the first record of a run: what writes it, and what was dropped to go on."""
    words = {"format": FORMAT, "software": software, "config": config_sha256}
    if recovery.why:
        words["dropped"] = recovery.why
    return json.dumps(words).encode()


def base(past: Past) -> bytes:
    """Return the content of a base record: all that a start needs of the records before it."""
    return msgspec.json.encode(_Base(FORMAT, past.state, past.numbered))


def _ours(record: Record) -> None:
    """JournalError when a run of the journal was written in another format."""
    try:
        told = json.loads(record.payload).get("format", FORMAT)
    except (ValueError, AttributeError):
        told = "that cannot be read"
    if told != FORMAT:
        raise JournalError(f"record {record.seq} of the journal was written by other software: format {told}")


def _begun(record: Record) -> _Base:
    try:
        return msgspec.json.decode(record.payload, type=_Base)
    except msgspec.DecodeError as error:
        raise JournalError(f"record {record.seq} of the journal was written by other software: {error}") from error


def _event(record: Record) -> Event:
    try:
        return decode(record.payload).event
    except msgspec.DecodeError as error:
        raise JournalError(f"record {record.seq} of the journal was written by other software: {error}") from error
