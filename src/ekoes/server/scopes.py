"""What a token may allow: words, and the routes and messages that each of them opens.

Who comes with a cookie may do all that its account may; a program what its token allows, and nothing else:
a route that stands in no row here is closed to programs.
"""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType
from typing import Literal, get_args

from ekoes.errors import AccountError
from ekoes.match.orders import Order
from ekoes.match.state import Table
from ekoes.match.talk import Listen, Mute, Say
from ekoes.server.messages import Analyse, Show, Stop, Ways, Why

__all__ = ["ALL", "ROUTES", "SCOPES", "Scope", "Scopes", "check_allowed", "check_scope", "scope_of"]

Scope = Literal["account:read", "table:read", "table:play", "challenge", "chat", "lobby"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

Scopes = frozenset[str]
ALL: Scopes = frozenset(SCOPES)

_TABLE = "/api/tables/{table_id}"
_OPENS: dict[Scope | None, tuple[str, ...]] = {
    None: ("GET /api/meta",),
    "account:read": (
        "GET /api/account",
        "GET /api/account/tables",
        "GET /api/profile",
        "GET /api/profile/games",
        "GET /api/ties/{kind}",
    ),
    "table:read": (
        f"GET {_TABLE}",
        f"GET {_TABLE}/advice",
        f"GET {_TABLE}/positions/{{decisions}}",
        f"GET {_TABLE}/record",
        f"GET {_TABLE}/result",
        f"GET {_TABLE}/status",
        f"GET {_TABLE}/stream",
        f"GET {_TABLE}/threats/{{place}}",
        f"POST {_TABLE}/questions",
        f"SOCKET {_TABLE}/socket",
    ),
    "table:play": ("POST /api/tables", f"POST {_TABLE}/orders"),
    "challenge": (
        "GET /api/bot/stream",
        "GET /api/challenges",
        "POST /api/challenges",
        "DELETE /api/challenges/{challenge}",
        "POST /api/challenges/{challenge}/accept",
        "POST /api/challenges/{challenge}/decline",
    ),
    "chat": (f"GET {_TABLE}/chat", f"POST {_TABLE}/say"),
    "lobby": ("SOCKET /api/lobby/socket",),
}
ROUTES = MappingProxyType({route: scope for scope, routes in _OPENS.items() for route in routes})
"""What is asked -> what a token has to allow for it; None: nothing."""


def scope_of(message: object) -> Scope:
    """Return what a token has to allow for a message to a table."""
    if isinstance(message, Listen | Say | Mute):
        return "chat"
    return "table:read" if isinstance(message, Why | Ways | Show | Analyse | Stop) else "table:play"


def check_allowed(scopes: Scopes, message: object, table: Table) -> None:
    """Raise AccountError unless a message to a table is allowed: rated games are played by people alone."""
    check_scope(scopes, scope_of(message))
    if scopes is not ALL and table.rated and isinstance(message, Order):
        text = "a rated game is played by people, not by programs"
        raise AccountError(text, code="account/program-rated")


def check_scope(scopes: Collection[str], scope: Scope) -> None:
    """Raise AccountError unless something is allowed."""
    if scope not in scopes:
        message = f"this token does not allow {scope}"
        raise AccountError(message, code="account/scope", scope=scope)
