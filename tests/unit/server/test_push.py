"""Push notifications: encryption, signatures, retries, and who is notified of what."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx import URL
from py_vapid import Vapid02

from ekoes.errors import AccountError, StorageError
from ekoes.games.api.contract import Outcome
from ekoes.server.push import (
    BlockedAddressError,
    Notices,
    PushSender,
    check_endpoint,
    check_keys,
    resolved,
    signer,
)
from ekoes.storage.schema import PushRow
from ekoes.storage.store import Store
from tests.kit.loops import apart
from tests.kit.tables import NOW, act
from tests.unit.server.hub_room import SwiftClock
from tests.unit.server.push_service import Browser, Service, push_service
from tests.unit.tables.test_conditional_moves import fresh, legal, rest

TURN = {"kind": "turn", "table": "abc", "game": "eko"}
Json = dict[str, Any]


@pytest.fixture
def service() -> Iterator[Service]:
    with push_service() as service:
        yield service


def subscribed(store: Store, user: str, endpoint: str) -> Browser:
    browser = Browser(endpoint)
    keys = (browser.keys["p256dh"], browser.keys["auth"])
    store.pushes.store(PushRow(user, user, endpoint, *keys, "https://ekoes.example", NOW))
    return browser


def sent(store: Store, folder: Path, *notices: tuple[str, str, Json], anywhere: bool = True) -> None:
    """Send notifications, and return when all are delivered or given up."""

    async def send() -> None:
        sender = PushSender(
            store, signer(folder / "push.pem"), SwiftClock(), lambda _user: None, anywhere=anywhere
        )
        for notice in notices:
            sender.send(*notice)
        under_way = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*under_way, return_exceptions=True)
        await sender.stop()

    apart(send())


def test_every_browser_of_a_user_is_notified_and_only_it_can_decrypt(
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


def test_requests_are_signed_with_the_key_to_which_the_browser_subscribed(
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


def test_failed_deliveries_are_retried_and_given_up_at_last(
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
def test_an_expired_subscription_is_deleted(
    store: Store, service: Service, tmp_path: Path, status: int
) -> None:
    subscribed(store, "ada", f"{service.address}/one")
    service.answers[:] = [status]
    sent(store, tmp_path, ("ada", "abc", TURN))
    assert (len(service.received), store.pushes.of("ada")) == (1, [])


def test_there_is_one_notification_in_flight_for_each_table(
    store: Store, service: Service, tmp_path: Path
) -> None:
    browser = subscribed(store, "ada", f"{service.address}/one")
    notices = [("ada", table, {**TURN, "n": n}) for n in range(3) for table in ("abc", "def")]
    sent(store, tmp_path, *notices)
    assert [browser.opened(body)["n"] for _, _, body in service.received] == [2, 2]


def test_an_unreachable_push_service_is_no_error(
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
        resolved(URL(f"https://{host}/x"), anywhere=False)
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


def test_invalid_keys_are_refused() -> None:
    keys = Browser("").keys
    check_keys(**keys)
    for bad in ({"auth": "AAAA"}, {"p256dh": keys["auth"]}, {"p256dh": "ä"}, {"auth": "="}):
        with pytest.raises(AccountError):
            check_keys(**(keys | bad))


def test_a_subscription_is_stored_once_for_its_latest_user(store: Store) -> None:
    for user in ("ada", "bo"):
        subscribed(store, user, "https://push.example/one")
    assert [len(store.pushes.of(user)) for user in ("ada", "bo")] == [0, 1]
    (one,) = store.pushes.of("bo")
    store.pushes.drop("ada", one.endpoint)
    assert store.pushes.of("bo") == [one]
    for number in range(25):
        subscribed(store, "bo", f"https://push.example/{number}")
    assert len(store.pushes.of("bo")) == 20


# ---------------------------------------------------------------- who is notified


class Recorder:
    """Records the notifications that would be sent."""

    def __init__(self, *away: str) -> None:
        self.sent: list[tuple[str, str]] = []
        self.notices = Notices(self._send, lambda user: user in away)

    def _send(self, user: str, table_id: str, content: Json) -> None:
        assert content == {"kind": content["kind"], "table": table_id, "game": "eko"}
        self.sent.append((user, content["kind"]))

    def follow(self, *tables: Any) -> list[tuple[str, str]]:
        self.sent = []
        for table in tables:
            self.notices.notice("abc", table)
        return self.sent


def test_a_player_is_notified_once_when_their_turn_begins() -> None:
    recorder, table = Recorder(), fresh()
    begun = act(table, legal(table, "build"))
    after = begun
    for _, action in rest(begun):
        after = act(after, action)
    assert recorder.follow(table) == []
    assert recorder.follow(begun, begun) == []
    assert recorder.follow(after, after) == [("p1", "turn")]


def test_no_notification_in_live_games_on_vacation_or_of_earlier_turns() -> None:
    table = fresh()
    after = table
    for action in (legal(table, "build"), *(action for _, action in rest(act(table, legal(table, "build"))))):
        after = act(after, action)
    live = [replace(one, clock=one.clock.model_copy(update={"days": None})) for one in (table, after)]
    assert Recorder().follow(*live) == []
    assert Recorder("p1").follow(table, after) == []
    assert Recorder().follow(after) == []


def test_a_player_is_notified_of_an_offered_rematch() -> None:
    table = replace(fresh(), outcome=Outcome((0,), "time", "E11.5"))
    asked = replace(table, agreed=frozenset({0}))
    assert Recorder().follow(table, asked) == [("p1", "rematch")]
    assert Recorder().follow(table, asked, replace(asked, agreed=frozenset({0, 1})))[1:] == []


def test_subscriptions_that_do_not_answer_delay_no_one_else(store: Store, tmp_path: Path) -> None:
    """One user has twenty browsers whose service takes everything and answers nothing."""

    async def send() -> int:
        came, calls, serving = asyncio.Event(), asyncio.Queue[None](), list[Any]()

        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            serving.append(asyncio.current_task())
            calls.put_nowait(None)
            await reader.read()
            writer.close()

        async def heard(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            came.set()
            await silent(reader, writer)

        servers = [await asyncio.start_server(one, "127.0.0.1", 0) for one in (silent, heard)]
        slow, quick = (f"http://127.0.0.1:{one.sockets[0].getsockname()[1]}" for one in servers)
        for number in range(20):
            subscribed(store, "eve", f"{slow}/{number}")
        subscribed(store, "ada", f"{quick}/one")
        key = signer(tmp_path / "push.pem")
        sender = PushSender(store, key, SwiftClock(), lambda _user: None, anywhere=True)
        sender.send("eve", "abc", TURN)
        for _ in range(4):
            await calls.get()
        sender.send("ada", "abc", TURN)
        await came.wait()
        called = calls.qsize()
        await sender.stop()
        await asyncio.gather(*serving)
        for server in servers:
            server.close()
        return called

    assert apart(send()) == 1, "most of the others have not even been tried, and none is given up"
