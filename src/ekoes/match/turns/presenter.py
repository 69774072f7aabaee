"""What a table of turns must know of a game beyond the contract: its turns, and how it looks on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol, cast

from ekoes.games.contract import Json, Turn
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load

__all__ = ["Presenter", "presenter"]


class Presenter(Protocol):
    """How a table looks at the positions of one game. Each position handed over is of that game."""

    def about(self) -> Json:
        """Describe what a table of this game can be set to."""

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options of a new game and return them complete, as JSON. Raises EkoesError."""

    def turn(self, position: Any) -> Turn:  # noqa: ANN401
        """Return the turn that the next decision belongs to."""

    def phase(self, position: Any) -> str:  # noqa: ANN401
        """Return the word for what is asked now."""

    def identity(self, position: Any) -> bytes | None:  # noqa: ANN401
        """Return what two positions that begin a turn share if one repeats the other.

        None where that does not count, as in the set-up.
        """

    def can_hold(self, position: Any) -> bool:  # noqa: ANN401
        """Tell whether a turn finished by a decision here may be kept open.

        Where not, the decision can be taken back until somebody else decides.
        """

    def least(self, position: Any, seat: int) -> Any:  # noqa: ANN401
        """Return the legal action by which a seat does nothing more; None where it has to do something."""

    def board(self, position: Any) -> Json:  # noqa: ANN401
        """Describe what stays the same for the whole game."""

    def players(self, position: Any) -> list[Json]:  # noqa: ANN401
        """Describe what the players have, seat by seat."""

    def merits(self, position: Any) -> Sequence[int]:  # noqa: ANN401
        """Tell what the players have come to, seat by seat: more is better."""

    def choices(self, position: Any, seat: int) -> Any:  # noqa: ANN401
        """Tell the legal actions of a seat, in a form that the game's page reads.

        For a page without a board for the game: a list of objects with ``action`` and ``notation``.
        """

    def ways(self, position: Any, of: object) -> Any:  # noqa: ANN401
        """Tell the ways of a piece that is picked up. of: what the page has sent. Raises NotationError."""

    def describe(self, position: Any, action: Any, after: Any) -> Json:  # noqa: ANN401
        """Describe a decision for the log: notation, and what it did. after: where it led."""


@cache
def presenter(game: str) -> Presenter:
    """Return the presenter of a game of turns."""
    return cast("Presenter", load(game_of(game).parts.presenter))
