"""The routes of lessons: what can be learned, and each lesson as far as its learner has come.

No table is kept: whoever learns sends all decisions so far, and is shown what they come to.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import Field

from ekoes.games.contract import Json
from ekoes.match.kinds import kind_of
from ekoes.match.lessons.lesson import Lesson
from ekoes.match.lessons.play import LEARNER, play_lesson
from ekoes.match.lessons.shelf import lesson_of, lessons_of
from ekoes.match.orders import Count, Strict
from ekoes.server.audience import Audience
from ekoes.server.bodies import StrictRoute
from ekoes.server.clock import Still
from ekoes.server.messages import encode, error_json

__all__ = ["lesson_routes"]

lesson_routes = APIRouter(prefix="/api/lessons", route_class=StrictRoute)

GameName = Annotated[str, Path(max_length=20)]
LessonName = Annotated[str, Path(max_length=40)]

MOST_DECISIONS = 100


class Decisions(Strict):
    """What the learner has decided so far, in order; the latest may be a mere try.

    of: a piece, as the game names it, whose ways are asked for besides.
    """

    decisions: Annotated[list[dict[str, Any]], Field(max_length=MOST_DECISIONS)]
    of: Count | str | None = None


@lesson_routes.get("/{game}")
async def list_lessons(game: GameName) -> list[Json]:
    """List the lessons of a game in the order in which they are learned."""
    return [_listed(lesson) for lesson in (await asyncio.to_thread(lessons_of, game)).values()]


@lesson_routes.get("/{game}/{name}")
async def show_lesson(game: GameName, name: LessonName) -> Json:
    """Tell what a lesson says, in every language, and what is lit in its picture."""
    lesson = await asyncio.to_thread(lesson_of, game, name)
    return _listed(lesson) | {"marks": list(lesson.marks), "seat": lesson.seat, "words": dict(lesson.words)}


@lesson_routes.post("/{game}/{name}")
async def play(game: GameName, name: LessonName, body: Decisions) -> Response:
    """Play a lesson as far as its learner has come, and show it as a table."""
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
        about["ways"] = kind_of(game).ways(played.table, body.of)
    table = Audience(name, Still(played.at)).table_text(LEARNER, played.table, ())
    return f'{encode(about)[:-1]},"table":{table}}}'
