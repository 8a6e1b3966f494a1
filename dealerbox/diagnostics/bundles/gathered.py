"""What goes into a bundle: configuration without its secrets, versions, what the station says, the evening's log."""

import os
import platform
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Final

import msgspec

import dealerbox
from dealerbox.config.values import Config
from dealerbox.diagnostics.asking import ask
from dealerbox.diagnostics.bundles.examined import Secrets
from dealerbox.engine.phases import Phase
from dealerbox.engine.state import State
from dealerbox.ports import DeviceGone, NotAllowed
from dealerbox.station.replay import LogError, play
from dealerbox.station.views import Hand, hands

_UID: Final = re.compile(r"\b(?:[0-9A-F]{20}|[0-9A-F]{16}|[0-9A-F]{14}|[0-9A-F]{8})\b")
_SEALED: Final = re.compile(r"^sealed[ \t]*=.*$", re.MULTILINE)
TAG: Final = "(a tag)"
QUESTIONS: Final = ("status", "health", "gauges")


def secrets_of(config: Config) -> Secrets:
    """Return what must not leave: every tag that the configuration names, and the station's keys.

    A key that may not be read here cannot have been gathered either.
    """
    uids = {uid for deck in config.decks for _, uid in deck.labels()}
    for device in config.devices:
        uids.update(device.settings.fixed().values())
        uids.update(device.settings.carried())
    keys = []
    for name in ("token.key", "sign.key"):
        try:
            keys.append((config.state_dir / name).read_bytes())
        except OSError:
            continue
    return Secrets(tuple(sorted(filter(None, uids))), tuple(key for key in keys if len(key) >= 16))


def configuration(config: Config) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the configuration, tags blotted out; of decks only how they are called and how many tags."""
    for name in (config.file, config.house_file):
        text = Path(name).read_text("utf-8")
        yield f"config/{Path(name).name}", _SEALED.sub("", _UID.sub(TAG, text)).encode()
    decks = [
        {
            "slot": deck.slot,
            "name": deck.name,
            "back": deck.back,
            "technology": deck.technology.value,
            "tags": len(deck.tags),
            "jokers": len(deck.jokers),
            "cut_card": bool(deck.cut_card),
            "retired": deck.retired,
        }
        for deck in config.decks
    ]
    yield "config/decks.json", _json({"decks": decks, "sha256_of_all": config.sha256})


def versions() -> bytes:
    """Return what is installed."""
    return _json(
        {
            "dealerbox": dealerbox.__version__,
            "python": sys.version,
            "system": platform.platform(),
            "machine": platform.machine(),
            "processors": os.cpu_count(),
            "packages": dict(_packages()),
        }
    )


def _packages() -> Iterator[tuple[str, str]]:
    try:
        named = requires("dealerbox") or []
    except PackageNotFoundError:
        named = ["click", "gpiozero", "msgspec", "pynacl", "pyserial", "pyusb", "rich", "transitions"]
    for name in sorted({re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in (*named, "dealerbox-twins")}):
        try:
            yield name, version(name)
        except PackageNotFoundError:
            yield name, "not installed"


def said(socket: str, left_out: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield what a running station answers; `left_out` takes what it does not."""
    for question in QUESTIONS:
        try:
            yield f"station/{question}.json", ask(socket, b'{"ask":"%b"}' % question.encode())
        except (DeviceGone, NotAllowed) as error:
            left_out[f"station/{question}.json"] = str(error)


def disk(config: Config) -> bytes:
    """Return how much room there is, and what lies in the station's folders: names, sizes, modes."""
    rooms = {}
    for folder in (config.state_dir, config.runtime_dir):
        try:
            usage = shutil.disk_usage(folder)
            files = {
                str(file.relative_to(folder)): {"bytes": file.stat().st_size, "mode": oct(file.stat().st_mode & 0o7777)}
                for file in sorted(folder.rglob("*"))[:1000]
            }
            rooms[str(folder)] = {"free": usage.free, "total": usage.total, "files": files}
        except OSError as error:
            rooms[str(folder)] = {"not": error.strerror or "cannot be read"}
    return _json(rooms)


class Evening(msgspec.Struct, frozen=True):
    """The last evening of a log."""

    lines: list[bytes]
    """Events, for `dealerbox replay`; the first line is the state in which the evening before left the table."""
    hands: list[Hand]
    why: str
    """Why it ends where it does; '' it is whole."""


def evening(lines: Iterable[bytes], name: str, faces: Callable[[bytes], bool]) -> Evening:
    """Return what was played since the table was last opened, out of event lines; `faces` tells whether words name one.

    A person may have named a face in the reason for a ruling: such words are left out.
    """
    kept: list[bytes] = []
    begun: State | None = None
    state, why = State(), ""

    def each() -> Iterator[bytes]:
        for line in lines:
            kept.append(line)
            yield line

    try:
        for decision in play(each(), name):
            if decision.line > 1 and state.phase is Phase.CLOSED is not decision.state.phase:
                begun, kept[:] = state, kept[-1:]
            state = decision.state
    except LogError as error:
        why = str(error)
    first = []
    if begun is not None:
        base = {"seq": 1, "record": "the state before", "state": begun}
        first = [msgspec.json.encode(base) + b"\n"]
    whole = [*first, *(_without_faces(line, faces) for line in kept)]
    found: list[Hand] = []
    try:
        found += hands(whole, name)
    except LogError as error:
        why = why or str(error)
    return Evening(whole, found, why)


_REASON: Final = re.compile(rb'"reason":"(?:[^"\\]|\\.)*"')


def _without_faces(line: bytes, faces: Callable[[bytes], bool]) -> bytes:
    if not faces(line):
        return line
    event, word, commands = line.partition(b'"commands":')
    return _REASON.sub(b'"reason":"(words that name a face)"', event) + word + commands


def counters(evening: Evening) -> bytes:
    """Return the evening in numbers."""
    held = Counter(hold.reason for hand in evening.hands for hold in hand.holds)
    return _json(
        {
            "events": len(evening.lines),
            "hands": len(evening.hands),
            "ended": Counter(hand.ended or "open" for hand in evening.hands),
            "holds": dict(held.most_common()),
            "rulings": Counter(ruling.ruling for hand in evening.hands for ruling in hand.rulings),
        }
    )


def _json(value: Mapping[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
