"""What a record holds, and what it needs of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any, Protocol, cast

from ekoes.errors import RecordError
from ekoes.games.contract import Outcome, Position

__all__ = [
    "FORMAT",
    "OPEN",
    "TABLE_REASONS",
    "Decision",
    "GameRecord",
    "Opening",
    "Turned",
    "opening_of",
    "replay",
]

FORMAT = "1"
OPEN = "result: open"
TABLE_REASONS = ("resignation", "agreement", "repetition", "turn-limit")
"""Reasons that only a table knows (E11.5, E11.6): the rules alone would let the game go on."""

_OPENINGS = {"eko": "ekoes.games.eko.opening"}
"""Game -> the module that writes and reads its beginning and its notation."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a seat. milliseconds: how long it took, if that is known."""

    seat: int
    action: Any
    milliseconds: int | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game from its first position on.

    outcome: None while the game is open. names: of the seats, or empty. date: as ISO 8601. seed:
    what the first position was dealt from, as a note. turn_limit: E11.5. tags: anything else.
    """

    game: str
    start: Position
    decisions: tuple[Decision, ...] = ()
    outcome: Outcome | None = None
    names: tuple[str, ...] = ()
    date: str | None = None
    seed: int | None = None
    turn_limit: int | None = None
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class Turned(Position, Protocol):
    """What records need of a position beyond the contract."""

    @property
    def turn_number(self) -> int:
        """The number of the turn, 0 in the set-up."""

    def identity(self) -> bytes:
        """What must be equal in a repetition (E11.6)."""


class Opening(Protocol):
    """What a game's module ``opening`` offers."""

    OPENING_TAGS: tuple[str, ...]

    def opening_tags(self, position: Position) -> dict[str, str]:
        """Write the first position of a game as tags."""

    def opening_from_tags(self, tags: Mapping[str, str]) -> Position:
        """Read the first position of a game from its tags."""

    def parse_action(self, text: str) -> Any:  # noqa: ANN401 - each game has its own actions
        """Read an action in notation."""

    def format_action(self, action: Any) -> str:  # noqa: ANN401
        """Write an action in notation."""


def replay(record: GameRecord) -> Iterator[Position]:
    """Yield the first position, then the one after each decision. Raises IllegalActionError."""
    position = record.start
    yield position
    for decision in record.decisions:
        position = position.play(decision.seat, decision.action)
        yield position


def opening_of(game: str) -> Opening:
    """Return a game's module ``opening``. Raises RecordError naming the known games."""
    if game not in _OPENINGS:
        raise RecordError(f"no game is called {game!r:.40}; there are: {', '.join(_OPENINGS)}", key="Game")
    return cast("Opening", import_module(_OPENINGS[game]))
