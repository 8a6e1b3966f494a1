"""`start` and `rss_mib`: the daemon from exec to READY beside `import asyncio`, and what it holds in memory then."""

import contextlib
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROUNDS = 10
GATE = 4.0
READY_MS = 1_500
"""From exec to READY, at most: the one absolute time that is asked for."""
RSS_GATE_MIB, RSS_AIM_MIB = 48, 32
SETTLE_S = 3.0
SHIPPED = Path(__file__).parents[1] / "config"


def laid_out(folder: Path) -> Path:
    """Write the shipped table with its state in `folder`: every driver named, no device there."""
    text = (SHIPPED / "station.toml").read_text()
    for name in ("house", "decks"):
        target = folder / name
        target.mkdir(exist_ok=True)
        for file in (SHIPPED / name).iterdir():
            (target / file.name).write_text(file.read_text())
    lines = []
    for line in text.splitlines():
        key = line.split("=")[0].strip()
        if key in ("state_dir", "runtime_dir"):
            line = f'{key} = "{folder / key}"'
            (folder / key).mkdir(mode=0o700, exist_ok=True)
        elif key == "records":
            line = "records = 100"  # room for an evening is made once, at a table's first start
        lines.append(line)
    file = folder / "station.toml"
    file.write_text("\n".join(lines))
    return file


DAEMON = ("-m", "dealerbox.station.daemon")
TELLING = """
import gc, sys
from dealerbox.station.daemon import main
code = main(sys.argv[1:])
print(gc.get_freeze_count())
sys.exit(code)
"""
"""The same daemon, which tells at its end how much of its heap the collector leaves alone."""


def environ_of(bytecode: str) -> dict[str, str]:
    """Return an environment in which every module's bytecode is kept in the folder `bytecode`, as if installed."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**environ, "PYTHONPYCACHEPREFIX": bytecode}


@contextlib.contextmanager
def _daemon(bytecode: str, program: tuple[str, ...] = DAEMON) -> Iterator[tuple[subprocess.Popen[str], float]]:
    """Start the daemon at the shipped table; yield it with the seconds from exec to READY=1."""
    with tempfile.TemporaryDirectory() as name, running(laid_out(Path(name)), bytecode, program) as started:
        yield started


@contextlib.contextmanager
def running(
    config: Path, bytecode: str, program: tuple[str, ...] = DAEMON
) -> Iterator[tuple[subprocess.Popen[str], float]]:
    """Start the daemon over `config`; yield it with the seconds from exec to READY=1."""
    folder = config.parent
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(folder / "notify"))
        notify.settimeout(20)
        environ = {**environ_of(bytecode), "NOTIFY_SOCKET": str(folder / "notify")}
        command = [sys.executable, *program, "--config", str(config)]
        pipe = subprocess.PIPE
        begun = time.perf_counter()
        process = subprocess.Popen(command, env=environ, stdout=pipe, stderr=pipe, text=True)
        try:
            while b"READY=1" not in notify.recv(4096):
                pass
            yield process, time.perf_counter() - begun
        except TimeoutError:
            process.kill()
            raise RuntimeError(f"the daemon was not ready in 20 s: {process.communicate()[1]}") from None
        finally:
            process.terminate()
            process.communicate()


def _import_asyncio(bytecode: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import asyncio"], check=True, env=environ_of(bytecode))
    return time.perf_counter() - begun


def figure(rounds: int = ROUNDS) -> dict[str, object]:
    """Return the figure `start`; both are started in turn, once before it counts to write their bytecode."""
    ready, plain = [], []
    with tempfile.TemporaryDirectory() as bytecode:
        for _ in range(rounds + 1):
            plain.append(_import_asyncio(bytecode))
            with _daemon(bytecode) as (_, seconds):
                ready.append(seconds)
    del ready[0], plain[0]
    ratio = statistics.median(ready) / statistics.median(plain)
    ready_ms = statistics.median(ready) * 1000
    return {
        "figure": "start",
        "ready_ms_p50": round(ready_ms, 1),
        "ready_ms_max": round(max(ready) * 1000, 1),
        "ready_gate_ms": READY_MS,
        "import_asyncio_ms_p50": round(statistics.median(plain) * 1000, 1),
        "ratio": round(ratio, 2),
        "gate": GATE,
        "passes": ratio <= GATE and ready_ms <= READY_MS,
    }


def frozen() -> int:
    """Return how many objects of the running daemon the collector never looks at again."""
    with tempfile.TemporaryDirectory() as bytecode, _daemon(bytecode, ("-c", TELLING)) as (process, _):
        process.terminate()
        told, why = process.communicate(timeout=10)
    if not told.strip().isdigit():
        raise RuntimeError(f"the daemon told no count: {why[-300:]}")
    return int(told)


def memory(settle_s: float = SETTLE_S) -> dict[str, object]:
    """Return the figure `rss_mib`: the daemon's resident memory some seconds after READY."""
    with tempfile.TemporaryDirectory() as bytecode:
        with _daemon(bytecode):
            pass  # writes the bytecode: compiling takes memory that an installed daemon never needs
        with _daemon(bytecode) as (process, _):
            time.sleep(settle_s)
            status = Path(f"/proc/{process.pid}/status").read_text()
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return {
        "figure": "rss_mib",
        "rss_mib": round(resident / 1024, 1),
        "gate": RSS_GATE_MIB,
        "aim": RSS_AIM_MIB,
        "passes": resident / 1024 <= RSS_GATE_MIB,
    }
