"""What several values of a state fold to: a list, a tuple, what is said by keys."""

from typing import Any

from bench.closure.leaves import Fold, Walk, token


def listed(inner: Fold, unordered: bool) -> Fold:
    """Fold each value of a list, in its order or in none."""
    if inner is token:
        return _tokens(unordered)

    def fold(value: Any, walk: Walk, path: str) -> Any:
        if unordered and len(value) > 1:
            value = sorted(value, key=lambda one: str(inner(one, walk.scratch(), path)))
        return [inner(one, walk, f"{path}{place}") for place, one in enumerate(value)]

    return fold


def once(inner: Fold) -> Fold:
    """Fold a value that depends on no moment once, and know it the next time."""

    def fold(value: Any, walk: Walk, path: str) -> Any:
        known, what = walk.known, (inner, value)
        if what not in known:
            known[what] = inner(value, walk, path)
        return known[what]

    return fold


def each(inner: list[Fold]) -> Fold:
    """Fold values that each have a place, and a way to be folded, of their own."""
    return lambda value, walk, path: [fold(one, walk, path) for fold, one in zip(inner, value, strict=True)]


def mapped(keys: Fold, values: Fold, by_token: bool) -> Fold:
    """Fold what is said by a key; said of a token, it is a mark of that token."""

    def fold(value: Any, walk: Walk, path: str) -> Any:
        if by_token:
            for card, said in value.items():
                walk.marks.setdefault(card, []).append(walk.numbers[path, values(said, walk, path)])
            return len(value)
        return sorted(((keys(one, walk, path), values(said, walk, path)) for one, said in value.items()), key=str)

    return fold


def _tokens(unordered: bool) -> Fold:
    def fold(value: Any, walk: Walk, path: str) -> Any:
        for place, card in enumerate(value):
            walk.marks.setdefault(card, []).append(walk.numbers[path if unordered else f"{path}{place}"])
        return len(value)

    return fold
