"""Chapters of studies in the sandbox, judged and played."""

from __future__ import annotations

from collections.abc import Sequence

from ekoes.errors import TableError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game as game_of
from ekoes.protocol.incoming import encode
from ekoes.server.runtime.messages import error_json
from ekoes.server.runtime.viewers import Audience
from ekoes.tables.analysis import turn_table
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
