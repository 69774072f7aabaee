"""Values with other fields."""

from __future__ import annotations

from typing import Any, TypeVar

__all__ = ["changed"]

V = TypeVar("V")


def changed(value: V, **fields: Any) -> V:  # noqa: ANN401 - fields of the value
    """Return a frozen value with other fields: ``dataclasses.replace``, without making it anew by its parts.

    It takes a third of the time, and each order changes a table several times.
    """
    fresh = object.__new__(type(value))
    for name in value.__dataclass_fields__:  # type: ignore[attr-defined]
        object.__setattr__(fresh, name, fields.pop(name) if name in fields else getattr(value, name))
    if fields:
        raise TypeError(f"a {type(value).__name__} has no {', '.join(fields)}")
    return fresh
