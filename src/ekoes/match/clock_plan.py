"""How much time the people at a table have, as its creator asks for it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from ekoes.games.contract import Json
from ekoes.match.orders import Strict

__all__ = ["LEAST_TO_GO_ON", "ClockPlan", "TimeUp", "clock_from_json", "clock_json", "clock_text"]

LEAST_TO_GO_ON = 5
"""Seconds that each turn brings where turns are passed, at least: who was late has to play again."""

TimeUp = Literal["lose", "bot", "pass"]


class ClockPlan(Strict):
    """A clock: so many seconds for the game and more with each turn, or so many days for each turn.

    up: what comes of it when somebody's time is up. ``lose``: the game is lost, as by resigning; ``bot``:
    a bot plays on; ``pass``: the turn is passed.
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
    """Write a plan."""
    return plan.model_dump(exclude_none=True)


def clock_text(plan: ClockPlan) -> str:
    """Write a plan as records note it: ``300+10 lose``, ``3d pass``."""
    time = f"{plan.base}+{plan.increment}" if plan.days is None else f"{plan.days}d"
    return f"{time} {plan.up}"


def clock_from_json(value: Any) -> ClockPlan | None:  # noqa: ANN401 - JSON
    """Read what ``clock_json`` wrote; None for None."""
    return None if value is None else ClockPlan.model_validate(value)
