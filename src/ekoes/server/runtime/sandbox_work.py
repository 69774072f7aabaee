"""Functions for processes of the sandbox: they evaluate positions, check chapters, draw puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from ekoes.bots import Info, KeptSearch, Search, begin_search, watch
from ekoes.errors import EkoesError, TableError
from ekoes.games.api.contract import Action, Json
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load, part_of
from ekoes.games.api.table import Picturing, Sitter
from ekoes.protocol import encode
from ekoes.records import write_tree
from ekoes.server.runtime.viewers import Audience, error_json
from ekoes.server.workers.worker_process import cores
from ekoes.tables.analysis import check_open
from ekoes.tables.analysis_board import Board, SequencePart, variation_entries
from ekoes.tables.puzzles import puzzle_of
from ekoes.tables.studies import (
    READER,
    Chapter,
    ChapterForm,
    Task,
    play_task,
    read_chapter,
)
from ekoes.tables.table import Table

MEMORY = 64
"""MiB of the tree of a search."""
_THREADS = 8
"""Most threads that search a position: the stack of each counts as memory of the process."""
_LONGEST_VARIATION = 8
"""Decisions of a best variation that are described, at most."""
KEPT = KeptSearch()
"""The latest search of this process, one of a few beside the server."""


def trial_text(
    about: Json,
    refusal: EkoesError | None,
    table_id: str,
    table: Table,
    session: str,
    now: datetime,
) -> str:
    """Return facts about trial decisions and the table after them, as a user sees it, as JSON.

    refusal: why the last decision is illegal.
    """
    about = {**about, "refusal": None if refusal is None else error_json(refusal)}
    shown = Audience(table_id, lambda: now).table_text(session, table, ())
    return f'{encode(about)[:-1]},"table":{shown}}}'


# ---------------------------------------------------------------- analysis board


def evaluations(board: Board, seconds: float, lines: int, session: str) -> Iterator[Json]:
    """Search a position, and yield what is known.

    session: whose search goes on in its next position if no other one was searched here in between.
    """
    search, entries = _search(board, session), variation_entries(board.position)
    for info in watch(search, seconds=seconds, lines=lines, threads=_threads()):
        yield _evaluation(info, entries)


def _evaluation(info: Info, entries: Callable[[tuple[Action, ...]], Sequence[Json]]) -> Json:
    lines = [
        {
            "value": list(line.value),
            **line.about,
            "iterations": line.iterations,
            **({"proven": True} if line.proven else {}),
            "entries": list(entries(tuple(line.actions[:_LONGEST_VARIATION]))),
        }
        for line in info.lines
    ]
    return {
        "value": list(info.value),
        **info.about,
        "iterations": info.iterations,
        "depth": info.depth,
        "seconds": round(info.seconds, 3),
        "lines": lines,
    }


def _threads() -> int:
    return min(_THREADS, cores())


def _search(board: Board, session: str) -> Search:
    position, seen, game = board.position, board.begun, board.position.game
    check_open(position)
    if game.parts.sequence is not None:
        part: SequencePart[Any, Any] = load(game.parts.sequence)
        return part.search(position)
    return KEPT.next((session, game), position, seen, lambda: begin_search(game, position, seen, MEMORY))


# ---------------------------------------------------------------- chapters of studies


def check_chapter(game: str, form: ChapterForm) -> str | None:
    """Check a chapter by the rules; returns its record, if any, with a start that needs no drawing.

    Raises: EkoesError naming rule and key.
    """
    tree = read_chapter(game_of(game), form).tree
    return None if tree is None else write_tree(tree)


def played_chapter(name: str, game: str, form: ChapterForm, decisions: Sequence[Json]) -> str:
    """Return the task of a chapter after decisions, as JSON.

    Raises: EkoesError, TableError ``study/no-task`` without a task.
    """
    chapter = read_chapter(game_of(game), form)
    if chapter.task is None:
        raise TableError("this chapter has no task", code="study/no-task", key="chapter")
    return played_task(name, chapter, chapter.task, decisions)


def played_task(name: str, chapter: Chapter, task: Task, decisions: Sequence[Json]) -> str:
    """Return a task after decisions as JSON. name: of the table."""
    played = play_task(task, decisions)
    says = None if played.says is None else chapter.texts(played.says)
    about: Json = {"result": played.result, "taken": played.taken, "says": says}
    return trial_text(about, played.refusal, name, played.table, READER, played.at)


# ---------------------------------------------------------------- puzzles


def drawn_puzzle(game: str, name: str) -> str:
    """Return a picture of a puzzle's position as SVG."""
    position = puzzle_of(game, name).position
    picturing: Picturing[Any] = part_of(game, "picture")
    sitters = [Sitter("", seat, won=False) for seat in range(position.players)]
    return picturing.preview(position, position.view(None), sitters)
