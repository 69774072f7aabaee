"""What a table where the quicker hand wins can be set to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ekoes.errors import TableError
from ekoes.games.ekko.rules.record import DEFAULT_TARGET, FEWEST_PLAYERS, MOST_PLAYERS
from ekoes.games.ekko.setup import HIGHEST_TARGET
from ekoes.games.reading import read_options
from ekoes.match.seats import Seat

__all__ = ["RaceOptions"]

Reaction = Annotated[int, Field(ge=1, le=10)]
TurnClock = Annotated[int, Field(ge=5, le=600)]
Window = Annotated[int, Field(ge=2, le=120)]


class RaceOptions(BaseModel):
    """The options of a table. Times are whole seconds; None: no clock.

    players: 2 to 8 (K1.1). target: the total that ends the game (K5.6). misplays: whether a wrong
    card costs one (K4.3). reaction: the time in which a last card may be mirrored (K5.1).
    turn_clock: K7.5. calm: everybody gets the same window to claim a mirror after each card, then
    claims are judged together; window: how long that is, None: until all have decided. hints: the
    playable cards are shown.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    players: Annotated[int, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)] = FEWEST_PLAYERS
    target: Annotated[int, Field(ge=1, le=HIGHEST_TARGET)] = DEFAULT_TARGET
    misplays: bool = True
    reaction: Reaction = 3
    turn_clock: TurnClock | None = 30
    calm: bool = False
    window: Window | None = 6
    hints: bool = False

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> RaceOptions:
        """Check options. Raises PositionError naming the key."""
        return read_options(cls, options)

    def fit_for(self, seats: tuple[Seat, ...]) -> RaceOptions:
        """Return the options as these seats need them: where several share a browser, no clock runs.

        Raises: TableError if several share a browser without the calm mode: each would see the other's hand.
        """
        if sum(seat.kind == "here" for seat in seats) < 2:
            return self
        if not self.calm:
            message = "several players at one browser need the calm mode"
            raise TableError(message, code="table/hot-seat", key="calm")
        return self.model_copy(update={"turn_clock": None, "window": None})
