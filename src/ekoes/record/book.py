"""What a game tells the records about itself: how it is written, and what else has to be right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, cast

from ekoes.errors import NotationError, RecordError
from ekoes.games.contract import Outcome
from ekoes.games.recording import Decision
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load

__all__ = ["Book", "Referee", "book_of"]


class Referee(Protocol):
    """Watches a game from its first position on; knows what one position alone does not tell."""

    def play(self, position: Any, decision: Decision) -> Any:  # noqa: ANN401 - each game has its own positions
        """Judge a decision and return the position after it. Raises EkoesError."""

    def check_result(self, said: Outcome, position: Any) -> None:  # noqa: ANN401
        """Check a result that only a table can give. Raises RecordError."""


class Book(Protocol):
    """What the module of a game offers. Each position and action handed over is of that game."""

    OPENING_TAGS: tuple[str, ...]
    """The tags that hold the first position."""
    TABLE_TAGS: tuple[str, ...]
    """The tags that hold the options of a table where the quicker hand wins."""
    EXAMPLE: str
    """A decision, as an example for those who wrote one wrongly."""

    def opening_tags(self, position: Any) -> dict[str, str]:  # noqa: ANN401
        """Write the first position of a game as tags."""

    def opening_from_tags(self, tags: Mapping[str, str]) -> Any:  # noqa: ANN401
        """Read the first position of a game from its tags."""

    def table_tags(self, table: Any) -> dict[str, str]:  # noqa: ANN401
        """Write the options of a table as tags."""

    def table_from_tags(self, tags: Mapping[str, str]) -> Any:  # noqa: ANN401
        """Read the options of a table; None if the tags tell of none. Raises NotationError naming the tag."""

    def parse_action(self, text: str, position: Any) -> Any:  # noqa: ANN401
        """Read a decision in notation. position: any of the game, for what its words refer to."""

    def format_action(self, action: Any, position: Any) -> str:  # noqa: ANN401
        """Write a decision in notation. position: any of the game, for what its words refer to."""

    def number(self, position: Any) -> int:  # noqa: ANN401
        """Return the number of the turn or round, 0 in the set-up."""

    def asked(self, position: Any) -> tuple[int, ...]:  # noqa: ANN401
        """Return the seats that may do something here."""

    def follow(self, position: Any, seat: int, action: Any) -> Any:  # noqa: ANN401
        """Return the position after a decision. Raises IllegalActionError."""

    def summary(self, before: Any, after: Any) -> str | None:  # noqa: ANN401
        """Return what is noted between two decisions, such as the points of a round."""

    def referee(self, table: Any, turn_limit: int | None) -> Referee:  # noqa: ANN401
        """Return who watches a new game. table: as ``table_from_tags`` returned it."""


def book_of(game: str) -> Book:
    """Return a game's book. Raises RecordError naming the known games."""
    try:
        return cast("Book", load(game_of(game).parts.book))
    except NotationError as error:
        raise RecordError(error.message, key="Game") from error
