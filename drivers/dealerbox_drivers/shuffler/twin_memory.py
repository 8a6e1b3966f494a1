"""The memory of the shuffler's twin that survives a power cut (PROTOCOL.md section 3)."""

import zlib
from struct import Struct

import msgspec

from dealerbox_drivers.shuffler.messages import Lock, NvmHealth

_MAGIC = b"SHW1"
_LAYOUT = Struct("<7I4BIHBB8IHB5I")
_GENERATION = Struct("<I")
_CRC = Struct("<I")


class Record(msgspec.Struct, frozen=True):
    """What one slot holds, between the magic with the generation and the crc."""

    epoch: int
    fence: int = 1
    session: int = 0
    seen_session: int = 0
    seen_key: int = 0
    cmd_id: int = 0
    spare: int = 0
    cmd_kind: int = 0
    cmd_state: int = 0
    cmd_result: int = 0
    pulses: int = 0
    cmd_arg: int = 0
    locks: Lock = Lock(0)
    machine: int = 0
    order: int = 0
    exit_id: int = 0
    out_total: int = 0
    taken_id: int = 0
    deal_id: int = 0
    token_id: int = 0
    hold_no: int = 0
    hold_session: int = 0
    hold_key: int = 0
    hold_reason: int = 0
    error: int = 0
    boots: int = 0
    dispensed: int = 0
    no_feeds: int = 0
    double_feeds: int = 0
    retracted: int = 0


class Nvm:
    """Two slots, written in turn. Outlives the twin: pass the same one to its next life."""

    def __init__(self) -> None:
        self.slots = [b"", b""]
        self.writes = 0

    def load(self) -> tuple[Record | None, NvmHealth]:
        """Return the newest whole record (None: there is none) and what the slots were like."""
        known = sorted(found for found in map(_read, self.slots) if found)
        if not known:
            return None, NvmHealth.FORMATTED
        damaged = any(slot and _read(slot) is None for slot in self.slots)
        newest = known[-1][1]
        return _record(newest), NvmHealth.ONE_SLOT_BAD if damaged else NvmHealth.CLEAN

    def write(self, record: Record, *, torn: bool = False) -> None:
        """Write the older slot. `torn`: the power goes in the middle, and the slot is spoilt."""
        found = [_read(slot) for slot in self.slots]
        generations = [entry[0] if entry else 0 for entry in found]
        older = generations.index(min(generations))
        content = _MAGIC + _GENERATION.pack(max(generations) + 1) + _LAYOUT.pack(*msgspec.structs.astuple(record))
        whole = content + _CRC.pack(zlib.crc32(content))
        old = self.slots[older].ljust(len(whole), b"\xff")
        half = len(whole) // 2
        self.slots[older] = whole[:half] + old[half:] if torn else whole
        self.writes += 1

    def wipe(self) -> None:
        """Forget everything: a new board, or a flat battery."""
        self.slots = [b"", b""]


def _read(slot: bytes) -> tuple[int, bytes] | None:
    content, crc = slot[: -_CRC.size], slot[-_CRC.size :]
    if not content.startswith(_MAGIC) or crc != _CRC.pack(zlib.crc32(content)):
        return None
    (generation,) = _GENERATION.unpack_from(content, len(_MAGIC))
    return generation, content[len(_MAGIC) + _GENERATION.size :]


def _record(content: bytes) -> Record:
    fields = dict(zip(Record.__struct_fields__, _LAYOUT.unpack(content), strict=True))
    return Record(**fields | {"locks": Lock(fields["locks"])})
