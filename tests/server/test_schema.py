"""The JSON Schema of the protocol is up to date, and real messages of both games are as it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from jsonschema_rs import meta

from tests.kit.client import Browser, Connection, Json, lobby, post, sign_up
from tests.kit.programs import way
from tests.kit.server import Server
from tools.protocol import FILE, REST, rest_text, schema_text


class Checked:
    """A socket whose messages are validated. kinds: the types received."""

    def __init__(self, line: Any, place: str) -> None:
        self._line, self._place = line, place
        self.kinds: set[str] = set()

    def recv(self, timeout: float) -> Any:
        text = self._line.recv(timeout=timeout)
        message = json.loads(text)
        way(f"from_{self._place}").validate(message)
        self.kinds.add(message["type"])
        return text

    def send(self, text: str) -> None:
        way(f"to_{self._place}").validate(json.loads(text))
        self._line.send(text)


@contextmanager
def checked(socket: Connection, place: str) -> Iterator[set[str]]:
    line = Checked(socket.websocket, place)
    socket.websocket = line  # type: ignore[assignment]
    yield line.kinds


def test_the_file_is_up_to_date() -> None:
    assert FILE.read_text("utf-8") == schema_text(), "write it anew: python -m tools.protocol"
    meta.validate(json.loads(schema_text()))


def test_the_rest_page_is_current() -> None:
    assert REST.read_text("utf-8") == rest_text(), "run: python -m tools.protocol"


def test_the_schema_refuses_what_is_no_message() -> None:
    sit = {"type": "sit", "key": "k", "seat": 1}
    assert way("to_table").is_valid(sit)
    for wrong in ({**sit, "more": 1}, {**sit, "seat": "1"}, {"type": "sit"}, {**sit, "type": "stay"}):
        assert not way("to_table").is_valid(wrong)


def test_messages_of_a_table_of_turns_are_as_the_schema_says(browser: Browser) -> None:
    table = browser.create("here", "here", clock={"base": 300, "increment": 5, "up": "lose"})
    with browser.open(table) as socket, checked(socket, "table") as kinds:
        socket.ask("table")
        socket.ask("chat", on=True)
        socket.ask("say", phrase="hello")
        socket.ask("pace", milliseconds=100)
        for _ in range(3):
            seat, choices = next(iter(socket.choices.items()))
            socket.act(int(seat), choices[0])
        socket.ask("rename", seat=0, name="Ada")
        socket.ask("act", version=0, seat=0, action={"type": "end"})
        socket.ask("propose", seat=0, what="adjourn", days=3)
        socket.ask("propose", seat=0, what="pause")
        socket.ask("go_on", seat=1)
        socket.order("resign", seat=0)
        socket.ask("rematch", seat=0)
    expected = {"table", "update", "seats", "agreements", "ack", "error", "chat", "said"}
    assert kinds >= expected


def test_messages_of_a_table_of_races_are_as_the_schema_says(browser: Browser) -> None:
    table = browser.create_race("here", "random", hints=True)
    with browser.open(table) as socket, checked(socket, "table") as kinds:
        while not socket.state["hands"]["0"]["hand"]:
            socket.receive()
        socket.intend(0, "ready", round=1)
        while socket.state["stage"] != "race":
            socket.receive()
        socket.ask("resign", seat=0)
    assert kinds >= {"update", "ack"}


def test_messages_of_the_lobby_are_as_the_schema_says(server: Server) -> None:
    ada, bo = server.browser(), server.browser()
    sign_up(ada, "Ada of the schema")
    sign_up(bo, "Bo of the schema")
    with lobby(ada) as here, checked(here, "lobby") as kinds, lobby(bo) as other:
        way("from_lobby").validate(here.known)
        seats = [{"kind": "here"}, {"kind": "account", "account": "Bo of the schema"}]
        options = {"players": 2, "variants": [], "turn_limit": 77}
        made = post(ada, "/api/challenges", 201, game="eko", options=options, seats=seats)["id"]
        post(bo, f"/api/challenges/{made}/decline")
        here.ask("hello", name="Ada")
        here.ask("seek", game="eko", options=options)
        other.ask("seek", game="eko", options=options)
        table = here.wait("paired")["table"]
        here.until(lambda known: table in known["own"])
        here.ask("unseek")
    assert kinds >= {"news", "ack", "paired", "challenge", "challenge-gone"}


@pytest.mark.parametrize("event", ["started", "over", "challenge-gone"])
def test_events_have_a_schema(event: str) -> None:
    shown: Json = {"type": event, "table": "t"}
    more: Json = (
        {"id": "c", "reason": "declined"} if event == "challenge-gone" else {"game": "eko", "seats": [0]}
    )
    assert way("from_events").is_valid(shown | more)
    assert not way("from_events").is_valid(shown)
