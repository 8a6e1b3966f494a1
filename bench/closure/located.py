"""Where a field stands in a struct, whichever part of it it belongs to."""

import typing
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import msgspec

from dealerbox.engine.state import State


def locate(kind: type[msgspec.Struct], name: str) -> Callable[[Any], Any]:
    """Return what reads the field `name` of a struct, or of a struct that it is made of."""
    return attrgetter(where(kind, name))


def where(kind: type[msgspec.Struct], name: str) -> str:
    """Return the way to the field `name` in a struct, or in a struct that it is made of."""
    if name in kind.__struct_fields__:
        return name
    for field, hint in typing.get_type_hints(kind).items():
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct) and hint is not kind:
            try:
                return f"{field}.{where(hint, name)}"
            except AttributeError:
                continue
    raise AttributeError(f"{kind.__name__} has no field {name}, nor has anything in it")


def reader(*names: str) -> Callable[[State], tuple[Any, ...]]:
    """Return what reads several fields of a state, or of a struct that it is made of, at once."""
    return attrgetter(*(where(State, name) for name in names))


READ: Final = {
    name: locate(State, name)
    for name in ("now_ns", "wakes", "holds", "memory", "deck", "decks", "out", "phase", "undo")
}
"""What reads a field of a state that the closure itself looks at."""
