"""The contents of a record, and what each game provides to write and check its records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, cast

from ekoes.errors import NotationError, RecordError
from ekoes.games.api.contract import Outcome, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.table import Decision

P = TypeVar("P")
A = TypeVar("A")
T = TypeVar("T")


class Referee(Protocol[P]):
    """Replays a game from its first position, with the context that no single position has."""

    def play(self, position: P, decision: Decision) -> P:
        """Judge a decision and return the position after it. Raises EkoesError."""

    def check_result(self, said: Outcome, position: P) -> None:
        """Check a result that is not decided by the rules of play. Raises RecordError."""


class Book(Protocol[P, A, T]):
    """How a game writes its records: its positions, its actions, the options of its tables."""

    OPENING_TAGS: tuple[str, ...]
    """The tags that hold the first position."""
    TABLE_TAGS: tuple[str, ...]
    """The tags of the options of a race."""
    EXAMPLE: str
    """An example of a decision, for error messages."""

    def opening_tags(self, position: P) -> dict[str, str]:
        """Write the first position of a game as tags."""

    def opening_from_tags(self, tags: Mapping[str, str]) -> P:
        """Read the first position of a game from its tags."""

    def table_tags(self, table: T) -> dict[str, str]:
        """Write the options of a table as tags."""

    def table_from_tags(self, tags: Mapping[str, str]) -> T:
        """Read the options of a table, None if there are none. Raises NotationError naming the tag."""

    def parse_action(self, text: str, position: P) -> A:
        """Read a decision in notation. position: any position of the game, for context."""

    def format_action(self, action: A, position: P) -> str:
        """Write a decision in notation. position: any position of the game, for context."""

    def number(self, position: P) -> int:
        """Return the number of the turn or round, 0 in the set-up."""

    def asked(self, position: P) -> tuple[int, ...]:
        """Return the seats that may act in a position."""

    def follow(self, position: P, seat: int, action: A) -> P:
        """Return the position after a decision. Raises IllegalActionError."""

    def summary(self, before: P, after: P) -> str | None:
        """Return the note between two decisions, such as the points of a round."""

    def referee(self, table: T, turn_limit: int | None) -> Referee[P]:
        """Return the referee of a new game. table: as returned by ``table_from_tags``."""


def book_of(game: str) -> Book[Any, Any, Any]:
    """Return a game's book. Raises RecordError naming the known games."""
    try:
        return cast("Book[Any, Any, Any]", load(game_of(game).parts.book))
    except NotationError as error:
        raise RecordError(error.message, key="Game") from error


_VERSION = r"[^\s,]{1,20}"
_RULES = re.compile(rf"{_VERSION}(?:, {_VERSION} from [0-9]{{1,9}})*", re.ASCII)


def rules_text(versions: Sequence[str]) -> str:
    """Write the versions of the rules that judged a game: ``1``, or ``1, 2 from 57`` (the 57th decision)."""
    changes = [next(group) for _, group in groupby(enumerate(versions, start=1), key=lambda one: one[1])]
    return ", ".join(f"{version} from {number}" if number > 1 else version for number, version in changes)


def check_rules(text: str, version: str) -> None:
    """Check that a single version of the rules judged a game. Raises NotationError."""
    if _RULES.fullmatch(text) is None:
        raise NotationError(f"is written 1, or 1, 2 from 57, not {text!r:.60}")
    judged_by = {change.split(" ")[0] for change in text.split(", ")}
    if judged_by != {version}:
        raise NotationError(f"judged by rules {text}; this program knows rules {version} and can't verify it")


FORMAT = "1"
OPEN = "result: open"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game from its first position on.

    outcome: None while the game is open. names: of the seats, or empty. date: as ISO 8601. seed: of the first
    position, as a note. turn_limit: the last turn. table: the options of a real-time game, as its book reads
    them; None for a turn-based game. rules: the version that judged it, as written by ``rules_text``; None if
    unknown. tags: all others.
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
    """The place of a decision: the number of its turn or round, and the note after it."""

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
