"""Firefox as a test drives it, by the protocol that browsers share (WebDriver BiDi); Debian's will do."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

from tests.services.programs import find

__all__ = ["Fox", "firefox"]

PATIENCE = 60.0
"""Seconds that something may take on a busy machine before a test fails."""
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_VALUE = "JSON.stringify((await (async () => {code})()) ?? null)"
_RESTS = """
let [box, before] = ['', null];
while (box !== before) {{
  before = box;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  box = JSON.stringify({found}.getBoundingClientRect());
}}"""
_UNTIL = """
const until = Date.now() + {patience};
while (!({condition})) {{
  if (Date.now() > until) throw new Error('waited in vain for: ' + {told});
  await new Promise((done) => setTimeout(done, 50));
}}"""

Json = dict[str, Any]


class Fox:
    """One page in Firefox."""

    def __init__(self, line: ClientConnection) -> None:
        """Take a page over the line of a browser that has just been started."""
        self._line = line
        self._numbers = itertools.count()
        self._ask("session.new", capabilities={})
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def __enter__(self) -> Self:
        """Use it in a block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the page as it is: the browser ends with its process."""

    def resize(self, width: int, height: int) -> None:
        """Give the page a size, in CSS pixels."""
        self._ask(
            "browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height}
        )

    def prepare(self, function: str) -> None:
        """Run a function in every page that is opened from now on, before the page's own scripts."""
        self._ask("script.addPreloadScript", functionDeclaration=function)

    def goto(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def value(self, expression: str) -> Any:
        """Return what an expression comes to in the page. Raises AssertionError if it throws."""
        return json.loads(self._run(f"return {expression};"))

    def wait(self, condition: str) -> None:
        """Wait until an expression is true in the page. Raises AssertionError if it stays false."""
        told = json.dumps(condition)
        self._run(_UNTIL.format(patience=int(PATIENCE * 1000), condition=condition, told=told))

    def click(self, selector: str) -> None:
        """Click with the mouse in the middle of the first element that a selector finds, once it rests."""
        found = f"document.querySelector({json.dumps(selector)})"
        self.wait(f"{found} && !{found}.disabled")
        self._run(f"{found}.scrollIntoView({{ block: 'nearest' }});")
        self._run(_RESTS.format(found=found))
        # Where it is then, and not where it was when that was asked: what is above it may grow meanwhile.
        node = self._ask(
            "script.evaluate", expression=found, target={"context": self._page}, awaitPromise=False
        )
        origin = {"type": "element", "element": {"sharedId": node["result"]["sharedId"]}}
        moves = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._ask(
            "input.performActions",
            context=self._page,
            actions=[{"type": "pointer", "id": "mouse", "actions": moves}],
        )

    def picture(self) -> str:
        """Return the page as a PNG in Base64."""
        return str(self._ask("browsingContext.captureScreenshot", context=self._page)["data"])

    def _run(self, code: str) -> str:
        done = self._ask(
            "script.evaluate",
            expression=f"(async () => {_VALUE.format(code='{' + code + '}')})()",
            target={"context": self._page},
            awaitPromise=True,
            userActivation=True,
        )
        assert done["type"] == "success", done["exceptionDetails"]["text"]
        return str(done["result"]["value"])

    def _ask(self, method: str, **params: Any) -> Json:
        """Send a command and return its result, passing over events."""
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self._line.recv(timeout=2 * PATIENCE))).get("id") != number:
            pass
        assert answer["type"] == "success", answer
        result: Json = answer["result"]
        return result


@contextmanager
def firefox(folder: Path) -> Iterator[Fox]:
    """Run Firefox without a window. folder: an empty one for its profile."""
    path = find("firefox")
    command = [path, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"HOME": str(folder)},
    )
    try:
        with connect(f"{_address(process)}/session", max_size=None, proxy=None) as line, Fox(line) as fox:
            yield fox
    finally:
        process.kill()
        process.communicate()
        shutil.rmtree(folder, ignore_errors=True)


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for text in process.stderr:
        if found := _LISTENS.search(text):
            return found[1]
    raise AssertionError("Firefox ended before it answered")
