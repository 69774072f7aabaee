"""What the creator of a table asks for."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from ekoes.match.clock_plan import ClockPlan
from ekoes.match.orders import MAX_PLAYERS, Strict
from ekoes.match.seats import SeatPlan

__all__ = ["LARGEST_SEED", "LONGEST_DELAY", "TableOptions", "TablePlan"]

LONGEST_DELAY = 900
"""Seconds by which spectators may see a table later."""
LARGEST_SEED = 2**53 - 1
"""Every seed is a whole number that JavaScript can hold."""


class TableOptions(Strict):
    """What a table is set to: these keys are the table's, all others the game's.

    absence: minutes after which others need not wait for who has gone, 0: they have to; None: as usual. back:
    minutes in which who comes back has their seat again from a bot. take_back: whether all may agree to take
    a turn back; None: where there are people and no rating hangs on it. delay: how many seconds later those
    see it who have no seat there.
    """

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = None
    turn_limit: Annotated[int, Field(ge=1, le=10_000)] | None = None
    clock: ClockPlan | None = None
    rated: bool = False
    absence: Annotated[int, Field(ge=0, le=60)] | None = None
    back: Annotated[int, Field(ge=0, le=24 * 60)] = 30
    take_back: bool | None = None
    delay: Annotated[int, Field(ge=1, le=LONGEST_DELAY)] | None = None

    def of_game(self) -> dict[str, Any]:
        """Return the keys that are the game's."""
        return dict(self.model_extra or {})


class TablePlan(Strict):
    """A table as its creator asks for it.

    chat: whether people may talk there. public: everybody is told of it, who may sit down or watch.
    """

    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    seats: Annotated[list[SeatPlan], Field(min_length=1, max_length=MAX_PLAYERS)]
    chat: bool = True
    public: bool = False
