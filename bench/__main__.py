"""`python -m bench [--quick] [FIGURE...]`: one JSON line a figure; exit 1 when a gate is not met.

`--quick`: each figure from few events, to see that it can be measured; its numbers prove nothing.
"""

import json
import sys
from collections.abc import Callable

from bench import (
    engine,
    full_read,
    instructions,
    journal,
    noise,
    objects,
    polling,
    signing,
    simulated,
    start,
    technician,
    wire,
)

FIGURES: dict[str, Callable[..., dict[str, object]]] = {
    "wire_to_wire": wire.figure,
    "crowded": wire.crowded,
    "instructions": instructions.figure,
    "engine": engine.figure,
    "record": journal.figure,
    "recovery": journal.recovery,
    "start": start.figure,
    "rss_mib": start.memory,
    "status": technician.status,
    "diag_list": technician.listing,
    "watch": technician.watched,
    "objects": objects.figure,
    "signing": signing.figure,
    "noise": noise.figure,
    "polling": polling.figure,
    "full_read": full_read.figure,
    "simulated": simulated.figure,
    "simulated_wires": simulated.wires,
}


QUICK: dict[str, dict[str, int]] = {
    "wire_to_wire": {"count": 500, "runs": 1},
    "crowded": {"count": 300, "runs": 1},
    "instructions": {},
    "engine": {"rounds": 2},
    "record": {"count": 100},
    "recovery": {"records": 2000},
    "start": {"rounds": 2},
    "rss_mib": {"settle_s": 1},
    "status": {"rounds": 2},
    "diag_list": {"rounds": 2},
    "watch": {"seconds": 2},
    "objects": {"hands": 20},
    "signing": {"hands": 50},
    "noise": {"size": 20_000},
    "polling": {"seconds": 2},
    "full_read": {"looks": 3},
    "simulated": {"hands": 20},
    "simulated_wires": {"hands": 1},
}


def main(words: list[str]) -> int:
    """Print the figures asked for, all when none is."""
    quick = "--quick" in words
    names = [word for word in words if word != "--quick"]
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        print(f"bench: no figure {', '.join(unknown)}; there are: {', '.join(FIGURES)}", file=sys.stderr)
        return 2
    passed = True
    for name in names or FIGURES:
        figure = FIGURES[name](**QUICK[name] if quick else {})
        passed = passed and bool(figure["passes"])
        print(json.dumps(figure), flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
