"""Two servers with a Redis: they count together, and it may go and come back while people play."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import pytest
from redis.client import PubSub
from websockets.frames import Close

from ekoes.server.cluster.redis import CHANNEL_PREFIX, Message, MessageCipher
from ekoes.server.ops.secrets import signing_keys
from tests.kit.client import (
    PASSWORD,
    PATIENCE,
    PLAN,
    Browser,
    Json,
    Lobby,
    allowed,
    close_frame,
    lobby,
    make_tables,
    play_together,
    post,
    sign_up,
)
from tests.kit.examples import one_quick
from tests.kit.programs import Program, token_of
from tests.kit.race import act, hand
from tests.kit.server import Pair, Server, ekoes, free_port
from tests.services.redis import RedisServer, redis_server

FAULTS = one_quick(signal.SIGKILL, [None, signal.SIGTERM, signal.SIGSTOP])
"""Signals; None: it loses what it has."""


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, redis: RedisServer) -> Iterator[Pair]:
    with Pair(tmp_path_factory.mktemp("pair"), redis.url) as both:
        yield both


@pytest.fixture
def spy(redis: RedisServer) -> Iterator[PubSub]:
    """Somebody who reads all that goes through Redis."""
    with redis.client() as client, client.pubsub() as channel:
        channel.psubscribe("*")
        yield channel


def has_redis(browser: Browser) -> bool:
    """Whether a server that is ready says that its Redis is there."""
    ready: Json = browser.get("/readyz")
    assert ready["ready"]
    return bool(ready["redis"])


def lacks_redis(browser: Browser) -> bool:
    return not has_redis(browser)


def comes(is_so: Callable[[], bool]) -> None:
    """Return when something is so: each look asks a server, which takes its time."""
    while not is_so():
        pass


def shows(table: str, *visits: Lobby) -> None:
    """Return when the lobby shows a table to everybody."""
    for visit in visits:
        visit.until(lambda known: table in known["tables"])


def test_doors_count_together(pair: Pair) -> None:
    house = {"x-forwarded-for": "203.0.113.1"}
    one, other = (httpx.Client(base_url=s.address, headers=house, timeout=60) for s in pair.servers)
    with one, other:
        one.get("/api/meta")
        other.cookies = one.cookies
        doors = cycle((one, other))
        assert allowed(lambda: next(doors).post("/api/tables", json=PLAN), 30)
        assert make_tables(one, 1) + make_tables(other, 1) == [429] * 2
        refused = other.post("/api/tables", json={"game": "eko", "options": {}, "seats": []})
        assert 0 < int(refused.headers.get("retry-after", 1)) <= 600


@pytest.mark.parametrize("fault", FAULTS)
def test_tables_go_on_without_redis_and_the_lobby_catches_up(
    pair: Pair, redis: RedisServer, fault: signal.Signals | None
) -> None:
    ada, bob, table = pair.seated()
    doors = [pair.browser(0), pair.browser(1)]
    for door in doors:
        comes(partial(has_redis, door))
    with ExitStack() as open_now:
        here, there = (open_now.enter_context(lobby(*who)) for who in ((ada, "Ada"), (bob, "Bob")))
        hers, his = (open_now.enter_context(each.open(table)) for each in (ada, bob))
        play_together(hers, his, 2)
        redis.flush() if fault is None else redis.hurt(fault)
        play_together(hers, his, 4)
        tables = [browser.create("here", "open", public=True) for browser in (bob, ada)]
        if fault is not None:
            for door in doors:
                comes(partial(lacks_redis, door))
            tables.append(bob.create("here", "open", public=True))
        redis.heal()
        for door in doors:
            comes(partial(has_redis, door))
        for late in tables:
            shows(late, here, there)
        play_together(hers, his, 4)
        comes(partial(goes_by_redis, redis, bob, here))
        assert his.log == hers.log


def goes_by_redis(redis: RedisServer, browser: Browser, visit: Lobby) -> bool:
    """Tell the meeting something. Returns: whether it was heard by Redis."""
    with redis.client() as client, client.pubsub() as spy:
        spy.psubscribe("*")
        shows(browser.create("here", "open", public=True), visit)
        return bool(texts(spy))


def texts(spy: PubSub, patience: float = 0.3) -> list[bytes]:
    """Return what a spy has read by now. patience: seconds to wait for the first of it."""
    found: list[Any] = []
    while (message := spy.get_message(timeout=0.3 if found else patience)) is not None:
        found.append(message)
    return [message["data"] for message in found if message["type"] == "pmessage"]


@pytest.mark.parametrize("is_there", [True, False])
def test_who_is_signed_out_at_one_door_loses_the_lines_at_the_other(
    pair: Pair, redis: RedisServer, *, is_there: bool
) -> None:
    name = f"Olga {is_there}"
    owner, olga = pair.browser(1), pair.browser(0)
    sign_up(olga, name)
    table = owner.create("here", "open")
    if not is_there:
        redis.hurt(signal.SIGSTOP)
    with olga.open(table) as line:
        post(olga, "/api/account/sign-out")
        if not is_there:
            comes(partial(lacks_redis, olga))
            redis.heal()
        assert close_frame(line) == Close(4401, "signed out")


def test_redis_that_goes_is_told_once_and_again_when_it_is_back(pair: Pair, redis: RedisServer) -> None:
    browser, log = pair.browser(1), pair.servers[1].log
    comes(partial(has_redis, browser))
    before = log.read_text()
    for _ in range(2):
        redis.stop()
        comes(partial(lacks_redis, browser))
        redis.start()
        comes(partial(has_redis, browser))
    told = log.read_text().removeprefix(before)
    turns = re.findall("Redis (unreachable|reconnected)", told)
    assert len(turns) > 3
    assert turns == ["unreachable", "reconnected"] * (len(turns) // 2)  # never the same twice


def test_measures_tell_of_redis_and_a_server_starts_without_it(tmp_path: Path) -> None:
    port = str(free_port())
    options = ("--redis", "redis://127.0.0.1:1/0", "--metrics", port, "--bot-workers", "0")
    with Server(tmp_path, *options) as server:
        assert server.browser().get("/readyz") == {"ready": True, "redis": False}
        assert "ekoes_redis_away 1.0" in httpx.get(f"http://127.0.0.1:{port}/metrics").text
    assert "Redis unreachable" in server.log.read_text()


def test_nothing_that_is_hidden_goes_through_redis(pair: Pair, redis: RedisServer, spy: PubSub) -> None:
    comes(partial(has_redis, pair.browser(1)))
    ada, bob, guest = pair.browser(0), pair.browser(1), pair.browser(0)
    codes = sign_up(ada, "Zdenka")
    token = token_of(ada)["token"]
    assert Program(pair.servers[1].address, token).http.get("/api/account").status_code == 200
    table, hands = seen_hands(pair, ada, bob)
    passed = post(bob, f"/api/tables/{table}/seats/1/pass", 200)["pass"]
    post(guest, "/api/passes", 200, **{"pass": passed})
    cookies = [each.http.cookies["ekoes"] for each in (ada, bob, guest)]
    device = ada.get("/api/account/devices")["devices"][0]["id"]
    post(ada, "/api/account/sign-out", 204)

    cipher = MessageCipher(signing_keys(pair.servers[0].data / "secret.key"))
    words: list[Message] = []
    while {word.topic for word in words} < {"tables", "presence", "signed-out", "ack"}:
        read = texts(spy, PATIENCE)
        words += [word for text in read if (word := cipher.decrypt(text)) is not None]
        assert read
        assert not any(table.encode() in text for text in read)
    with redis.client() as client:
        kept = "".join(map(str, client.keys()))
    secrets = [*codes, *cookies, *hands, token, passed, device, PASSWORD, "Zdenka", "127.0.0.1"]
    said = "".join(f"{word.topic} {word.text}" for word in words)
    assert len(hands) > 2
    assert [secret for secret in secrets if secret in said + kept] == []
    assert table in said


def test_word_that_is_played_again_orders_nothing(pair: Pair, redis: RedisServer, spy: PubSub) -> None:
    """A table goes from the first server to the second and back; then the first call comes once more."""
    for door in (0, 1):
        comes(partial(has_redis, pair.browser(door)))
    cipher = MessageCipher(signing_keys(pair.servers[0].data / "secret.key"))
    ada, bob, table = pair.seated()
    there = handed_on(pair, ada, table, 1)
    calls = [text for text in texts(spy) if (word := cipher.decrypt(text)) and word.text == table]
    here = handed_on(pair, there, table, 0)
    assert len(calls) == 1
    with here.open(table) as hers, bob.open(table) as his, redis.client() as client:
        play_together(hers, his, 2)
        for text in (calls[0], calls[0][:-9] + b"AAAAAAAA=", b"give it up"):
            channel = f"{CHANNEL_PREFIX}{pair.servers[0].address.removeprefix('http://').rstrip('/')}"
            assert client.publish(channel, text) == 2  # the spy hears it too
        play_together(hers, his, 6)
        assert his.log == hers.log


def handed_on(pair: Pair, user: Browser, table: str, door: int) -> Browser:
    """Hand the first seat on to a browser at a door, whose server calls the table. Returns: that browser."""
    passed = post(user, f"/api/tables/{table}/seats/0/pass", 200)["pass"]
    browser = pair.browser(door)
    post(browser, "/api/passes", 200, **{"pass": passed})
    return browser


def seen_hands(pair: Pair, ada: Browser, bob: Browser) -> tuple[str, list[str]]:
    """Let two play EKKO through two doors; return the table, which is at the second, and the hands."""
    table = bob.create_race("open", "here", calm=True, turn_clock=None)
    hands: set[str] = set()
    with ada.open(table) as hers, bob.open(table) as his:
        assert hers.ask("sit", seat=0, name="Zdenka")["type"] == "ack"
        while len(his.log) < 8:
            for socket, seat in ((hers, 0), (his, 1)):
                version = max(hers.version, his.version)
                socket.until(version)
                act(socket, seat)
                cards = hand(socket, seat)
                hands |= {json.dumps(cards, separators=(",", ":")), str(cards)}
    return table, sorted(cards for cards in hands if cards.count(",") > 1)


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("--cluster", "127.0.0.1:1", "--cluster needs --redis"),
        ("--redis", "here", "--redis"),
        ("--redis", "redis://:secret@here:port/0", "--redis"),
    ],
)
def test_cluster_without_a_redis_is_refused_in_a_line(
    tmp_path: Path, option: str, value: str, reason: str
) -> None:
    shown = ekoes("play", "--no-browser", "--port", "0", "--data", tmp_path, option, value, status=2)
    assert reason in shown
    assert "secret" not in shown.replace("secret.key", "")
