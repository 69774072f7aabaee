"""Routes: exercises with their answers; nothing is stored."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Exercises
from ekoes.games.api.registry import part_of
from ekoes.server.http.analysis import GameName
from ekoes.server.http.answers import ExerciseChoice, ExerciseReflex, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import api_router
from ekoes.server.ops.secrets import fresh_seed
from ekoes.tables.puzzles import no_puzzle
from ekoes.tables.settings import LARGEST_SEED

exercise_routes = api_router()


@exercise_routes.get("/{game}/exercises/choices/{number}", **answers(ExerciseChoice))
@Policy("look")
def show_choice(game: GameName, number: Annotated[int, Path(ge=1, le=10_000)]) -> Json:
    """Return a decision with the value of each choice; the best is better than all others beyond doubt.

    ``{"number", "count", "seat", "state", "values": [{"notation", "points", "error"}]}``: ``count``
    decisions there are, ``state`` is that of a table as the seat sees it, with its ``choices``, and the best
    of the ``values`` comes first.
    """
    exercises = _exercises(game)
    if number > exercises.count:
        raise no_puzzle(str(number))
    return exercises.choice(number)


@exercise_routes.get("/{game}/exercises/reflex", **answers(ExerciseReflex))
@Policy("look")
def show_reflex(game: GameName, seed: Annotated[int | None, Query(ge=0, le=LARGEST_SEED)] = None) -> Json:
    """Return the rounds of a test of reactions.

    ``{"seed", "rounds": [{"hand", "shown", "answer"}]}``: what is ``shown`` comes one after the other; the
    ``answer`` from the ``hand`` is right on the last one, and nothing of it is on another.
    """
    seed = fresh_seed() if seed is None else seed
    return {"seed": seed, "rounds": _exercises(game).reflex(seed)}


def _exercises(game: str) -> Exercises:
    exercises: Exercises = part_of(game, "exercises")
    return exercises
