"""A client of an Ekoes server, for bots and for other programs: needs the extra ``client``.

::

    async with Client("https://games.example", token="ekoes_…") as client:
        async for event in client.events():
            ...

"""

from __future__ import annotations

from ekoes.client.client import Client
from ekoes.client.failures import LineError, RefusedError
from ekoes.client.line import PROTOCOL
from ekoes.client.plan import account_seat, bot_seat, open_seat, own_seat
from ekoes.client.table import Table
from ekoes.client.view import Seat, View

__all__ = [
    "PROTOCOL",
    "Client",
    "LineError",
    "RefusedError",
    "Seat",
    "Table",
    "View",
    "account_seat",
    "bot_seat",
    "open_seat",
    "own_seat",
]
