"""`wire_to_wire`: a card frame in on a pty, the hold frame out, beside a C loop and a bare loop that only answer."""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import tty
from collections.abc import Iterator
from pathlib import Path

GATES = {"c_p50": 2.5, "bare_p50": 1.5, "c_p99": 2.5}
AIMS = {"c_p50": 1.6, "bare_p50": 1.2, "c_p99": 1.5}
HOSTS = ("c", "bare", "ours")


@contextlib.contextmanager
def _hosts(folder: Path, program: Path) -> Iterator[list[int]]:
    """Run one host of each kind on its own pty; yield the far sides' descriptors."""
    running, far = [], []
    try:
        for kind in HOSTS:
            there, here = os.openpty()
            tty.setraw(here)
            far.append(there)
            if kind == "c":
                command = [str(program), "host", str(here)]
            else:
                command = [sys.executable, "-m", "bench.hosts", kind, str(here), str(folder / kind)]
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


def _run(program: Path, folder: Path, count: int, seed: int) -> dict[str, list[float]]:
    """Return p50, p99, p99.9 and maximum of each host, us, of one run with hosts of its own."""
    folder.mkdir()
    with _hosts(folder, program) as far:
        command = [str(program), "measure", str(count), str(seed), *map(str, far)]
        told = subprocess.run(command, pass_fds=far, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(zip(HOSTS, ([int(word) / 1000 for word in line.split()] for line in told.splitlines()), strict=True))


def figure(count: int = 20_000, runs: int = 3) -> dict[str, object]:
    """Return the figure: the median of `runs`, in each `count` events a host, one at a time, hosts in random order."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "wire"
        source = Path(__file__).with_name("wire.c")
        subprocess.run(["cc", "-O2", "-o", str(program), str(source)], check=True)
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
