"""Routes: studies of users, which everybody reads who has the link, and only the owner changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Response
from pydantic import Field

from ekoes.errors import TableError
from ekoes.games.api.contract import Json
from ekoes.server.http.analysis import Decisions
from ekoes.server.http.answers import (
    ChapterCreated,
    StudyCreated,
    StudyInfo,
    StudyList,
    TaskPlayed,
    answers,
)
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import UserDep, address_of, api_router, session_of
from ekoes.server.http.services import Services, ServicesDep
from ekoes.server.ops.secrets import fresh_id
from ekoes.server.runtime.studies import StudyContent, chapter_json, judged_chapter, played_chapter
from ekoes.tables.orders import Strict
from ekoes.tables.studies import MOST_CHAPTERS, ChapterForm, ChapterName, Words, check_words

study_routes = api_router()

StudyId = Annotated[str, Path(pattern=r"^[0-9a-z]{1,32}$")]
ChapterPath = Annotated[str, Path(pattern=r"^[a-z][a-z0-9-]{0,29}$")]
ReaderDep = Annotated[str | None, Depends(session_of)]
"""The user of a request; None: it has no session."""
_NAME_LENGTH = 6
_TITLE = frozenset({"title"})


class NewStudy(Strict):
    """A study with its first chapter. words: of its title."""

    game: Annotated[str, Field(max_length=20)]
    words: Words
    chapter: ChapterForm


class StudyPlan(Strict):
    """The title of a study, and the order of its chapters by their names."""

    words: Words
    order: Annotated[list[ChapterName], Field(max_length=MOST_CHAPTERS)]


@study_routes.get("/studies", **answers(StudyList))
@Policy("search")
def list_studies(services: ServicesDep, user: ReaderDep) -> Json:
    """List the studies of this browser's user, the latest changed first.

    ``{"studies": [{"id", "game", "title", "chapters", "changed"}]}``; ``chapters``: their number.
    """
    listed = [] if user is None else services.store.studies.of(user)
    return {
        "studies": [
            {
                "id": one.id,
                "game": one.game,
                "title": one.title,
                "chapters": one.chapters,
                "changed": one.changed_at.isoformat(),
            }
            for one in listed
        ]
    }


@study_routes.post("/studies", status_code=201, **answers(StudyCreated, 201))
@Policy("make")
async def make_study(request: Request, services: ServicesDep, user: UserDep, body: NewStudy) -> Json:
    """Create a study with its first chapter, see [the form of a study](studies.md); a guest may, too.

    ``{"id", "url", "chapter"}``; ``chapter``: the name of the chapter. Whoever has the link can read it.
    The chapter is judged by the rules; 403 ``table/copy`` if people play a game that has come to one of its
    positions. A user has at most 100 studies, a study 64 chapters and 256 KiB.
    """
    check_words(body.words, _TITLE)
    chapter = await _judged(request, services, body.game, body.chapter)
    content, study_id = StudyContent(body.words, (chapter,)).stored(), fresh_id()
    await asyncio.to_thread(
        services.store.studies.make, study_id, user, body.game, content, services.clock.now()
    )
    return {"id": study_id, "url": f"/{body.game}/study/{study_id}", "chapter": chapter["name"]}


@study_routes.get("/studies/{study}", **answers(StudyInfo))
@Policy("search")
def show_study(services: ServicesDep, user: ReaderDep, study: StudyId) -> Json:
    """Return a study with all chapters.

    ``{"id", "game", "by", "yours", "changed", "words", "chapters"}``; ``by``: the name of the owner's
    account, null for a guest.
    """
    found = services.store.studies.get(study)
    content = StudyContent.read(found.content)
    return {
        "id": found.id,
        "game": found.game,
        "by": services.store.people.name(found.user_id),
        "yours": found.user_id == user,
        "changed": found.changed_at.isoformat(),
        "words": content.words,
        "chapters": list(content.chapters),
    }


@study_routes.put("/studies/{study}", status_code=204)
@Policy("change")
async def change_study(services: ServicesDep, user: UserDep, study: StudyId, body: StudyPlan) -> None:
    """Change the title of a study, and the order of its chapters.

    409 ``study/changed`` if ``order`` is not that of all chapters.
    """
    check_words(body.words, _TITLE)
    await _change(
        services, user, study, lambda content: StudyContent(body.words, content.ordered(body.order).chapters)
    )


@study_routes.delete("/studies/{study}", status_code=204)
@Policy("change")
async def delete_study(services: ServicesDep, user: UserDep, study: StudyId) -> None:
    """Delete a study."""
    await asyncio.to_thread(services.store.studies.drop, study, user)


@study_routes.post("/studies/{study}/chapters", status_code=201, **answers(ChapterCreated, 201))
@Policy("make")
async def add_chapter(
    request: Request, services: ServicesDep, user: UserDep, study: StudyId, body: ChapterForm
) -> Json:
    """Add a chapter to a study, at its end.

    ``{"name", "url"}``
    """
    owned = await asyncio.to_thread(services.store.studies.owned, study, user)
    chapter = await _judged(request, services, owned.game, body)
    await _change(services, user, study, lambda content: content.added(chapter))
    return {"name": chapter["name"], "url": f"/{owned.game}/study/{study}/{chapter['name']}"}


@study_routes.put("/studies/{study}/chapters/{name}", status_code=204)
@Policy("change")
async def change_chapter(
    request: Request,
    services: ServicesDep,
    user: UserDep,
    study: StudyId,
    name: ChapterPath,
    body: ChapterForm,
) -> None:
    """Replace a chapter by another one, which gets the same name."""
    owned = await asyncio.to_thread(services.store.studies.owned, study, user)
    chapter = await _judged(request, services, owned.game, body, name)
    await _change(services, user, study, lambda content: content.replaced(chapter))


@study_routes.delete("/studies/{study}/chapters/{name}", status_code=204)
@Policy("change")
async def delete_chapter(services: ServicesDep, user: UserDep, study: StudyId, name: ChapterPath) -> None:
    """Delete a chapter of a study that has others."""
    await _change(services, user, study, lambda content: content.without(name))


@study_routes.post("/studies/{study}/chapters/{name}", **answers(TaskPlayed))
@Policy("board")
async def play_chapter(
    request: Request, services: ServicesDep, study: StudyId, name: ChapterPath, body: Decisions
) -> Response:
    """Play the task of a chapter up to the reader's last decision; answers like a lesson."""
    found = await asyncio.to_thread(services.store.studies.get, study)
    form = ChapterForm.model_validate(StudyContent.read(found.content).chapter(name))
    address = address_of(request)
    text = await services.sandbox.do(
        played_chapter, name, found.game, form, body.decisions, body.of, address=address
    )
    return Response(text, media_type="application/json")


async def _judged(
    request: Request, services: Services, game: str, form: ChapterForm, name: str | None = None
) -> dict[str, Any]:
    """Return a chapter for the store after judging it. name: None: a new one. Raises EkoesError."""
    turns = await services.sandbox.do(judged_chapter, game, form, address=address_of(request))
    if await asyncio.to_thread(services.store.is_played, turns):
        message = "people play a game with this position; a study may have it when they have gone on"
        raise TableError(message, code="table/copy")
    return chapter_json(form, name or f"c{fresh_id()[:_NAME_LENGTH]}")


async def _change(
    services: Services, user: str, study: str, edit: Callable[[StudyContent], StudyContent]
) -> None:
    await asyncio.to_thread(
        services.store.studies.change,
        study,
        user,
        lambda stored: edit(StudyContent.read(stored.content)).stored(),
        services.clock.now(),
    )
