"""What a table must know of a game beyond the contract: its turns, and how it looks on a page.

Each game has one lens; the table, the store and the server speak of games through it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple, Protocol, cast

from ekoes.games.contract import Json, Position

__all__ = ["LENSES", "Lens", "Turn", "lens"]


class Turn(NamedTuple):
    """Which turn a decision belongs to: its number and whose it is."""

    number: int
    player: int


class Lens(Protocol):
    """How a table looks at the positions of one game."""

    def about(self) -> Json:
        """Describe what a table of this game can be set to (players, options)."""

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options of a new game and return them complete, as JSON. Raises EkoesError."""

    def turn(self, position: Position) -> Turn:
        """Return the turn that the next decision belongs to."""

    def phase(self, position: Position) -> str:
        """Return the word for what is asked now."""

    def identity(self, position: Position) -> bytes | None:
        """Return what two positions that begin a turn share if one repeats the other (E11.6).

        None where that does not count, as in the set-up.
        """

    def can_hold(self, position: Position) -> bool:
        """Tell whether a turn finished by a decision here may be kept open."""

    def board(self, position: Position) -> Json:
        """Describe what stays the same for the whole game."""

    def players(self, position: Position) -> list[Json]:
        """Describe what the players have, seat by seat."""

    def choices(self, position: Position, seat: int) -> list[Json]:
        """List the legal actions of a seat, annotated for a page."""

    def describe(self, position: Position, action: Any) -> Json:  # noqa: ANN401
        """Describe a legal action: notation, effect and, of a move, the path."""


LENSES = {"eko": "ekoes.match.turns.eko_lens:EKO_LENS"}
"""Game -> module and attribute; imported when first asked for."""


def lens(game: str) -> Lens:
    """Return the lens for a game of the registry."""
    module, attribute = LENSES[game].split(":")
    return cast("Lens", getattr(import_module(module), attribute))
