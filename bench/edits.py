"""Random edits of an exported log, every one of which must be found.

Half are made by somebody who can only write the file: bytes and values changed, lines deleted, put in, doubled, moved,
taken from another log, cut off. Half are made by somebody with everything that is on the box, its key too, who writes
the chain anew from his edit on and signs it: what shows that is a head kept elsewhere.
"""

import random
import time
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from dealerbox.journal.evidence import Sealed, closing, line, verify
from dealerbox.journal.record import NO_HASH, ClockQuality, Record, RecordKind, Stamp, encode
from dealerbox.journal.recover import Head
from dealerbox.journal.signed import Signed, Signer

HANDS: Final = 5
EVENTS: Final = 12
"""Records of events in each hand."""
SIGNER: Final = Signer(b"s" * 32)

Chain = list[Record]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """How many edits were made, and how many found."""

    figure: str = "edits"
    edits: int
    found: int
    kinds: dict[str, int]
    missed: list[str]
    seconds: float


def evening(seed: int, signer: Signer = SIGNER) -> Chain:
    """Return the records of an evening: hands of a few events, each ended with a signed head."""
    rng, contents = random.Random(seed), [(RecordKind.HEAD, b'{"format":1,"config":"%d"}' % seed)]
    chain = written(contents)
    for hand in range(HANDS):
        for number in range(EVENTS):
            event = b'{"event":{"event":"Tick","at_ns":%d},"commands":[]}' % rng.randrange(10**12)
            contents.append((RecordKind.EVENT, event if number else event.replace(b"Tick", b"Hand%d" % hand)))
        chain = written(contents)
        contents.append((RecordKind.SIGNED, signature(chain, signer)))
    return written(contents)


def written(contents: list[tuple[RecordKind, bytes]], boot_id: bytes = bytes(16)) -> Chain:
    """Return the chain of these records."""
    chain: Chain = []
    previous = NO_HASH
    for seq, (kind, payload) in enumerate(contents, 1):
        stamp = Stamp(seq * 1000, seq, ClockQuality.SYNCED)
        chain.append(Record(seq, max(seq - 2, 0), kind, stamp, boot_id, previous, payload))
        _, previous = encode(chain[-1])
    return chain


def head_of(chain: Chain) -> Head:
    """Return the head of a chain."""
    return Head(chain[-1].seq, encode(chain[-1])[1])


def signature(chain: Chain, signer: Signer) -> bytes:
    """Return the payload that signs a chain's head."""
    return msgspec.json.encode(Sealed(signer.sign(head_of(chain))))


def exported(chain: Chain) -> list[bytes]:
    """Return the lines of an exported log."""
    return [*map(line, chain), closing(len(chain), head_of(chain))]


# Who can only write the file.


def _byte(lines: list[bytes], rng: random.Random, other: list[bytes]) -> list[bytes]:
    """One bit of one line is another."""
    place = rng.randrange(len(lines))
    changed = bytearray(lines[place])
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return [*lines[:place], bytes(changed), *lines[place + 1 :]]


def _value(lines: list[bytes], rng: random.Random, other: list[bytes]) -> list[bytes]:
    """A digit is another: it stays a log that can be read."""
    place = rng.randrange(len(lines))
    digits = [at for at, byte in enumerate(lines[place]) if chr(byte).isdigit()]
    changed = bytearray(lines[place])
    at = rng.choice(digits)
    changed[at] = ord(str((int(chr(changed[at])) + rng.randrange(1, 10)) % 10))
    return [*lines[:place], bytes(changed), *lines[place + 1 :]]


def _deleted(lines: list[bytes], rng: random.Random, other: list[bytes]) -> list[bytes]:
    place = rng.randrange(len(lines))
    return lines[:place] + lines[place + rng.randrange(1, 5) :]


def _inserted(lines: list[bytes], rng: random.Random, other: list[bytes]) -> list[bytes]:
    place = rng.randrange(len(lines) + 1)
    return [*lines[:place], rng.choice(other[:-1]), *lines[place:]]


def _doubled(lines: list[bytes], rng: random.Random, other: list[bytes]) -> list[bytes]:
    place = rng.randrange(len(lines))
    return [*lines[: place + 1], *lines[place:]]


def _moved(lines: list[bytes], rng: random.Random, other: list[bytes]) -> list[bytes]:
    first, second = rng.sample(range(len(lines)), 2)
    swapped = list(lines)
    swapped[first], swapped[second] = lines[second], lines[first]
    return swapped


def _joined(lines: list[bytes], rng: random.Random, other: list[bytes]) -> list[bytes]:
    """The beginning of one log and the end of another."""
    place = rng.randrange(1, len(lines) - 1)
    return lines[:place] + other[place:]


def _cut(lines: list[bytes], rng: random.Random, other: list[bytes]) -> list[bytes]:
    kept = b"".join(lines)[: rng.randrange(sum(map(len, lines)))]
    return kept.splitlines(keepends=True)


PLAIN: Final = (_byte, _value, _deleted, _inserted, _doubled, _moved, _joined, _cut)


# Who has the box, and its key: the chain is written anew from the edit on, its heads signed anew.


def _anew(contents: list[tuple[RecordKind, bytes]]) -> Chain:
    """Return the chain of these records, each signature made again over the records before it."""
    done: list[tuple[RecordKind, bytes]] = []
    for kind, payload in contents:
        if kind is RecordKind.SIGNED:
            payload = signature(written(done), SIGNER)
        done.append((kind, payload))
    return written(done)


def _contents(chain: Chain) -> list[tuple[RecordKind, bytes]]:
    return [(record.kind, record.payload) for record in chain]


def _forged(chain: Chain, rng: random.Random, other: Chain) -> list[bytes]:
    """Anything but the end is another: changed, taken out, put in, moved, joined, or rolled back."""
    contents, theirs = _contents(chain), _contents(other)
    place = rng.randrange(1, len(contents) - 1)
    kind, payload = contents[place]
    match rng.randrange(6):
        case 0 if kind is RecordKind.EVENT:
            contents[place] = kind, payload.replace(b'"at_ns":', b'"at_ns":1')
        case 1:
            del contents[place : place + rng.randrange(1, 4)]
        case 2:
            contents.insert(place, theirs[1 + place % EVENTS])
        case 3:
            first, second = sorted(rng.sample(range(1, len(contents) - 1), 2))
            contents[first], contents[second] = contents[second], contents[first]
        case 4:
            contents = contents[:place] + theirs[place:]
        case _:
            contents = contents[:place]
    return exported(_anew(contents))


def _otherwise(chain: Chain, rng: random.Random, other: Chain) -> list[bytes]:
    """The same words at another time, or in another boot."""
    place = rng.randrange(len(chain) - 1)
    changed = [*chain[:place], replace(chain[place], stamp=Stamp(rng.randrange(10**9), 5)), *chain[place + 1 :]]
    for at in range(place + 1, len(changed)):
        changed[at] = replace(changed[at], previous=encode(changed[at - 1])[1])
        if changed[at].kind is RecordKind.SIGNED:
            changed[at] = replace(changed[at], payload=signature(changed[:at], SIGNER))
    return exported(changed)


def _stranger(chain: Chain, rng: random.Random, other: Chain) -> list[bytes]:
    """Another station's log of the same evening."""
    return exported(evening(rng.randrange(10**6) + 10, Signer(rng.randbytes(32))))


FORGED: Final = (_forged, _forged, _otherwise, _stranger)


def edits(number: int, seed: int) -> Found:
    """Make so many edits and verify each."""
    rng, began = random.Random(seed), time.perf_counter()
    chain, other = evening(1), evening(2)
    lines, others = exported(chain), exported(other)
    kept = SIGNER.sign(head_of(chain))
    assert verify(lines, "whole", kept).verdict == "clean"
    found, kinds, missed = 0, dict[str, int](), list[str]()
    for each in range(number):
        make: Callable[..., list[bytes]]
        anchor: Signed | None
        if each % 2:
            make, anchor = rng.choice(FORGED), kept
            edited = make(chain, rng, other)
        else:
            make, anchor = rng.choice(PLAIN), None
            edited = make(lines, rng, others)
        name = make.__name__.strip("_")
        if edited == lines:  # two equal lines changed places, or nothing was cut
            continue
        kinds[name] = kinds.get(name, 0) + 1
        if verify(edited, "edited", anchor).verdict == "clean":
            missed.append(f"edit {each} of seed {seed}: {name}")
        else:
            found += 1
    return Found(
        edits=sum(kinds.values()),
        found=found,
        kinds=dict(sorted(kinds.items())),
        missed=missed,
        seconds=round(time.perf_counter() - began, 1),
    )
