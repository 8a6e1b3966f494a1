"""`wire_to_wire`: a card frame in on a pty, the hold frame out, beside a C loop and a bare loop that only answer."""

import contextlib
import os
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


def figure(count: int = 20_000, seed: int = 1) -> dict[str, object]:
    """Return the figure of one run: `count` events a host, the hosts in random order, one event at a time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "wire"
        source = Path(__file__).with_name("wire.c")
        subprocess.run(["cc", "-O2", "-o", str(program), str(source)], check=True)
        with _hosts(folder, program) as far:
            command = [str(program), "measure", str(count), str(seed), *map(str, far)]
            told = subprocess.run(command, pass_fds=far, check=True, capture_output=True, text=True).stdout
    rows = dict(zip(HOSTS, ([int(word) / 1000 for word in line.split()] for line in told.splitlines()), strict=True))
    ratios = {
        "c_p50": rows["ours"][0] / rows["c"][0],
        "bare_p50": rows["ours"][0] / rows["bare"][0],
        "c_p99": rows["ours"][1] / rows["c"][1],
    }
    return {
        "figure": "wire_to_wire",
        **{f"{host}_us": dict(zip(("p50", "p99", "p99_9", "max"), rows[host], strict=True)) for host in HOSTS},
        "ratios": {name: round(ratio, 2) for name, ratio in ratios.items()},
        "gates": GATES,
        "aims": AIMS,
        "events": count,
        "passes": all(ratios[name] <= GATES[name] for name in GATES),
    }
