"""The seats of a table: who may sit where, and who does."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain, cycle
from typing import Annotated, Literal

from pydantic import Field

from ekoes.games.contract import Json
from ekoes.match.orders import Name, Strict

__all__ = ["COLOURS", "Seat", "SeatKind", "SeatPlan", "seats_from_plans", "seats_json", "session_seats"]

COLOURS = 8
"""Colours are numbered 0 … 7, no more in a game than it has players; the page knows how they look."""

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
        """Whether somebody decides for this seat."""
        return self.kind == "bot" or self.session is not None


def seats_from_plans(
    plans: tuple[SeatPlan, ...], session: str, stand_in: str, colours: int
) -> tuple[Seat, ...]:
    """Return the seats of a new table; ``here`` seats belong to the creator's session.

    stand_in: the bot of a seat for one that names none. colours: how many the game has.

    Seats that name no colour get the lowest free ones, in order; seats too many for any game get
    one twice.
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


def session_seats(seats: tuple[Seat, ...], session: str) -> frozenset[int]:
    """Return the seats that a session holds."""
    return frozenset(number for number, seat in enumerate(seats) if seat.session == session)


def seats_json(seats: tuple[Seat, ...], session: str, online: Collection[str]) -> list[Json]:
    """Describe the seats to one session. online: the sessions that are connected."""
    return [
        {
            "seat": number,
            "name": seat.name,
            "colour": seat.colour,
            "kind": seat.kind,
            "bot": seat.bot,
            "taken": seat.is_taken,
            "yours": seat.session == session,
            "online": seat.kind == "bot" or seat.session in online,
        }
        for number, seat in enumerate(seats)
    ]
