"""New tables of turns."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ekoes.games.about import fields_about
from ekoes.games.contract import Json, Position
from ekoes.games.registry import game as game_of
from ekoes.match.plan import TableOptions, TablePlan
from ekoes.match.seats import Seat
from ekoes.match.turns.presenter import presenter
from ekoes.match.turns.state import TurnTable

__all__ = ["about", "check_plan", "new_table", "preview", "table_at"]


def about(game: str) -> Json:
    """Describe what a table can be set to."""
    value = presenter(game).about()
    return value | {"options": value["options"] | fields_about(TableOptions)}


def check_plan(plan: TablePlan) -> None:
    """Every plan will do whose options the game takes."""


def preview(game: str, options: dict[str, Any], seed: int) -> Json:
    """Deal a first position to look at."""
    look = presenter(game)
    position = game_of(game).new(look.settings(options), seed)
    return {"seed": seed, "board": look.board(position), "position": position.view(None)}


def new_table(
    game: str, options: dict[str, Any], seed: int, seats: tuple[Seat, ...], turn_limit: int | None
) -> TurnTable:
    """Return a table before its first decision."""
    settings = presenter(game).settings(options)
    position = game_of(game).new(settings, seed)
    return _table(game, settings, position, seats, seed=seed, turn_limit=turn_limit)


def table_at(
    game: str,
    options: Json,
    position: Position,
    seats: tuple[Seat, ...],
    at: datetime,  # noqa: ARG001 - no clock runs
) -> TurnTable:
    """Return a table whose game stands at a position."""
    return _table(game, presenter(game).settings(options), position, seats)


def _table(
    game: str,
    settings: Json,
    position: Position,
    seats: tuple[Seat, ...],
    *,
    seed: int = 0,
    turn_limit: int | None = None,
) -> TurnTable:
    begins = presenter(game).identity(position)
    return TurnTable(
        game=game,
        options=settings,
        seed=seed,
        turn_limit=turn_limit,
        seats=seats,
        position=position,
        begun=() if begins is None else (begins,),
    )
