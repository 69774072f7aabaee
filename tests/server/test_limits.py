"""Rate limits per visitor, by the address that a proxy names, and per kind of message."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, get_args

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from ekoes.protocol import PROTOCOL, LobbyMessage, Message
from ekoes.server.ops.limits import COSTLY, weight_of
from ekoes.tables.analysis_board import LONGEST_RECORD
from ekoes.tables.lessons import lesson_of
from tests.kit.client import PLAN, allowed, make_tables
from tests.kit.server import Server

_NUMBERS = count(1)


@pytest.fixture
def visitor(server: Server) -> Iterator[httpx.Client]:
    """A client with an address of its own."""
    house = {"x-forwarded-for": f"203.0.113.{next(_NUMBERS)}"}
    with httpx.Client(base_url=server.address, headers=house, timeout=60) as client:
        yield client


def test_tables_per_session_are_limited(visitor: httpx.Client) -> None:
    assert allowed(lambda: visitor.post("/api/tables", json=PLAN), 30)
    refused = visitor.post("/api/tables", json=PLAN)
    assert refused.json()["code"] == "limit/tables"
    assert 0 < int(refused.headers["retry-after"]) <= 600
    assert visitor.get("/api/meta").status_code == 200
    visitor.cookies.clear()
    assert make_tables(visitor, 1) == [201]


@pytest.mark.long
def test_new_cookies_do_not_evade_the_limit_of_an_address(visitor: httpx.Client) -> None:
    addresses = count()

    def make() -> httpx.Response:
        visitor.headers["x-forwarded-for"] = f"2001:db8::{next(addresses):x}"  # one network
        visitor.cookies.clear()
        return visitor.post("/api/tables", json=PLAN)

    assert allowed(make, 200)


def test_one_address_stores_so_much_a_day(visitor: httpx.Client) -> None:
    def make(length: int) -> httpx.Response:
        visitor.cookies.clear()
        record = "x" * length  # it counts before it is read, and is none
        return visitor.post("/api/tables", json=PLAN | {"record": record})

    lengths = (LONGEST_RECORD, 1000, 40)
    numbers = [next(number for number in count() if make(length).status_code == 429) for length in lengths]
    assert numbers[0] == 50_000_000 // (25 * LONGEST_RECORD)
    assert sum(numbers) < 200, "tables without a record have other limits"
    words = {"en": {"title": "One more"}}
    chapter = {"words": words, "position": lesson_of("eko", "build").position.to_json()}
    study = {"game": "eko", "words": words, "chapter": chapter}
    refused = visitor.post("/api/studies", json=study)
    assert (refused.status_code, refused.json()["code"]) == (429, "limit/requests")


def test_reports_of_one_address_are_limited(visitor: httpx.Client) -> None:
    table = visitor.post("/api/tables", json=PLAN).json()["id"]

    def report() -> httpx.Response:
        visitor.cookies.clear()
        return visitor.post("/api/reports", json={"table": table, "seat": 0, "reason": "name"})

    assert allowed(report, 20)


def test_loopback_is_not_limited(server: Server) -> None:
    with httpx.Client(base_url=server.address, timeout=60) as client:
        assert make_tables(client, 40) == [201] * 40


@pytest.mark.long
def test_expensive_reads_have_a_limit_of_their_own(visitor: httpx.Client) -> None:
    table = visitor.post("/api/tables", json=PLAN).json()["id"]
    assert allowed(lambda: visitor.get(f"/api/tables/{table}/positions/0"), 600)
    assert visitor.get(f"/api/tables/{table}/status").status_code == 200


def test_records_have_a_limit_of_their_own(visitor: httpx.Client) -> None:
    table = visitor.post("/api/tables", json=PLAN).json()["id"]
    assert allowed(lambda: visitor.get(f"/api/tables/{table}/record"), 60)
    assert visitor.get(f"/api/tables/{table}/positions/0").status_code == 200


def test_flooding_address_gets_429_and_no_socket(server: Server, visitor: httpx.Client) -> None:
    assert allowed(lambda: visitor.get("/healthz"), 1500)
    address = f"{server.address.replace('http', 'ws')}/api/lobby/socket?protocol={PROTOCOL}"
    house = {"X-Forwarded-For": visitor.headers["x-forwarded-for"]}
    with pytest.raises(InvalidStatus), connect(address, additional_headers=house, proxy=None):
        pass


@pytest.mark.parametrize(
    ("path", "body", "most", "code", "longest"),
    [
        ("/api/archive/records", None, 20, "limit/requests", 600),
        ("/api/account", {"name": "Ada", "password": "short"}, 30, "account/too-many", 3600),
    ],
)
def test_addresses_of_one_network_share_each_limit(
    server: Server, path: str, body: Any, most: int, code: str, longest: int
) -> None:
    addresses = count()
    with httpx.Client(base_url=server.address, timeout=60) as client:

        def send(address: str) -> httpx.Response:
            client.cookies.clear()
            house = {"x-forwarded-for": address}
            return client.request("POST" if body else "GET", path, json=body, headers=house)

        assert allowed(lambda: send(f"2001:db8:0:{most}:{next(addresses):x}::1"), most)
        refused = send(f"2001:db8:0:{most}:ffff::1")
        assert refused.json()["code"] == code
        assert 0 < int(refused.headers["retry-after"]) <= longest
        house = {"x-forwarded-for": f"2001:db8:0:{most}:ffff::1"}
        assert client.get("/api/archive", headers=house).status_code == 200
        assert send("2001:db8:1::1").status_code != 429


def kinds(union: Any) -> set[str]:
    return {kind.model_fields["type"].default for kind in get_args(union)}


def test_each_message_has_a_weight() -> None:
    weights = {kind: weight_of(kind, 0) for kind in kinds(Message) | kinds(LobbyMessage)}
    assert weights == dict.fromkeys(weights, 1) | dict.fromkeys(COSTLY, 10)
