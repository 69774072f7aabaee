"""Puzzles as JSON: after decisions, for the sandbox, whose proofs take a moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Verdict
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.table import Picturing, Sitter
from ekoes.server.runtime.viewers import trial_text
from ekoes.tables.puzzles import puzzle_of, try_puzzle
from ekoes.tables.studies import BEGAN, READER


def tried_puzzle(
    game: str,
    name: str,
    decisions: Sequence[Json],
    of: object,
    gives_up: bool,  # noqa: FBT001 - as the body has it
) -> tuple[Verdict, str]:
    """Return the verdict on a puzzle after decisions, and all of it as JSON.

    of: a piece whose moves are added; None: none.
    """
    tried = try_puzzle(game, name, decisions)
    is_known = gives_up or tried.verdict == "right"
    about: Json = {"verdict": tried.verdict, "solution": _solution(game, name) if is_known else None}
    return tried.verdict, trial_text(about, tried.refusal, name, tried.table, READER, of, BEGAN)


def drawn_puzzle(game: str, name: str) -> str:
    """Return a picture of a puzzle's position as SVG."""
    position = puzzle_of(game, name).position
    picturing: Picturing = load(cast("str", game_of(game).parts.picture))  # it has puzzles, so pictures too
    sitters = [Sitter("", seat, won=False) for seat in range(position.players)]
    return picturing.preview(position, position.view(None), sitters)


def _solution(game: str, name: str) -> list[Json]:
    """Return the decisions of a solution, each as notation and as action."""
    puzzle, parts = puzzle_of(game, name), game_of(game).parts
    notation, now, steps = load(parts.notation), puzzle.position, []
    for text in puzzle.solution:
        action = notation.parse_action(text, now)
        steps.append({"notation": text, "action": game_of(game).action_to_json(action)})
        now = now.play(puzzle.seat, action)
    return steps
