"""Notices to browsers: sealed for one of them, signed, tried again, given up; and to whom they go."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from httpx import URL
from py_vapid import Vapid02

from ekoes.errors import AccountError, StorageError
from ekoes.games.api.contract import Outcome
from ekoes.server.push.sender import (
    BlockedAddressError,
    Notices,
    PushSender,
    check_endpoint,
    check_keys,
    resolved,
    signer,
)
from ekoes.storage.accounts import Subscription
from ekoes.storage.store import Store
from tests.apart import apart
from tests.unit.server.hub_room import SwiftClock
from tests.unit.server.push_service import Browser, Service, push_service
from tests.unit.tables.test_conditional_moves import act, fresh, legal, rest

MAY = datetime(2026, 5, 1, 12, tzinfo=UTC)
TURN = {"kind": "turn", "table": "abc", "game": "eko"}
Json = dict[str, Any]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'test.sqlite'}")


@pytest.fixture
def service() -> Iterator[Service]:
    with push_service() as service:
        yield service


def subscribed(store: Store, holder: str, endpoint: str) -> Browser:
    browser = Browser(endpoint)
    keys = (browser.keys["p256dh"], browser.keys["auth"])
    store.pushes.keep(Subscription(holder, holder, endpoint, *keys, "https://ekoes.example"), MAY)
    return browser


def sent(store: Store, folder: Path, *notices: tuple[str, str, Json], anywhere: bool = True) -> None:
    """Send notices, and return when all that can be done is done."""

    async def send() -> None:
        post = PushSender(store, signer(folder / "push.pem"), SwiftClock(), anywhere=anywhere)
        for notice in notices:
            post.send(*notice)
        under_way = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*under_way, return_exceptions=True)
        await post.stop()

    apart(send())


def test_a_notice_reaches_every_browser_of_its_holder_and_only_they_can_open_it(
    store: Store, service: Service, tmp_path: Path
) -> None:
    browsers = {f"/{name}": subscribed(store, "ada", f"{service.address}/{name}") for name in ("one", "two")}
    subscribed(store, "bo", f"{service.address}/other")
    sent(store, tmp_path, ("ada", "abc", TURN))
    assert sorted(path for path, _, _ in service.received) == ["/one", "/two"]
    for path, headers, body in service.received:
        assert browsers[path].opened(body) == TURN
        assert b"abc" not in body
        assert headers["Content-Encoding"] == "aes128gcm"
        assert (headers["Topic"], headers["Urgency"]) == ("abc", "normal")
        assert int(headers["TTL"]) > 0
    _, _, body = service.received[0]
    with pytest.raises(Exception, match=r"[Dd]ecrypt|tag|Invalid"):
        Browser("").opened(body)


def test_push_services_are_told_who_sends_by_the_key_that_the_browser_was_given(
    store: Store, service: Service, tmp_path: Path
) -> None:
    subscribed(store, "ada", f"{service.address}/one")
    sent(store, tmp_path, ("ada", "abc", TURN))
    ((_, headers, _),) = service.received
    assert Vapid02.verify(headers["Authorization"])
    assert headers["Authorization"].endswith(f"k={signer(tmp_path / 'push.pem').public}")


def test_the_key_is_made_once_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "push.pem"
    assert signer(path).public == signer(path).public
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("damaged")
    with pytest.raises(StorageError, match="damaged"):
        signer(path)


def test_what_a_service_does_not_take_is_tried_again_and_given_up_at_last(
    store: Store, service: Service, tmp_path: Path
) -> None:
    subscribed(store, "ada", f"{service.address}/one")
    service.answers[:] = [503, 429]
    sent(store, tmp_path, ("ada", "abc", TURN))
    assert len(service.received) == 3
    service.answers[:] = [500] * 99
    sent(store, tmp_path, ("ada", "abc", TURN))
    assert len(service.received) == 3 + 4
    assert len(store.pushes.of("ada")) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(
    store: Store, service: Service, tmp_path: Path, status: int
) -> None:
    subscribed(store, "ada", f"{service.address}/one")
    service.answers[:] = [status]
    sent(store, tmp_path, ("ada", "abc", TURN))
    assert (len(service.received), store.pushes.of("ada")) == (1, [])


def test_of_each_table_there_is_one_notice_at_a_time(store: Store, service: Service, tmp_path: Path) -> None:
    browser = subscribed(store, "ada", f"{service.address}/one")
    notices = [("ada", table, {**TURN, "n": n}) for n in range(3) for table in ("abc", "def")]
    sent(store, tmp_path, *notices)
    assert [browser.opened(body)["n"] for _, _, body in service.received] == [2, 2]


def test_a_machine_that_nobody_answers_at_holds_nobody_up(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    subscribed(store, "ada", "http://127.0.0.1:9/none")
    sent(store, tmp_path, ("ada", "abc", TURN))
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.7",
        "169.254.169.254",
        "[::1]",
        "[fd00::1]",
        "[::ffff:10.0.0.1]",
        "0.1.2.3",
    ],
)
def test_nothing_is_sent_to_machines_near_by(
    store: Store, service: Service, tmp_path: Path, host: str
) -> None:
    with pytest.raises(BlockedAddressError):
        apart(resolved(URL(f"https://{host}/x"), anywhere=False))
    subscribed(store, "ada", f"{service.address}/one")
    sent(store, tmp_path, ("ada", "abc", TURN), anywhere=False)
    assert service.received == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/x",
        "https://push.example:8443/x",
        "https://a:b@push.example/x",
        "ftp://x/y",
        "",
        "x",
    ],
)
def test_notices_go_to_https_alone(endpoint: str) -> None:
    check_endpoint("https://push.example/some/long-id", anywhere=False)
    with pytest.raises(AccountError) as refused:
        check_endpoint(endpoint, anywhere=False)
    assert (refused.value.code, refused.value.key) == ("account/bad-push", "endpoint")


def test_keys_are_looked_at_before_they_are_kept() -> None:
    keys = Browser("").keys
    check_keys(**keys)
    for bad in ({"auth": "AAAA"}, {"p256dh": keys["auth"]}, {"p256dh": "ä"}, {"auth": "="}):
        with pytest.raises(AccountError):
            check_keys(**(keys | bad))


def test_a_browser_is_kept_once_and_belongs_to_who_came_last(store: Store) -> None:
    for holder in ("ada", "bo"):
        subscribed(store, holder, "https://push.example/one")
    assert [len(store.pushes.of(holder)) for holder in ("ada", "bo")] == [0, 1]
    (one,) = store.pushes.of("bo")
    store.pushes.drop(one.id, "ada")
    assert store.pushes.of("bo") == [one]
    for number in range(25):
        subscribed(store, "bo", f"https://push.example/{number}")
    assert len(store.pushes.of("bo")) == 20


# ---------------------------------------------------------------- to whom


class Told:
    """Notices that would be sent."""

    def __init__(self, *away: str) -> None:
        self.sent: list[tuple[str, str]] = []
        self.notices = Notices(self._send, lambda holder: holder in away)

    def _send(self, holder: str, table_id: str, content: Json) -> None:
        assert content == {"kind": content["kind"], "table": table_id, "game": "eko"}
        self.sent.append((holder, content["kind"]))

    def follow(self, *tables: Any) -> list[tuple[str, str]]:
        self.sent = []
        for table in tables:
            self.notices.notice("abc", table)
        return self.sent


def test_whose_turn_begins_is_told_once() -> None:
    told, table = Told(), fresh()
    begun = act(table, legal(table, "build"))
    after = begun
    for _, action in rest(begun):
        after = act(after, action)
    assert told.follow(table) == []
    assert told.follow(begun, begun) == []
    assert told.follow(after, after) == [("p1", "turn")]


def test_nobody_is_told_at_tables_of_minutes_nor_on_vacation_nor_of_what_was_before() -> None:
    table = fresh()
    after = table
    for action in (legal(table, "build"), *(action for _, action in rest(act(table, legal(table, "build"))))):
        after = act(after, action)
    live = [replace(one, clock=one.clock.model_copy(update={"days": None})) for one in (table, after)]
    assert Told().follow(*live) == []
    assert Told("p1").follow(table, after) == []
    assert Told().follow(after) == []


def test_who_is_asked_for_a_rematch_is_told() -> None:
    table = replace(fresh(), outcome=Outcome((0,), "time", "E11.5"))
    asked = replace(table, agreed=frozenset({0}))
    assert Told().follow(table, asked) == [("p1", "rematch")]
    assert Told().follow(table, asked, replace(asked, agreed=frozenset({0, 1})))[1:] == []
