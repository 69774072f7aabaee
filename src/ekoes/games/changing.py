"""Values that are dataclasses: their fields, and values with other ones."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

__all__ = ["changed", "field_names"]

V = TypeVar("V")


@cache
def field_names(cls: type[Any]) -> tuple[str, ...]:
    """Return the names of a dataclass's fields."""
    return tuple(field.name for field in fields(cls))


def changed(value: V, **others: Any) -> V:  # noqa: ANN401 - fields of the value
    """Return a frozen value with other fields: ``dataclasses.replace``, without making it anew by its parts.

    It takes a third of the time, and each order changes a table several times.
    """
    fresh = object.__new__(type(value))
    for name in field_names(type(value)):  # type: ignore[arg-type] # a type can be hashed
        object.__setattr__(fresh, name, others.pop(name) if name in others else getattr(value, name))
    if others:
        raise TypeError(f"a {type(value).__name__} has no {', '.join(others)}")
    return fresh
