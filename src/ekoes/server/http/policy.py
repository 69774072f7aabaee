"""The policy of a route: rate limit, token scope and owner in a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from fastapi import APIRouter
from fastapi.routing import APIRoute, APIWebSocketRoute
from limits import RateLimitItem, parse
from starlette.routing import Match
from starlette.types import Scope as AsgiScope

from ekoes.errors import LimitError
from ekoes.server.ops.limits import HERE, Count
from ekoes.server.runtime.permissions import Scope

REQUESTS = (parse("1500 per minute"),)
LIMITS = MappingProxyType(
    {
        "look": (),  # answered from memory or by one indexed read
        "reading": (parse("600 per minute"),),  # a table, its history or a position is read or analysed
        "record": (parse("60 per minute"),),  # a whole game is written as text
        "board": (parse("120 per minute"),),  # computed in the sandbox: three at a time, sixteen may wait
        "search": (parse("300 per minute"),),  # a database query
        "draw": (parse("240 per minute"),),  # rendered by a process of its own; seven may wait
        "pack": (parse("20 per 10 minutes"),),  # many records in one file
        "change": (parse("300 per minute"),),
        "enter": (parse("120 per 15 minutes"),),  # a password is hashed
        "make": (parse("300 per minute"),),  # something is created
        "order": (parse("1200 per minute"),),
        "connect": (parse("300 per minute"),),  # a socket or a stream is opened
    }
)
"""Cost of a request -> how many of that cost one address may send; an address may be a whole school."""
_TABLES_OF_ONE = (parse("30 per 10 minutes"), parse("300 per day"))
_TABLES_OF_ALL = (parse("200 per 10 minutes"), parse("3000 per day"))
_REPORTS_OF_ALL = (parse("20 per hour"), parse("60 per day"))
_STORED_OF_ALL = (parse("50000 per day"),)
"""Kilobytes of studies, and of tables that begin with a record."""
_REVEALED = (parse("1 per day"),)
_RATED = (parse("10 per minute"), parse("300 per day"))

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
Route = APIRoute | APIWebSocketRoute


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy of a route, as a decorator of its function below that of the router.

    limit: its cost, see `LIMITS`. scope: what a token must allow; ``any``: any token will do; None: tokens
    are refused. owner: which process of a cluster answers: that of the table in the path, or the leader of
    the lobby; None: any.
    """

    limit: str
    scope: Scope | Literal["any"] | None = None
    owner: Literal["table", "lobby"] | None = field(default=None, kw_only=True)

    def __call__(self, endpoint: Endpoint) -> Endpoint:
        """Declare this policy for the function of a route."""
        endpoint.policy = self  # type: ignore[attr-defined]
        return endpoint


def policy_of(endpoint: Callable[..., Any]) -> Policy:
    """Return the policy of a route's function. Raises AttributeError if it declares none."""
    declared: Policy = endpoint.policy  # type: ignore[attr-defined]
    return declared


def routes_of(routers: Iterable[APIRouter]) -> list[Route]:
    """Return all routes of some routers."""
    return [route for router in routers for route in router.routes if isinstance(route, Route)]


def owner_finder(routers: Iterable[APIRouter], lobby: str) -> Callable[[AsgiScope], str | None]:
    """Return a function from a request to the name of what owns it. lobby: the name of the lobby's lease."""
    owned = [(route, owner) for route in routes_of(routers) if (owner := policy_of(route.endpoint).owner)]

    def find(scope: AsgiScope) -> str | None:
        for route, owner in owned:
            match, child = route.matches(scope)
            if match is Match.FULL:
                table_id = str(child["path_params"].get("table_id", ""))[:40]
                return lobby if owner == "lobby" else table_id if table_id.isalnum() else None
        return None

    return find


class Quotas:
    """Counts requests by address. Methods raise LimitError with the seconds to wait."""

    def __init__(self, count: Count = HERE) -> None:
        self._counter = count("asked")

    async def request(self, limit: str, address: str | None) -> None:
        """Count a request: against the limit of all, and that of its cost."""
        await self._count(REQUESTS, "request", address, "requests", "limit/requests")
        await self._count(LIMITS[limit], limit, address, "requests of this kind", "limit/requests")

    async def table(self, address: str | None, user: str) -> None:
        """Count a new table."""
        if address is not None:
            await self._count(_TABLES_OF_ONE, "table", user, "new tables", "limit/tables")
        await self._count(_TABLES_OF_ALL, "table", address, "new tables from this address", "limit/tables")

    async def report(self, address: str | None) -> None:
        """Count a report."""
        await self._count(_REPORTS_OF_ALL, "report", address, "reports from this address", "limit/requests")

    async def storage(self, address: str | None, size: int) -> None:
        """Count what is to be stored. size: in bytes."""
        what, cost = "bytes to store from this address", ceil(size / 1000)
        await self._count(_STORED_OF_ALL, "stored", address, what, "limit/requests", cost)

    async def may_rate(self, puzzle: str, address: str | None, user: str | None) -> bool:
        """Count an answer to a puzzle, and return whether it may be rated.

        It may not if an answer from the same address has revealed the solution today, or if the user answers
        too fast. address: None if it does not matter.
        """
        if address is not None and await self._counter.wait(_REVEALED, f"told {address} {puzzle}"):
            return False
        return user is not None and await self._counter.wait(_RATED, f"rated {user}") is None

    async def _count(
        self, limits: Sequence[RateLimitItem], kind: str, key: str | None, what: str, code: str, cost: int = 1
    ) -> None:
        if key is not None:
            await self._counter.check(limits, f"{kind} {key}", what, code=code, error=LimitError, cost=cost)
