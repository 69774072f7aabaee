"""Routes: puzzles."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Request, Response
from pydantic import Field

from ekoes.games.api.contract import Json
from ekoes.server.http.analysis import MOST_DECISIONS, GameName
from ekoes.server.http.answers import PuzzleInfo, PuzzleTried, answers, answers_file
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import address_of, api_router
from ekoes.server.http.services import ServicesDep
from ekoes.server.runtime.puzzles import drawn_puzzle, tried_puzzle
from ekoes.tables.orders import Count, Strict
from ekoes.tables.puzzles import daily_puzzle, next_puzzle, puzzle_of, puzzles_of

puzzle_routes = api_router()

PuzzleName = Annotated[str, Path(max_length=20)]


class PuzzleDecisions(Strict):
    """The solver's decisions so far, in order; the last one may be a trial.

    gives_up: shows the solution. of: a piece, as the game names it, whose moves are wanted too.
    """

    decisions: Annotated[list[dict[str, Any]], Field(max_length=MOST_DECISIONS)]
    gives_up: bool = False
    of: Count | str | None = None


@puzzle_routes.get("/{game}/puzzles/daily", **answers(PuzzleInfo))
@Policy("look")
def show_daily(game: GameName, services: ServicesDep) -> Json:
    """Return the puzzle of the day (UTC), the same for everybody; answers like a puzzle's own address."""
    return _shown(game, daily_puzzle(game, services.clock.now().date()))


@puzzle_routes.get("/{game}/puzzles/next", **answers(PuzzleInfo))
@Policy("look")
def show_next(
    game: GameName,
    after: Annotated[str, Query(max_length=20)] = "",
    theme: Annotated[str | None, Query(max_length=20)] = None,
    difficulty: Annotated[int | None, Query(ge=1, le=5)] = None,
) -> Json:
    """Return the puzzle that follows another one, of a theme and difficulty if given.

    Answers like a puzzle's own address.
    """
    return _shown(game, next_puzzle(game, after, theme, difficulty))


@puzzle_routes.get("/{game}/puzzles/{name}", **answers(PuzzleInfo))
@Policy("look")
def show_puzzle(game: GameName, name: PuzzleName) -> Json:
    """Return a puzzle.

    ``{"id", "theme", "difficulty", "seat", "position"}``: the theme is a word of the game, the difficulty
    from 1 to 5, the seat the solver's, who is to move.
    """
    return _shown(game, name)


@puzzle_routes.get("/{game}/puzzles/{name}/picture.svg", **answers_file("image/svg+xml"))
@Policy("reading")
def draw_puzzle(game: GameName, name: PuzzleName) -> Response:
    """Return a picture of a puzzle's position."""
    headers = {"cache-control": "public, max-age=86400"}
    return Response(drawn_puzzle(game, name), media_type="image/svg+xml", headers=headers)


@puzzle_routes.post("/{game}/puzzles/{name}", **answers(PuzzleTried))
@Policy("board")
async def try_out(
    request: Request, services: ServicesDep, game: GameName, name: PuzzleName, body: PuzzleDecisions
) -> Response:
    """Play a puzzle up to the solver's last decision, which may be a trial; nothing is stored.

    ``{"verdict": "open", "right" or "wrong", "refusal", "solution", "table"}``: a wrong or illegal last
    decision is not carried out; ``refusal`` is the error of an illegal one. The ``solution``, once it was
    found or with ``gives_up``: its decisions as ``notation`` and ``action``. With ``of`` also the piece's
    ``ways``.
    """
    puzzle_of(game, name)
    text = await services.sandbox.do(
        tried_puzzle, game, name, body.decisions, body.of, body.gives_up, address=address_of(request)
    )
    return Response(text, media_type="application/json")


def _shown(game: str, name: str) -> Json:
    puzzle, about = puzzle_of(game, name), puzzles_of(game)[name]
    return {
        "id": name,
        "theme": about.theme,
        "difficulty": about.difficulty,
        "seat": puzzle.seat,
        "position": puzzle.position.to_json(),
    }
