"""Routes: health, the server description, and tables (create, view, history, WebSocket)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache, partial
from typing import Annotated, Any, Literal, Self, get_args

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import model_validator

from ekoes import __version__
from ekoes.bots import LEVELS, bots, levels, stand_in
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game, games
from ekoes.games.api.table import fields_about
from ekoes.games.kernels import kernels_hash
from ekoes.protocol import LARGEST_MESSAGE, TableMessage, encode
from ekoes.server.http.openapi import FAILURES, Created, Moment, OpenShape, Shape, Watched, answers, name_of
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import (
    COUNTED,
    Actions,
    AddressDep,
    GameName,
    LiveDep,
    Services,
    ServicesDep,
    TableDep,
    TableId,
    UserDep,
    api_router,
    token_of,
)
from ekoes.server.http.sockets import OpenSocket, Served, add_socket
from ekoes.server.ops.secrets import fresh_seed
from ekoes.server.realtime.connection import serve_connection
from ekoes.server.runtime.permissions import check_by_hand
from ekoes.server.workers.warmup import preparing
from ekoes.storage.accounts import Account, Token
from ekoes.tables.analysis_board import RecordText, table_from_record
from ekoes.tables.chat import LONGEST_LINE, Phrase, Reason
from ekoes.tables.create import table_class, table_from_plan
from ekoes.tables.orders import LONGEST_NAME, MAX_PLAYERS, MOST, FirstOrder, Pace
from ekoes.tables.puzzles import themes_of
from ekoes.tables.settings import COLOURS, TablePlan
from ekoes.tables.studies import listed_languages
from ekoes.tables.table import DEFAULT_PACE, Status, Table

table_routes = api_router()
health_routes = APIRouter(dependencies=COUNTED, responses=FAILURES, generate_unique_id_function=name_of)


class Alive(Shape):
    """The event loop runs."""

    alive: Literal[True]


@health_routes.get("/healthz", **answers(Alive))
@Policy("look")
async def is_alive() -> Json:
    """Return at once as long as the event loop runs."""
    return {"alive": True}


class ReadyInfo(Shape):
    """Tables can be played and stored. redis: whether it answers, if it is used."""

    ready: Literal[True]
    redis: bool | None = None


@health_routes.get("/readyz", **answers(ReadyInfo))
@Policy("look")
async def is_ready(services: ServicesDep) -> Json:
    """Return whether tables can be played and stored; 503 while the database refuses writes.

    If Redis is used, also whether it answers; the server works without it.
    """
    await asyncio.to_thread(services.store.try_out)
    redis = services.redis_is_up()
    return {"ready": True} | ({} if redis is None else {"redis": redis})


@health_routes.get("/api/openapi.json", include_in_schema=False)
@Policy("record", "any")
def describe_routes(request: Request) -> Response:
    """Return the OpenAPI description of all routes, in a thread: at first it takes most of a second."""
    return Response(encode(request.app.openapi()), media_type="application/json")


class PaceInfo(Shape):
    """The limits of the bots' pace, in milliseconds."""

    default: int
    least: int
    most: int


class LimitsInfo(Shape):
    """Limits. name: characters; message: bytes."""

    name: int
    seats: int
    colours: int
    pace: PaceInfo
    message: int


class TalkInfo(Shape):
    """The chat: the longest line, quick phrases, and reasons for a report."""

    line: int
    phrases: list[Phrase]
    reasons: list[Reason]


class LanguageInfo(Shape):
    """A language of the page. dir: of its script."""

    tag: str
    name: str
    dir: str


class OptionInfo(Shape):
    """The values of an option. several: a list of the values. null: it may be null. fields: of an object."""

    default: Any = None
    least: int | None = None
    most: int | None = None
    values: list[str] | None = None
    several: Literal[True] | None = None
    null: Literal[True] | None = None
    fields: dict[str, OptionInfo] | None = None


class GameInfo(OpenShape):
    """A game, with keys of its own. players: fewest and most. bots, levels: the weakest first.

    stand_in: the bot of a seat that names none. reviews: finished games can be reviewed. puzzles: the themes
    of its puzzles.
    """

    name: str
    players: tuple[int, int]
    options: dict[str, OptionInfo]
    bots: list[str]
    levels: list[str]
    stand_in: str
    reviews: Literal[True] | None = None
    puzzles: list[str] | None = None


class ServerInfo(Shape):
    """The server. rules: a hash of its rules. preparing: levels of bots that are still being compiled."""

    version: str
    rules: str
    limits: LimitsInfo
    talk: TalkInfo
    languages: list[LanguageInfo]
    levels: dict[str, str]
    games: list[GameInfo]
    address: str | None
    preparing: list[str]


@cache
def about_server() -> Json:
    """Return the description of the server for pages and programs."""
    return {
        "version": __version__,
        "rules": kernels_hash(),
        "limits": _limits(),
        "talk": {"line": LONGEST_LINE, "phrases": list(get_args(Phrase)), "reasons": list(get_args(Reason))},
        "languages": listed_languages(),
        "levels": dict(LEVELS),
        "games": [_about_game(name) for name in games()],
    }


def _about_game(name: str) -> Json:
    return {
        "name": name,
        **table_class(name).about(name),
        "bots": list(bots(name)),
        "levels": list(levels(name)),
        "stand_in": stand_in(name),
        **({} if game(name).parts.review is None else {"reviews": True}),
        **({"puzzles": list(themes)} if (themes := themes_of(name)) else {}),
    }


def _limits() -> Json:
    pace = fields_about(Pace)["milliseconds"] | {"default": DEFAULT_PACE}
    return {
        "name": LONGEST_NAME,
        "seats": MAX_PLAYERS,
        "colours": COLOURS,
        "pace": pace,
        "message": LARGEST_MESSAGE,
    }


@table_routes.get("/meta", **answers(ServerInfo))
@Policy("look", "any")
def meta(services: ServicesDep, _user: UserDep) -> Json:
    """Describe the games, bots and limits of this server."""
    return about_server() | {"address": services.settings.address, "preparing": preparing()}


_STORED_PER_BYTE = 25
"""Bytes that a table stores for each one of the record with which it begins."""


class NewTable(TablePlan):
    """The settings of a new table.

    record: a game to go on with, in place of options of the game. imported: that game is over, and is
    added to the user's games as it ended.
    """

    record: RecordText | None = None
    imported: bool = False

    @model_validator(mode="after")
    def _imports_a_record(self) -> Self:
        if self.imported and (self.record is None or self.options.clock is not None):
            raise ValueError("an imported game has a record and no clock")
        return self


@table_routes.post("/tables", **answers(Created, 201))
@Policy("make", "table:play")
async def create_table(
    request: Request, services: ServicesDep, address: AddressDep, user: UserDep, plan: NewTable
) -> Json:
    """Create a table; seats of kind ``here`` belong to this browser.

    The first of them has the name of the account if it is given no other. With ``record`` the game begins
    with the decisions of a record, and has no free seats; ``imported`` ends it as the record does, and it
    counts for no rating and no opening. The URL invites players and spectators.
    """
    table_id = await make_table(services, address, user, plan, token_of(request))
    return {"id": table_id, "url": f"/t/{table_id}"}


async def make_table(
    services: Services, address: str | None, user: str, plan: NewTable, token: Token | None
) -> str:
    """Create a table for a user, with a token or without, and return its id. Raises EkoesError."""
    await services.quotas.table(address, user)
    await services.seat_guard.check_names(user, (seat.name for seat in plan.seats))
    orders: Sequence[FirstOrder] = ()
    if plan.record is None:
        table = await asyncio.to_thread(table_from_plan, plan, user, fresh_seed=fresh_seed())
    else:
        await services.quotas.storage(address, _STORED_PER_BYTE * len(plan.record))
        make = partial(table_from_record, is_over=plan.imported)
        table, orders = await services.sandbox.do(
            make, plan, plan.record, user, fresh_seed(), address=address
        )
    if table.rated:
        check_by_hand(token)
    return await services.hub.create(await _named(services, table, user), orders=orders)


async def _named(services: Services, table: Table, session: str) -> Table:
    """Return a new table with the name of its creator's account at their seat.

    An unrated table keeps another name that they chose. Raises TableError if the table is rated and they have
    no account.
    """
    if table.rated:
        account: Account | None = await services.seat_guard.account(session)
    else:
        account = await asyncio.to_thread(services.store.people.account, session)
    own = next((number for number, seat in enumerate(table.seats) if seat.session == session), None)
    if account is None or own is None or (table.seats[own].name and not table.rated):
        return table
    return table.with_seat(own, name=account.name)


@table_routes.get("/{game}/watch", **answers(Watched))
@Policy("search", owner="lobby")
async def choose_watched(services: ServicesDep, game: GameName) -> Json:
    """Return the table to watch: the public game between people with the highest ratings, else one of bots.

    The game of bots goes on while someone watches; everyone gets the same one.
    """
    return {"table": await services.watch.table(game), "game": game}


@table_routes.get("/tables/{table_id}", **answers(TableMessage))
@Policy("reading", "table:read", owner="table")
async def show_table(
    response: Response, user: UserDep, live: LiveDep, actions: Actions | None = None
) -> Response:
    """Return a table as the ``table`` message.

    With ``actions=full``, ``own.actions`` has the legal actions of each of the reader's seats that is to
    decide, ready for an order: ``{"0": [action]}``.
    """
    text = await live.table_text(user, lists_actions=actions == "full")
    return Response(text, media_type="application/json", headers=response.headers)


class StatusInfo(Shape):
    """The status of a table for the reader.

    status: ``yours`` to decide, ``others``, ``waiting`` for a free seat, or ``over``. at: when something last
    happened. won: whether the reader has won; null before the end, if nobody won, and without a seat or with
    all of them.
    """

    status: Status
    at: Moment
    won: bool | None


@table_routes.get("/tables/{table_id}/status", **answers(StatusInfo))
@Policy("look", "table:read", owner="table")
async def show_status(services: ServicesDep, user: UserDep, table: TableDep, table_id: TableId) -> Json:
    """Return the status of a table for this browser."""
    at = await asyncio.to_thread(services.store.touched_at, table_id)
    return {"status": table.status(user), "at": at.isoformat(), "won": table.has_won(user)}


class PastInfo(Shape):
    """The state after ``n`` entries of the log, at a finished race table with every hand."""

    n: int
    state: Json


@table_routes.get("/tables/{table_id}/positions/{decisions}", **answers(PastInfo))
@Policy("reading", "table:read", owner="table")
async def show_position(live: LiveDep, decisions: Annotated[int, Path(ge=0, le=MOST)]) -> Response:
    """Return a table after some entries of its log, as spectators saw it."""
    past = {"n": decisions, "state": await live.past_json(decisions)}
    return Response(encode(past), media_type="application/json")


@table_routes.get("/tables/{table_id}/record", response_class=PlainTextResponse)
@Policy("record", "table:read", owner="table")
async def show_record(table_id: TableId, live: LiveDep) -> PlainTextResponse:
    """Return the record of a game as text.

    At race tables 409 ``table/not-over`` before the end, as it contains every hand.
    """
    headers = {"content-disposition": f'attachment; filename="{table_id}.txt"'}
    return PlainTextResponse(await live.record(), headers=headers)


class DealInfo(Shape):
    """How a game's first position and all that is dealt later are drawn: the SHA-256 of the server's secret.

    After the game also the secret, the players' parts by seat (``-``: none), and in a rematch the seat that
    had to begin: ``ekoes verify`` draws everything again. All in hexadecimal.
    """

    commitment: str
    table: str | None = None
    secret: str | None = None
    parts: str | None = None
    first: int | None = None


@table_routes.get("/tables/{table_id}/deal", **answers(DealInfo))
@Policy("look", "table:read", owner="table")
async def show_deal(live: LiveDep) -> Json:
    """Return how a table's game is drawn, for players who add a part to its seed."""
    return live.deal_json()


async def _serve_table(opened: OpenSocket) -> None:
    services, socket, session, path, scopes, address = opened
    table_id = path["table_id"][:40]
    for arrived in services.arrivals:
        arrived(table_id, session)
    with services.lobby_service.here(session):
        await serve_connection(socket, services.hub, table_id, session, scopes, address)


_READ = Policy("connect", "table:read", owner="table")
add_socket(table_routes, "/tables/{table_id}", "table", _READ, _serve_table)


def _serve_lobby(opened: OpenSocket) -> Served:
    return opened.services.lobby_service.serve(opened.socket, opened.session, opened.scopes)


add_socket(table_routes, "/lobby", "lobby", Policy("connect", "lobby", owner="lobby"), _serve_lobby)
