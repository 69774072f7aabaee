"""Some at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

__all__ = ["batches"]

T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """Yield items in groups of a size, the last one perhaps smaller."""
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch
