"""Loops of tests: in threads of their own, as the browser tests leave one running in the first."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["apart"]

T = TypeVar("T")


def apart(work: Coroutine[object, object, T]) -> T:
    """Run to the end in a loop and a thread of its own. Returns what comes of it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()  # noqa: TID251 - this is the place for it
