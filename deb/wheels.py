"""`python deb/wheels.py ARCHITECTURE FOLDER OWN.whl PYTHON...`: what a Debian package brings to a box.

That box may be another kind of machine than this. Fetches the built files that locks/table-py*.txt name into
FOLDER/wheels, adds this project's own, and writes a list of each Python's, with their places on the box and their
hashes: pip takes nothing else there, and asks nobody.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from packaging.markers import Marker

LOCKS: Final = Path(__file__).parents[1] / "locks"
PLACE: Final = "/usr/lib/dealerbox/wheels"
"""Where they lie on the box."""
MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
GLIBC: Final = 36
"""Debian 12 has glibc 2.36: built files that ask for a later one are for no table."""


def wanted(lock: str, python: str, machine: str) -> Iterator[str]:
    """Yield what a lock asks for on that Python and machine, each with its hashes and without its marker.

    pip would judge the markers by the machine that it runs on.
    """
    there = {"platform_machine": machine, "python_version": python, "python_full_version": f"{python}.0"}
    there |= {"implementation_name": "cpython", "platform_python_implementation": "CPython", "sys_platform": "linux"}
    for entry in lock.replace("\\\n", " ").splitlines():
        if not entry or entry.startswith("#"):
            continue
        what, *hashes = entry.split(" --hash=")
        name, _, marker = what.partition(" ; ")
        if not marker or Marker(marker.strip()).evaluate(there):
            yield " --hash=".join((name.strip(), *(each.strip() for each in hashes)))


def fetch(python: str, machine: str, folder: Path) -> None:
    """Bring the built files of that Python and machine into `folder`; pip tells what cannot be had."""
    lock = (LOCKS / f"table-py{python}.txt").read_text("utf-8")
    tag = "cp" + python.replace(".", "")
    kinds = [f"--platform=manylinux_2_{minor}_{machine}" for minor in range(GLIBC, 4, -1)]
    kinds += [f"--platform=manylinux{year}_{machine}" for year in ("2014", "2010", "1")]
    kinds += [f"--python-version={python}", "--implementation=cp", *(f"--abi={abi}" for abi in (tag, "abi3", "none"))]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as asked:
        asked.write("\n".join(wanted(lock, python, machine)))
        asked.flush()
        command = [sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check", "--no-input"]
        command += ["--no-deps", "--require-hashes", "--only-binary=:all:", *kinds, "-d", str(folder), "-r", asked.name]
        subprocess.run(command, check=True)


def line_of(wheel: Path) -> str:
    """Return the line of a list by which pip takes that file and no other."""
    return f"{PLACE}/{wheel.name} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"


def main(architecture: str, folder: Path, own: Path, pythons: list[str]) -> None:
    """Fill FOLDER/wheels."""
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    shutil.copy(own, wheels)
    for python in pythons:
        with tempfile.TemporaryDirectory() as name:
            fetch(python, MACHINES[architecture], Path(name))
            found = sorted(Path(name).glob("*.whl"))
            lines = [line_of(wheel) for wheel in (*found, wheels / own.name)]
            for wheel in found:
                shutil.copy(wheel, wheels)
        (wheels / f"py{python}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
