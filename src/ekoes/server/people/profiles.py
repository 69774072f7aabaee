"""Profiles: what somebody has come to, game by game, and who is the best."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from ekoes.errors import AccountError, TableError
from ekoes.games.contract import Json
from ekoes.match.orders import MAX_PLAYERS
from ekoes.match.rating import NEW
from ekoes.server.api import TableId
from ekoes.server.bodies import StrictRoute
from ekoes.server.cookies import session_of
from ekoes.storage.people import Account
from ekoes.storage.results import Played, Result, Results, Standing
from ekoes.storage.store import Store

__all__ = ["Name", "Players", "Word", "played_json", "profile_routes"]

profile_routes = APIRouter(prefix="/api", route_class=StrictRoute)

_GAMES = 50
_LEADERS = 100

Name = Annotated[str, Query(max_length=160)]
"""A name may hold any sign, so it is no part of a path."""
Word = Annotated[str, Path(pattern=r"^[a-z0-9_-]{1,20}$")]
Players = Annotated[int, Path(ge=1, le=MAX_PLAYERS)]


@profile_routes.get("/profile")
async def show_profile(request: Request, name: Name) -> Json:
    """Tell who somebody is, their ratings, and how often the reader came before them."""
    account = await _named(request, name)
    eye, results = session_of(request), _results(request)
    standings = await asyncio.to_thread(results.standings, account.holder)
    return {
        "name": account.name,
        "since": account.since.isoformat(),
        "you": eye == account.holder,
        "ratings": [_standing_json(standing) for standing in standings],
        "between": await _between(results, eye, account.holder),
        **({"program": True} if _is_program(request, account) else {}),
    }


@profile_routes.get("/profile/games")
async def show_games(
    request: Request, name: Name, before: Annotated[datetime | None, Query()] = None
) -> Json:
    """List the latest games of somebody that the reader may know of: rated ones, and the reader's own."""
    account = await _named(request, name)
    eye = session_of(request)
    games = await asyncio.to_thread(_results(request).games, account.holder, eye, before, _GAMES)
    return {"games": [played_json(game, account.holder) for game in games], "more": len(games) == _GAMES}


@profile_routes.get("/profile/curve/{game}/{players}/{tempo}")
async def show_curve(request: Request, name: Name, game: Word, players: Players, tempo: Word) -> Json:
    """Tell the ratings of somebody after each game of a pool."""
    account = await _named(request, name)
    pool = f"{game}/{players}/{tempo}"
    points = await asyncio.to_thread(_results(request).curve, account.holder, pool)
    after = [{"at": at.isoformat(), **rating.to_json()} for at, rating in points]
    return {"start": NEW.to_json(), "points": after}


@profile_routes.get("/ratings")
async def show_pools(request: Request) -> Json:
    """List the games that are rated here, and how many people play each."""
    pools = await asyncio.to_thread(_results(request).pools)
    return {"pools": [{**_pool_json(pool), "people": people} for pool, people in pools]}


@profile_routes.get("/ratings/{game}/{players}/{tempo}")
async def show_leaders(request: Request, game: Word, players: Players, tempo: Word) -> Json:
    """List the best of those whose rating is certain."""
    leaders = await asyncio.to_thread(_results(request).leaders, f"{game}/{players}/{tempo}", _LEADERS)
    return {"leaders": [{"name": it.name, **_standing_json(it)} for it in leaders]}


@profile_routes.get("/tables/{table_id}/result")
async def show_result(request: Request, table_id: TableId) -> Json:
    """Tell how the game of a table ended for each seat, with ratings before and after."""
    played = await asyncio.to_thread(_results(request).of_table, table_id)
    if played is None:
        raise TableError("the game goes on", code="table/not-over")
    return played_json(played, None)


def _results(request: Request) -> Results:
    store: Store = request.app.state.store
    return store.results


def _is_program(request: Request, account: Account) -> bool:
    store: Store = request.app.state.store
    return store.programs.has(account.holder)


async def _named(request: Request, name: str) -> Account:
    store: Store = request.app.state.store
    account = await asyncio.to_thread(store.people.named, name)
    if account is None:
        raise AccountError("nobody has this name", code="account/unknown", key="name")
    return account


async def _between(results: Results, eye: str | None, holder: str) -> Json | None:
    """Tell how often the reader came before somebody; None: nobody's, or one's own profile."""
    if eye is None or eye == holder:
        return None
    between = await asyncio.to_thread(results.between, eye, holder)
    return {"won": between.won, "lost": between.lost, "even": between.even}


def _pool_json(pool: str) -> Json:
    game, players, tempo = pool.split("/")
    return {"game": game, "players": int(players), "tempo": tempo}


def _standing_json(standing: Standing) -> Json:
    counts = {"games": standing.games, "won": standing.won}
    return {**_pool_json(standing.pool), **standing.rating.to_json(), **counts}


def played_json(played: Played, holder: str | None) -> Json:
    """Describe a game. holder: whose seat is marked."""
    return {
        "table": played.table_id,
        **_pool_json(played.pool),
        "rated": played.rated,
        "reason": played.reason,
        "length": played.length,
        "at": played.ended_at.isoformat(),
        "seats": [_result_json(result, holder) for result in played.results],
    }


def _result_json(result: Result, holder: str | None) -> Json:
    ratings = {}
    if result.rating is not None:
        before, after = result.rating
        ratings = {"before": before.to_json(), "after": after.to_json()}
    return {
        "seat": result.seat,
        "name": result.name,
        "account": result.account,
        "bot": result.bot,
        "rank": result.rank,
        "won": result.won,
        "theirs": holder is not None and result.holder == holder,
        **ratings,
    }
