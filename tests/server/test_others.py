"""What others feel while one address uses all its limits, in counts: how far it has come meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.kit.client import PASSWORD, Browser
from tests.kit.server import Server

BUSY = "198.51.100.7"


def test_sockets_open_while_an_address_signs_in_sixty_times(server: Server) -> None:
    other, browsers = server.browser(), [Browser(server.address, BUSY) for _ in range(60)]
    table = other.create("here", "open")
    wish = {"name": "Nobody", "password": PASSWORD}
    with ThreadPoolExecutor(len(browsers)) as threads:
        asked = [threads.submit(one.http.post, "/api/account/sign-in", json=wish) for one in browsers]
        with other.open(table):
            hashed = [one for one in asked if one.done() and one.result().status_code == 403]
    assert len(hashed) < 30, "those that may wait"
