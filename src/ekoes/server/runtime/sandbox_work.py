"""Functions for processes of the sandbox: they check chapters and draw puzzles."""

from __future__ import annotations

from typing import Any

from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import part_of
from ekoes.games.api.table import Picturing, Sitter
from ekoes.records import write_tree
from ekoes.tables.puzzles import puzzle_of
from ekoes.tables.studies import (
    ChapterForm,
    read_chapter,
)

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
