"""Chapters of studies in the sandbox, judged and played."""

from __future__ import annotations

from collections.abc import Sequence

from ekoes.errors import TableError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game as game_of
from ekoes.server.runtime.viewers import trial_text
from ekoes.tables.studies import (
    READER,
    Chapter,
    ChapterForm,
    Task,
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
    says = None if played.says is None else chapter.texts(played.says)
    about: Json = {"result": played.result, "taken": played.taken, "says": says}
    return trial_text(about, played.refusal, name, played.table, READER, of, played.at)
