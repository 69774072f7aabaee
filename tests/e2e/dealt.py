"""The server of `ekoes play`, with cards in an order that a test has chosen, or with another page.

`python -m tests.e2e.dealt DATA PORT DEALS [PAGE]`: DEALS is a JSON file of orders, each of the 98 cards
(K6.0); the first deal of this server gets the first, later ones the next, the last goes on. It may hold null:
then they are shuffled. PAGE is the folder of a built page.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Sequence
from itertools import chain, repeat
from pathlib import Path

import uvicorn

from ekoes.cli.bots import warm_once
from ekoes.server.app import create_app
from ekoes.server.realtime.sockets import uvicorn_config
from ekoes.server.settings import PAGE, Settings
from tests.dealing import Dealing

CARDS = 98
LEFT = (6, 37, 50, 91, 93, 95)
"""The hand left of the dealer, who begins."""
DEALER = (4, 5, 73, 81, 83, 85)
"""04 is the mirror of the card that is turned over, 73 that of 37."""
TURNED = 40
DRAWN = 1
"""The card on top of the pile."""


def order_of(*first: int | Sequence[int]) -> list[int]:
    """Return an order that begins with some cards and goes on with all others, ascending."""
    begun = list(chain.from_iterable([one] if isinstance(one, int) else one for one in first))
    return begun + [card for card in range(1, CARDS + 1) if card not in begun]


def in_turn(deals: list[list[int]]) -> Callable[[], tuple[int, ...]]:
    """Return a shuffle that hands out one deal after the other."""
    coming = chain(map(tuple, deals), repeat(tuple(deals[-1])))
    return lambda: next(coming)


def main(data: Path, port: int, deals: Path, page: Path = PAGE) -> None:
    """Serve until the process is ended."""
    listener = socket.create_server(("127.0.0.1", port))
    warm_once()
    orders = json.loads(deals.read_text("utf-8"))
    chance = None if orders is None else Dealing(in_turn(orders))
    app = create_app(Settings(data=data, page=page), chance=chance)

    class Server(uvicorn.Server):
        """Tells the address once the server answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)

    Server(uvicorn_config(app)).run(sockets=[listener])


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), *map(Path, sys.argv[3:]))
