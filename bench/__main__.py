"""`python -m bench [FIGURE...]`: one JSON line a figure; exit 1 when a gate is not met."""

import json
import sys

from bench import engine, instructions, objects, start, wire

FIGURES = {
    "wire_to_wire": wire.figure,
    "instructions": instructions.figure,
    "engine": engine.figure,
    "start": start.figure,
    "rss_mib": start.memory,
    "objects": objects.figure,
}


def main(names: list[str]) -> int:
    """Print the figures asked for, all when none is."""
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        print(f"bench: no figure {', '.join(unknown)}; there are: {', '.join(FIGURES)}", file=sys.stderr)
        return 2
    passed = True
    for name in names or FIGURES:
        figure = FIGURES[name]()
        passed = passed and bool(figure["passes"])
        print(json.dumps(figure), flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
