"""What a game tells the records about itself: how it is written, and what else has to be right."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from ekoes.errors import RecordError
from ekoes.games.contract import Outcome, Position

if TYPE_CHECKING:
    from ekoes.record.game_record import Decision
    from ekoes.record.live import LiveTable

__all__ = ["TABLE_REASONS", "Book", "Referee", "book_of"]

_BOOKS = {"eko": "ekoes.record.eko", "ekko": "ekoes.record.ekko"}
"""Game -> the module that is its book."""

TABLE_REASONS: Mapping[str, Mapping[str, str]] = {
    "eko": {
        "resignation": "E11.5",
        "agreement": "E11.5",
        "repetition": "E11.6",
        "turn-limit": "E11.5",
    },
    "ekko": {"resignation": "K5.6"},
}
"""Game -> the reasons that only a table knows, by which the rules alone would not end it, and their rules."""


class Referee(Protocol):
    """Watches a game from its first position on; knows what one position alone does not tell."""

    def play(self, position: Position, decision: Decision) -> Position:
        """Judge a decision and return the position after it. Raises EkoesError."""

    def check_result(self, said: Outcome, position: Position) -> None:
        """Check a result that only a table can give. Raises RecordError."""


class Book(Protocol):
    """What the module of a game offers."""

    OPENING_TAGS: tuple[str, ...]
    EXAMPLE: str
    """A decision, as an example for those who wrote one wrongly."""

    def opening_tags(self, position: Position) -> dict[str, str]:
        """Write the first position of a game as tags."""

    def opening_from_tags(self, tags: Mapping[str, str]) -> Position:
        """Read the first position of a game from its tags."""

    def table(self, tags: Mapping[str, str]) -> LiveTable | None:
        """Read the options of a live table. Raises NotationError naming the tag."""

    def parse_action(self, text: str) -> Any:  # noqa: ANN401 - each game has its own actions
        """Read a decision in notation."""

    def format_action(self, action: Any) -> str:  # noqa: ANN401
        """Write a decision in notation."""

    def number(self, position: Position) -> int:
        """Return the number of the turn or round, 0 in the set-up."""

    def asked(self, position: Position) -> tuple[int, ...]:
        """Return the seats that may do something here."""

    def follow(self, position: Position, seat: int, action: Any) -> Position:  # noqa: ANN401
        """Return the position after a decision. Raises IllegalActionError."""

    def summary(self, before: Position, after: Position) -> str | None:
        """Return what is noted between two decisions, such as the points of a round."""

    def referee(self, table: LiveTable | None, turn_limit: int | None) -> Referee:
        """Return who watches a new game."""


def book_of(game: str) -> Book:
    """Return a game's book. Raises RecordError naming the known games."""
    if game not in _BOOKS:
        raise RecordError(f"no game is called {game!r:.40}; there are: {', '.join(_BOOKS)}", key="Game")
    return cast("Book", import_module(_BOOKS[game]))
