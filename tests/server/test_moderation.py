"""Reports, moderators, silences and closed accounts: on the page, and at the command line beside a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.kit.client import PASSWORD, close_frame, new_name, post, sign_in, sign_up
from tests.kit.server import Server, ekoes
from tests.server.test_talk import Company, shown

Json = dict[str, Any]


@pytest.fixture
def company(server: Server) -> Iterator[Company]:
    with ExitStack() as stack:
        yield Company(server, stack)


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


def test_report_brings_the_last_lines_that_were_heard_and_is_resolved_by_a_moderator(
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
    (told,) = [one for one in found if one["id"] == number]
    assert (told["name"], told["line"], told["reason"], told["words"]) == (
        "Bo",
        8,
        "insult",
        "not nice at all",
    )
    assert [line["text"] for line in told["lines"]] == [*(f"line {n}" for n in range(6)), "you fool"]
    assert admin(server, "report", str(number)) == [told]

    post(company.di, f"/api/moderation/reports/{number}", words="told to be kind", hours=1)
    silenced = company["Bo"].ask("say", text="why?")
    assert (silenced["code"], "until" in silenced) == ("talk/silenced", True)
    assert shown(company["Bo"])["silenced"] == silenced["until"]
    again = post(company.di, f"/api/moderation/reports/{number}", 409, words="once more")
    assert again["code"] == "talk/resolved"
    assert [deed["did"] for deed in admin(server, "audit", "--most", "2")] == ["resolve", "silence"]
    assert {deed["by"] for deed in admin(server, "audit", "--most", "2")} == {name}

    admin(server, "moderator", name, "--remove")
    assert company.di.http.get("/api/moderation/reports").status_code == 403


def test_report_of_a_person_who_said_nothing_and_who_may_not_resolve_it(
    server: Server, company: Company
) -> None:
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


def test_silence_at_the_command_line_holds_from_the_next_line_on(server: Server, company: Company) -> None:
    name = new_name()
    sign_up(company.cy, name)
    with company.cy.open(company.table) as socket:
        assert socket.ask("say", text="hello")["type"] == "ack"
        (told,) = admin(server, "silence", name, "--hours", "2", "--why", "spam")
        refused = socket.ask("say", phrase="hello")
        assert (refused["code"], refused["until"]) == ("talk/silenced", told["silenced_until"])
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
