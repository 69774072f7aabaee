"""How much of each thing may be asked for: one table of all routes and messages.

A route or a message that stands in no row fails a test. How many of each kind one address may send stands in
``LIMITS``; besides, whatever it is, a request is one of ``REQUESTS``. Some are counted by name, account or
table as well, where they are done; the row says so.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

from limits import RateLimitItem, parse

__all__ = ["LIMITS", "MESSAGES", "MOST_LINES", "MOST_LINES_OF_ONE", "REQUESTS", "ROUTES", "Kind", "weight_of"]

Kind = Literal[
    "look", "reading", "board", "search", "draw", "pack", "change", "enter", "make", "order", "line"
]

REQUESTS = (parse("1500 per minute"),)
LIMITS: MappingProxyType[Kind, tuple[RateLimitItem, ...]] = MappingProxyType(
    {
        "look": (),
        "reading": (parse("600 per minute"),),
        "board": (parse("120 per minute"),),
        "search": (parse("300 per minute"),),
        "draw": (parse("240 per minute"),),
        "pack": (parse("20 per 10 minutes"),),
        "change": (parse("300 per minute"),),
        "enter": (parse("120 per 15 minutes"),),
        "make": (parse("300 per minute"),),
        "order": (parse("1200 per minute"),),
        "line": (parse("300 per minute"),),
    }
)
"""Kind of request -> how many of that kind one address may send; houses of many people among them."""
MOST_LINES_OF_ONE, MOST_LINES = 64, 1000
"""Sockets and streams that are open at the same time: of one cookie or token, and from one address."""

_TABLE = "/api/tables/{table_id}"
_ARE: dict[Kind, tuple[str, ...]] = {
    "look": (
        "GET /api/meta",
        "GET /healthz",
        "GET /readyz",
        f"GET {_TABLE}/status",
        "GET /api/lessons/{game}",
        "GET /api/lessons/{game}/{name}",
        "GET /api/push",
        "GET /api/moderation",
        "GET /api/challenges",
    ),
    # A table, its past, or a position is read, judged, or thought about.
    "reading": (
        f"GET {_TABLE}",
        f"GET {_TABLE}/positions/{{decisions}}",
        f"GET {_TABLE}/record",
        f"GET {_TABLE}/advice",
        f"GET {_TABLE}/threats/{{place}}",
        f"GET {_TABLE}/chat",
        f"POST {_TABLE}/questions",
        "POST /api/lessons/{game}/{name}",
    ),
    # A board is made, or decisions are tried: two at a time, sixteen may wait (503).
    "board": ("POST /api/{name}/preview", f"POST {_TABLE}/ahead"),
    # The database looks for something.
    "search": (
        f"GET {_TABLE}/result",
        f"GET {_TABLE}/tournament",
        "GET /api/account",
        "GET /api/account/tables",
        "GET /api/account/devices",
        "GET /api/account/tokens",
        "GET /api/account/vacation",
        "GET /api/archive",
        "GET /api/games/{table_id}",
        "GET /api/moderation/reports",
        "GET /api/profile",
        "GET /api/profile/curve/{game}/{players}/{tempo}",
        "GET /api/profile/games",
        "GET /api/ratings",
        "GET /api/ratings/{game}/{players}/{tempo}",
        "GET /api/ties/{kind}",
        "GET /api/tournaments",
        "GET /api/tournaments/{tournament_id}",
    ),
    # A process draws it, one at a time, for ten seconds at most; eight may wait (503).
    "draw": (f"GET {_TABLE}/picture.png",),
    # Many records in one file; one file at a time.
    "pack": ("GET /api/archive/records", "GET /api/account/export"),
    "change": (
        f"POST {_TABLE}/seats/{{seat}}/pass",
        "POST /api/passes",
        "POST /api/push",
        "DELETE /api/push",
        "POST /api/account/sign-out",
        "DELETE /api/account/devices/{device}",
        "POST /api/account/vacation",
        "DELETE /api/account/vacation",
        "POST /api/account/tokens",  # and so many of one account
        "DELETE /api/account/tokens/{number}",
        "POST /api/account/program",
        "POST /api/ties/{kind}",
        "DELETE /api/ties/{kind}/{number}",
        "POST /api/reports",  # and 10 an hour of one
        "POST /api/moderation/reports/{number}",
        "POST /api/tournaments/{tournament_id}/entrants",
        "DELETE /api/tournaments/{tournament_id}/entrants/{number}",
        "POST /api/tournaments/{tournament_id}/start",
        "POST /api/tournaments/{tournament_id}/end",
        "POST /api/challenges/{challenge}/accept",
        "POST /api/challenges/{challenge}/decline",
        "DELETE /api/challenges/{challenge}",
    ),
    # A password is hashed. Attempts are counted for each name too, and new accounts.
    "enter": (
        "POST /api/account",
        "POST /api/account/sign-in",
        "POST /api/account/recover",
        "POST /api/account/password",
        "POST /api/account/codes",
        "POST /api/account/delete",
    ),
    # Something is there from then on. Tables are counted for each session and address, the others by account.
    "make": ("POST /api/tables", "POST /api/tournaments", "POST /api/challenges"),
    # Tokens are counted too, and lines of talk by people and tables.
    "order": (f"POST {_TABLE}/orders", f"POST {_TABLE}/say"),
    "line": (
        "GET /api/bot/stream",
        f"GET {_TABLE}/stream",
        f"SOCKET {_TABLE}/socket",
        "SOCKET /api/lobby/socket",
    ),
}
ROUTES = MappingProxyType({route: kind for kind, routes in _ARE.items() for route in routes})
"""What is asked -> of which kind it is."""

_WEIGHT_OF: dict[int, tuple[str, ...]] = {
    1: (
        *("act", "undo", "end_turn", "resign", "draw", "intent", "why", "ways", "stop"),
        *("sit", "stand", "rename", "pace", "pause", "fill", "rematch", "propose", "vote", "go_on"),
        *("chat", "say", "mute"),  # lines are counted by people and tables besides
        *("hello", "unseek"),
    ),
    # The whole table, forty decisions to be judged, a search, or a look at all that is known of somebody.
    10: ("table", "foresee", "analyse", "seek"),
}
MESSAGES = MappingProxyType({kind: weight for weight, kinds in _WEIGHT_OF.items() for kind in kinds})
"""Kind of message -> for how many it counts of those that a session may send to a table, or to the lobby."""
_BYTES = 4096
"""More of them count for one more message."""


def weight_of(kind: str, size: int) -> int:
    """Return for how many messages one counts. kind: none of ours is as light as any."""
    return MESSAGES.get(kind, 1) + size // _BYTES
