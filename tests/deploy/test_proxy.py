"""Played through the real nginx with the configuration that is handed out: HTTPS, sockets, restarts."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ekoes.protocol import PROTOCOL, RESTARTS
from ekoes.server.http.middleware import REQUEST_ID
from tests.deploy.nginx import NAME, Proxy, configure, running
from tests.kit.client import PATIENCE, Socket, decide
from tests.kit.server import Server

NGINX = Path(__file__).parents[2] / "deploy" / "nginx"
PLAN = {
    "game": "eko",
    "options": {"players": 2, "variants": [], "setup": "standard", "seed": 1},
    "seats": [{"kind": "here"}, {"kind": "here"}],
}


@contextmanager
def line(proxy: Proxy, http: httpx.Client, table: str) -> Iterator[Socket]:
    """Open the socket of a table as a page does that came by HTTPS."""
    address = f"wss://{NAME}:{proxy.port}/api/tables/{table}/socket?protocol={PROTOCOL}"
    cookies = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    headers = {"Cookie": cookies, "Origin": proxy.address}
    with connect(
        address,
        additional_headers=headers,
        ssl=proxy.trust,
        open_timeout=PATIENCE,
        proxy=None,
        max_size=None,
    ) as opened:
        socket = Socket(opened)
        socket.wait("table")
        yield socket


@pytest.mark.long
def test_story_by_https_and_over_a_restart(own_server: Server, tmp_path: Path) -> None:
    proxy = configure(tmp_path, NGINX / "ekoes.conf", own_server.address.split("/")[2])
    with running(tmp_path), httpx.Client(verify=proxy.trust, base_url=proxy.address) as http:
        http.timeout = httpx.Timeout(PATIENCE)
        moved = httpx.get(f"http://{NAME}:{proxy.plain}/t/x?y=1")
        assert (moved.status_code, moved.headers["location"]) == (301, f"https://{NAME}/t/x?y=1")
        first = http.get("/api/meta")
        assert "Secure" in first.headers["set-cookie"]
        assert first.headers["strict-transport-security"].startswith("max-age=")
        assert len(first.headers[REQUEST_ID]) == 32, "the number is nginx's"
        made = http.post("/api/tables", json=PLAN, headers={"Origin": proxy.address})
        assert made.status_code == 201, made.text
        assert http.post("/api/tables", json=PLAN, headers={"Origin": "https://a.example"}).status_code == 403
        table = made.json()["id"]
        with line(proxy, http, table) as socket:
            decide(socket)
            own_server.signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                socket.wait("nothing")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == RESTARTS
        own_server.stop()
        own_server.start()
        with line(proxy, http, table) as socket:
            assert len(socket.log) == 1
            decide(socket)


@pytest.mark.long
def test_configuration_for_containers_is_sound(own_server: Server, tmp_path: Path) -> None:
    place = own_server.address.split("/")[2]
    proxy = configure(tmp_path, NGINX / "compose.conf", place)
    with running(tmp_path):
        answer = httpx.get(f"{proxy.address}/healthz", verify=proxy.trust)
        assert answer.json() == {"alive": True}
