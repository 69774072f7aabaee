"""The lobby as a test looks into it: what its messages have told together."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from ekoes.protocol.diff import changed
from ekoes.protocol.incoming import PROTOCOL
from tests.server.browser import PATIENCE, Browser

Json = dict[str, Any]
_KEYS = (f"lobby-{number}" for number in itertools.count())


class Lobby:
    """A line to the lobby.

    told: what there is; news: the messages so far that told of changes; invitations: that were told so far.
    """

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.told: Json = {}
        self.news: list[Json] = []
        self.invitations: list[Json] = []

    def receive(self) -> Json:
        """Wait for the next message, take it in, and return it."""
        message: Json = json.loads(self.line.recv(timeout=PATIENCE))
        if message["type"] == "challenge":
            self.invitations.append(message["challenge"])
        if message["type"] == "lobby":
            self.told = message
        elif message["type"] == "news":
            self.news.append(message)
            self.told = changed(self.told, message["change"])
        return message

    def wait(self, kind: str) -> Json:
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def invitation(self) -> Json:
        """Return the invitation that was told first, or will be."""
        while not self.invitations:
            self.receive()
        return self.invitations[0]

    def until(self, is_so: Callable[[Json], Any]) -> Json:
        """Take messages in until something is so; return what is told then."""
        while not is_so(self.told):
            self.receive()
        return self.told

    def ask(self, kind: str, **content: Any) -> Json:
        """Send a message with a fresh key and return its answer."""
        message = {"type": kind, "key": next(_KEYS), **content}
        self.line.send(json.dumps(message))
        while (answer := self.receive()).get("key") != message["key"]:
            pass
        return answer


@contextmanager
def lobby(browser: Browser, name: str | None = None, **wishes: Any) -> Iterator[Lobby]:
    """Come to the lobby; what there is has been told. wishes: about the line."""
    base = str(browser.http.base_url).replace("http://", "ws://").rstrip("/")
    address = f"{base}/api/lobby/socket?protocol={PROTOCOL}"
    headers = {"Cookie": browser.cookie}
    with connect(
        address, additional_headers=headers, proxy=None, max_queue=None, open_timeout=PATIENCE, **wishes
    ) as line:
        here = Lobby(line)
        here.wait("lobby")
        if name is not None:
            assert here.ask("hello", name=name)["type"] == "ack"
        yield here
