"""TOML tables to frozen structs, one table at a time, so that a message names file, key, fault and what is allowed."""

import json
import os
import tomllib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from dealerbox.config import words

T = TypeVar("T", bound=msgspec.Struct)


class Place(msgspec.Struct, frozen=True):
    """Where a value stands: a file and the keys that lead to it."""

    file: str
    keys: tuple[str, ...] = ()

    def __truediv__(self, key: object) -> "Place":
        return Place(self.file, (*self.keys, str(key)))

    def says(self, text: str) -> str:
        """Return one sentence about this place: `station.toml: devices.shuffler.baud: text`."""
        return ": ".join([self.file, ".".join(self.keys), text] if self.keys else [self.file, text])


def read(file: Path, shown: str) -> tuple[dict[str, Any], bytes] | str:
    """Return the tables of a TOML file and its bytes, or one sentence that says why there are none.

    A file that is not there, or may not be read, raises OSError: the caller knows what it is for.
    """
    data = file.read_bytes()
    try:
        return tomllib.loads(data.decode()), data
    except UnicodeDecodeError as error:
        return f"{shown}: byte {error.start + 1} is not UTF-8; save the file as UTF-8 text"
    except tomllib.TOMLDecodeError as error:
        return f"{shown}: not TOML: {error}; mend that line"


def convert(
    raw: Mapping[str, Any], kind: type[T], at: Place, faults: list[str], known: Collection[str] = ()
) -> T | None:
    """Return `raw` as a `kind`, or None with a sentence in `faults` for each thing wrong.

    `known` are keys of the same table that someone else reads.
    """
    before = len(faults)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    faults.extend(
        at.says(unknown("key", key, [*fields, *known])) for key in raw if key not in fields and key not in known
    )
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name in raw:
            values[field.name] = _value(raw[name], field.type, at / name, faults)
        elif field.required:
            faults.append(at.says(f"key '{name}' is missing; allowed: {words.allowed(field.type)}"))
    return kind(**values) if len(faults) == before else None


def unknown(what: str, word: str, known: Iterable[str]) -> str:
    """Return `unknown key 'buad' (nearest: 'baud'); known: baud, driver, port`."""
    import difflib  # only a file with a fault pays for it

    names = sorted(known)
    near = difflib.get_close_matches(word, names, 1)
    hint = f" (nearest: '{near[0]}')" if near else ""
    return f"unknown {what} '{word}'{hint}; known: {', '.join(names)}"


def shown(value: object) -> str:
    """Return a value of a TOML file as a person would find it there; tables and lists by name."""
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
        case bool() | int() | float() | str():
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def beside(file: str, name: str) -> str:
    """Return the path of `name`, which `file` names: relative to the folder of `file`."""
    return os.path.normpath(Path(file).parent / name)


def _value(raw: Any, kind: Any, at: Place, faults: list[str]) -> Any:
    """Convert one value; what is wrong goes to `faults`."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(raw, dict):
        return convert(raw, kind, at, faults)
    if origin is dict and isinstance(raw, dict):
        return {
            _plain(key, arguments[0], at, faults, "key "): _value(value, arguments[1], at / key, faults)
            for key, value in raw.items()
        }
    if origin is tuple and isinstance(raw, list):
        return tuple(_plain(value, arguments[0], at, faults, "entry ") for value in raw)
    return _plain(raw, kind, at, faults)


def _plain(raw: Any, kind: Any, at: Place, faults: list[str], what: str = "") -> Any:
    if isinstance(raw, str) and not raw.isprintable():
        faults.append(
            at.says(f"{what}{shown(raw)} is not allowed; allowed: text of one line, without control characters")
        )
        return None
    try:
        return msgspec.convert(raw, kind, strict=what != "key ")
    except msgspec.ValidationError:
        faults.append(at.says(f"{what}{shown(raw)} is not allowed; allowed: {words.allowed(kind)}"))
        return None
