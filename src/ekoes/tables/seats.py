"""Seats: who plays at a table, and from where."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, cycle
from typing import Annotated, Literal

from pydantic import Field

from ekoes.tables.orders import Name, Strict

COLOUR_NAMES = ("Indigo", "Vermilion", "Sky blue", "Ivory", "Green", "Yellow", "Magenta", "Graphite")
"""Colours by number, no more in a game than it has players; the page defines their look."""
COLOURS = len(COLOUR_NAMES)

SeatKind = Literal["here", "open", "bot"]


class SeatPlan(Strict):
    """A seat as the creator of a table asks for it. bot: for kind ``bot`` alone, default the stand-in."""

    kind: SeatKind
    bot: Annotated[str, Field(max_length=40)] | None = None
    name: Name | None = None
    colour: Annotated[int, Field(ge=0, lt=COLOURS)] | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. session: the browser session that holds it; None for a free open seat and for bots."""

    kind: SeatKind
    name: str
    colour: int
    bot: str | None = None
    session: str | None = None

    @property
    def is_taken(self) -> bool:
        """Whether a player or a bot decides for this seat."""
        return self.kind == "bot" or self.session is not None

    @property
    def shown_name(self) -> str:
        """The name, else that of the bot or the colour."""
        return self.name or (self.bot.capitalize() if self.bot else COLOUR_NAMES[self.colour])


def seats_from_plans(
    plans: tuple[SeatPlan, ...], session: str, stand_in: str, colours: int
) -> tuple[Seat, ...]:
    """Return the seats of a new table; ``here`` seats belong to the creator's session.

    stand_in: the default bot. colours: how many the game has. Seats without a colour get the lowest free
    ones, in order; if there are too many seats for any game, colours repeat.
    """
    taken = {plan.colour for plan in plans}
    free = chain((colour for colour in range(colours) if colour not in taken), cycle(range(colours)))
    return tuple(
        Seat(
            kind=plan.kind,
            name=plan.name or "",
            colour=next(free) if plan.colour is None else plan.colour,
            bot=plan.bot or stand_in if plan.kind == "bot" else None,
            session=session if plan.kind == "here" else None,
        )
        for plan in plans
    )
