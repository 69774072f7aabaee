"""What a word from process to process takes: ``python -m benchmarks.bus --redis URL [--words N]``.

Two processes on one machine; a word is said, heard, and answered, one after the other: by HTTP, by Redis'
channels, and by its streams, which the program does not use. Sealed each way, as the program does it.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Protocol

import uvicorn

from ekoes.server.cluster.bus import Word
from ekoes.server.cluster.by_http import HttpBus
from ekoes.server.cluster.by_redis import RedisBus
from ekoes.server.cluster.seal import Seal
from ekoes.server.together.link import Link

__all__ = ["main"]

_SEAL = Seal(b"k" * 32)
_KINDS = ("http", "channels", "streams")
_WARM = 50


class _Way(Protocol):
    async def say(self, word: Word, address: str) -> bool: ...


class _Streams:
    """A stream for each process: words go into the one of whom they are for, answers come back alike."""

    def __init__(self, link: Link, address: str) -> None:
        self._redis: Any = link.redis
        self._address, self._last = address, b"$"

    async def say(self, word: Word, address: str) -> bool:
        last = await self._redis.xadd(self._address, {"begin": b""})
        await self._redis.xadd(address, {"word": _SEAL.close(word)})
        while not await self._redis.xread({self._address: last}, block=1000):
            pass
        return True

    async def answer(self) -> None:
        while True:
            for _, rows in await self._redis.xread({self._address: self._last}, block=1000) or []:
                for self._last, fields in rows:
                    if (word := _SEAL.open(fields.get(b"word", b""))) is not None:
                        await self._redis.xadd(word.back, {"heard": _SEAL.close(word)}, maxlen=100)


def main() -> None:
    """Measure, and print each way; or be who answers."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bus")
    parser.add_argument("--redis", required=True)
    parser.add_argument("--words", type=int, default=2000)
    parser.add_argument("--answer", choices=_KINDS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.answer:
        with suppress(KeyboardInterrupt):
            asyncio.run(_answer(asked.answer, asked.redis))
        return
    for kind in _KINDS:
        with _answering(kind, asked.redis) as address:
            taken = asyncio.run(_asked(kind, asked.redis, address, asked.words))
        print(f"{kind}: median {median(taken):.2f} ms, 99 % {quantiles(taken, n=100)[98]:.2f} ms")


@contextmanager
def _answering(kind: str, url: str) -> Iterator[str]:
    """Start the other process. Yields: its address."""
    command = [sys.executable, "-m", "benchmarks.bus", "--redis", url, "--answer", kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        yield process.stdout.readline().strip() if process.stdout is not None else ""
        process.terminate()


async def _answer(kind: str, url: str) -> None:
    """Say where this process is, and answer for ever."""
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"127.0.0.1:{listener.getsockname()[1]}"
    link, by_http = Link(url), HttpBus(_SEAL)
    by_redis = RedisBus(link, address, _SEAL)
    await by_http.start(_hear)
    await by_redis.start(_hear)
    await asyncio.sleep(0.5)
    print(address, flush=True)
    if kind == "streams":
        await _Streams(link, address).answer()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await by_http.answer(scope, receive, send)

    await uvicorn.Server(uvicorn.Config(application, lifespan="off", log_level="error")).serve([listener])


async def _asked(kind: str, url: str, address: str, words: int) -> list[float]:
    """Return the milliseconds of each word."""
    link, by_http = Link(url), HttpBus(_SEAL)
    by_redis = RedisBus(link, "asking", _SEAL)
    ways: dict[str, _Way] = {"http": by_http, "channels": by_redis, "streams": _Streams(link, "asking")}
    await by_http.start(_hear)
    await by_redis.start(_hear)
    await asyncio.sleep(0.5)
    taken = []
    for number in range(_WARM + words):
        word = Word("b", "a", "asking", number, "news", '["abcdefghij", "klmnopqrst"]')
        began = perf_counter()
        if not await ways[kind].say(word, address):
            raise SystemExit(f"{kind}: nobody answers")
        taken.append((perf_counter() - began) * 1000)
    await by_redis.stop()
    await by_http.stop()
    await link.stop()
    return taken[_WARM:]


async def _hear(_word: Word) -> bool:
    return True


if __name__ == "__main__":
    main()
