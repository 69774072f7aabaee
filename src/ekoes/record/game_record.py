"""What a record holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ekoes.games.contract import Outcome, Position
from ekoes.games.recording import Decision
from ekoes.record.book import book_of

__all__ = ["FORMAT", "OPEN", "GameRecord", "Place", "replay"]

FORMAT = "1"
OPEN = "result: open"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game from its first position on.

    outcome: None while the game is open. names: of the seats, or empty. date: as ISO 8601. seed:
    what the first position was dealt from, as a note. turn_limit: E11.5. table: the options of a
    table where the quicker hand wins, as its book reads them, None where the game was a sequence of
    decisions. rules: the version of the rules that judged it, None if nobody says so; where there
    were several, as ``rules_text`` writes them. tags: anything else.
    """

    game: str
    start: Position
    decisions: tuple[Decision, ...] = ()
    outcome: Outcome | None = None
    names: tuple[str, ...] = ()
    date: str | None = None
    seed: int | None = None
    turn_limit: int | None = None
    table: Any = None
    rules: str | None = None
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a decision stands in its game: the number of its turn or round, and what is noted behind it."""

    number: int
    summary: str | None = None


def replay(record: GameRecord) -> Iterator[Position]:
    """Yield the first position, then the one after each decision. Raises IllegalActionError."""
    book = book_of(record.game)
    position = record.start
    yield position
    for decision in record.decisions:
        position = book.follow(position, decision.seat, decision.action)
        yield position
