"""Routes: the analysis board with its engine, and the board editor."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import Field

from ekoes.games.api.contract import Json
from ekoes.protocol.incoming import LONGEST_ANALYSIS, MOST_VARIATIONS
from ekoes.server.http.analysis import GameName
from ekoes.server.http.answers import EditorInfo, EvaluationInfo, LineInfo, Lines, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import UserDep, address_of, api_router
from ekoes.server.http.services import ServicesDep
from ekoes.server.ops.secrets import fresh_seed
from ekoes.server.runtime.analysis_board import Evaluation, check_no_copy, line_text, table_after
from ekoes.tables.analysis_board import LinePlan
from ekoes.tables.editor import edited
from ekoes.tables.orders import Strict

analysis_board_routes = api_router()


class EvaluationPlan(LinePlan):
    """A line of play whose last position is evaluated. lines: the number of best variations."""

    seconds: Annotated[float, Field(gt=0, le=LONGEST_ANALYSIS)] = 10
    lines: Annotated[int, Field(ge=1, le=MOST_VARIATIONS)] = 3


@analysis_board_routes.post("/{name}/analysis", **answers(LineInfo))
@Policy("reading")
async def play_analysis(request: Request, services: ServicesDep, name: GameName, body: LinePlan) -> Response:
    """Return the table as it stands after a line of play; nothing is stored.

    The line starts with ``record``, of whose decisions ``after`` count (none given: all), or a new game with
    ``options``, and goes on with ``decisions``, at most 400 of ``{"seat", "action"}``.
    ``{"refusal", "record", "table", "ways"?}``: as of ``ahead``, with the record of the line.
    """
    text = await services.sandbox.do(
        line_text, name, body, fresh_seed(), services.clock.now(), address=address_of(request)
    )
    return Response(text, media_type="application/json")


@analysis_board_routes.post("/{name}/analysis/engine", response_class=Lines, **answers(EvaluationInfo))
@Policy("connect")
async def evaluate_analysis(
    request: Request, services: ServicesDep, user: UserDep, name: GameName, body: EvaluationPlan
) -> Lines:
    """Stream evaluations of the position after a line of play, four per second, as JSON lines.

    ``{"value", "iterations", "depth", "seconds", "lines", "final"}``: the chances of each player and the best
    ``lines``, each with the ``entries`` of a log; ``iterations`` is 0 while it waits. A new request of a user
    ends the earlier one. 403 ``table/copy`` if people play a game that has come to one of its positions; 503
    ``limit/busy`` while too many wait.
    """
    address = address_of(request)
    table: Any = await services.sandbox.do(
        table_after, name, body, fresh_seed(), services.clock.now(), address=address
    )
    await asyncio.to_thread(check_no_copy, services.store, table)
    evaluation = Evaluation(services.hub.analyses, table)
    await evaluation.begin(user, body.seconds, body.lines, address)
    return Lines(evaluation.lines())


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
