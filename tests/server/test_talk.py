"""Chat at a table: rooms, mutes and blocks, reports and moderators."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from typing import Any

import pytest

from ekoes.tables.chat import LONGEST_LINE
from tests.kit.client import PASSWORD, Json, Socket, close_frame, new_name, post, sign_in, sign_up
from tests.kit.server import Server, ekoes

_KEYS = count()


class Company:
    """A table of Ekö with Ada and Bo at it, and Cy and Di who watch; all of them listen."""

    def __init__(self, server: Server, stack: ExitStack, *, begun: bool = True, **plan: Any) -> None:
        self.ada, self.bo, self.cy, self.di = (server.browser() for _ in range(4))
        seats: list[Json] = [{"kind": "here", "name": "Ada"}, {"kind": "open"}]
        body = {"game": "eko", "options": {"players": 2, "variants": [], "setup": "standard"}, "seats": seats}
        self.table = str(post(self.ada, "/api/tables", 201, **body, **plan)["id"])
        self.sockets = {
            name: stack.enter_context(browser.open(self.table))
            for name, browser in zip(
                ("Ada", "Bo", "Cy", "Di"), (self.ada, self.bo, self.cy, self.di), strict=True
            )
        }
        if begun:
            assert self["Bo"].ask("sit", seat=1, name="Bo")["type"] == "ack"

    def __getitem__(self, name: str) -> Socket:
        return self.sockets[name]

    def listen(self) -> None:
        for name in self.sockets:
            self.shown(name)

    def shown(self, name: str) -> Json:
        """The chat as a user who opens it now sees it."""
        return shown(self[name])

    def say(self, name: str, text: str) -> None:
        assert self[name].ask("say", text=text)["type"] == "ack"

    def texts(self, name: str) -> list[str]:
        return [line["text"] for line in self.shown(name)["lines"]]


def shown(socket: Socket) -> Json:
    socket.websocket.send(f'{{"type":"chat","key":"listen-{next(_KEYS)}"}}')
    message = socket.wait("chat")
    socket.wait("ack")
    return message


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def company(server: Server, stack: ExitStack) -> Company:
    return Company(server, stack)


def test_players_and_watchers_talk_apart_while_the_game_runs(company: Company) -> None:
    company.listen()
    company.say("Ada", "good luck")
    assert company["Bo"].wait("said")["line"] | {"at": ""} == {
        "n": 1, "room": "players", "seat": 0, "name": "Ada", "yours": False, "text": "good luck", "at": "",
    }  # fmt: skip
    company.say("Cy", "seat 0 will win")
    assert company["Di"].wait("said")["line"]["text"] == "seat 0 will win"
    assert [company.texts(name) for name in ("Ada", "Bo", "Cy", "Di")] == [
        ["good luck"], ["good luck"], ["seat 0 will win"], ["seat 0 will win"],
    ]  # fmt: skip
    assert [company.shown(name)["room"] for name in ("Bo", "Di")] == ["players", "watchers"]


def test_before_and_after_the_game_all_talk_together(server: Server, stack: ExitStack) -> None:
    company = Company(server, stack, begun=False)
    company.say("Cy", "who plays?")
    assert company.texts("Ada") == ["who plays?"]
    assert company["Bo"].ask("sit", seat=1)["type"] == "ack"
    company.say("Ada", "for Bo")
    company.say("Cy", "for Di")
    company.listen()
    version = company["Ada"].version
    assert company["Ada"].ask("resign", seat=0, version=version)["type"] == "ack"
    after = company["Bo"].wait("chat")
    assert [line["text"] for line in after["lines"]] == ["who plays?", "for Bo", "for Di"]
    assert after["room"] == "all"
    assert [line["text"] for line in company["Di"].wait("chat")["lines"]] == ["who plays?", "for Di"]
    company.say("Di", "well played")
    assert company["Bo"].wait("said")["line"]["text"] == "well played"


def test_chat_is_sent_to_subscribers_alone(company: Company) -> None:
    company.say("Ada", "hello")
    company["Bo"].websocket.send('{"type":"chat","key":"off","on":false}')
    assert company["Bo"].wait("chat", "said", "ack")["type"] == "ack"
    company.say("Ada", "are you there?")
    company["Bo"].websocket.send('{"type":"beat"}')
    assert company["Bo"].wait("chat", "said", "beat")["type"] == "beat"


def test_phrases_are_sent_as_keys_and_texts_are_cleaned(company: Company) -> None:
    company.listen()
    assert company["Ada"].ask("say", phrase="well-played")["type"] == "ack"
    line = company["Bo"].wait("said")["line"]
    assert (line["phrase"], "text" in line) == ("well-played", False)
    company.say("Ada", "  a\tb\n\nc \u202egnol\u202c\x07 \u200e<b>http://x.example</b> ")
    assert company["Bo"].wait("said")["line"]["text"] == "a b c gnol <b>http://x.example</b>"


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"text": ""},
        {"text": " \n "},
        {"text": "\u202e\u200b"},
        {"text": "x" * (LONGEST_LINE + 1)},
        {"phrase": "die"},
        {"text": "hello", "phrase": "hello"},
        {"text": "hello", "seat": 0},
    ],
)
def test_invalid_chat_messages_are_refused(company: Company, wish: Json) -> None:
    answer = company["Ada"].ask("say", **wish)
    assert answer["type"] == "error"
    assert answer["code"].startswith("message/")
    assert company.texts("Bo") == []


def test_same_key_is_said_once_also_after_a_restart(own_server: Server) -> None:
    with ExitStack() as stack:
        company = Company(own_server, stack)
        for _ in range(2):
            company["Ada"].websocket.send('{"type":"say","key":"once","text":"hello"}')
            assert company["Ada"].wait("ack", "error")["type"] == "ack"
        ada, table = company.ada, company.table
    own_server.kill()
    own_server.start()
    with ada.open(table) as socket:
        socket.websocket.send('{"type":"say","key":"once","text":"hello"}')
        assert socket.wait("ack", "error")["type"] == "ack"
        assert [line["text"] for line in shown(socket)["lines"]] == ["hello"]


def test_chat_is_rate_limited(company: Company) -> None:
    answers = [company["Ada"].ask("say", text=f"line {number}") for number in range(61)]
    refused = [answer for answer in answers if answer["type"] == "error"]
    assert {answer["code"] for answer in refused} == {"talk/too-fast"}
    assert company["Bo"].ask("say", text="calm down")["type"] == "ack"


def test_chat_can_be_off_at_a_table_and_its_rematch(server: Server, stack: ExitStack) -> None:
    company = Company(server, stack, chat=False)
    assert company["Bo"].table["chat"] is False
    for kind, wish in (("chat", {}), ("say", {"text": "hello"}), ("mute", {"seat": 0})):
        assert company["Bo"].ask(kind, **wish)["code"] == "talk/off"
    assert company["Ada"].ask("resign", seat=0, version=company["Ada"].version)["type"] == "ack"
    for name, seat in (("Ada", 0), ("Bo", 1)):
        assert company[name].ask("rematch", seat=seat)["type"] == "ack"
    while company["Ada"].state["rematch"]["table"] is None:
        company["Ada"].receive()
    assert company.ada.get(f"/api/tables/{company['Ada'].state['rematch']['table']}")["chat"] is False


def test_messages_of_a_muted_player_are_hidden(company: Company) -> None:
    company.listen()
    company.say("Bo", "before")
    company["Ada"].websocket.send('{"type":"mute","key":"m1","seat":1}')
    hidden = company["Ada"].wait("chat")
    assert (hidden["lines"], hidden["muted"]) == ([], [1])
    company.say("Bo", "after")
    assert company.texts("Ada") == []
    company["Ada"].websocket.send('{"type":"mute","key":"m2","seat":1,"muted":false}')
    assert [line["text"] for line in company["Ada"].wait("chat")["lines"]] == ["before", "after"]
    assert company.texts("Bo") == ["before", "after"]


def test_spectator_is_muted_by_a_visible_message_alone(company: Company) -> None:
    company.listen()
    company.say("Cy", "psst")
    assert company["Di"].ask("mute", line=1)["type"] == "ack"
    assert company.texts("Di") == []
    for name, wish in (("Ada", {"line": 1}), ("Ada", {"seat": 0}), ("Ada", {"seat": 7}), ("Di", {"line": 9})):
        assert company[name].ask("mute", **wish)["code"] == "talk/nobody"


def test_blocked_user_is_hidden_and_cannot_sit_with_the_blocker(server: Server, stack: ExitStack) -> None:
    company = Company(server, stack, begun=False)
    company.say("Bo", "you fool")
    refused = post(company.ada, "/api/relations/block", 401, table=company.table, line=1)
    assert refused["code"] == "account/none"
    sign_up(company.ada, "Ada of the blocks")
    with company.ada.open(company.table) as socket:
        assert [line["text"] for line in shown(socket)["lines"]] == ["you fool"]
        made = post(company.ada, "/api/relations/block", 201, table=company.table, line=1)
        assert socket.wait("chat")["lines"] == []
        assert company["Bo"].ask("sit", seat=1)["code"] == "talk/blocked"
        assert company["Cy"].ask("sit", seat=1)["type"] == "ack"
        assert socket.wait("chat")["lines"] == [], "the rooms are others when a game begins"
        (stored,) = company.ada.get("/api/relations/block")["people"]
        assert stored["id"] == made["id"]
        assert company.ada.http.delete(f"/api/relations/block/{made['id']}").status_code == 204
        assert [line["text"] for line in socket.wait("chat")["lines"]] == ["you fool"]
    assert company.texts("Bo")[0] == "you fool"
    with company.ada.open(company.table) as socket:
        assert [line["text"] for line in shown(socket)["lines"]] == ["you fool"]


def test_followed_accounts_show_presence_and_guests_cannot_be_followed(company: Company) -> None:
    sign_up(company.ada, "Ada who follows")
    wish = {"table": company.table, "seat": 1}
    assert post(company.ada, "/api/relations/follow", 409, **wish)["code"] == "talk/guest"
    sign_up(company.bo, "Bo the followed")
    first = post(company.ada, "/api/relations/follow", 201, **wish)
    assert post(company.ada, "/api/relations/follow", 201, **wish) == first
    with company.bo.open(company.table):
        (found,) = company.ada.get("/api/relations/follow")["people"]
    assert (found["name"], found["here"]) == ("Bo the followed", True)
    company.sockets["Bo"].websocket.close()
    post(company.bo, "/api/account/sign-out")
    assert not company.ada.get("/api/relations/follow")["people"][0]["here"]


def test_account_is_followed_blocked_and_reported_by_name(server: Server, company: Company) -> None:
    moderator(server, company)
    sign_up(company.ada, "Ada at the profiles")
    sign_up(company.bo, "Bo of the profile")
    by_name = {"account": "bo of the PROFILE"}
    for kind in ("follow", "block"):
        made = post(company.ada, f"/api/relations/{kind}", 201, **by_name)
        assert made["name"] == "Bo of the profile"
        assert [one["id"] for one in company.ada.get(f"/api/relations/{kind}")["people"]] == [made["id"]]
    number = post(company.ada, "/api/reports", 201, **by_name, reason="name", words="a bad one")["id"]
    found = company.di.get("/api/moderation/reports")["reports"]
    (shown,) = [one for one in found if one["id"] == number]
    assert (shown["name"], shown["table"], shown["lines"]) == ("Bo of the profile", None, [])
    post(company.di, f"/api/moderation/reports/{number}", words="seen")
    for wrong, status, code in (
        ("Nobody at all", 404, "account/unknown"),
        ("Ada at the profiles", 404, "talk/nobody"),
    ):
        assert post(company.ada, "/api/relations/block", status, account=wrong)["code"] == code
    for both in ({"table": company.table}, {"seat": 1}, {"table": company.table, "line": 1}):
        assert company.ada.http.post("/api/relations/block", json=by_name | both).status_code == 422


def test_chat_of_a_deleted_account_loses_its_name(company: Company) -> None:
    sign_up(company.cy, "Cy the talker")
    with company.cy.open(company.table) as socket:
        assert socket.ask("say", text="it is me")["type"] == "ack"
    assert [line["name"] for line in company.shown("Di")["lines"]] == ["Cy the talker"]
    post(company.cy, "/api/account/delete", password=PASSWORD)
    with company.di.open(company.table) as socket:
        assert [line["name"] for line in shown(socket)["lines"]] == [""]


# ---------------------------------------------------------------- reports and moderators


def admin(server: Server, *words: str, status: int = 0) -> Any:
    """Do a command beside the running server. Returns: what it prints, value by value, or its reason."""
    printed = ekoes("admin", *words, "--data", server.data, status=status)
    return printed if status else [json.loads(line) for line in printed.splitlines()]


def moderator(server: Server, company: Company) -> str:
    """Make Di a moderator."""
    name = new_name()
    sign_up(company.di, name)
    assert admin(server, "moderator", name) == [{"name": name, "moderator": True}]
    return name


def report(company: Company, **wish: Any) -> int:
    body = {"table": company.table, "reason": "insult", **wish}
    return int(post(company.ada, "/api/reports", 201, **body)["id"])


def test_report_includes_recent_messages_and_is_resolved_by_a_moderator(
    server: Server, company: Company
) -> None:
    company.say("Cy", "nobody at the table hears this")
    for number in range(6):
        company.say("Bo" if number % 2 else "Ada", f"line {number}")
    company.say("Bo", "you fool")
    company.say("Ada", "how rude")
    number = report(company, line=8, words="  not nice\n at all")
    assert company.di.http.get("/api/moderation/reports").json()["code"] == "talk/not-moderator"
    name = moderator(server, company)
    assert company.di.get("/api/moderation") == {"moderator": True}
    found = company.di.get("/api/moderation/reports")["reports"]
    (reported,) = [one for one in found if one["id"] == number]
    assert (reported["name"], reported["line"], reported["reason"], reported["words"]) == (
        "Bo",
        8,
        "insult",
        "not nice at all",
    )
    assert [line["text"] for line in reported["lines"]] == [*(f"line {n}" for n in range(6)), "you fool"]
    assert admin(server, "report", str(number)) == [reported]

    post(company.di, f"/api/moderation/reports/{number}", words="told to be kind", hours=1)
    silenced = company["Bo"].ask("say", text="why?")
    assert (silenced["code"], "until" in silenced) == ("talk/silenced", True)
    assert shown(company["Bo"])["silenced"] == silenced["until"]
    again = post(company.di, f"/api/moderation/reports/{number}", 409, words="once more")
    assert again["code"] == "talk/resolved"
    assert [action["did"] for action in admin(server, "audit", "--most", "2")] == ["resolve", "silence"]
    assert {action["by"] for action in admin(server, "audit", "--most", "2")} == {name}

    admin(server, "moderator", name, "--remove")
    assert company.di.http.get("/api/moderation/reports").status_code == 403


def test_report_without_messages_and_own_report_cannot_be_resolved(server: Server, company: Company) -> None:
    moderator(server, company)
    body = {"table": company.table, "seat": 1, "reason": "name"}
    number = post(company.di, "/api/reports", 201, **body)["id"]
    assert company.di.get("/api/moderation/reports")["reports"][0]["lines"] == []
    refusal = post(company.di, f"/api/moderation/reports/{number}", 403, words="mine")
    assert refusal["code"] == "talk/own-report"
    for wrong in ({"seat": 0}, {"seat": 1, "line": 1}, {}, {"seat": 1, "reason": "bored"}):
        asked = company.ada.http.post("/api/reports", json=body | {"seat": None} | wrong)
        assert asked.status_code in {404, 422}, asked.text
    admin(server, "report", str(number), "--resolve", "a good name")
    assert number not in [one["id"] for one in admin(server, "reports")]
    assert number in [one["id"] for one in admin(server, "reports", "--all")]


def test_silence_by_the_command_line_applies_at_once(server: Server, company: Company) -> None:
    name = new_name()
    sign_up(company.cy, name)
    with company.cy.open(company.table) as socket:
        assert socket.ask("say", text="hello")["type"] == "ack"
        (reported,) = admin(server, "silence", name, "--hours", "2", "--why", "spam")
        refused = socket.ask("say", phrase="hello")
        assert (refused["code"], refused["until"]) == ("talk/silenced", reported["silenced_until"])
        admin(server, "silence", name, "--end")
        assert socket.ask("say", text="here I am")["type"] == "ack"


@pytest.mark.long
def test_guest_is_silenced_by_what_was_reported(server: Server, company: Company) -> None:
    company.say("Bo", "you fool")
    number = report(company, line=1)
    admin(server, "silence", "--report", str(number))
    assert company["Bo"].ask("say", text="and you")["code"] == "talk/silenced"
    assert admin(server, "silence", status=2).startswith("ekoes: 'NAME': ")
    assert "no account is called 'Nobody'" in admin(server, "silence", "Nobody", status=2)
    assert "no report 999" in admin(server, "report", "999", status=2)


def test_closed_account_is_out_at_once_and_cant_sign_in(server: Server, company: Company) -> None:
    name = new_name()
    sign_up(company.bo, name)
    with company.bo.open(company.table) as socket:
        assert admin(server, "close", name, "--why", "cheating") == [{"name": name, "closed": True}]
        assert close_frame(socket).code == 4401
    assert company.bo.get("/api/account") == {"name": None}
    refusal = post(company.bo, "/api/account/sign-in", 403, name=name, password=PASSWORD)
    assert refusal["code"] == "account/closed"
    wrong = post(company.bo, "/api/account/sign-in", 403, name=name, password="not this one")
    assert wrong["code"] == "account/wrong"
    admin(server, "close", name, "--reopen")
    sign_in(company.bo, name)
    assert company.bo.get("/api/account")["name"] == name


def test_folder_without_a_server_is_named(server: Server) -> None:
    nowhere = server.data / "nowhere"
    assert str(nowhere) in ekoes("admin", "audit", "--data", nowhere, status=2)
    assert not nowhere.exists()
