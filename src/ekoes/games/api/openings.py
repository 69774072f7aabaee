"""Protocol of openings: what was played at a moment of the first turns, with results (``Parts.openings``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

WIN = 12
"""The parts of a win; its shares for two, three and four winners are whole numbers."""


class OpeningEntry(NamedTuple):
    """That a game had a decision at a moment. gist: what of the decision is the same in other games."""

    moment: str
    gist: str


@dataclass(slots=True)
class Score:
    """The results of games. wins: by place in the order of turns, in twelfths; a shared win is divided.

    What is missing to twelve for each game belongs to games without a winner.
    """

    games: int = 0
    wins: list[int] = field(default_factory=list)

    def add(self, winners: Sequence[int], players: int, games: int = 1) -> None:
        """Add games with equal results. winners: by place in the order of turns."""
        self.wins += [0] * (players - len(self.wins))
        self.games += games
        for place in winners:
            self.wins[place] += games * WIN // len(winners)


@dataclass(frozen=True, slots=True)
class Played:
    """What was played at a moment. games: that came to it; scores: by gist."""

    games: int
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Games of bots. level: of the bots; moments: what was played, by moment."""

    level: str
    moments: Mapping[str, Played]


class Openings(Protocol):
    """What openings of a game have in common. Positions and actions are of that game."""

    def moments(self, position: Any) -> Sequence[str]:  # noqa: ANN401
        """Return the moment of a position, from narrow to wide; none: it is not of an opening."""

    def gists(self, position: Any, action: Any) -> Sequence[str]:  # noqa: ANN401
        """Return the gist of a legal decision at each of the moments."""

    def place(self, position: Any, seat: int) -> int:  # noqa: ANN401
        """Return the place of a seat in the order of turns, from 0."""

    def entries(self, start: Any, decisions: Iterable[Any]) -> list[OpeningEntry]:  # noqa: ANN401
        """Return the entries of a game, each once, ascending; none for a game that begins later."""

    def self_play(self) -> SelfPlay:
        """Return the games of bots that come with the package."""
