"""Routes: lessons; and studies of users, which everybody with the link reads and only the owner changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Path
from pydantic import Field

from ekoes.errors import TableError
from ekoes.games.api.contract import Json
from ekoes.protocol import encode
from ekoes.server.http.openapi import Created, Shape, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import (
    AddressDep,
    GameName,
    ReaderDep,
    Services,
    ServicesDep,
    UserDep,
    api_router,
)
from ekoes.server.ops.secrets import ID_PATTERN, fresh_id
from ekoes.storage.studies import Content
from ekoes.tables.lessons import Lesson, lesson_of, lessons_of
from ekoes.tables.orders import Strict
from ekoes.tables.studies import (
    MOST_CHAPTERS,
    ChapterForm,
    ChapterName,
    Words,
    check_chapter,
    check_words,
    languages,
    samples,
)

study_routes = api_router()

LessonName = Annotated[str, Path(max_length=40)]
StudyId = Annotated[str, Path(pattern=ID_PATTERN)]
ChapterPath = Annotated[ChapterName, Path()]
_NAME_LENGTH = 6
_TITLE = frozenset({"title"})
LARGEST_STUDY = 256 * 1024
"""Bytes of a study as JSON, at most."""


class LessonInfo(Shape):
    """A lesson in the list. study: the title of its study. title: its own. about: what one learns.

    All of these are by language.
    """

    name: str
    study: dict[str, str]
    title: dict[str, str]
    about: dict[str, str]


@study_routes.get("/lessons/{game}", **answers(list[LessonInfo]))
@Policy("look")
def list_lessons(game: GameName) -> list[Json]:
    """List the lessons of a game in order."""
    return [_listed(lesson) for lesson in lessons_of(game).values()]


class LessonText(LessonInfo):
    """A lesson. marks: highlights on the board. seat: the reader's. words: by language and key.

    position, task: as in [a chapter](studies.md).
    """

    marks: list[str | int]
    seat: int
    words: dict[str, dict[str, str]]
    position: Json
    task: Json


@study_routes.get("/lessons/{game}/{name}", **answers(LessonText))
@Policy("look")
def show_lesson(game: GameName, name: LessonName) -> Json:
    """Return a lesson with its texts in every language."""
    lesson = lesson_of(game, name)
    return _listed(lesson) | {
        "marks": list(lesson.marks),
        "seat": lesson.task.seat,
        "words": dict(lesson.words),
        "position": lesson.position.to_json(),
        "task": lesson.task.model_dump(mode="json", exclude_defaults=True),
    }


def _listed(lesson: Lesson) -> Json:
    return {
        "name": lesson.name,
        "study": lesson.title,
        "title": lesson.texts("title"),
        "about": dict(lesson.about),
    }


@dataclass(frozen=True, slots=True)
class StudyContent:
    """The stored columns of a study: the words of its title, and its chapters as JSON, each with a name."""

    words: Json
    chapters: tuple[Json, ...]

    @classmethod
    def read(cls, text: str) -> StudyContent:
        """Read what ``stored`` wrote."""
        content = json.loads(text)
        return cls(content["words"], tuple(content["chapters"]))

    def stored(self) -> Content:
        """Return the content for the store. Raises TableError ``study/too-long``."""
        text = encode({"words": self.words, "chapters": self.chapters})
        if len(text.encode()) > LARGEST_STUDY:
            message = f"a study has at most {LARGEST_STUDY} bytes; begin another one"
            raise TableError(message, code="study/too-long", key="chapters")
        title = next(self.words[tag]["title"] for tag in languages() if tag in self.words)
        return Content(title, len(self.chapters), text)

    def chapter(self, name: str) -> Json:
        """Return a chapter. Raises TableError ``study/no-chapter``."""
        found = next((one for one in self.chapters if one["name"] == name), None)
        if found is None:
            raise TableError("the study has no such chapter", code="study/no-chapter", key="chapter")
        return found

    def added(self, chapter: Json) -> StudyContent:
        """Return the study with one more chapter. Raises TableError ``study/many-chapters``."""
        if len(self.chapters) >= MOST_CHAPTERS:
            message = f"a study has at most {MOST_CHAPTERS} chapters; begin another one"
            raise TableError(message, code="study/many-chapters", key="chapters")
        return replace(self, chapters=(*self.chapters, chapter))

    def replaced(self, chapter: Json) -> StudyContent:
        """Return the study with another chapter of the same name. Raises TableError ``study/no-chapter``."""
        old = self.chapter(chapter["name"])
        return replace(self, chapters=tuple(chapter if one is old else one for one in self.chapters))

    def without(self, name: str) -> StudyContent:
        """Return the study without a chapter.

        Raises: TableError ``study/no-chapter``, or ``study/last-chapter`` if it is the only one.
        """
        old = self.chapter(name)
        if len(self.chapters) == 1:
            raise TableError("a study has a chapter; delete the study", code="study/last-chapter")
        return replace(self, chapters=tuple(one for one in self.chapters if one is not old))

    def ordered(self, names: Sequence[str]) -> StudyContent:
        """Return the study with its chapters in another order.

        names: all of them, else raises TableError ``study/changed``.
        """
        if sorted(names) != sorted(one["name"] for one in self.chapters):
            raise TableError("the study has other chapters by now", code="study/changed", key="order")
        return replace(self, chapters=tuple(self.chapter(name) for name in names))


class ListedStudy(Shape):
    """A study in the list of its owner. chapters: their number."""

    id: str
    game: str
    title: str
    chapters: int
    changed: str


class SampleStudy(Shape):
    """A study of ours. words: of its title. chapters: their number."""

    id: str
    game: str
    words: dict[str, dict[str, str]]
    chapters: int


class StudyList(Shape):
    """The studies of a user. samples: of ours, which everybody can read."""

    studies: list[ListedStudy]
    samples: list[SampleStudy]


@study_routes.get("/studies", **answers(StudyList))
@Policy("search")
def list_studies(services: ServicesDep, user: ReaderDep) -> Json:
    """List the studies of this browser's user, the latest changed first."""
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
        ],
        "samples": [
            {"id": name, "game": one.game, "words": one.words, "chapters": len(one.chapters)}
            for name, one in samples().items()
        ],
    }


class StudyCreated(Created):
    """A new study. chapter: the name of its first chapter."""

    chapter: str


class NewStudy(Strict):
    """A study with its first chapter. words: of its title."""

    game: Annotated[str, Field(max_length=20)]
    words: Words
    chapter: ChapterForm


@study_routes.post("/studies", **answers(StudyCreated, 201))
@Policy("make")
async def make_study(services: ServicesDep, address: AddressDep, user: UserDep, body: NewStudy) -> Json:
    """Create a study with its first chapter, see [the form of a study](studies.md); a guest may, too.

    Anyone with the link can read it. The chapter is judged by the rules. A user has at most 100 studies, a
    study 64 chapters and 256 KiB.
    """
    check_words(body.words, _TITLE)
    chapter = await _judged(services, address, body.game, body.chapter)
    content, study_id = StudyContent(body.words, (chapter,)).stored(), fresh_id()
    await asyncio.to_thread(
        services.store.studies.make, study_id, user, body.game, content, services.clock.now()
    )
    return {"id": study_id, "url": f"/{body.game}/study/{study_id}", "chapter": chapter["name"]}


class ChapterInfo(Shape):
    """A chapter of a study, as it was written; absent keys have their default."""

    name: str
    position: Json | None = None
    record: str | None = None
    marks: list[str | int] | None = None
    task: Json | None = None
    words: dict[str, dict[str, str]]


class StudyInfo(Shape):
    """A study. by: the name of its owner's account, null for a guest. words: of its title.

    changed: null for one of ours.
    """

    id: str
    game: str
    by: str | None
    yours: bool
    changed: str | None
    words: dict[str, dict[str, str]]
    chapters: list[ChapterInfo]


@study_routes.get("/studies/{study}", **answers(StudyInfo))
@Policy("search")
def show_study(services: ServicesDep, user: ReaderDep, study: StudyId) -> Json:
    """Return a study with all chapters."""
    if (sample := samples().get(study)) is not None:
        shown = {"words": sample.words, "chapters": sample.chapters}
        return {"id": study, "game": sample.game, "by": None, "yours": False, "changed": None} | shown
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


class StudyPlan(Strict):
    """The title of a study, and the order of its chapters by their names."""

    words: Words
    order: Annotated[list[ChapterName], Field(max_length=MOST_CHAPTERS)]


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


class ChapterCreated(Shape):
    """A new chapter of a study."""

    name: str
    url: str


@study_routes.post("/studies/{study}/chapters", **answers(ChapterCreated, 201))
@Policy("make")
async def add_chapter(
    services: ServicesDep, address: AddressDep, user: UserDep, study: StudyId, body: ChapterForm
) -> Json:
    """Add a chapter to a study, at its end."""
    owned = await asyncio.to_thread(services.store.studies.owned, study, user)
    chapter = await _judged(services, address, owned.game, body)
    await _change(services, user, study, lambda content: content.added(chapter))
    return {"name": chapter["name"], "url": f"/{owned.game}/study/{study}/{chapter['name']}"}


@study_routes.put("/studies/{study}/chapters/{name}", status_code=204)
@Policy("change")
async def change_chapter(
    services: ServicesDep,
    address: AddressDep,
    user: UserDep,
    study: StudyId,
    name: ChapterPath,
    body: ChapterForm,
) -> None:
    """Replace a chapter by another one, which gets the same name."""
    owned = await asyncio.to_thread(services.store.studies.owned, study, user)
    chapter = await _judged(services, address, owned.game, body, name)
    await _change(services, user, study, lambda content: content.replaced(chapter))


@study_routes.delete("/studies/{study}/chapters/{name}", status_code=204)
@Policy("change")
async def delete_chapter(services: ServicesDep, user: UserDep, study: StudyId, name: ChapterPath) -> None:
    """Delete a chapter of a study that has others."""
    await _change(services, user, study, lambda content: content.without(name))


async def _judged(
    services: Services, address: str | None, game: str, form: ChapterForm, name: str | None = None
) -> Json:
    """Return a chapter for the store after judging it. name: None: a new one. Raises EkoesError."""
    record = await services.sandbox.do(check_chapter, game, form, address=address)
    named = form.model_copy(update={"name": name or f"c{fresh_id()[:_NAME_LENGTH]}", "record": record})
    chapter = named.model_dump(mode="json", exclude_defaults=True)
    await services.quotas.storage(address, len(encode(chapter)))
    return chapter


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
