"""`status`, `diag_list` and `watch`: what a technician waits for, and what the station pays for being looked at."""

import asyncio
import contextlib
import os
import pty
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.start import environ_of, laid_out, running
from dealerbox.config import Config
from dealerbox.diagnostics.seen import Lookout
from dealerbox.simulate.demo.folder import own_folder
from dealerbox.simulate.demo.station import ChildStation
from dealerbox.simulate.demo.tables import lay_out
from dealerbox.simulate.demo.twins import Twins
from dealerbox.station.condition import Condition
from dealerbox.station.loop import boottime_ns

STATUS_MS: Final = 150
LIST_MS: Final = 1_000
DEVICES: Final = 12
WATCHED_SHARE: Final = 0.02
"""Of a core, for as long as somebody watches."""
ROUNDS: Final = 10
OFTEN_S: Final = 0.02
"""Between two looks, where what one costs is measured: at one a second it is lost in the noise."""
_SEATS: Final = {"left": [(1, 2), (3, 4), (5,)], "right": [(6, 7), (8, 10)]}
_DISPLAY: Final = '[devices.display]\ndriver = "display-oled"\n'


def _twelve(folder: Path) -> Path:
    """Write the shipped table with smaller readers at its seats and a display: twelve devices, none of them there."""
    file = laid_out(folder)
    text, rest = file.read_text().split("[devices.seats-left]")
    middle = "[devices.middle]" + rest.split("[devices.middle]")[1]
    readers = ""
    for number, (first, *last) in enumerate([each for side in _SEATS.values() for each in side], 1):
        seats = range(first, (last or [first])[0] + 1)
        zones = ", ".join(f'{channel} = "seat:{seat}"' for channel, seat in enumerate(seats, 1))
        readers += f'[devices.seats-{number}]\ndriver = "feig"\nport = "/dev/seats-{number}"\nzones = {{ {zones} }}\n'
    file.write_text(text + readers + middle + "\n" + _DISPLAY)
    return file


def _run(words: list[str], environ: dict[str, str], *, terminal: bool) -> tuple[float, float, bytes]:
    """Run a command of ours; return the seconds from exec to its end, its processor time, and what it printed."""
    far, near = pty.openpty() if terminal else os.pipe()
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "dealerbox", *words], env=environ, stdout=near, stderr=subprocess.DEVNULL
    )
    os.close(near)
    told = b""
    with contextlib.suppress(OSError):  # a terminal whose other side has gone
        while more := os.read(far, 65_536):
            told += more
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    os.close(far)
    return time.perf_counter() - begun, used.ru_utime + used.ru_stime, told


def _waited(name: str, words: list[str], gate_ms: int, expected: bytes, rounds: int) -> dict[str, object]:
    """Return the figure of a command beside a running station with twelve devices, at a terminal and into a pipe."""
    times: dict[bool, list[float]] = {True: [], False: []}
    processor: list[float] = []
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as bytecode:
        file = _twelve(Path(folder))
        environ = {**environ_of(bytecode), "TERM": "xterm-256color", "COLUMNS": "120"}
        socket = str(Path(folder) / "runtime_dir" / "control.sock")
        command = [str(file) if word == "FILE" else socket if word == "SOCKET" else word for word in words]
        with running(file, bytecode):
            for _ in range(rounds + 1):
                for terminal, taken in times.items():
                    seconds, used_s, told = _run(command, environ, terminal=terminal)
                    if expected not in told:
                        raise RuntimeError(f"dealerbox {' '.join(command)} printed {told!r}")
                    taken.append(seconds)
                    processor += [used_s] if terminal else []
    at_terminal, piped = (statistics.median(taken[1:]) * 1000 for taken in times.values())
    return {
        "figure": name,
        "devices": DEVICES,
        "terminal_ms_p50": round(at_terminal, 1),
        "terminal_ms_max": round(max(times[True][1:]) * 1000, 1),
        "terminal_processor_ms_p50": round(statistics.median(processor[1:]) * 1000, 1),
        "piped_ms_p50": round(piped, 1),
        "gate_ms": gate_ms,
        "passes": at_terminal <= gate_ms,
    }


def status(rounds: int = ROUNDS) -> dict[str, object]:
    """Return the figure `status`: from exec to the end of `dealerbox status`."""
    return _waited("status", ["status", "--socket", "SOCKET"], STATUS_MS, b"Table 1", rounds)


def listing(rounds: int = ROUNDS) -> dict[str, object]:
    """Return the figure `diag_list`: from exec to the end of `dealerbox diag list`."""
    return _waited("diag_list", ["diag", "list", "FILE", "--socket", "SOCKET"], LIST_MS, b"seats-5", rounds)


def watched(seconds: int = 10) -> dict[str, object]:
    """Return the figure `watch`: how much of a core the real daemon, its twins beside it, pays for being watched."""
    return asyncio.run(_watched(seconds))


async def _watched(seconds: int) -> dict[str, object]:
    twins = Twins(1, 1.0, boottime_ns)
    serving = twins.serve()
    try:
        with own_folder() as folder:
            config = lay_out(folder, twins.ports)
            station = ChildStation(config, twins.pins)
            await station.start()
            try:
                return await _measured(config, station, seconds)
            finally:
                await station.stop()
    finally:
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        twins.close()


async def _measured(config: Config, station: ChildStation, seconds: int) -> dict[str, object]:
    await _opened(station)
    process = station._process
    assert process is not None
    alone = await _share(process.pid, seconds)
    lookout, looks = Lookout(str(config.socket)), 0

    async def look() -> None:
        nonlocal looks
        while True:
            await lookout.look()
            looks += 1
            await asyncio.sleep(OFTEN_S)

    looking = asyncio.create_task(look())
    often = await _share(process.pid, seconds)
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    await lookout.end()
    with _screen(config) as screen:
        await asyncio.sleep(2)
        once, own = await asyncio.gather(_share(process.pid, seconds), _share(screen, seconds))
    a_look_s = (often - alone) * seconds / looks
    return {
        "figure": "watch",
        "devices": len(config.devices),
        "core_alone": round(alone, 4),
        "core_watched": round(once, 4),
        "look_us": round(a_look_s * 1e6),
        "share_of_a_core": round(a_look_s, 5),
        "screen_itself": round(own, 4),
        "gate": WATCHED_SHARE,
        "passes": a_look_s <= WATCHED_SHARE,
    }


async def _opened(station: ChildStation) -> None:
    """Return when no device is still being opened."""
    for _ in range(200):
        if not any(each.condition is Condition.OPENING for each in await station.health()):
            return
        await asyncio.sleep(0.1)
    raise RuntimeError("devices are still being opened after 20 s")


@contextlib.contextmanager
def _screen(config: Config) -> Iterator[int]:
    """Run `dealerbox diag watch` at a terminal of 80 x 24; yield its process."""
    far, near = pty.openpty()
    command = [sys.executable, "-m", "dealerbox", "diag", "watch", str(config.file), "--socket", str(config.socket)]
    environ = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen(command, stdin=near, stdout=near, stderr=near, env=environ, start_new_session=True)
    os.close(near)
    os.set_blocking(far, False)
    loop = asyncio.get_running_loop()

    def drain() -> None:
        try:
            os.read(far, 65_536)
        except OSError:
            loop.remove_reader(far)

    loop.add_reader(far, drain)
    try:
        yield process.pid
    finally:
        loop.remove_reader(far)
        process.kill()
        process.wait()
        os.close(far)


async def _share(pid: int, seconds: int) -> float:
    """Return the share of a core that a process takes."""
    before, begun = _cpu_s(pid), time.perf_counter()
    await asyncio.sleep(seconds)
    return (_cpu_s(pid) - before) / (time.perf_counter() - begun)


def _cpu_s(pid: int) -> float:
    """Return the processor time of a process and its threads, to the nanosecond (Documentation/scheduler)."""
    return sum(int(each.read_text().split()[0]) for each in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9
