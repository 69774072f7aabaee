"""Routes: lessons, hints and trial moves."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import Field

from ekoes.errors import TableError
from ekoes.games.api.contract import Json
from ekoes.protocol.incoming import encode
from ekoes.server.http.policy import policy
from ekoes.server.http.requests import StrictRoute, TableId, give_session, own_origin
from ekoes.server.http.services import ServicesDep
from ekoes.server.ops.clock import Still
from ekoes.server.runtime.messages import error_json
from ekoes.server.runtime.viewers import Audience, tried
from ekoes.tables import analysis
from ekoes.tables.lessons import LEARNER, Lesson, lesson_of, lessons_of, play_lesson
from ekoes.tables.orders import LONGEST_WAY, Count, Foreseen, Strict

lesson_routes = APIRouter(prefix="/api/lessons", route_class=StrictRoute)

GameName = Annotated[str, Path(max_length=20)]
LessonName = Annotated[str, Path(max_length=40)]

MOST_DECISIONS = 100


class Decisions(Strict):
    """The learner's decisions so far, in order; the last one may be a trial.

    of: a piece, as the game names it, whose moves are wanted too.
    """

    decisions: Annotated[list[dict[str, Any]], Field(max_length=MOST_DECISIONS)]
    of: Count | str | None = None


@lesson_routes.get("/{game}")
@policy("look")
async def list_lessons(game: GameName) -> list[Json]:
    """List the lessons of a game in order."""
    return [_listed(lesson) for lesson in (await asyncio.to_thread(lessons_of, game)).values()]


@lesson_routes.get("/{game}/{name}")
@policy("look")
async def show_lesson(game: GameName, name: LessonName) -> Json:
    """Return the texts of a lesson in every language, and the marks on its board."""
    lesson = await asyncio.to_thread(lesson_of, game, name)
    return _listed(lesson) | {"marks": list(lesson.marks), "seat": lesson.seat, "words": dict(lesson.words)}


@lesson_routes.post("/{game}/{name}")
@policy("reading")
async def play(game: GameName, name: LessonName, body: Decisions) -> Response:
    """Play a lesson up to the learner's last decision, and return it as a table."""
    text = await asyncio.to_thread(_played_text, game, name, body)
    return Response(text, media_type="application/json")


def _listed(lesson: Lesson) -> Json:
    titles = {tag: words["title"] for tag, words in lesson.words.items()}
    return {"name": lesson.name, "chapter": lesson.chapter, "title": titles}


def _played_text(game: str, name: str, body: Decisions) -> str:
    played = play_lesson(lesson_of(game, name), body.decisions)
    refusal = None if played.refusal is None else error_json(played.refusal)
    about: Json = {"result": played.result, "taken": played.taken, "says": played.says, "refusal": refusal}
    if body.of is not None:
        about["ways"] = analysis.turn_table(played.table).ways(body.of)
    table = Audience(name, Still(played.at)).table_text(LEARNER, played.table, ())
    return f'{encode(about)[:-1]},"table":{table}}}'


hint_routes = APIRouter(prefix="/api/tables")


@hint_routes.get("/{table_id}/advice")
@policy("reading", "table:read", owner="table")
async def show_advice(request: Request, response: Response, services: ServicesDep, table_id: TableId) -> Json:
    """Return a good decision for this browser's seat, and the reasons for it."""
    session = give_session(request, response)
    async with services.hub.table(table_id) as live:
        table = live.table
    return await asyncio.to_thread(analysis.advice, table, session)


@hint_routes.get("/{table_id}/threats/{place}")
@policy("reading", "table:read", owner="table")
async def show_threats(
    request: Request,
    response: Response,
    services: ServicesDep,
    table_id: TableId,
    place: Annotated[str, Path(max_length=20)],
) -> Json:
    """Return where the piece at a place could move and what it could capture on its turn."""
    session = give_session(request, response)
    async with services.hub.table(table_id) as live:
        table = live.table
    return await asyncio.to_thread(analysis.threats, table, session, place)


trial_routes = APIRouter(prefix="/api", route_class=StrictRoute, dependencies=[Depends(own_origin)])


class TrialDecisions(Strict):
    """Decisions to try from the current position, in order.

    version: of the table they start from. of: a piece, as the game names it, whose moves are wanted too.
    """

    version: Count
    decisions: Annotated[list[Foreseen], Field(max_length=LONGEST_WAY)]
    of: Count | str | None = None


@trial_routes.post("/tables/{table_id}/ahead")
@policy("board", owner="table")
async def play_ahead(
    request: Request, response: Response, services: ServicesDep, table_id: TableId, body: TrialDecisions
) -> Response:
    """Return the table as it would stand after some decisions."""
    session = give_session(request, response)
    async with services.hub.table(table_id) as live:
        table, now = live.table, live.now()
    if body.version != table.version:
        message = f"The table is at version {table.version}, not {body.version}"
        raise TableError(message, code="table/stale")
    text = await services.sandbox.do(tried, table_id, table, session, body.decisions, body.of, now)
    return Response(text, media_type="application/json")
