"""Functions for processes of the sandbox: they evaluate positions, check chapters, draw puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ekoes.bots import Info, KeptSearch, Search, begin_search, watch
from ekoes.games.api.contract import Action, Json
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load, part_of
from ekoes.games.api.table import Picturing, Sitter
from ekoes.records import write_tree
from ekoes.server.workers.worker_process import cores
from ekoes.tables.analysis_board import Board, SequencePart, variation_entries
from ekoes.tables.puzzles import puzzle_of
from ekoes.tables.studies import (
    ChapterForm,
    read_chapter,
)

MEMORY = 64
"""MiB of the tree of a search."""
_THREADS = 8
"""Most threads that search a position: the stack of each counts as memory of the process."""
_LONGEST_VARIATION = 8
"""Decisions of a best variation that are described, at most."""
KEPT = KeptSearch()
"""The latest search of this worker process."""


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


# ---------------------------------------------------------------- puzzles


def drawn_puzzle(game: str, name: str) -> str:
    """Return a picture of a puzzle's position as SVG."""
    position = puzzle_of(game, name).position
    picturing: Picturing[Any] = part_of(game, "picture")
    sitters = [Sitter("", seat, won=False) for seat in range(position.players)]
    return picturing.preview(position, position.view(None), sitters)
