"""Routes: the analysis board with its engine and its openings, and the board editor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, TypeVar

from fastapi import Request, Response
from pydantic import Field

from ekoes.games.api.contract import Json
from ekoes.protocol import LONGEST_ANALYSIS, MOST_VARIATIONS
from ekoes.server.http.analysis import GameName
from ekoes.server.http.answers import (
    EditorInfo,
    EvaluationInfo,
    LineInfo,
    Lines,
    OpeningInfo,
    RecordInfo,
    answers,
    answers_file,
)
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import UserDep, address_of, api_router
from ekoes.server.http.services import Services, ServicesDep
from ekoes.server.ops.secrets import fresh_seed
from ekoes.server.pictures.pictures import drawn_line, drawn_line_frames
from ekoes.server.runtime.analyses import Evaluation
from ekoes.server.runtime.analysis_board import line_text, record_text, table_after
from ekoes.tables.analysis import turns_so_far
from ekoes.tables.analysis_board import LinePlan, TreePlan, edited, opening_json, openings_of
from ekoes.tables.orders import Strict

T = TypeVar("T")

analysis_board_routes = api_router()

_COUNTED = 20
"""Games that have ended since and are counted for one request, at most."""


class EvaluationPlan(LinePlan):
    """A line of play whose last position is evaluated. lines: the number of best variations."""

    seconds: Annotated[float, Field(gt=0, le=LONGEST_ANALYSIS)] = 10
    lines: Annotated[int, Field(ge=1, le=MOST_VARIATIONS)] = 3


@analysis_board_routes.post("/{name}/analysis", **answers(LineInfo))
@Policy("reading")
async def play_analysis(request: Request, services: ServicesDep, name: GameName, body: LinePlan) -> Response:
    """Return the table as it stands after a line of play; nothing is stored.

    The line starts with ``record``, of whose decisions ``after`` count (none given: all), a ``position``, or
    a new game with ``options``, and goes on with ``decisions``, at most 400 of ``{"seat", "action"}``.
    ``{"refusal", "record", "table", "ways"?, "tree"?}``: as of ``ahead``, with the record of the line. With
    ``tree``, the variations of ``record`` as a list of ``{"parent"?, "entry", "sign"?, "comment"?}``, the
    start (only a ``comment``) first: ``parent`` is the number in the list of the node before a decision, by
    default the one before it; the first child of a node is its main line.

    A race is shown as a sequence of decisions, all hands open. Chance decides as seat -1, and its action may
    be left to the server (``{"type": "deal"}``); ``choices`` of the state are the legal decisions. The record
    of a live game becomes such a sequence around ``after``, as far as it can be written as one; ``record``
    then goes on after the table.
    """
    text = await services.sandbox.do(
        line_text, name, body, fresh_seed(), services.clock.now(), address=address_of(request)
    )
    return Response(text, media_type="application/json")


@analysis_board_routes.post("/{name}/analysis/record", **answers(RecordInfo))
@Policy("reading")
async def write_analysis(request: Request, services: ServicesDep, name: GameName, body: TreePlan) -> Json:
    """Return a tree of variations as a record, after judging every decision.

    ``tree``: a list as in the answer of the analysis board, with a decision in ``notation`` in place of the
    ``entry``; at most 1499 decisions, comments of 2000 characters, and a record of 49152. ``record``,
    ``position`` or ``options``: the start; times and result of ``record`` stay where the main line does.
    ``{"record"}``.
    """
    now = services.clock.now()
    text = await services.sandbox.do(record_text, name, body, fresh_seed(), now, address=address_of(request))
    return {"record": text}


@analysis_board_routes.post("/{name}/analysis/picture.svg", **answers_file("image/svg+xml"))
@Policy("reading")
async def draw_analysis(request: Request, services: ServicesDep, name: GameName, body: LinePlan) -> Response:
    """Return a picture of the position after a line of play as a drawing."""
    return Response(await _drawn(drawn_line, request, services, name, body), media_type="image/svg+xml")


@analysis_board_routes.post("/{name}/analysis/picture.png", **answers_file("image/png"))
@Policy("draw")
async def picture_analysis(
    request: Request, services: ServicesDep, name: GameName, body: LinePlan
) -> Response:
    """Return the same picture, 1200 by 630 pixels; 503 ``limit/busy`` while too many wait."""
    svg = await _drawn(drawn_line, request, services, name, body)
    picture = await services.pictures.png(_key(svg), lambda: svg, address_of(request))
    return Response(picture, media_type="image/png")


@analysis_board_routes.post("/{name}/analysis/line.gif", **answers_file("image/gif"))
@Policy("draw")
async def animate_analysis(
    request: Request, services: ServicesDep, name: GameName, body: LinePlan
) -> Response:
    """Return a line of play as an animated GIF of at most 60 frames, one for each turn.

    Of a longer line evenly spread turns are shown. 503 ``limit/busy`` while too many wait.
    """
    frames = await _drawn(drawn_line_frames, request, services, name, body)
    picture = await services.pictures.gif(_key(*frames), lambda: frames, address_of(request))
    return Response(picture, media_type="image/gif")


async def _drawn(
    draw: Callable[[str, LinePlan, int, datetime], T],
    request: Request,
    services: Services,
    name: str,
    body: LinePlan,
) -> T:
    now, address = services.clock.now(), address_of(request)
    return await services.sandbox.do(draw, name, body, fresh_seed(), now, address=address)


def _key(*documents: str) -> str:
    return sha256("".join(documents).encode()).hexdigest()


@analysis_board_routes.post("/{name}/analysis/engine", response_class=Lines, **answers(EvaluationInfo))
@Policy("connect")
async def evaluate_analysis(
    request: Request, services: ServicesDep, user: UserDep, name: GameName, body: EvaluationPlan
) -> Lines:
    """Stream evaluations of the position after a line of play, four per second, as JSON lines.

    ``{"value", "iterations", "depth", "seconds", "lines", "ahead"?, "final"}``: the chances of each player
    and the best ``lines``, each with the ``entries`` of a log. ``ahead``, while it waits: the number of
    evaluations that wait before it; ``seconds`` count from its start. In a game of rounds a line is a legal
    decision with its ``points`` and twice their standard ``error``, and ``round`` has the chances in this
    round. A new request of a user ends the
    earlier one. 403 ``table/copy`` if people play a game that has come to one of its positions; 503
    ``limit/busy`` while too many wait.
    """
    address = address_of(request)
    table: Any = await services.sandbox.do(
        table_after, name, body, fresh_seed(), services.clock.now(), address=address
    )
    await asyncio.to_thread(lambda: services.store.check_not_played(turns_so_far(table)))
    evaluation = Evaluation(services.hub.analyses, table)
    await evaluation.begin(user, body.seconds, body.lines, address)
    return Lines(evaluation.lines())


@analysis_board_routes.post("/{name}/openings", **answers(OpeningInfo))
@Policy("reading")
async def look_up_opening(request: Request, services: ServicesDep, name: GameName, body: LinePlan) -> Json:
    """Return what was played at the moment of a position: in public games here, and in games of bots.

    The body is that of the analysis board; see [openings](formats.md#openings). ``{"is_opening", "games",
    "bots"}``: each source null, or ``{"board", "games", "moves", "level"?}``; ``board``: on this board, else
    on all boards of its kind; ``games``: that came to the moment; a move is ``{"games", "wins", "score",
    "decisions", "entries"}``. 403 ``table/copy`` as of the engine; 422 ``table/wrong-order`` if the game has
    no openings.
    """
    part = openings_of(name)
    table: Any = await services.sandbox.do(
        table_after, name, body, fresh_seed(), services.clock.now(), address=address_of(request)
    )

    def look_up() -> Json:
        services.store.check_not_played(turns_so_far(table))
        services.store.openings.count_new(_COUNTED)
        moments = part.moments(table.position)
        return opening_json(table, services.store.openings.played(moments, len(table.seats)))

    return await asyncio.to_thread(look_up)


class EditorContent(Strict):
    """What is being edited, in a form of the game's own."""

    content: dict[str, Any]


@analysis_board_routes.post("/{name}/editor", **answers(EditorInfo))
@Policy("reading")
async def examine_draft(request: Request, services: ServicesDep, name: GameName, body: EditorContent) -> Json:
    """Judge a board and a position that are being edited, however unfinished; nothing is stored.

    ``content``: ``{"players", "tiles", "tileset"?, "position"?}``, see
    [the board editor](formats.md#the-board-editor). ``{"box", "faults", "board", "position", "players",
    "record"}``: what the editor offers, every broken check with its rule, and of a position without faults
    the record of a game that starts with it.
    """
    return await services.sandbox.do(edited, name, body.content, address=address_of(request))
