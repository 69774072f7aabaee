"""What a turn-based game provides for its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, cast

from ekoes.errors import IllegalActionError
from ekoes.games.api.contract import Json, Position, RefusedError, Turn
from ekoes.games.api.registry import game, load


class Presenter(Protocol):
    """How a table plays and shows one game. All positions are of that game."""

    def about(self) -> Json:
        """Describe the options of a table of this game."""

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options of a new game and return them complete, as JSON. Raises EkoesError."""

    def turn(self, position: Any) -> Turn:  # noqa: ANN401
        """Return the number of the turn of the next decision."""

    def phase(self, position: Any) -> str:  # noqa: ANN401
        """Return the name of the phase."""

    def identity(self, position: Any) -> bytes | None:  # noqa: ANN401
        """Return a value that is equal for positions that repeat each other at the start of a turn.

        None where repetition does not count, as in the set-up.
        """

    def can_hold(self, position: Any) -> bool:  # noqa: ANN401
        """Return whether a turn that a decision has finished may be held open.

        Where not, the decision can be taken back until another player decides.
        """

    def least(self, position: Any, seat: int) -> Any:  # noqa: ANN401
        """Return the legal action with which a seat does as little as possible."""

    def board(self, position: Any) -> Json:  # noqa: ANN401
        """Return what stays the same for the whole game."""

    def players(self, position: Any) -> list[Json]:  # noqa: ANN401
        """Return what each player has, by seat."""

    def merits(self, position: Any) -> Sequence[int]:  # noqa: ANN401
        """Return a score for each seat: more is better."""

    def choices(self, position: Any, seat: int) -> Any:  # noqa: ANN401
        """Return the legal actions of a seat, in the format of the game's page.

        For a page without a board for the game: a list of objects with ``action`` and ``notation``.
        """

    def actions(self, position: Any, seat: int) -> Iterable[Json]:  # noqa: ANN401
        """Return the legal actions of a seat in the interchange form, the likeliest to be left out last."""

    def ways(self, position: Any, of: object) -> Any:  # noqa: ANN401
        """Return the paths of a selected piece. of: from the page. Raises NotationError."""

    def describe(self, position: Any, action: Any, after: Any) -> Json:  # noqa: ANN401
        """Describe a decision for the log: notation and effects. after: the position after it."""


@cache
def presenter(name: str) -> Presenter:
    """Return the presenter of a turn-based game."""
    return cast("Presenter", load(game(name).parts.presenter))


def played(position: Position, seat: int, action: Any) -> Position:  # noqa: ANN401 - each game has its own
    """Return the position after a decision. Raises RefusedError, with the broken rule if it is illegal."""
    try:
        return position.play(seat, action)
    except IllegalActionError:
        refusal = position.why_not(seat, action)
        if refusal is not None:
            raise RefusedError(refusal) from None
        raise
