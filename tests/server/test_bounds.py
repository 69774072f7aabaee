"""Every message has a weight, and expensive requests are limited first."""

from __future__ import annotations

from typing import Any, get_args

import httpx

from ekoes.protocol.incoming import LobbyMessage, Message
from ekoes.server.ops.limits import MESSAGES
from tests.kit.server import Server


def kinds(union: Any) -> set[str]:
    return {kind.model_fields["type"].default for kind in get_args(union)}


def test_each_message_has_a_weight() -> None:
    assert set(MESSAGES) == kinds(Message) | kinds(LobbyMessage)


def test_most_expensive_requests_are_limited_first(server: Server) -> None:
    house = {"x-forwarded-for": "203.0.113.200"}
    with httpx.Client(base_url=server.address, headers=house, timeout=60) as client:
        answers = [client.get("/api/archive/records") for _ in range(22)]
        assert [answer.status_code for answer in answers[:19]] == [200] * 19
        assert answers[-1].status_code == 429
        assert answers[-1].json()["code"] == "limit/requests"
        assert 0 < int(answers[-1].headers["retry-after"]) <= 600
        assert client.get("/api/archive").status_code == 200
