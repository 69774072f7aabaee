"""Loops of tests: in threads of their own, as the browser tests leave one running in the first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["apart", "run_apart"]

P = ParamSpec("P")
T = TypeVar("T")


def apart(work: Coroutine[object, object, T]) -> T:
    """Run to the end in a loop and a thread of its own. Returns what comes of it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()  # noqa: TID251 - this is the place for it


def run_apart(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """Run an asynchronous test in a loop and a thread of its own."""

    @wraps(test)
    def whole(*args: P.args, **named: P.kwargs) -> None:
        apart(test(*args, **named))

    return whole
