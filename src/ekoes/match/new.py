"""A new table, from what its creator asks for."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from ekoes.bots import BOTS, STAND_INS
from ekoes.errors import TableError
from ekoes.games.registry import game
from ekoes.match.lens import lens
from ekoes.match.orders import MAX_PLAYERS, Strict
from ekoes.match.seats import Seat, SeatPlan, seats_from_plans
from ekoes.match.table import Table

__all__ = ["LARGEST_SEED", "TableOptions", "TablePlan", "new_table", "table_from_plan"]

LARGEST_SEED = 2**53 - 1
"""Every seed is a whole number that JavaScript can hold."""


class TableOptions(Strict):
    """What a table is set to: these keys are the table's, all others the game's."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = None
    turn_limit: Annotated[int, Field(ge=1, le=10_000)] | None = None

    def of_game(self) -> dict[str, Any]:
        """Return the keys that are the game's."""
        return dict(self.model_extra or {})


class TablePlan(Strict):
    """A table as its creator asks for it."""

    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    seats: Annotated[list[SeatPlan], Field(min_length=1, max_length=MAX_PLAYERS)]


def table_from_plan(plan: TablePlan, session: str, *, fresh_seed: int) -> Table:
    """Return the table of a plan. fresh_seed: for a plan that names none.

    Raises: TableError, NotationError, PositionError or LayoutError, naming the key.
    """
    game(plan.game)
    _check_seats(plan.seats, BOTS[plan.game])
    options = plan.options
    seed = fresh_seed if options.seed is None else options.seed
    seats = seats_from_plans(tuple(plan.seats), session, STAND_INS[plan.game])
    return new_table(plan.game, options.of_game(), seed, seats, turn_limit=options.turn_limit)


def new_table(
    name: str, options: dict[str, Any], seed: int, seats: tuple[Seat, ...], *, turn_limit: int | None = None
) -> Table:
    """Return a table of a game before its first decision; equal arguments give equal tables.

    Raises: TableError, NotationError, PositionError or LayoutError, naming the key.
    """
    look = lens(name)
    settings = look.settings(options)
    position = game(name).new(settings, seed)
    if position.players != len(seats):
        message = f"{position.players} players need {position.players} seats, not {len(seats)}"
        raise TableError(message, code="table/bad-seats", key="seats")
    return Table(
        game=name,
        options=settings,
        seed=seed,
        turn_limit=turn_limit,
        seats=seats,
        positions=(position,),
        identities=(look.identity(position),),
    )


def _check_seats(plans: list[SeatPlan], bots: tuple[str, ...]) -> None:
    """Raise TableError if a seat's bot is unknown or two seats share a colour."""
    for plan in plans:
        if plan.bot is not None and plan.kind != "bot":
            message = "only a seat of kind 'bot' names a bot"
            raise TableError(message, code="table/bad-seats", key="bot")
        if plan.bot is not None and plan.bot not in bots:
            message = f"no bot is called {plan.bot!r:.40}; there are: {', '.join(bots)}"
            raise TableError(message, code="table/bad-seats", key="bot")
    colours = [plan.colour for plan in plans if plan.colour is not None]
    if len(colours) != len(set(colours)):
        message = "two seats can't have the same colour"
        raise TableError(message, code="table/bad-seats", key="colour")
