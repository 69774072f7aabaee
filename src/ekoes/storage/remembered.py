"""What was read or made a short while ago, a limited number of things."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

__all__ = ["Remembered"]

V = TypeVar("V")


class Remembered(Generic[V]):
    """Forgets what has not been asked for the longest. Any thread may use it."""

    def __init__(self, most: int) -> None:
        """Begin with nothing. most: how much is remembered."""
        self._most = most
        self._found: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable) -> V | None:
        """Return what is remembered under a key, None if nothing is."""
        value = self._found.pop(key, None)
        if value is not None:
            self._found[key] = value
        return value

    def put(self, key: Hashable, value: V) -> V:
        """Remember something, and return it."""
        self._found[key] = value
        if len(self._found) > self._most:
            self._found.popitem(last=False)
        return value
