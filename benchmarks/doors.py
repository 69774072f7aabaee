"""What the way through another process adds: ``python -m benchmarks.doors [--orders N]``.

Two servers on one SQLite database; one seat at a table of the first one's, with a line through each door.
By turns an order is sent through one and the other: from its bytes to those of its acknowledgement.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

import httpx
from websockets.sync.client import ClientConnection, connect

from ekoes.server.messages import PROTOCOL

__all__ = ["main"]

_PLAN = {"game": "eko", "options": {"players": 2}, "seats": [{"kind": "here"}, {"kind": "open"}]}


def main() -> None:
    """Measure, and print both ways and what they differ by."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.doors")
    parser.add_argument("--orders", type=int, default=1000)
    orders: int = parser.parse_args().orders
    with TemporaryDirectory() as folder, ExitStack() as open_now:
        own, other = (open_now.enter_context(_server(Path(folder))) for _ in range(2))
        with httpx.Client(base_url=f"http://{own}", timeout=60) as browser:
            browser.get("/api/meta")
            table = browser.post("/api/tables", json=_PLAN).json()["id"]
            cookie = f"ekoes={browser.cookies['ekoes']}"
        lines = [open_now.enter_context(_line(door, table, cookie)) for door in (own, other)]
        for kind in ("beat", "order"):
            taken = [_asked(lines[number % 2], kind, number) for number in range(2 * orders)]
            for name, each in (("own door", taken[::2]), ("other door", taken[1::2])):
                print(
                    f"{kind}, {name}: median {median(each):.2f} ms, 99 % {quantiles(each, n=100)[98]:.2f} ms"
                )
            print(f"{kind}: added {median(taken[1::2]) - median(taken[::2]):.2f} ms")


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """Start a server, and end it. Yields: where it is."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    command = [sys.executable, "-m", "ekoes", "play", "--no-browser", "--bot-workers", "0"]
    command += ["--port", str(port), "--data", str(folder), "--cluster", address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        if process.stdout is not None:
            process.stdout.readline()
        yield address
        process.terminate()


def _line(door: str, table: str, cookie: str) -> ClientConnection:
    address = f"ws://{door}/api/tables/{table}/socket?protocol={PROTOCOL}"
    return connect(address, additional_headers={"Cookie": cookie}, proxy=None)


def _asked(line: ClientConnection, kind: str, number: int) -> float:
    """Return the milliseconds in which a message was answered."""
    key = f"k{number}"
    order = {"type": "rename", "key": key, "seat": 0, "name": f"N{number}"}
    text = json.dumps({"type": "beat"} if kind == "beat" else order, separators=(",", ":"))
    sent = perf_counter()
    line.send(text)
    while True:
        answer = json.loads(line.recv())
        if answer["type"] == "beat" or answer.get("key") == key:
            return (perf_counter() - sent) * 1000


if __name__ == "__main__":
    main()
