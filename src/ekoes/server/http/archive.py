"""Routes: the archive, profiles, ratings and results, and pictures of tables."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from typing import Annotated
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import Depends, Path, Query, Request, Response
from pydantic import Field

from ekoes import __version__
from ekoes.errors import EkoesError, TableError
from ekoes.games.api.contract import Json
from ekoes.protocol import MessageError, RatingInfo
from ekoes.server.http.accounts import account_json
from ekoes.server.http.openapi import (
    AccountInfo,
    Moment,
    Pool,
    Shape,
    StandingInfo,
    Watched,
    answers,
    answers_file,
)
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import (
    AddressDep,
    Services,
    ServicesDep,
    TableDep,
    TableId,
    api_router,
    session_of,
)
from ekoes.server.pictures import drawn, drawn_frames, drawn_past, draws, sitters
from ekoes.server.runtime.viewers import chosen
from ekoes.storage.accounts import Account
from ekoes.storage.results import Played, Result, Results, Search, Standing
from ekoes.storage.schema import SolverRow
from ekoes.tables.orders import MAX_PLAYERS, MOST
from ekoes.tables.ratings import NEW
from ekoes.tables.settings import ClockPlan, clock_json
from ekoes.tables.table import Table

_BETWEEN = "~"


class ArchiveQuery(Search):
    """The conditions of a search, all of which must hold, and its page."""

    after: Annotated[str | None, Field(max_length=80, description="the cursor of the page before")] = None


def cursor(last: Played) -> str:
    """Return the cursor to the games after this one."""
    return f"{last.ended_at.isoformat()}{_BETWEEN}{last.table_id}"


def read_cursor(text: str | None) -> tuple[datetime, str] | None:
    """Parse a cursor. Raises MessageError."""
    if text is None:
        return None
    at, _, table_id = text.partition(_BETWEEN)
    try:
        moment = datetime.fromisoformat(at)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC), table_id
    except (ValueError, OverflowError) as error:  # the year 0 or 10000 in UTC
        message = "must be the cursor of the previous response"
        raise MessageError(message, code="message/bad-type", key="after") from error


archive_routes = api_router()

_PAGE, _LEADERS = 50, 100
"""The most that a list returns."""
_FILE = 200
"""Records in one file; a cursor asks for the next ones."""

QueryDep = Annotated[ArchiveQuery, Query()]


class SeatResult(Shape):
    """A seat of a finished game. rank: how many finished ahead. theirs: of the account asked for."""

    seat: int
    name: str
    account: str | None
    bot: str | None
    rank: int
    won: bool
    theirs: bool
    before: RatingInfo | None = None
    after: RatingInfo | None = None


class GameResult(Pool):
    """A finished game."""

    table: str
    rated: bool
    reason: str
    length: int
    at: Moment
    seats: list[SeatResult]


class Found(Shape):
    """Games of the archive. after: the cursor to the next ones."""

    games: list[GameResult]
    after: str | None = None


@archive_routes.get("/archive", **answers(Found))
@Policy("search")
def search_games(services: ServicesDep, query: QueryDep) -> Json:
    """List the latest fifty finished games, public or rated, that match all conditions.

    At most four of ``player`` (names of the same game) and twelve of ``option`` (``key:value``, such as
    ``setup:draft``); ``tempo``: ``untimed``, ``live``, ``days``, ``calm`` or ``imported``; ``result``:
    ``won`` or ``drawn``; ``since`` and ``until``: UTC days, both included.
    """
    return _listed(_found(services, query, _PAGE), _PAGE)


@archive_routes.get("/archive/records", **answers_file("application/zip"))
@Policy("pack")
async def save_games(services: ServicesDep, address: AddressDep, query: QueryDep) -> Response:
    """Return the latest 200 games that match as a zip file: ``games.json`` and a record ``ID.txt`` each."""
    content = await services.packing.do((address,), _packed, services, query)
    headers = {"content-disposition": 'attachment; filename="games.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


def _played(services: ServicesDep, table_id: TableId) -> Played:
    played = services.store.results.of_table(table_id)
    if played is None:
        raise TableError("the game is not over, or there is no such game", code="table/not-over")
    return played


PlayedDep = Annotated[Played, Depends(_played)]


class ArchivedGame(GameResult):
    """A finished game. pictured: it has pictures. colours: by seat. options: those other than the default.

    public: false if only people with the link find it.
    """

    public: bool
    pictured: bool
    colours: list[int]
    options: Json
    clock: ClockPlan | None = None


@archive_routes.get("/games/{table_id}", **answers(ArchivedGame))
@Policy("search", owner="table")
def show_game(services: ServicesDep, table_id: TableId, table: TableDep, played: PlayedDep) -> Json:
    """Return a finished game."""
    return {
        **played_json(played, None),
        "public": services.store.archive.knows(table_id),
        "pictured": draws(table),
        "colours": [seat.colour for seat in table.seats],
        "options": chosen(table.game, table.options),
        **({"clock": clock_json(table.clock)} if table.clock else {}),
    }


def _found(services: Services, query: ArchiveQuery, most: int) -> list[Played]:
    return services.store.archive.search(query, read_cursor(query.after), most)


def _listed(games: Sequence[Played], most: int) -> Json:
    more = {"after": cursor(games[-1])} if len(games) == most else {}
    return {"games": [played_json(game, None) for game in games], **more}


def _packed(services: Services, query: ArchiveQuery) -> bytes:
    """Return a zip file with a list of games and their records, as far as they can be written."""
    games, file = _found(services, query, _FILE), BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made:
        listed = json.dumps(_listed(games, _FILE), indent=2, ensure_ascii=False)
        made.writestr("games.json", f"{listed}\n")
        for game in games:
            try:
                made.writestr(f"{game.table_id}.txt", services.store.record(game.table_id))
            except EkoesError:
                continue
    return file.getvalue()


def _named(services: ServicesDep, name: Annotated[str, Query(max_length=160)]) -> Account:
    """Return the account of a name, which is a query parameter as it may contain a slash."""
    return services.store.people.find(name, "name")


NamedDep = Annotated[Account, Depends(_named)]
Word = Annotated[str, Path(pattern=r"^[a-z0-9_-]{1,20}$")]
Players = Annotated[int, Path(ge=1, le=MAX_PLAYERS)]


class Score(Shape):
    """Games won, lost and drawn."""

    won: int
    lost: int
    even: int


class SolverInfo(RatingInfo):
    """The puzzle rating of an account in a game. answers: those that were rated; right: those of them."""

    game: str
    answers: int
    right: int


class Profile(AccountInfo):
    """An account as others see it. you: it is the reader's. between: the reader's score against it."""

    name: str
    since: Moment
    you: bool
    ratings: list[StandingInfo]
    puzzles: list[SolverInfo]
    between: Score | None


@archive_routes.get("/profile", **answers(Profile))
@Policy("search", "account:read")
def show_profile(request: Request, services: ServicesDep, account: NamedDep) -> Json:
    """Return an account with its ratings and its score against the reader."""
    reader, results = session_of(request), services.store.results
    return {
        **account_json(services, account),
        "you": reader == account.user_id,
        "ratings": [standing_json(standing) for standing in results.standings(account.user_id)],
        "puzzles": [_solver_json(standing) for standing in services.store.puzzles.standings(account.user_id)],
        "between": _between(results, reader, account.user_id),
    }


@archive_routes.get("/profile/playing", **answers(Watched))
@Policy("search", "account:read", owner="lobby")
def show_watched(services: ServicesDep, account: NamedDep) -> Json:
    """Return the public game that an account plays now."""
    table, game = services.lobby.played_by(account.user_id) or (None, None)
    return {"table": table, "game": game}


class Games(Shape):
    """Games of an account. more: there are earlier ones."""

    games: list[GameResult]
    more: bool


@archive_routes.get("/profile/games", **answers(Games))
@Policy("search", "account:read")
def show_games(
    request: Request,
    services: ServicesDep,
    account: NamedDep,
    before: Annotated[datetime | None, Query()] = None,
) -> Json:
    """List the latest fifty games of an account that the reader may see: rated ones and the reader's own."""
    games = services.store.results.games(account.user_id, session_of(request), before, _PAGE)
    return {"games": [played_json(game, account.user_id) for game in games], "more": len(games) == _PAGE}


class RatedAt(RatingInfo):
    """A rating after a game."""

    at: Moment


class Curve(Shape):
    """The ratings of an account in a pool. start: of a new account."""

    start: RatingInfo
    points: list[RatedAt]


@archive_routes.get("/profile/curve/{game}/{players}/{tempo}", **answers(Curve))
@Policy("search")
def show_curve(services: ServicesDep, account: NamedDep, game: Word, players: Players, tempo: Word) -> Json:
    """Return the rating of an account after each game of a pool."""
    points = services.store.results.curve(account.user_id, f"{game}/{players}/{tempo}")
    after = [{"at": at.isoformat(), **rating.to_json()} for at, rating in points]
    return {"start": NEW.to_json(), "points": after}


class PoolInfo(Pool):
    """A pool and its number of players."""

    people: int


class Pools(Shape):
    """All pools."""

    pools: list[PoolInfo]


@archive_routes.get("/ratings", **answers(Pools))
@Policy("search")
def show_pools(services: ServicesDep) -> Json:
    """List the rating pools with their numbers of players."""
    pools = services.store.results.pools()
    return {"pools": [{**_pool_json(pool), "people": people} for pool, people in pools]}


class Leader(StandingInfo):
    """A player of a leaderboard."""

    name: str


class Leaders(Shape):
    """The best players of a pool."""

    leaders: list[Leader]


@archive_routes.get("/ratings/{game}/{players}/{tempo}", **answers(Leaders))
@Policy("search")
def show_leaders(services: ServicesDep, game: Word, players: Players, tempo: Word) -> Json:
    """List the hundred best players of a pool whose rating is certain."""
    leaders = services.store.results.leaders(f"{game}/{players}/{tempo}", _LEADERS)
    return {"leaders": [{"name": it.name, **standing_json(it)} for it in leaders]}


@archive_routes.get("/tables/{table_id}/result", **answers(GameResult))
@Policy("search", "table:read", owner="table")
def show_result(played: PlayedDep) -> Json:
    """Return the result of a finished game."""
    return played_json(played, None)


def _between(results: Results, reader: str | None, user: str) -> Json | None:
    """Return the score of the reader against an account, None without one or for their own profile."""
    if reader is None or reader == user:
        return None
    between = results.between(reader, user)
    return {"won": between.won, "lost": between.lost, "even": between.even}


def _pool_json(pool: str) -> Json:
    game, players, tempo = pool.split("/")
    return {"game": game, "players": int(players), "tempo": tempo}


def standing_json(standing: Standing) -> Json:
    """Return a rating in a pool as JSON."""
    counts = {"games": standing.games, "won": standing.won}
    return {**_pool_json(standing.pool), **standing.rating.to_json(), **counts}


def _solver_json(standing: SolverRow) -> Json:
    counts = {"answers": standing.answers, "right": standing.right_answers}
    return {"game": standing.game, **standing.rating.to_json(), **counts}


def played_json(played: Played, user: str | None) -> Json:
    """Return a game as JSON. user: whose seats are marked."""
    return {
        "table": played.table_id,
        **_pool_json(played.pool),
        "rated": played.rated,
        "reason": played.reason,
        "length": played.length,
        "at": played.ended_at.isoformat(),
        "seats": [_result_json(result, user) for result in played.results],
    }


def _result_json(result: Result, user: str | None) -> Json:
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
        "theirs": user is not None and result.user_id == user,
        **ratings,
    }


_A_WHILE, _A_DAY = "public, max-age=60", "public, max-age=86400"


@archive_routes.get("/tables/{table_id}/picture.png", **answers_file("image/png"))
@Policy("draw", owner="table")
async def show_picture(
    request: Request,
    services: ServicesDep,
    address: AddressDep,
    table_id: TableId,
    table: TableDep,
    decisions: Annotated[int | None, Query(ge=0, le=MOST, description="after so many entries")] = None,
) -> Response:
    """Return a picture of a table as spectators see it, 1200 by 630 pixels, with an ``ETag``.

    With ``decisions``, after so many entries of its log.
    """
    if not draws(table):
        return Response(status_code=404)

    def draw() -> str:
        if decisions is None:
            return drawn(table, services.clock)
        return drawn_past(table_id, table, services.store, decisions)

    key = _key(table_id, table, decisions)
    return await _picture(request, key, table, "png", services.pictures.png(key, draw, address))


@archive_routes.get("/tables/{table_id}/game.gif", **answers_file("image/gif"))
@Policy("draw", owner="table")
async def show_animation(
    request: Request, services: ServicesDep, address: AddressDep, table_id: TableId, table: TableDep
) -> Response:
    """Return a finished game as an animated GIF of at most 60 frames, one for each turn, with an ``ETag``.

    Of a longer game evenly spread turns are shown; the last frame stays.
    """
    if not draws(table):
        return Response(status_code=404)
    if table.outcome is None:
        raise TableError("the game is not over", code="table/not-over")

    async def draw() -> list[str]:
        history = await asyncio.to_thread(services.store.history, table_id)
        return await services.sandbox.do_part((address,), drawn_frames, table, history)

    key = _key(table_id, table, None)
    return await _picture(request, key, table, "gif", services.pictures.gif(key, draw, address))


async def _picture(
    request: Request, key: str, table: Table, kind: str, made: Coroutine[object, object, bytes]
) -> Response:
    """Answer with a picture that is made only if the client does not have it."""
    headers = {"etag": f'"{key}"', "cache-control": _A_DAY if table.outcome else _A_WHILE}
    if request.headers.get("if-none-match") == headers["etag"]:
        made.close()
        return Response(status_code=304, headers=headers)
    return Response(await made, media_type=f"image/{kind}", headers=headers)


@archive_routes.get("/tables/{table_id}/picture.svg", **answers_file("image/svg+xml"))
@Policy("reading", owner="table")
def show_drawing(services: ServicesDep, table: TableDep) -> Response:
    """Return the same picture as a drawing, which is made at once."""
    if not draws(table):
        return Response(status_code=404)
    headers = {"cache-control": _A_DAY if table.outcome else _A_WHILE}
    return Response(drawn(table, services.clock), media_type="image/svg+xml", headers=headers)


def _key(table_id: str, table: Table, decisions: int | None) -> str:
    """Return the cache key of a picture: a digest of all it shows."""
    shown = (table_id, table.version, sitters(table), table.outcome is None, decisions, __version__)
    return sha256(repr(shown).encode()).hexdigest()[:32]
