"""Chance as a test decides it."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

from ekoes.games.api.chance import Chance

__all__ = ["Dealing"]


class Dealing(Chance):
    """Shuffles into the orders that a test hands out. orders: returns the next one."""

    def __init__(self, orders: Callable[[], Sequence[int]]) -> None:
        super().__init__(0)
        self._orders = orders

    def shuffle(self, items: MutableSequence[Any]) -> None:
        items[:] = self._orders()
