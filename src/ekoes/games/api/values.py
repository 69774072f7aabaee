"""Helpers for frozen dataclasses with slots, and JSON values that are serialised once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

import orjson

V = TypeVar("V")


class Finding:
    """The base of frozen dataclasses with slots and cached properties; a changed copy starts without them."""

    __slots__ = ("__dict__",)


@cache
def field_names(cls: type[Any]) -> tuple[str, ...]:
    """Return the names of a dataclass's fields."""
    return tuple(field.name for field in fields(cls))


def changed(value: V, **others: Any) -> V:  # noqa: ANN401 - fields of the value
    """Return a copy with changed fields: ``dataclasses.replace`` without ``__init__``, and much faster."""
    places, read, writers = _slots(type(value))  # type: ignore[arg-type] # a type can be hashed
    contents = [*read(value)]
    for name, content in others.items():
        if name not in places:
            raise TypeError(f"a {type(value).__name__} has no {name}")
        contents[places[name]] = content
    fresh = object.__new__(type(value))
    for write, content in zip(writers, contents, strict=True):
        write(fresh, content)
    return fresh


@cache
def _slots(
    cls: Any,  # noqa: ANN401 - a dataclass
) -> tuple[dict[str, int], Callable[[Any], tuple[Any, ...]], list[Callable[[Any, Any], None]]]:
    """Return the index of each slot, a reader of all slots, and the writers."""
    names = field_names(cls)
    read = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
    places = {name: place for place, name in enumerate(names)}
    return places, read, [getattr(cls, name).__set__ for name in names]


class Written(dict[str, Any]):
    """A JSON object, read-only, whose canonical text is cached."""

    __slots__ = ("text",)

    text: orjson.Fragment


def canonical(value: Any) -> bytes:  # noqa: ANN401 - JSON is anything
    """Return canonical JSON: compact, keys sorted, in UTF-8."""
    return orjson.dumps(value, _text_of, orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS)


def _text_of(value: object) -> orjson.Fragment:
    if not isinstance(value, Written):
        raise TypeError(f"{type(value).__name__} is no JSON")
    try:
        return value.text
    except AttributeError:
        value.text = orjson.Fragment(canonical(dict(value)))
        return value.text


def copied(value: Any) -> Any:  # noqa: ANN401 - JSON is anything
    """Return a deep copy of JSON without shared objects, which ``copy.deepcopy`` preserves."""
    if isinstance(value, dict):
        return {key: copied(content) for key, content in value.items()}
    return [*map(copied, value)] if isinstance(value, list) else value
