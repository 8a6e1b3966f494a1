"""`python -m bench.fuzz [--seconds N]`: atheris at every decoder; the first byte of an input says which.

Exit 1 with the input when a rule of `bench.decoders` is broken. atheris is no dependency: CONTRIBUTING.md
says how it is had.
"""

import sys
from importlib import import_module

atheris = import_module("atheris")

with atheris.instrument_imports(include=["dealerbox_drivers"]):
    from bench.decoders import breach, wires

WIRES = wires()


def tried(data: bytes) -> None:
    """Feed one decoder in chunks of the size that the input's second byte says."""
    if len(data) < 3:
        return
    wire, size, rest = WIRES[data[0] % len(WIRES)], data[1] or 256, data[2:]
    said = breach(wire, [rest[at : at + size] for at in range(0, len(rest), size)])
    if said:
        raise AssertionError(f"{wire.name}: {said}")


def main(words: list[str]) -> None:
    """Run for as long as is asked, ten minutes unless it is said."""
    seconds = words[words.index("--seconds") + 1] if "--seconds" in words else "600"
    atheris.Setup(["fuzz", f"-max_total_time={seconds}", "-max_len=700", "-print_final_stats=1"], tried)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
