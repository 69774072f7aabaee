"""Studies of users: their stored content, and their chapters in the sandbox, judged and played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ekoes.errors import TableError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game as game_of
from ekoes.protocol.incoming import encode
from ekoes.server.runtime.messages import error_json
from ekoes.server.runtime.viewers import Audience
from ekoes.storage.studies import Content
from ekoes.tables.analysis import turn_table
from ekoes.tables.studies import (
    MOST_CHAPTERS,
    READER,
    Chapter,
    ChapterForm,
    Task,
    languages,
    play_task,
    read_chapter,
    turns_of,
)


def judged_chapter(game: str, form: ChapterForm) -> frozenset[str]:
    """Check a chapter by the rules, and return digests of its turns.

    Raises: EkoesError naming rule and key.
    """
    return turns_of(read_chapter(game_of(game), form))


def played_chapter(name: str, game: str, form: ChapterForm, decisions: Sequence[Json], of: object) -> str:
    """Return the task of a chapter after decisions, as JSON. of: a piece whose moves are added; None: none.

    Raises: EkoesError, TableError ``study/no-task`` without a task.
    """
    chapter = read_chapter(game_of(game), form)
    if chapter.task is None:
        raise TableError("this chapter has no task", code="study/no-task", key="chapter")
    return played_task(name, chapter, chapter.task, decisions, of)


def played_task(name: str, chapter: Chapter, task: Task, decisions: Sequence[Json], of: object) -> str:
    """Return a task after decisions as JSON. name: of the table. of: as above."""
    played = play_task(task, decisions)
    about: Json = {
        "result": played.result,
        "taken": played.taken,
        "says": None if played.says is None else chapter.texts(played.says),
        "refusal": None if played.refusal is None else error_json(played.refusal),
    }
    if of is not None:
        about["ways"] = turn_table(played.table).ways(of)
    table = Audience(name, lambda: played.at).table_text(READER, played.table, ())
    return f'{encode(about)[:-1]},"table":{table}}}'


LARGEST_STUDY = 256 * 1024
"""Bytes of a study as JSON, at most."""


@dataclass(frozen=True, slots=True)
class StudyContent:
    """What is stored of a study: the words of its title, and its chapters as JSON, each with a name."""

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


def chapter_json(form: ChapterForm, name: str) -> Json:
    """Return a chapter as it is stored."""
    return form.model_copy(update={"name": name}).model_dump(mode="json", exclude_defaults=True)
