"""A client of an Ekoes server, for bots and for other programs: needs the extra ``client``.

::

    async with Client("https://games.example", token="ekoes_…") as client:
        async for event in client.events():
            ...

"""

from __future__ import annotations

from ekoes.errors import from_extra

with from_extra("client"):
    from ekoes.client.client import (
        Client,
        ConnectionFailedError,
        RefusedError,
        Seat,
        Table,
        View,
        account_seat,
        bot_seat,
        open_seat,
        own_seat,
    )
    from ekoes.protocol import PROTOCOL

__all__ = [
    "PROTOCOL",
    "Client",
    "ConnectionFailedError",
    "RefusedError",
    "Seat",
    "Table",
    "View",
    "account_seat",
    "bot_seat",
    "open_seat",
    "own_seat",
]
