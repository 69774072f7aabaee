"""New tables where the quicker hand wins."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ekoes.errors import PositionError
from ekoes.games.about import fields_about
from ekoes.games.contract import Json, Position
from ekoes.match.clock_plan import ClockPlan
from ekoes.match.plan import TableOptions, TablePlan
from ekoes.match.race.presenter import presenter
from ekoes.match.race.state import RaceTable
from ekoes.match.seats import Seat

__all__ = ["about", "check_plan", "new_table", "preview", "table_at", "with_clock"]

_NOT_TAKEN = ("seed", "turn_limit", "clock", "take_back")


def about(game: str) -> Json:
    """Describe what a table can be set to."""
    value = presenter(game).about()
    return value | {"options": value["options"] | fields_about(TableOptions, besides=_NOT_TAKEN)}


def check_plan(plan: TablePlan) -> None:
    """Refuse a seed, for nobody chooses who deals first, a limit of turns, and a clock like turns have."""
    for key in _NOT_TAKEN:
        if getattr(plan.options, key) is not None:
            raise PositionError("this game takes none", code="position/options", key=key)


def preview(game: str, options: dict[str, Any], seed: int) -> Json:
    """Check the options; before the deal there is nothing to see."""
    look = presenter(game)
    state = look.begin(look.settings(options), seed, frozenset())
    return {"seed": seed, "board": {}, "position": look.position(state).view(None)}


def new_table(
    game: str,
    options: dict[str, Any],
    seed: int,
    seats: tuple[Seat, ...],
    turn_limit: int | None,  # noqa: ARG001
) -> RaceTable:
    """Return a table before its first deal."""
    look = presenter(game)
    settings = look.settings(options)
    if sum(seat.kind == "here" for seat in seats) > 1:
        settings = look.at_one_browser(settings)
    play = look.begin(settings, seed, _people(seats))
    return RaceTable(game=game, options=settings, seed=seed, seats=seats, play=play)


def with_clock(table: RaceTable, clock: ClockPlan) -> RaceTable:  # noqa: ARG001
    """Refuse a clock: the game has its own."""
    raise PositionError("this game takes none", code="position/options", key="clock")


def table_at(
    game: str, options: Json, position: Position, seats: tuple[Seat, ...], at: datetime
) -> RaceTable:
    """Return a table whose game stands at a position."""
    look = presenter(game)
    settings = look.settings(options)
    play = look.stands(settings, position, _people(seats), at)
    return RaceTable(game=game, options=settings, seed=0, seats=seats, play=play)


def _people(seats: tuple[Seat, ...]) -> frozenset[int]:
    """Return the seats that persons hold or may take."""
    return frozenset(number for number, seat in enumerate(seats) if seat.kind != "bot")
