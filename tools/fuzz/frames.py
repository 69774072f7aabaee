"""Floods of WebSocket frames without content, by an anonymous client, while another plays elsewhere.

The server has to close the connection, and may not keep the player waiting.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from urllib.parse import urlsplit

from websockets.asyncio.client import connect

from ekoes.protocol import PROTOCOL
from tools.faults.player import cookie_of, create_table

_SIZE = 3_000_000
_PLAN = {"game": "eko", "options": {"players": 2}, "seats": [{"kind": "here"}, {"kind": "open"}]}
_MASK = bytes(4)
_LIMITED_OTHERWISE = "empty messages"
"""Each is answered, at the pace of all messages: the connection stays."""
FLOODS = {
    "pings": (b"", b"\x89\x80" + _MASK),
    "pongs": (b"", b"\x8a\x80" + _MASK),
    "continuations": (b"\x01\x80" + _MASK, b"\x00\x80" + _MASK),
    _LIMITED_OTHERWISE: (b"", b"\x81\x80" + _MASK),
}
"""Kinds of flood: how each begins, and the frame that is repeated."""
_PATIENCE = 1.0
"""Seconds that an order elsewhere may take on a busy machine."""


async def flooded(address: str, report: Callable[[str], object]) -> list[str]:
    """Flood a server in each way, report what was measured, and return what was wrong."""
    found = []
    for kind, (first, frame) in FLOODS.items():
        slowest, is_closed = await _flooded(address, first + frame * (_SIZE // len(frame)))
        ends = "closed" if is_closed else "left open"
        result = f"flood of {kind}: {ends}, the slowest order elsewhere took {slowest * 1000:.0f} ms"
        report(result)
        if slowest > _PATIENCE or (kind != _LIMITED_OTHERWISE and not is_closed):
            found.append(result)
    return found


async def _flooded(address: str, frames: bytes) -> tuple[float, bool]:
    """Return the seconds of the slowest order meanwhile, and whether the connection was closed."""
    cookie, stranger = await cookie_of(address), await cookie_of(address)
    own, other = [f"/api/tables/{await create_table(address, cookie, _PLAN)}/socket" for _ in range(2)]
    url = f"{address.replace('http', 'ws')}{own}?protocol={PROTOCOL}"
    async with connect(url, additional_headers={"Cookie": cookie}, proxy=None) as connection:
        flood = asyncio.create_task(_flood(address, other, stranger, frames))
        slowest, number = 0.0, 0
        while not flood.done():
            began, number = perf_counter(), number + 1
            order = {"type": "rename", "key": f"k{number}", "seat": 0, "name": f"{number}"}
            await connection.send(json.dumps(order))
            while json.loads(await connection.recv())["type"] != "ack":
                pass
            slowest = max(slowest, perf_counter() - began)
    return slowest, flood.result()


async def _flood(address: str, path: str, cookie: str, frames: bytes) -> bool:
    """Send frames on a new WebSocket; return whether the server closed it."""
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    head = [
        f"GET {path}?protocol={PROTOCOL} HTTP/1.1",
        *(f"Host: {place.netloc}", f"Cookie: {cookie}", "Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13"),
    ]
    writer.write("\r\n".join([*head, "", ""]).encode())
    await reader.readuntil(b"\r\n\r\n")
    reading = asyncio.create_task(reader.read(-1))
    with suppress(ConnectionError):
        writer.write(frames)
        await writer.drain()
    await asyncio.wait([reading], timeout=_PATIENCE)
    is_closed = reading.done()
    reading.cancel()
    writer.close()
    return is_closed
