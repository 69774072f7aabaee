"""A tournament as it stands: a frozen value. Nothing here knows a clock, a store or a socket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ekoes.tournament.plan import TournamentPlan

__all__ = ["Entrant", "Game", "Status", "Tournament"]

Status = Literal["open", "running", "over"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who plays. number: from 1 on, as they came.

    holder: by whom their seats are held; None: of an account that is gone. joined: after how many rounds;
    left: likewise, None while they play on.
    """

    number: int
    name: str
    holder: str | None = None
    joined: int = 0
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a round: its entrants in the order of their seats; who is alone has a bye.

    table: where it is played. places: for each seat how many came before it, None while it goes on. absent:
    the seats of those who did not come, came: of those who did.
    """

    seats: tuple[int, ...]
    table: str | None = None
    places: tuple[int, ...] | None = None
    absent: frozenset[int] = frozenset()
    came: frozenset[int] = frozenset()

    @property
    def is_bye(self) -> bool:
        """Whether nobody plays."""
        return len(self.seats) == 1

    @property
    def is_played(self) -> bool:
        """Whether all came: only such a game counts as one that two have had with each other."""
        return not self.is_bye and not self.absent


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who plays, and the games of each round so far."""

    plan: TournamentPlan
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[tuple[Game, ...], ...] = ()
    status: Status = "open"

    @property
    def active(self) -> tuple[Entrant, ...]:
        """Those who play on."""
        return tuple(one for one in self.entrants if one.left is None)

    @property
    def is_round_over(self) -> bool:
        """Whether nobody plays any more in the latest round."""
        return not self.rounds or all(game.places is not None for game in self.rounds[-1])

    def game_of(self, entrant: int, played: int) -> tuple[Game, int] | None:
        """Return the game of an entrant in a round (from 0 on), and their seat there; None: they had none."""
        for game in self.rounds[played]:
            if entrant in game.seats:
                return game, game.seats.index(entrant)
        return None
