"""Readers of a long table where nobody is connected: the table itself, its record, how it once stood."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator

import aiohttp

from benchmarks.server.eko import EkoTable, Script
from benchmarks.server.guest import Guest
from benchmarks.server.load import Load
from benchmarks.server.subject import Subject

__all__ = ["PATHS", "play_through", "read"]

PATHS = {"table": "", "record": "/record", "past position": "/positions/{}"}
"""What is read -> where."""


class _Alone(Load):
    """Tells when one table's game is played to its end."""

    def __init__(self, subject: Subject, decisions: int) -> None:
        super().__init__(subject)
        self.is_over = asyncio.get_running_loop().create_future()
        self._left = decisions

    def done(self, table: EkoTable, sent_at: float) -> None:  # type: ignore[override] # the only table
        self.counted(sent_at)
        self._left -= 1
        if self._left:
            table.decide()
        else:
            self.is_over.set_result(None)


async def play_through(subject: Subject, guests: tuple[Guest, Guest], script: Script) -> str:
    """Play a game to its end, leave the table, and return its path."""
    load = _Alone(subject, len(script.moves))
    table = EkoTable(load, guests, script)
    await table.open()
    table.decide()
    await load.is_over
    table.leave()
    return table.path


async def read(address: str, path: str, seconds: float, readers: int) -> list[float]:
    """Read one thing again and again, and return how many seconds each answer took."""
    took: list[float] = []
    until = time.perf_counter() + seconds
    cookies = aiohttp.CookieJar(unsafe=True)  # for an address of numbers too
    async with aiohttp.ClientSession(address, cookie_jar=cookies) as http:
        await asyncio.gather(
            *(_read(http, _addresses(path, reader), until, took) for reader in range(readers))
        )
    return took


def _addresses(path: str, first: int) -> Iterator[str]:
    """Yield where to read; a moment is another one each time."""
    return (path.format(1 + (first * 37 + number * 11) % 250) for number in itertools.count())


async def _read(
    http: aiohttp.ClientSession, addresses: Iterator[str], until: float, took: list[float]
) -> None:
    while (begun := time.perf_counter()) < until:
        async with http.get(next(addresses)) as answer:
            answer.raise_for_status()
            await answer.read()
        took.append(time.perf_counter() - begun)
