"""WebKit as a test drives it, by the protocol that browsers share (WebDriver); Debian's will do."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tests.kit.server import free_port
from tests.services.programs import find

__all__ = ["Kit", "webkit"]

PATIENCE = 120.0
"""Seconds that something may take on a busy machine before a test fails."""
_CAPABILITIES = {"capabilities": {"alwaysMatch": {"browserName": "MiniBrowser"}}}
_WAIT = """
const [done] = arguments;
const until = Date.now() + {patience};
(function look() {{
  if ({condition}) done(true);
  else if (Date.now() > until) done(false);
  else setTimeout(look, 50);
}})();"""


class Kit:
    """One page in WebKit."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._session = self._post("session", _CAPABILITIES)["sessionId"]
        self._post("timeouts", {"script": 1000 * PATIENCE})

    def goto(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        self._post("url", {"url": address})

    def tap(self, target: str) -> None:
        """Click an element where it lies, as a mouse does."""
        found = self._post("element", {"using": "css selector", "value": target})
        (element,) = found.values()
        self._post(f"element/{element}/click", {})

    def value(self, expression: str) -> Any:
        """Return what an expression comes to in the page. Raises AssertionError if it throws."""
        return self._post("execute/sync", {"script": f"return {expression};", "args": []})

    def wait(self, condition: str) -> None:
        """Wait until an expression is true in the page. Raises AssertionError if it stays false."""
        script = _WAIT.format(patience=int(1000 * PATIENCE), condition=condition)
        assert self._post("execute/async", {"script": script, "args": []}), f"waited in vain for: {condition}"

    def picture(self) -> str:
        """Return the page as a PNG in Base64."""
        return str(self._answer(self._client.get(f"/session/{self._session}/screenshot")))

    def close(self) -> None:
        """End the browser."""
        self._client.delete(f"/session/{self._session}")

    def _post(self, command: str, content: dict[str, Any]) -> Any:
        path = "/session" if command == "session" else f"/session/{self._session}/{command}"
        return self._answer(self._client.post(path, json=content))

    @staticmethod
    def _answer(answer: httpx.Response) -> Any:
        assert answer.is_success, answer.text
        return answer.json()["value"]


@contextmanager
def webkit() -> Iterator[Kit]:
    """Run WebKitGTK's own small browser."""
    with _screen() as display, _driver(display) as client:
        page = Kit(client)
        try:
            yield page
        finally:
            page.close()


@contextmanager
def _screen() -> Iterator[str]:
    read, write = os.pipe()
    command = [find("xvfb"), "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as told:
            yield f":{told.readline().strip()}"
    finally:
        process.kill()
        process.wait()


@contextmanager
def _driver(display: str) -> Iterator[httpx.Client]:
    port = free_port()
    environment = os.environ | {"DISPLAY": display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
    process = subprocess.Popen([find("webkit"), f"--port={port}"], env=environment, stderr=subprocess.DEVNULL)
    transport = httpx.HTTPTransport(retries=10)
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=2 * PATIENCE, transport=transport)
    try:
        with client:
            yield client
    finally:
        process.kill()
        process.wait()
