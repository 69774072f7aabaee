"""Routes: lessons, hints, trial moves and reviews."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import Path, Request, Response
from pydantic import Field

from ekoes.games.api.contract import Json
from ekoes.protocol import encode
from ekoes.server.http.answers import (
    AdviceInfo,
    LessonInfo,
    LessonText,
    ReviewInfo,
    TaskPlayed,
    ThreatsInfo,
    TriedInfo,
    answers,
)
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import LiveDep, TableDep, TableId, UserDep, address_of, api_router
from ekoes.server.http.services import Services, ServicesDep
from ekoes.server.runtime.studies import played_task
from ekoes.server.runtime.viewers import tried
from ekoes.tables import analysis
from ekoes.tables.lessons import Lesson, lesson_of, lessons_of
from ekoes.tables.orders import LONGEST_WAY, Count, Foreseen, Strict
from ekoes.tables.studies import LONGEST_TASK

analysis_routes = api_router()

GameName = Annotated[str, Path(max_length=20)]
LessonName = Annotated[str, Path(max_length=40)]


class Decisions(Strict):
    """The reader's decisions so far, in order; the last one may be a trial.

    of: a piece, as the game names it, whose moves are wanted too.
    """

    decisions: Annotated[list[dict[str, Any]], Field(max_length=LONGEST_TASK)]
    of: Count | str | None = None


@analysis_routes.get("/lessons/{game}", **answers(list[LessonInfo]))
@Policy("look")
def list_lessons(game: GameName) -> list[Json]:
    """List the lessons of a game in order.

    ``[{"name", "study": {language: text}, "title": {language: text}}]``; ``study``: the title of the study
    whose chapter it is.
    """
    return [_listed(lesson) for lesson in lessons_of(game).values()]


@analysis_routes.get("/lessons/{game}/{name}", **answers(LessonText))
@Policy("look")
def show_lesson(game: GameName, name: LessonName) -> Json:
    """Return a lesson with its texts in every language.

    Adds ``marks`` (highlights on the board), ``seat`` (the reader's) and ``words`` (language → key → text).
    """
    lesson = lesson_of(game, name)
    marks, words = list(lesson.chapter.marks), dict(lesson.words)
    return _listed(lesson) | {"marks": marks, "seat": lesson.task.seat, "words": words}


@analysis_routes.post("/lessons/{game}/{name}", **answers(TaskPlayed))
@Policy("reading")
def play(game: GameName, name: LessonName, body: Decisions) -> Response:
    """Play a lesson up to the reader's last decision, which may be a trial; nothing is stored.

    ``{"result": "open" or "reached" or "missed", "taken", "says", "refusal", "table"}``: the number of
    decisions made, the reply (language → text) or the error of the last decision, and the ``table`` message;
    with ``of`` also the piece's ``ways``.
    """
    lesson = lesson_of(game, name)
    text = played_task(name, lesson.chapter, lesson.task, body.decisions, body.of)
    return Response(text, media_type="application/json")


def _listed(lesson: Lesson) -> Json:
    return {"name": lesson.name, "study": lesson.title, "title": lesson.chapter.texts("title")}


@analysis_routes.get("/tables/{table_id}/advice", **answers(AdviceInfo))
@Policy("reading", "table:read", owner="table")
def show_advice(user: UserDep, live: LiveDep) -> Json:
    """Return a good decision for this browser's seat, at tables without other people.

    ``{"seat", "action", "reasons": [{"reason", "n"?}]}``, the strongest reason first; some games add keys of
    their own; ``action`` is null if waiting is best.
    """
    found = analysis.advice(live.table, user)
    live.check_no_copy(live.table)
    return found


@analysis_routes.get("/tables/{table_id}/threats/{place}", **answers(ThreatsInfo))
@Policy("reading", "table:read", owner="table")
def show_threats(user: UserDep, live: LiveDep, place: Annotated[str, Path(max_length=20)]) -> Json:
    """Return where the piece at a place could move and what it could capture on its turn.

    At tables of turns without other people: ``{"place", "seat", "moves", "takes", "sites"}``.
    """
    found = analysis.threats(live.table, user, place)
    live.check_no_copy(live.table)
    return found


class TrialDecisions(Strict):
    """Decisions to try from the current position, in order.

    version: of the table they start from. of: a piece, as the game names it, whose moves are wanted too.
    """

    version: Count
    decisions: Annotated[list[Foreseen], Field(max_length=LONGEST_WAY)]
    of: Count | str | None = None


@analysis_routes.post("/tables/{table_id}/ahead", **answers(TriedInfo))
@Policy("board", owner="table")
async def play_ahead(
    request: Request,
    services: ServicesDep,
    user: UserDep,
    table_id: TableId,
    table: TableDep,
    body: TrialDecisions,
) -> Response:
    """Return the table as it would stand after some decisions; nothing is stored.

    For players at tables with days per turn. ``decisions``: at most 40 of ``{"seat", "action"}``, of any
    seat. ``{"refusal", "table", "ways"?}``: null or the error of the last decision, which was then not played
    (an earlier one that is illegal refuses the request); a ``table`` message in which the reader has all
    seats; the paths of the piece ``of``. 409 ``table/stale`` if the table has changed.
    """
    analysis.turn_table(table).check_version(body.version)
    text = await services.sandbox.do(
        tried,
        table_id,
        table,
        user,
        body.decisions,
        body.of,
        services.clock.now(),
        address=address_of(request),
    )
    return Response(text, media_type="application/json")


@analysis_routes.get("/tables/{table_id}/review", **answers(ReviewInfo))
@Policy("look", "table:read", owner="table")
async def show_review(services: ServicesDep, table_id: TableId, table: TableDep) -> Response:
    """Return the review of a finished game, or how far it is.

    ``{"state", "place", "examined", "questions", "chances", "review"}``; ``state``: ``none``, ``waiting``
    (``place``: in the queue, from 1), ``running`` (``examined`` decisions of ``questions``) or ``done``.
    ``chances``: of each player, at the start and after each decision, null where not known yet; ``review``:
    as the command ``review`` prints it with ``--json``. 409 ``table/not-over`` before the end, 422
    ``table/wrong-order`` if games of this kind have no reviews.
    """
    analysis.check_review(table)
    return await _review(services, table_id)


@analysis_routes.post("/tables/{table_id}/review", **answers(ReviewInfo))
@Policy("board", "table:read", owner="table")
async def ask_for_review(
    request: Request, services: ServicesDep, table_id: TableId, live: LiveDep
) -> Response:
    """Have a finished game reviewed, once and for all; answers like ``GET``.

    403 ``table/copy`` if people play a game that has come to one of its positions; 503 ``limit/busy``
    while too many wait.
    """
    analysis.check_review(live.table)
    if (await services.reviews.state(table_id))["state"] == "none":
        await asyncio.to_thread(live.check_no_copy, live.table)
        await services.reviews.begin(table_id, await live.record(), address_of(request))
    return await _review(services, table_id)


async def _review(services: Services, table_id: str) -> Response:
    return Response(encode(await services.reviews.state(table_id)), media_type="application/json")
