"""A second opinion on shuffler wire 1: reads the layouts from the page itself, and shares no code with the driver.

`python tests/drivers/shuffler/make_vectors.py` writes vectors.toml and the frames of PROTOCOL.md section 10 anew
(struct, cobs, crccheck). The tests take `encode` and `decode` from here.
"""

import re
import struct
from pathlib import Path
from typing import Any

from cobs import cobs
from crccheck.crc import Crc32

FOLDER = Path(__file__).parents[3] / "firmware-protocols/shuffler/v1"
PAGE = FOLDER / "PROTOCOL.md"
VECTORS = FOLDER / "vectors.toml"
SIZES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
HEADER = ("ver", "type", "flags", "seq", "session")

Layout = list[tuple[str, str]]


def fields(text: str) -> Layout:
    """The `name u32` pairs of a sentence, remarks in brackets left out."""
    return [
        (name, SIZES[size]) for name, size in re.findall(r"(\w+) (u8|u16|u32|u64)\b", re.sub(r"\([^)]*\)", "", text))
    ]


def layouts(page: str) -> dict[int, Layout]:
    """Body layout of each type, by the page's section 2."""
    page = page[page.index("## 2 ") : page.index("### Codes")]
    permit = fields(re.search(r"`permit` = `(.*?)`", page)[1])
    found: dict[int, Layout] = {}
    for type_, _name, body in re.findall(r"^\| ([0-9a-f]{2}) \| (\w+)[^|]*\| ([^|]*) \|", page, re.M):
        found[int(type_, 16)] = (permit if body.startswith("permit") else []) + fields(body)
    found[0x81] = fields(re.search(r"^IDENT \(50\): `(.*?)`\.", page, re.M | re.S)[1])
    status = fields(re.search(r"^STATUS \(78\): `(.*?)`\.", page, re.M | re.S)[1])
    found |= {type_ | 0x80: status for type_ in [2, 3, *range(5, 8), *range(0x10, 0x17)]}
    return found


LAYOUTS = layouts(PAGE.read_text())


def payload(head: dict[str, int], values: dict[str, int]) -> bytes:
    """Header and body."""
    layout = LAYOUTS[head["type"]]
    assert set(values) == {name for name, _ in layout}, (head, values)
    body = struct.pack("<" + "".join(size for _, size in layout), *(values[name] for name, _ in layout))
    return struct.pack("<BBBBI", *((head | {"ver": head.get("ver", 1)})[name] for name in HEADER)) + body


def framed(content: bytes, *, spoil: int = 0) -> bytes:
    """A payload on the wire; `spoil` flips bits of its crc."""
    crc = Crc32.calc(content) ^ spoil
    return b"\0" + cobs.encode(content + struct.pack("<I", crc)) + b"\0"


def decode(frame: bytes) -> tuple[dict[str, int], dict[str, int]]:
    """Header and body of one whole frame, every field by the page; AssertionError for any fault in it."""
    assert frame[0] == frame[-1] == 0
    content = cobs.decode(frame[1:-1])
    assert struct.unpack("<I", content[-4:])[0] == Crc32.calc(content[:-4])
    head = dict(zip(HEADER, struct.unpack("<BBBBI", content[:8]), strict=True))
    layout = LAYOUTS[head["type"]]
    values = struct.unpack("<" + "".join(size for _, size in layout), content[8:-4])
    return head, dict(zip((name for name, _ in layout), values, strict=True))


SESSION, EPOCH, BOOT = 29, 0xE90C0001, 0xB0070007
NUMBERS = {"epoch": EPOCH, "fence": 96}


def say(name: str, type_: int, seq: int, flags: int = 0, by: int = SESSION, **values: int) -> dict[str, Any]:
    """One frame of the tale."""
    head = {"type": type_, "flags": flags, "seq": seq, "session": by}
    return {"name": name, "head": head, "fields": values, "bytes": framed(payload(head, values))}


def status(name: str, type_: int, seq: int, **changes: int) -> dict[str, Any]:
    """A STATUS of the tale."""
    usual = dict.fromkeys((field for field, _ in LAYOUTS[0x82]), 0)
    usual |= NUMBERS | {"boot_id": BOOT, "session": SESSION, "machine": 52, "out_total": 1000, "sensors": 0x20}
    return say(name, type_, seq, 2, **(usual | changes))


def permit(cmd_id: int, fence: int = 96) -> dict[str, int]:
    return {"epoch": EPOCH, "fence": fence, "cmd_id": cmd_id, "prev_id": cmd_id - 1}


def tale() -> list[dict[str, Any]]:
    """The worked frames of section 10."""
    first = permit(201) | {"deal_id": 200, "first": 1, "dest": 0}
    held = {
        "fence": 97, "locks": 8, "cmd_id": 202, "cmd_kind": 0x11, "cmd_state": 3, "cmd_result": 0x35, "machine": 51,
        "exit_id": 201, "deal_id": 200, "hold_no": 97, "hold_session": SESSION, "hold_key": 1, "hold_reason": 0x0203,
        "sensors": 0x21, "event_next": 18,
    }  # fmt: skip
    return [
        say("HELLO session 29, protocols 1..1", 1, 0, proto_min=1, proto_max=1, host=0x1122334455667788),
        say(
            "IDENT protocol 1, capacity 54, caps 1F7F, boot 7 by power, epoch E90C0001, fence 96", 0x81, 0, 2,
            proto=1, capacity=54, max_payload=200, caps=0x1F7F, vendor=0x1234, model=1, serial=0xA1B2C3D4,
            firmware=0x00010203, boot_id=BOOT, boot_count=7, reset_cause=1, nvm=0, epoch=EPOCH, fence=96,
            session=SESSION, dispense_ms=2700, cycle_s=90,
        ),
        say("QUERY", 2, 1),
        say("HEARTBEAT boot B0070007, echo tick 5000", 3, 2, boot_id=BOOT, echo_tick=5000),
        say(
            "ARM fence 96, last id 200, 52 in the machine, exit empty", 7, 3,
            epoch=EPOCH, fence=96, last_id=200, machine=52, exit_id=0,
        ),
        say("DISPENSE id 201 after 200, first card of shuffle 200", 0x10, 4, **first),
        say("the same repeated (flags bit 0)", 0x10, 4, 1, **first),
        status(
            "STATUS to it: OK, BUSY, MOVING", 0x90, 4,
            state=2, tick=5100, cmd_id=201, cmd_kind=0x10, cmd_state=1, deal_id=200,
        ),
        say("EVENT 17: command 201 final", 0x40, 0, 4, event_no=17, tick=5480, kind=1, cmd_id=201, arg=0x30),
        say("EVENT_ACK 17", 4, 0, event_no=17),
        say("RELEASE id 202 of card 201, open 10 s", 0x11, 5, **permit(202), card_id=201, open_ms=10_000),
        say("HOLD key 1, reason 0x0203", 5, 6, key=1, reason=0x0203),
        status("STATUS to it: fence 97, HOLD latched, release 202 ended NOT_TAKEN", 0x85, 6, **held, tick=5900),
        status("late RELEASE 202 answered REPEAT", 0x91, 5, **held, code=2, tick=6000),
        say(
            "PLACES id 203 after 202: 52 in the machine, exit empty, order lost, person 7", 0x16, 7,
            **permit(203, 99), machine=52, exit_id=0, order=1, person=7,
        ),
        say(
            "CLEAR_HOLD 97 key 1 by person 7", 6, 8,
            epoch=EPOCH, hold_no=97, hold_session=SESSION, hold_key=1, person=7,
        ),
        say(
            "ARM fence 100, last id 203, 52 in the machine, exit empty", 7, 9,
            epoch=EPOCH, fence=100, last_id=203, machine=52, exit_id=0,
        ),
        say("COUNT id 204 after 203", 0x14, 10, **permit(204, 100), scope=0),
    ]  # fmt: skip


def others() -> list[dict[str, Any]]:
    """Types and edges that the tale leaves out."""
    return [
        say("RETRACT of card 201", 0x12, 11, **permit(205), card_id=201),
        say("SHUFFLE of 52", 0x13, 12, **permit(206), expect=52, scope=0),
        say("SHUFFLE of a stub of 34", 0x13, 13, **permit(207), expect=34, scope=1),
        say("RETURN of 52, open 30 s", 0x15, 14, **permit(208), expect=52, open_ms=30_000),
        say("every bit of a HOLD set", 5, 255, 255, 2**32 - 1, key=2**32 - 1, reason=0xFFFF),
        say("IDENT to a stale session: protocol 0, session 30 is stored", 0x81, 0, 2,
            **tale()[1]["fields"] | {"proto": 0, "session": 30, "nvm": 1, "reset_cause": 3}),
        status("STATUS: opened, wiped and unknown", 0x82, 3, code=0x17, locks=0x3FF, machine=0xFF, order=1, error=0x33,
               cmd_state=6, cmd_result=0x33, cmd_kind=0x10, sensors=0x3F, epoch=1, fence=3, tick=2**32 - 1),
    ]  # fmt: skip


def edges() -> list[dict[str, Any]]:
    """Bytes and what a receiver makes of them: frames, DROPPED, BAD_FRAME or BAD_VERSION."""
    query = {"type": 2, "flags": 0, "seq": 1, "session": SESSION}
    good = payload(query, {})
    hold = payload(query | {"type": 5}, {"key": 1, "reason": 0x0203})
    swapped = b"\0" + cobs.encode(good + struct.pack(">I", Crc32.calc(good))) + b"\0"
    nothing = struct.pack("<BBBBI", 1, 0x3F, 0, 1, SESSION)
    cases: list[tuple[str, bytes, list[str]]] = [
        ("wrong crc", framed(good, spoil=1), ["DROPPED"]),
        ("crc in the other byte order", swapped, ["DROPPED"]),
        ("not COBS: a code points past the end", b"\0\x09\x01\x02\0", ["DROPPED"]),
        ("shorter than header and crc", framed(good[:7]), ["DROPPED"]),
        ("a body of 193 bytes is too long", framed(hold + bytes(187)), ["DROPPED"]),
        ("too long without a zero, then a frame", b"\0" + b"\x55" * 900 + framed(good), ["DROPPED", "02"]),
        ("empty frames", bytes(9), []),
        ("noise, then a frame", b"\xa5\x5a\x11" + framed(good), ["DROPPED", "02"]),
        ("a frame cut off, then a frame", framed(hold)[:9] + framed(good), ["DROPPED", "02"]),
        ("two frames share one zero", framed(good) + framed(hold)[1:], ["02", "05"]),
        ("a longer body than is known, the longest there is", framed(hold + b"\x07" * 186), ["05"]),
        ("a body one byte short", framed(hold[:-1]), ["BAD_FRAME"]),
        ("a type that is none", framed(nothing), ["BAD_FRAME"]),
        ("QUERY of version 2", framed(payload(query | {"ver": 2}, {})), ["BAD_VERSION"]),
        ("HOLD of version 2 is obeyed", framed(b"\x02" + hold[1:]), ["05"]),
    ]
    return [{"name": name, "bytes": raw, "gives": gives} for name, raw, gives in cases]


def table(values: dict[str, int]) -> str:
    return "{ " + ", ".join(f"{name} = {value}" for name, value in values.items()) + " }" if values else "{}"


def write() -> None:
    """Write vectors.toml, and the frames into section 10 of the page."""
    told = tale()
    lines = [
        "# Frames of shuffler wire 1, for tests on either side of it: encode `head` and `fields`, decode `bytes`.",
        "# Made by tests/drivers/shuffler/make_vectors.py from the layouts in PROTOCOL.md; bytes are hex.",
        "",
    ]
    for source, frames in (("PROTOCOL.md, section 10", told), ("struct, cobs, crccheck", others())):
        for frame in frames:
            lines += [
                "[[frame]]",
                f'name = "{frame["name"]}"',
                f"head = {table(frame['head'])}",
                f"fields = {table(frame['fields'])}",
                f'bytes = "{frame["bytes"].hex(" ")}"',
                f'source = "{source}"',
                "",
            ]
    lines += [
        "# What a receiver makes of other bytes: types (hex), DROPPED (counted, unanswered), or its answer's code.",
        "",
    ]
    for edge in edges():
        gives = ", ".join(f'"{what}"' for what in edge["gives"])
        lines += [
            "[[edge]]",
            f'name = "{edge["name"]}"',
            f'bytes = "{edge["bytes"].hex(" ")}"',
            f"gives = [{gives}]",
            'source = "struct, cobs, crccheck"',
            "",
        ]
    VECTORS.write_text("\n".join(lines).rstrip() + "\n")
    worked = "\n".join(f"{frame['name']}  ({len(frame['bytes'])} bytes)\n{frame['bytes'].hex()}" for frame in told)
    page = PAGE.read_text()
    PAGE.write_text(re.sub(r"(## 10 .*?```\n).*?(\n```)", lambda m: m[1] + worked + m[2], page, flags=re.S))


if __name__ == "__main__":
    write()
