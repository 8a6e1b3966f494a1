"""`wire_to_wire`: a card frame in on a pty, the hold frame out, beside a C loop and a bare loop that only answer.

`crowded`: the same of our host alone, under SCHED_FIFO as the unit has it, with four busy processes beside it.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import tty
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.full_table import far_side

GATES = {"c_p50": 2.0, "bare_p50": 1.3, "c_p99": 2.5}
AIMS = {"c_p50": 1.6, "bare_p50": 1.2, "c_p99": 1.5}
HOSTS = ("c", "bare", "ours")
HOGS = 4
HOST_PRIORITY, FAR_PRIORITY = 50, 60
"""The unit's own, and that of what stands for hardware here."""
PAUSE_US = 1_000
"""Between events, where hosts have SCHED_FIFO: the kernel lets it take no more than 95 % of a processor."""
CROWDED_GATE = 2.0


@contextlib.contextmanager
def _hosts(folder: Path, program: Path, kinds: Sequence[str], ports: dict[str, str]) -> Iterator[list[int]]:
    """Run one host of each kind on its own pty; yield the far sides' descriptors."""
    running, far = [], []
    try:
        for kind in kinds:
            there, here = os.openpty()
            tty.setraw(here)
            far.append(there)
            if kind == "c":
                command = [str(program), "host", str(here)]
            else:
                command = [sys.executable, "-m", "bench.hosts", kind, str(here), str(folder / kind), json.dumps(ports)]
            (folder / kind).mkdir()
            process = subprocess.Popen(command, pass_fds=(here,), stdout=subprocess.PIPE, text=True)
            running.append(process)
            os.close(here)
            if kind != "c":
                assert process.stdout is not None
                if process.stdout.readline() != "ready\n":
                    raise RuntimeError(f"the {kind} host did not start")
        yield far
    finally:
        for process in running:
            process.kill()
            process.communicate()
        for descriptor in far:
            os.close(descriptor)


@contextlib.contextmanager
def _compiled() -> Iterator[tuple[Path, Path]]:
    """Yield the C program, and a folder for the hosts."""
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "wire"
        source = Path(__file__).with_name("wire.c")
        subprocess.run(["cc", "-O2", "-o", str(program), str(source)], check=True)
        yield program, Path(name)


def _measured(program: Path, far: Sequence[int], count: int, seed: int, pause_us: int) -> list[list[float]]:
    """Return p50, p99, p99.9 and maximum of each host, us."""
    command = [str(program), "measure", str(count), str(seed), str(pause_us), *map(str, far)]
    told = subprocess.run(command, pass_fds=far, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [[int(word) / 1000 for word in line.split()] for line in told.splitlines()]


def _run(program: Path, folder: Path, count: int, seed: int) -> dict[str, list[float]]:
    """Return the figures of each host of one run with hosts of its own."""
    folder.mkdir()
    with far_side() as table, _hosts(folder, program, HOSTS, table.ports) as far:
        return dict(zip(HOSTS, _measured(program, far, count, seed, 0), strict=True))


def figure(count: int = 20_000, runs: int = 3) -> dict[str, object]:
    """Return the figure: the median of `runs`, in each `count` events a host, one at a time, hosts in random order."""
    with _compiled() as (program, folder):
        told = [_run(program, folder / str(seed), count, seed) for seed in range(1, runs + 1)]
    each = {
        "c_p50": [rows["ours"][0] / rows["c"][0] for rows in told],
        "bare_p50": [rows["ours"][0] / rows["bare"][0] for rows in told],
        "c_p99": [rows["ours"][1] / rows["c"][1] for rows in told],
        "c_p99_9": [rows["ours"][2] / rows["c"][2] for rows in told],
    }
    ratios = {name: statistics.median(values) for name, values in each.items()}
    return {
        "figure": "wire_to_wire",
        **{
            f"{host}_us": {
                quantile: round(statistics.median(rows[host][place] for rows in told), 1)
                for place, quantile in enumerate(("p50", "p99", "p99_9", "max"))
            }
            for host in HOSTS
        },
        "ratios": {name: round(ratio, 2) for name, ratio in ratios.items()},
        "ratios_of_runs": {name: [round(value, 2) for value in values] for name, values in each.items()},
        "gates": GATES,
        "aims": AIMS,
        "events": count,
        "runs": runs,
        "passes": all(ratios[name] <= GATES[name] for name in GATES),
    }


@contextlib.contextmanager
def _hogs(number: int) -> Iterator[None]:
    """Keep so many processes busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for hog in busy:
            hog.kill()
            hog.wait()


@contextlib.contextmanager
def _priority(priority: int) -> Iterator[None]:
    """Give this process SCHED_FIFO, and with it what is started within; 0: none. PermissionError without the right."""
    if priority:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def _alone(program: Path, folder: Path, count: int, *, fifo: bool) -> list[float]:
    folder.mkdir()
    with contextlib.ExitStack() as stack:
        with _priority(FAR_PRIORITY * fifo):
            table = stack.enter_context(far_side())
        with _priority(HOST_PRIORITY * fifo):
            far = stack.enter_context(_hosts(folder, program, ["ours"], table.ports))
        stack.enter_context(_hogs(HOGS * fifo))
        with _priority(FAR_PRIORITY * fifo):
            return _measured(program, far, count, 1, PAUSE_US)[0]


def crowded(count: int = 5_000, runs: int = 3) -> dict[str, object]:
    """Return the figure: p99 with hogs and SCHED_FIFO of p99 without either, the median of `runs`, in turn."""
    idle, beside = [], []
    with _compiled() as (program, folder):
        try:
            for run in range(runs):
                idle.append(_alone(program, folder / f"idle{run}", count, fifo=False))
                beside.append(_alone(program, folder / f"crowded{run}", count, fifo=True))
        except PermissionError as error:
            return {"figure": "crowded", "why": f"SCHED_FIFO is not allowed here: {error}", "passes": False}
    ratios = [with_hogs[1] / without[1] for with_hogs, without in zip(beside, idle, strict=True)]
    ratio = statistics.median(ratios)
    return {
        "figure": "crowded",
        "hogs": HOGS,
        "idle_us": {
            "p50": round(statistics.median(row[0] for row in idle), 1),
            "p99": round(statistics.median(row[1] for row in idle), 1),
        },
        "crowded_us": {
            "p50": round(statistics.median(row[0] for row in beside), 1),
            "p99": round(statistics.median(row[1] for row in beside), 1),
        },
        "ratio": round(ratio, 2),
        "ratios_of_runs": [round(each, 2) for each in ratios],
        "gate": CROWDED_GATE,
        "events": count,
        "runs": runs,
        "passes": ratio <= CROWDED_GATE,
    }
