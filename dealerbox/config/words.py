"""What a type allows, in words for the person who writes the file."""

from typing import Any

import msgspec.inspect as types


def allowed(kind: Any) -> str:
    """Return what values of a field's type may be: `a whole number 1..20`; a type's own description goes first."""
    return _words(types.type_info(kind))


def _words(info: types.Type) -> str:
    match info:
        case types.Metadata(extra_json_schema={"description": str(description)}):
            return description
        case types.Metadata():
            return _words(info.type)
        case types.BoolType():
            return "true or false"
        case types.IntType():
            return f"a whole number{_range(info.ge, info.le)}"
        case types.FloatType():
            return f"a number{_range(info.ge, info.le)}"
        case types.StrType():
            return "text, not empty" if info.min_length else "text"
        case types.EnumType():
            return ", ".join(member.value for member in info.cls)
        case types.LiteralType():
            return ", ".join(map(str, info.values))
        case types.VarTupleType():
            return f"a list, each {_words(info.item_type)}"
        case types.DictType():
            return f"a table, {_words(info.key_type)} = {_words(info.value_type)}"
        case types.UnionType():
            return " or ".join(_words(member) for member in info.types if not isinstance(member, types.NoneType))
    return "a table"


def _range(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return ""
    if high is None:
        return f" from {low}"
    return f" {low}..{high}" if low is not None else f" up to {high}"
