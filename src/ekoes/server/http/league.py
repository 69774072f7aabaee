"""Routes: the league of bots."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path, Query, Request, Response
from pydantic import Field

from ekoes.errors import AccountError
from ekoes.server.http.openapi import Shape, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import AccountDep, ServicesDep, api_router
from ekoes.tables.orders import Strict

league_routes = api_router("/league")

GameName = Annotated[str, Path(pattern="^[a-z0-9_-]{2,20}$")]


class LeaguePlayer(Shape):
    """A player: a level of the game, or a program with the account that entered it.

    out: it has not come to games for some nights in a row, and is not paired any more.
    """

    name: str
    level: Literal[True] | None = None
    author: str | None = None
    out: Literal[True] | None = None


class LeagueStanding(LeaguePlayer):
    """A player's strength in Elo points, where the levels' mean is 0, within ``spread`` with 95 % confidence.

    change: in the last day; null: there were no games before.
    """

    elo: int
    spread: int
    won: int
    even: int
    lost: int
    change: int | None


class LeagueGame(Shape):
    """A game by seat. at: when it began, or if it is over when it ended, in milliseconds.

    winner: the seat that won alone; null: none did; missing while it is running.
    """

    table: str
    seats: list[LeaguePlayer]
    at: int
    winner: int | None = None


class LeaguePair(Shape):
    """What two have played, as the first of them sees it."""

    players: list[LeaguePlayer]
    won: int
    even: int
    lost: int


class LeagueInfo(Shape):
    """A league, the strongest player first, those without games last.

    hours: of its begin and end by the server's clock. games: how many it plays a night, 0: none.
    """

    game: str
    hours: list[int]
    games: int
    players: list[LeagueStanding]
    pairs: list[LeaguePair]
    playing: list[LeagueGame]
    latest: list[LeagueGame]


@league_routes.get("/{game}", **answers(LeagueInfo))
@Policy("look", owner="lobby")
async def show_league(request: Request, services: ServicesDep, game: GameName) -> Response:
    """Return the standing of the league of a game and its latest games, with an ``ETag``."""
    shown = await services.league.standing(game)
    headers = {"etag": shown.tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == shown.tag:
        return Response(status_code=304, headers=headers)
    return Response(shown.text, media_type="application/json", headers=headers)


class LeagueEntry(Strict):
    """A bot account that is to enter. token: one of its tokens, which its author has."""

    token: Annotated[str, Field(max_length=200)]


@league_routes.post("/{game}/entries", status_code=204)
@Policy("change", owner="lobby")
async def enter_league(
    services: ServicesDep, account: AccountDep, game: GameName, entry: LeagueEntry
) -> None:
    """Enter a bot account, again if it is out; at most three of each account."""
    token = await services.tokens.admit(entry.token)
    if token is None:
        raise AccountError("no account has this token", code="league/no-token", key="token")
    await services.league.enter(game, token.user_id, account.user_id)


@league_routes.delete("/{game}/entries", status_code=204)
@Policy("change", owner="lobby")
async def leave_league(
    services: ServicesDep,
    account: AccountDep,
    game: GameName,
    name: Annotated[str, Query(max_length=40)],
) -> None:
    """Remove a bot account with its results; its author, itself and moderators may."""
    await services.league.leave(game, name, account.user_id)
