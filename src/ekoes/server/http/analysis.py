"""Routes: hints and reviews; the analysis board with its engine, openings, layouts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Path, Response
from pydantic import Field

from ekoes.errors import TableError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import check_part
from ekoes.protocol import encode
from ekoes.server.http.openapi import Lines, Moment, OpenShape, Shape, answers, answers_file
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import (
    AddressDep,
    GameName,
    LiveDep,
    Services,
    ServicesDep,
    TableDep,
    TableId,
    UserDep,
    api_router,
)
from ekoes.server.ops.secrets import fresh_seed
from ekoes.server.pictures import drawn_line, drawn_line_frames
from ekoes.server.runtime.analyses import boards_of
from ekoes.tables.analysis_board import (
    LinePlan,
    StartPlan,
    board_start,
    opening_json,
    openings_of,
    play_line,
)
from ekoes.tables.orders import Strict
from ekoes.tables.settings import LARGEST_SEED
from ekoes.tables.table import Table

T = TypeVar("T")

analysis_routes = api_router()

_COUNTED = 20
"""Games that have ended since and are counted for one request, at most."""
_GAMES, _MOST_GAMES = 400, 2000
_MOST_TILES = 130


class EntryInfo(OpenShape):
    """A decision as in a log, with keys of the game's own."""

    turn: int
    seat: int
    notation: str
    action: Json


class AnswerInfo(EntryInfo):
    """A decision as in a log. n: from 1."""

    n: int


class ReviewedDecision(Shape):
    """A decision of note. n: from 1. loss: of the own chance to win. better: an alternative, as of a log.

    count: a number that goes with ``kind``. until: the answer after which a good decision turned out to have
    lost ``fell`` of the chance.
    """

    n: int
    turn: int
    seat: int
    loss: float
    better: list[EntryInfo] | None = None
    judgement: Literal["inaccuracy", "mistake", "blunder"] | None = None
    kind: str | None = None
    count: int | None = None
    until: AnswerInfo | None = None
    fell: float | None = None


class ReviewFact(Shape):
    """An event in a game, seen at decision ``n``; the optional keys depend on the code."""

    code: str
    n: int
    turn: int
    seat: int
    loss: float | None = None
    chance: float | None = None
    kind: str | None = None
    source: str | None = None
    count: int | None = None
    winner: int | None = None


class Review(Shape):
    """A review. version: of its form. chances: of each player, at the start and after each decision.

    accuracy: of each player in percent; null without decisions.
    """

    version: int
    players: int
    chances: list[list[float]]
    decisions: list[ReviewedDecision]
    accuracy: list[float | None]
    facts: list[ReviewFact]


class RoundsReview(Shape):
    """A review of a game of rounds in real time, with keys of its game. ``chances`` is empty.

    reactions: times in milliseconds; luck: of each deal; totals: of each player.
    """

    version: int
    players: int
    chances: list[list[float]]
    decisions: list[Json]
    reactions: list[Json]
    luck: list[Json]
    totals: list[Json]
    facts: list[Json]


class ReviewInfo(Shape):
    """The progress of a review. place: in the queue, from 1. examined: decisions so far, of ``questions``.

    state: ``none``, ``waiting``, ``running`` or ``done``. chances: those of the review, null where they are
    not known yet; empty while none are known, and for rounds. review: as the command ``review`` prints it
    with ``--json``.
    """

    state: Literal["none", "waiting", "running", "done"]
    place: int | None
    examined: int
    questions: int
    chances: list[list[float] | None]
    review: Review | RoundsReview | None


class PlayerReview(Shape):
    """A player's part of a review. decisions: those by which the player lost something.

    reactions, totals: those of a review of rounds, of all players; else empty.
    """

    turns: int
    decisions: list[Json]
    reactions: list[Json]
    totals: list[Json]


class PlayedGame(Shape):
    """A finished game of the reader. seats: the reader's. people: the seats without bots.

    review: null if the game is not reviewed.
    """

    table: str
    ended_at: Moment
    players: int
    won: bool
    seats: list[int]
    people: list[int]
    review: PlayerReview | None


class PlayedGames(Shape):
    """The latest games of the reader, the newest first."""

    games: list[PlayedGame]


@analysis_routes.get("/{game}/coach", **answers(PlayedGames))
@Policy("search", "account:read")
async def coach(services: ServicesDep, user: UserDep, game: GameName) -> Response:
    """Return the latest games of the reader, and what their reviews found."""
    check_part(game, "review")
    answer = encode({"games": await services.reviews.latest(user, game)})
    return Response(answer, media_type="application/json")


@analysis_routes.get("/tables/{table_id}/review", **answers(ReviewInfo))
@Policy("look", "table:read", owner="table")
async def show_review(services: ServicesDep, table_id: TableId, table: TableDep) -> Response:
    """Return the review of a finished game, or its progress."""
    _check_review(table)
    return await _review(services, table_id)


@analysis_routes.post("/tables/{table_id}/review", **answers(ReviewInfo))
@Policy("board", "table:read", owner="table")
async def ask_for_review(
    services: ServicesDep, address: AddressDep, table_id: TableId, live: LiveDep
) -> Response:
    """Have a finished game reviewed; the review is stored."""
    _check_review(live.table)
    if (await services.reviews.state(table_id))["state"] == "none":
        await services.reviews.begin(table_id, await live.record(), address)
    return await _review(services, table_id)


def _check_review(table: Table) -> None:
    """Raise TableError unless a game of which there are reviews has ended with a result."""
    check_part(table.game, "review")
    if table.outcome is None or table.is_aborted:
        raise TableError("the game is not over", code="table/not-over")


async def _review(services: Services, table_id: str) -> Response:
    return Response(encode(await services.reviews.state(table_id)), media_type="application/json")


class BoardInfo(Shape):
    """The start of an analysis board. record: with its variations.

    n: how many of its decisions come before the position at which the board starts.
    """

    record: str
    n: int


@analysis_routes.post("/{name}/analysis", **answers(BoardInfo))
@Policy("reading")
async def begin_analysis(services: ServicesDep, address: AddressDep, name: GameName, body: StartPlan) -> Json:
    """Return the record with which an analysis board begins, every decision judged; nothing is stored.

    It begins with ``record``, of whose decisions ``after`` count (none given: all, and its variations), a
    ``position``, or a new game with ``options``; what chance decides is drawn. A live game becomes a sequence
    of decisions around ``after``, as far as it can be written as one; the record then goes on after ``n``.
    """
    return await services.sandbox.do(board_start, name, body, fresh_seed(), address=address)


async def _computed(
    work: Callable[[str, LinePlan, int, datetime], T],
    services: Services,
    name: str,
    body: LinePlan,
    address: str | None,
) -> T:
    """Have a line of play computed in the sandbox."""
    return await services.sandbox.do(work, name, body, fresh_seed(), services.clock.now(), address=address)


@analysis_routes.post("/{name}/analysis/picture.svg", **answers_file("image/svg+xml"))
@Policy("reading")
async def draw_analysis(
    services: ServicesDep, address: AddressDep, name: GameName, body: LinePlan
) -> Response:
    """Return an SVG picture of the position after a line of play."""
    return Response(await _computed(drawn_line, services, name, body, address), media_type="image/svg+xml")


@analysis_routes.post("/{name}/analysis/picture.png", **answers_file("image/png"))
@Policy("draw")
async def picture_analysis(
    services: ServicesDep, address: AddressDep, name: GameName, body: LinePlan
) -> Response:
    """Return the same picture, 1200 by 630 pixels."""
    svg = await _computed(drawn_line, services, name, body, address)
    picture = await services.pictures.png(_key(svg), lambda: svg, address)
    return Response(picture, media_type="image/png")


@analysis_routes.post("/{name}/analysis/line.gif", **answers_file("image/gif"))
@Policy("draw")
async def animate_analysis(
    services: ServicesDep, address: AddressDep, name: GameName, body: LinePlan
) -> Response:
    """Return a line of play as an animated GIF of at most 60 frames, one for each turn.

    Of a longer line evenly spread turns are shown.
    """
    frames = await _computed(drawn_line_frames, services, name, body, address)

    async def drawn() -> list[str]:
        return frames

    picture = await services.pictures.gif(_key(*frames), drawn, address)
    return Response(picture, media_type="image/gif")


def _key(*documents: str) -> str:
    return sha256("".join(documents).encode()).hexdigest()


class OpeningMove(Shape):
    """A move that can be played. games: in which it was; wins: the share of them that each player has won.

    score: of the mover, games without a winner counted for all alike. decisions: how many legal decisions are
    this move; entries: the first of them, as of a log.
    """

    games: int
    wins: list[float]
    score: float
    decisions: int
    entries: list[EntryInfo]


class OpeningSource(Shape):
    """The moves played at a moment of the opening. board: on this board; else on all boards of its kind.

    games: that came to this moment. moves: the most played first. level: of the bots that have played.
    """

    level: str | None = None
    board: bool
    games: int
    moves: list[OpeningMove]


class OpeningInfo(Shape):
    """The moves in public games of this server and in games of bots; null: none."""

    is_opening: bool
    games: OpeningSource | None
    bots: OpeningSource | None


@analysis_routes.post("/{name}/openings", **answers(OpeningInfo))
@Policy("reading")
async def look_up_opening(services: ServicesDep, address: AddressDep, name: GameName, body: LinePlan) -> Json:
    """Return what was played at the moment of a position: in public games here, and in games of bots.

    The body is a line of play, as for pictures; see [openings](formats.md#openings).
    """
    part = openings_of(name)
    table = (await _computed(play_line, services, name, body, address)).table

    def look_up() -> Json:
        services.store.openings.count_new(_COUNTED)
        moments = part.moments(table.position)
        return opening_json(table, services.store.openings.played(moments, len(table.seats)))

    return await asyncio.to_thread(look_up)


class ShareInfo(Shape):
    """A share of the wins, 0 to 1, with its 95 % interval."""

    share: float
    low: float
    high: float


class TurnsInfo(Shape):
    """The lengths of games in turns."""

    median: float
    least: int
    most: int


class DistanceInfo(Shape):
    """A measure of how the seats start. site: the capital that it is about. gap: greatest less least."""

    measure: str
    site: str | None = None
    seats: list[float]
    gap: float


class FairnessReport(Shape):
    """How fair a board is. order: by place in the order of turns; seats: of one deal, by seat.

    because: the measure that decided the verdict. distances: of a board without a position, each from the
    least to the greatest of a deal. symmetries: how many of the twelve fit. classes: seats that these
    exchange. heat: by space.
    """

    players: int
    games: int
    seed: int
    level: str
    version: int
    verdict: Literal["fair", "unfair", "unclear"]
    because: Literal["wins", "distances"]
    order: list[ShareInfo]
    seats: list[ShareInfo] | None = None
    drawn: int
    turns: TurnsInfo
    distances: list[DistanceInfo]
    symmetries: dict[str, int]
    classes: list[list[int]]
    heat: dict[str, dict[str, float]] | None = None


class LayoutInfo(Shape):
    """A named layout. title, text: by language. tiles: as the option ``layout`` of a new table.

    report: without ``heat``.
    """

    name: str
    title: dict[str, str]
    text: dict[str, str]
    players: int
    variants: list[str]
    tiles: list[Any]
    report: FairnessReport


@analysis_routes.get("/{name}/layouts", **answers(list[LayoutInfo]))
@Policy("look")
def list_layouts(name: GameName) -> list[Json]:
    """List the named layouts of a game, each with the report of its fairness."""
    return [layout._asdict() for layout in boards_of(name).named_layouts()]


@analysis_routes.get("/{name}/layouts/{layout}/picture.svg", **answers_file("image/svg+xml"))
@Policy("reading")
def draw_named(name: GameName, layout: Annotated[str, Path(max_length=40)]) -> Response:
    """Return a picture of a named layout. 404 if there is none of this name."""
    boards = boards_of(name)
    found = next((one for one in boards.named_layouts() if one.name == layout), None)
    if found is None:
        return Response(status_code=404)
    headers = {"cache-control": "public, max-age=86400"}
    return Response(boards.draw_layout(found), media_type="image/svg+xml", headers=headers)


class BoardPlan(Strict):
    """A board to judge, as ``read_board`` reads it. games: rounded up to whole deals."""

    layout: Annotated[list[Any], Field(max_length=_MOST_TILES)] | Json
    games: Annotated[int, Field(ge=1, le=_MOST_GAMES)] = _GAMES
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] = 1


class FairnessInfo(Shape):
    """The progress of a report: games played. report: in the last line; null if it failed."""

    played: int
    games: int
    report: FairnessReport | None


@analysis_routes.post("/{name}/fairness", response_class=Lines, **answers(FairnessInfo))
@Policy("connect")
async def judge_board(services: ServicesDep, address: AddressDep, name: GameName, body: BoardPlan) -> Lines:
    """Stream the progress of a report on a board's fairness as JSON lines, the last with the report.

    ``layout``: placed tiles, or a position before the first turn. The report is as the command ``fairness``
    prints it with ``--json``. Equal bodies give equal reports.
    """
    return Lines(await services.fairness.begin(name, body.layout, body.games, body.seed, address))
