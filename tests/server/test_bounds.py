"""The table of how much of each thing may be asked for has a row for each thing."""

from __future__ import annotations

from typing import Any, get_args

import httpx

from ekoes.server.bounds import LIMITS, MESSAGES, ROUTES
from ekoes.server.lobby.messages import LobbyMessage
from ekoes.server.messages import Message
from tests.server.conftest import Server


def kinds(union: Any) -> set[str]:
    return {kind.model_fields["type"].default for kind in get_args(union)}


def test_each_route_has_a_row(server: Server) -> None:
    paths = httpx.get(f"{server.address}api/openapi.json").json()["paths"]
    there = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    lines = {route for route in ROUTES if route.startswith("SOCKET")}
    assert there == set(ROUTES) - lines
    assert set(ROUTES.values()) == set(LIMITS)


def test_each_message_has_a_row() -> None:
    assert set(MESSAGES) == kinds(Message) | kinds(LobbyMessage)


def test_what_costs_most_is_refused_first(server: Server) -> None:
    house = {"x-forwarded-for": "203.0.113.200"}
    with httpx.Client(base_url=server.address, headers=house, timeout=60) as client:
        answers = [client.get("/api/archive/records") for _ in range(22)]
        assert [answer.status_code for answer in answers[:19]] == [200] * 19
        assert answers[-1].status_code == 429
        assert answers[-1].json()["code"] == "limit/requests"
        assert 0 < int(answers[-1].headers["retry-after"]) <= 600
        assert client.get("/api/archive").status_code == 200
