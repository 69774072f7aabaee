"""Clients as tests drive them: a browser with its cookies, and sockets that keep what their messages say."""

from __future__ import annotations

import itertools
import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close
from websockets.sync.client import ClientConnection, connect

from ekoes.client.client import seen, updated
from ekoes.games.api.chance import Chance
from ekoes.games.api.values import patched
from ekoes.protocol import PROTOCOL
from tests.kit.choices import offered

__all__ = [
    "PASSWORD",
    "PATIENCE",
    "PLAN",
    "TLS",
    "Browser",
    "Connection",
    "Json",
    "Lobby",
    "Room",
    "Socket",
    "challenge",
    "close_frame",
    "decide",
    "lobby",
    "make_tables",
    "new_name",
    "picture",
    "play",
    "play_together",
    "post",
    "sign_in",
    "sign_up",
    "tournament_room",
    "who",
]

PATIENCE = 60.0
"""Seconds that an answer may take on a busy machine before a test fails."""
PASSWORD = "a tower by the sea"
TLS = ssl.create_default_context()
"""For all clients: each would read the certificates of all authorities anew, for a twentieth of a second."""
ANSWERS = ("ack", "error")
PLAN = {"game": "eko", "options": {"players": 2}, "seats": [{"kind": "here"}, {"kind": "open"}]}
_NUMBERS = itertools.count(1)

Json = dict[str, Any]
AnyConnection = TypeVar("AnyConnection", bound="Connection")


class Browser:
    """One browser: its cookies stay with it. host: its address, as a proxy names it."""

    def __init__(self, address: str, host: str | None = None) -> None:
        limits = httpx.Limits(max_keepalive_connections=0)  # a restarted server knows no old connection
        self.http = httpx.Client(base_url=address, timeout=PATIENCE, limits=limits, verify=TLS)
        self._place = {} if host is None else {"X-Forwarded-For": host}
        self.http.headers.update(self._place)
        self.get("/api/meta")

    @property
    def cookie(self) -> str:
        return f"ekoes={self.http.cookies['ekoes']}"

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == status, answer.text
        return answer.json()

    def create(self, *seats: str | Json, public: bool = False, **options: Any) -> str:
        """Make a table of Ekö. seats: ``here``, ``open``, a bot's name, or the whole JSON."""
        options = {"variants": [], "setup": "standard", "seed": 1} | options
        return self._create("eko", seats, options, public=public)

    def create_race(self, *seats: str | Json, public: bool = False, **options: Any) -> str:
        """Make a table of EKKO."""
        return self._create("ekko", seats, options, public=public)

    def _create(
        self, game: str, seats: tuple[str | Json, ...], options: Json, *, public: bool = False
    ) -> str:
        known: Json = {"here": {"kind": "here"}, "open": {"kind": "open"}}
        plans = [known.get(s, {"kind": "bot", "bot": s}) if isinstance(s, str) else s for s in seats]
        wish = {"players": len(seats)} | options
        return str(post(self, "/api/tables", 201, game=game, options=wish, seats=plans, public=public)["id"])

    @contextmanager
    def open(self, table: str, **headers: str) -> Iterator[Socket]:
        """Open the socket of a table; it has been shown the table."""
        with self.connect(f"tables/{table}", Socket, headers) as socket:
            socket.wait("table")
            yield socket

    @contextmanager
    def connect(
        self,
        path: str,
        kind: Callable[[ClientConnection], AnyConnection],
        headers: dict[str, str] | None = None,
        **options: Any,
    ) -> Iterator[AnyConnection]:
        """Open a WebSocket. options: of ``websockets.connect``."""
        base = str(self.http.base_url).replace("http://", "ws://").rstrip("/")
        with connect(
            f"{base}/api/{path}/socket?protocol={PROTOCOL}",
            additional_headers={"Cookie": self.cookie, **self._place, **(headers or {})},
            proxy=None,
            max_size=None,
            max_queue=None,  # closing does not wait for unread messages
            open_timeout=PATIENCE,
            **options,
        ) as websocket:
            yield kind(websocket)


def post(browser: Browser, path: str, status: int = 204, **body: Any) -> Any:
    """Send a request that is answered with a status; return the answer's body."""
    answer = browser.http.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


def challenge(browser: Browser, *names: str, status: int = 201, **options: Any) -> Any:
    """Challenge accounts to a game of Ekö; return the answer."""
    seats = [{"kind": "here"}, *({"kind": "account", "account": name} for name in names)]
    wish = {"players": len(seats)} | options
    return post(browser, "/api/challenges", status, game="eko", options=wish, seats=seats)


def sign_up(browser: Browser, name: str) -> list[str]:
    """Make an account; return its recovery codes. Each comes from another address, as these are limited."""
    number = next(_NUMBERS)
    address = {"X-Forwarded-For": f"198.18.{number // 250}.{number % 250 + 1}"}
    answer = browser.http.post("/api/account", json={"name": name, "password": PASSWORD}, headers=address)
    assert answer.status_code == 201, answer.text
    codes: list[str] = answer.json()["codes"]
    return codes


def new_name() -> str:
    """Return a name that no one has yet."""
    return f"Member {next(_NUMBERS)}"


def sign_in(browser: Browser, name: str, password: str = PASSWORD) -> None:
    """Sign in."""
    post(browser, "/api/account/sign-in", name=name, password=password)


def who(browser: Browser) -> str | None:
    """Return the name of a browser's account."""
    found: str | None = browser.get("/api/account")["name"]
    return found


def make_tables(client: httpx.Client, number: int) -> list[int]:
    """Make so many tables; return the statuses of the answers."""
    return [client.post("/api/tables", json=PLAN).status_code for _ in range(number)]


def allowed(request: Callable[[], httpx.Response], limit: int) -> int:
    """Send requests until a rate limit refuses one; return how many it allowed, the limit at least.

    A window of the limit can end meanwhile, which then allows more, at most twice as many.
    """
    number = next(number for number in range(2 * limit + 1) if request().status_code == 429)
    assert number >= limit
    return number


class Connection:
    """A WebSocket, read message by message."""

    def __init__(self, websocket: ClientConnection) -> None:
        self.websocket = websocket

    def take(self, message: Json) -> None:
        """Take a message into what is known."""

    def receive(self) -> Json:
        """Wait for the next message, take it in, and return it."""
        message: Json = json.loads(self.websocket.recv(timeout=PATIENCE))
        self.take(message)
        return message

    def wait(self, *kinds: str) -> Json:
        """Take messages in until one of some kinds comes, and return it."""
        while (message := self.receive())["type"] not in kinds:
            pass
        return message

    def send(self, kind: str, **content: Any) -> None:
        """Send a message and return at once."""
        self.websocket.send(json.dumps({"type": kind, **content}))

    def ask(self, kind: str, **content: Any) -> Json:
        """Send a message with a fresh key and return its answer."""
        key = content.setdefault("key", f"key-{next(_NUMBERS)}")
        self.send(kind, **content)
        while (answer := self.wait(*ANSWERS)).get("key") != key:
            pass
        return answer


def close_frame(connection: Connection) -> Close:
    """Take messages in until the server closes a connection; return its code and reason."""
    with pytest.raises(ConnectionClosed) as closed:
        connection.wait("never")
    assert closed.value.rcvd is not None
    return closed.value.rcvd


class Socket(Connection):
    """A table's socket, and the table as its messages describe it."""

    def __init__(self, websocket: ClientConnection) -> None:
        super().__init__(websocket)
        self.table: Json = {}
        self._known: tuple[Json, dict[str, list[Json]]] = {}, {}

    @property
    def state(self) -> Json:
        return seen(self.table)

    @property
    def version(self) -> int:
        return int(self.table["version"])

    @property
    def log(self) -> list[Json]:
        log: list[Json] = self.table["log"]
        return log

    @property
    def choices(self) -> dict[str, list[Json]]:
        """What the seats of this browser may do, action by action."""
        if self.table["game"] != "eko":
            return dict(self.state.get("choices", {}))
        if self._known[0] is not self.table:
            own = [seat["seat"] for seat in self.table["seats"] if seat["yours"]]
            asked = [seat for seat in self.state["asked"] if seat in own]
            self._known = self.table, {str(seat): offered(self.state["position"], seat) for seat in asked}
        return self._known[1]

    def take(self, message: Json) -> None:
        match message["type"]:
            case "table":
                self.table = message
            case "update":
                self.table = updated(self.table, message)
            case "seats":
                self.table = {**self.table, "seats": message["seats"]}

    def until(self, version: int) -> None:
        """Take messages in until the table has a version."""
        while self.version < version:
            self.receive()

    def intend(self, seat: int, kind: str, **action: Any) -> Json:
        """Send an intent (EKKO); return its answer, the table being shown as of then."""
        return self._shown(self.ask("intent", seat=seat, action={"type": kind, **action}))

    def order(self, kind: str, **content: Any) -> Json:
        """Give an order for the table as it is known here; return its answer."""
        return self._shown(self.ask(kind, version=self.version, **content))

    def _shown(self, answer: Json) -> Json:
        if answer["type"] == "ack":
            self.until(answer["version"])
        return answer

    def act(self, seat: int, choice: Json, *, hold: bool = False) -> Json:
        """Play a choice, which the table must take."""
        answer = self.order("act", seat=seat, action=choice["action"], hold=hold)
        assert answer["type"] == "ack", answer
        return answer

    def raw(self, frame: str | bytes) -> Json:
        """Send a frame as it is and return the error that answers it."""
        self.websocket.send(frame)
        return self.wait("error")


def decide(socket: Socket, *, hold: bool = False, chance: Chance | None = None) -> None:
    """Play one of the choices for whichever own seat is asked."""
    (seat,) = socket.choices
    choices = socket.choices[seat]
    socket.act(int(seat), (chance or Chance(socket.version)).choice(choices), hold=hold)


def play(socket: Socket, *effects: str, hold: bool = False) -> Json:
    """Play the first choice with one of some effects; return it."""
    (seat,) = socket.choices
    choice = next(choice for choice in socket.choices[seat] if choice["effect"] in effects)
    socket.act(int(seat), choice, hold=hold)
    return choice


def play_together(one: Socket, other: Socket, decisions: int) -> None:
    """Let two decide by turns, whatever comes; in the end both have seen all of it."""
    for _ in range(decisions):
        decide(one if one.choices else other)
        newest = max(one.version, other.version)
        one.until(newest)
        other.until(newest)


def picture(table: Json) -> Json:
    """Return what of a table must be the same after a restart."""
    return {key: table[key] for key in ("id", "version", "options", "board", "state", "log")}


class Room(Connection):
    """A connection to the lobby, a tournament or a club.

    known: what there is, as the messages describe it; news: the changes so far; invitations: those so far.
    """

    def __init__(self, websocket: ClientConnection) -> None:
        super().__init__(websocket)
        self.known: Json = {}
        self.news: list[Json] = []
        self.invitations: list[Json] = []

    def take(self, message: Json) -> None:
        match message["type"]:
            case "challenge":
                self.invitations.append(message["challenge"])
            case "lobby" | "tournament" | "club":
                self.known = message
            case "news":
                self.news.append(message)
                self.known = patched(self.known, message["change"])

    def until(self, condition: Callable[[Json], Any]) -> Json:
        """Take messages in until a condition holds; return what is known then."""
        while not condition(self.known):
            self.receive()
        return self.known


class Lobby(Room):
    """A connection to the lobby."""

    def invitation(self) -> Json:
        """Return the first invitation, waiting for it."""
        while not self.invitations:
            self.receive()
        return self.invitations[0]


@contextmanager
def lobby(browser: Browser, name: str | None = None, **options: Any) -> Iterator[Lobby]:
    """Open the lobby; what there is is known. options: of the connection."""
    with browser.connect("lobby", Lobby, **options) as here:
        here.wait("lobby")
        if name is not None:
            assert here.ask("hello", name=name)["type"] == "ack"
        yield here


@contextmanager
def inbox(browser: Browser) -> Iterator[Lobby]:
    """Open a page's socket for challenges."""
    with browser.connect("challenges", Lobby) as here:
        yield here


@contextmanager
def tournament_room(browser: Browser, tournament: str) -> Iterator[Room]:
    """Open a tournament's page; what there is is known."""
    with browser.connect(f"tournaments/{tournament}", Room) as here:
        here.receive()
        yield here
