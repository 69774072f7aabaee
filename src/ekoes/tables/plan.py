"""The settings of a new table: seats, game options and time control."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from ekoes.games.api.contract import Json
from ekoes.tables.orders import MAX_PLAYERS, Strict
from ekoes.tables.seats import SeatPlan

LEAST_TO_GO_ON = 5
"""The smallest increment in seconds if late turns are passed: a late player needs time for the next turn."""

TimeUp = Literal["lose", "bot", "pass"]


class ClockPlan(Strict):
    """A clock: seconds for the game plus an increment for each turn, or days for each turn.

    up: what happens when a player's time is up. ``lose``: they lose, as by resigning; ``bot``: a bot plays
    on for them; ``pass``: their turn is passed.
    """

    base: Annotated[int, Field(ge=0, le=4 * 3600)] | None = None
    increment: Annotated[int, Field(ge=0, le=600)] | None = None
    days: Annotated[int, Field(ge=1, le=14)] | None = None
    up: TimeUp = "lose"

    @model_validator(mode="after")
    def _is_one_of_the_two(self) -> ClockPlan:
        if (self.days is None) != (self.base is not None and self.increment is not None):
            raise ValueError("has either base and increment, or days")
        if self.days is not None and (self.base is not None or self.increment is not None):
            raise ValueError("days go with neither base nor increment")
        if self.days is None and not self.base and not self.increment:
            raise ValueError("needs some time")
        if self.up == "pass" and self.days is None and (self.increment or 0) < LEAST_TO_GO_ON:
            raise ValueError(f"turns can be passed where each brings {LEAST_TO_GO_ON} seconds or more")
        return self


def clock_json(plan: ClockPlan) -> Json:
    """Return a clock as JSON."""
    return plan.model_dump(exclude_none=True)


def clock_text(plan: ClockPlan) -> str:
    """Return a clock in the notation of records: ``300+10 lose``, ``3d pass``."""
    time = f"{plan.base}+{plan.increment}" if plan.days is None else f"{plan.days}d"
    return f"{time} {plan.up}"


def clock_from_json(value: Any) -> ClockPlan | None:  # noqa: ANN401 - JSON
    """Read what ``clock_json`` wrote; None for None."""
    return None if value is None else ClockPlan.model_validate(value)


LARGEST_SEED = 2**53 - 1
"""The largest seed: the largest integer that JavaScript represents exactly."""


class TableOptions(Strict):
    """What a table is set to: these keys are the table's, all others the game's.

    absence: minutes after which others need not wait for who has gone, 0: they have to; None: as usual. back:
    minutes in which who comes back has their seat again from a bot. take_back: whether all may agree to take
    a turn back; None: where there are people and no rating hangs on it.
    """

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = None
    turn_limit: Annotated[int, Field(ge=1, le=10_000)] | None = None
    clock: ClockPlan | None = None
    rated: bool = False
    absence: Annotated[int, Field(ge=0, le=60)] | None = None
    back: Annotated[int, Field(ge=0, le=24 * 60)] = 30
    take_back: bool | None = None

    def of_game(self) -> dict[str, Any]:
        """Return the options of the game."""
        return dict(self.model_extra or {})


class TablePlan(Strict):
    """The settings of a table, as its creator chose them.

    chat: whether the table has a chat. public: it is listed in the lobby, and anyone may sit down or watch.
    """

    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    seats: Annotated[list[SeatPlan], Field(min_length=1, max_length=MAX_PLAYERS)]
    chat: bool = True
    public: bool = False
