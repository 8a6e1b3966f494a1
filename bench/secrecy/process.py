"""The real daemon in its own process, at the demo's table, with marked decks: its files, its output, its /proc."""

import asyncio
import contextlib
import json
import os
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

from bench.secrecy.canary import MARK, Finding, Search, uncounted
from dealerbox.config import Config
from dealerbox.config.checks import checked
from dealerbox.simulate.demo.picture import Scene
from dealerbox.simulate.demo.run import Asked, _Evening
from dealerbox.simulate.demo.show import Lines
from dealerbox.simulate.demo.tables import lay_out
from dealerbox.simulate.demo.twins import Twins
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.pins.budget import pin_faults
from dealerbox_drivers.registry import DRIVERS

LOOK_S = 0.1
DECKS = ("red.toml", "blue.toml")
OWN = frozenset({"state", "night.jsonl"})
"""Where tokens may stand: the journal and its export."""
SETTINGS = frozenset({*DECKS, "station.toml", "house.toml"})


def sealed_line() -> str:
    """Return what stands where the sealed faces stand: the mark, readable for whoever looks."""
    return f'sealed = "{b64encode(MARK.encode() * 30).decode()}"\n'


async def watched(search: Search, hands: int, seed: int = 1, speed: float = 20.0) -> int:
    """Play so many hands with the real daemon, search all that it leaves, and return how often it was looked at."""
    with tempfile.TemporaryDirectory(prefix="dealerbox-canary-") as name:
        folder = Path(name)
        (folder / "tmp").mkdir()
        twins = Twins(seed, speed, boottime_ns)
        try:
            config = lay_out(folder, twins.ports)
            for deck in DECKS:
                with (folder / deck).open("a") as end:
                    end.write(sealed_line())
            config = checked(config.file, DRIVERS, pin_faults)
            with _temporary_files_in(folder / "tmp"):
                looks = await _played(search, folder, twins, config, Asked(hands=hands, seed=seed, speed=speed))
        finally:
            twins.close()
        _files(search, folder)
        left = [path.name for path in (folder / "tmp").iterdir()]
        search.found += [Finding("temporary file", str(folder / "tmp"), each) for each in left]
        return looks


async def _played(search: Search, folder: Path, twins: Twins, config: Config, asked: Asked) -> int:
    scene = Scene()
    evening = _Evening(
        asked, scene, Lines(lambda line: search.file("story", line.encode(), tokens=False)), twins, config
    )
    watching = asyncio.create_task(_watch(search, evening, config))
    try:
        await evening.play(folder / "night.jsonl")
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
    for line in evening._station._said:
        search.file("standard error", line.encode(), tokens=False)
    return search.bytes["limits"]


async def _watch(search: Search, evening: _Evening, config: Config) -> None:
    """Look into the process and ask at its sockets, again and again."""
    while True:
        await asyncio.sleep(LOOK_S)
        process = evening._station._process
        if process is None or process.returncode is not None:
            continue
        with contextlib.suppress(OSError):
            for ask in ("status", "health"):
                search.file(f"socket {ask}", await _asked(config.socket, ask), tokens=False)
            search.file("socket gauges", uncounted(await _asked(config.socket, "gauges")), tokens=False)
            _look(search, Path("/proc") / str(process.pid))


def _look(search: Search, proc: Path) -> None:
    for name in ("environ", "cmdline", "status"):
        search.file(name, (proc / name).read_bytes().replace(b"\0", b"\n"), tokens=True)
    limits = (proc / "limits").read_text()
    search.bytes["limits"] += 1
    core = next(line for line in limits.splitlines() if line.startswith("Max core file size")).split()[4:6]
    if core != ["0", "0"]:
        search.found.append(Finding("core", "limits", " ".join(core)))


async def _asked(path: Path, ask: str) -> bytes:
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        writer.write(json.dumps({"ask": ask}).encode() + b"\n")
        return await reader.readline()
    finally:
        writer.close()


def _files(search: Search, folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        if path.is_file() and place.parts[0] not in SETTINGS:
            search.file(str(place), path.read_bytes(), tokens=place.parts[0] in OWN)
            mode = path.stat().st_mode & 0o777
            if place.parts[0] == "state" and mode & 0o077:
                search.found.append(Finding("mode", str(place), f"{mode:04o}"))


@contextlib.contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """Let whoever is started meanwhile make temporary files there."""
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(folder)
    try:
        yield
    finally:
        del os.environ["TMPDIR"]
        if before is not None:
            os.environ["TMPDIR"] = before
