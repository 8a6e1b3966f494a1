"""Ways through the states that were found."""

from array import array
from collections.abc import Sequence


def cut_off(ends: bytearray, sources: Sequence[int], targets: Sequence[int]) -> list[int]:
    """Return the states from which no way leads to one of `ends` (1: it is one), looked for backward from these.

    A step leads from `sources[place]` to `targets[place]`.
    """
    total, reached = len(ends), bytearray(ends)
    begins = array("I", bytes(4 * (total + 1)))
    for target in targets:
        begins[target + 1] += 1
    for number in range(total):
        begins[number + 1] += begins[number]
    filled, back = array("I", begins), array("I", bytes(4 * len(targets)))
    for source, target in zip(sources, targets, strict=True):
        back[filled[target]] = source
        filled[target] += 1
    waiting = [number for number in range(total) if reached[number]]
    while waiting:
        number = waiting.pop()
        for place in range(begins[number], begins[number + 1]):
            source = back[place]
            if not reached[source]:
                reached[source] = 1
                waiting.append(source)
    return [number for number in range(total) if not reached[number]]
