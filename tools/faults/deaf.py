"""Readers who do not read: sockets that ask a server for more and more, and take nothing of it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Sequence
from pathlib import Path

from websockets.client import ClientProtocol
from websockets.protocol import State
from websockets.uri import parse_uri

from ekoes.server.messages import PROTOCOL
from tools.faults.cluster import Process

__all__ = ["is_let_go"]

_PATIENCE = 60.0
"""Seconds in which a socket has to be let go."""
_AGAIN = 0.5
_BUFFER = 4096
_AT_ONCE = 20
_MOST, _MOST_OF_ONE = 32 << 20, 8 << 20
"""Bytes by which the server may grow while others play on, and for each such socket besides."""


async def is_let_go(server: Process, cookies: Sequence[str], table: str) -> str | None:
    """Let sockets ask for a table again and again and read nothing. Returns: what was wrong, if anything.

    cookies: whose they are.
    """
    before = _memory(server.pid)
    try:
        async with asyncio.timeout(_PATIENCE):
            await asyncio.gather(*(_ask_for_ever(server, cookie, table) for cookie in cookies))
    except TimeoutError:
        return f"a socket that reads nothing is still there after {_PATIENCE:.0f} s"
    grown = _memory(server.pid) - before
    return (
        f"the server has grown by {grown >> 20} MiB" if grown > _MOST + len(cookies) * _MOST_OF_ONE else None
    )


async def _ask_for_ever(server: Process, cookie: str, table: str) -> None:
    """Ask until the line is lost."""
    loop, number = asyncio.get_running_loop(), 0
    line, raw = await _let_in(server, cookie, table)
    try:
        while True:
            for _ in range(_AT_ONCE):
                number += 1
                line.protocol.send_text(json.dumps({"type": "table", "key": f"deaf-{number}"}).encode())
            await loop.sock_sendall(raw, b"".join(line.protocol.data_to_send()))
            await asyncio.sleep(0.05)
    except OSError:
        return
    finally:
        raw.close()


async def _let_in(server: Process, cookie: str, table: str) -> tuple[_Deaf, socket.socket]:
    """Open a line; a server that something has just befallen may let nobody in for a while."""
    while True:
        line = _opened(server, cookie, table)
        try:
            return line, await asyncio.to_thread(line.connect)
        except OSError:
            await asyncio.sleep(_AGAIN)


class _Deaf:
    """A socket whose buffer is as small as can be."""

    def __init__(self, server: Process, cookie: str, address: str) -> None:
        self._server, self._cookie = server, cookie
        self.protocol = ClientProtocol(parse_uri(address))

    def connect(self) -> socket.socket:
        """Open the line: read the answer to the handshake, and nothing after it. Raises OSError."""
        raw = socket.socket()
        try:
            self._connect(raw)
        except OSError:
            raw.close()
            raise
        return raw

    def _connect(self, raw: socket.socket) -> None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        raw.settimeout(_PATIENCE)
        raw.connect(self._server.address)
        request = self.protocol.connect()
        request.headers["Cookie"] = self._cookie
        self.protocol.send_request(request)
        raw.sendall(b"".join(self.protocol.data_to_send()))
        answer = b""
        while b"\r\n\r\n" not in answer:
            if not (some := raw.recv(1)):
                raise OSError("the line was cut before it was let in")
            answer += some
        self.protocol.receive_data(answer)
        if self.protocol.state is not State.OPEN:
            raise OSError(f"the line was not let in: {answer[:12]!r}")
        raw.settimeout(0)


def _opened(server: Process, cookie: str, table: str) -> _Deaf:
    address = server.url.replace("http", "ws", 1)
    return _Deaf(server, cookie, f"{address}/api/tables/{table}/socket?protocol={PROTOCOL}")


def _memory(pid: int) -> int:
    """Return how many bytes of memory a process has."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * 4096
