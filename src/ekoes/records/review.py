"""Reviews of recorded games: divides the work among processes and joins what they find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, cast

from ekoes.errors import RecordError
from ekoes.games.api.contract import Json, Outcome, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.table import Decision
from ekoes.records.referee import GameRecord, replay
from ekoes.records.text import read_record

VERSION = 1
"""The version of the form of a review."""
_READ = 4
"""Games that a process remembers."""
Finding = Any
"""The findings of a game's reviewer at a position; picklable."""


class Reviewer(Protocol):
    """Reviews games (``Parts.review``). positions: the first one and that after each decision."""

    def questions(self, positions: Sequence[Any]) -> list[int]:
        """Return the numbers of the positions to examine."""

    def examine(
        self,
        positions: Sequence[Any],
        decisions: Sequence[Decision],
        n: int,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
    ) -> Finding:
        """Search a position of a game; equal iterations give equal findings."""

    def chances(self, positions: Sequence[Any], findings: Mapping[int, Any]) -> list[Any]:
        """Return the chances in each position, None where not known yet; empty if the game has none."""

    def sum_up(
        self,
        positions: Sequence[Any],
        decisions: Sequence[Decision],
        outcome: Outcome | None,
        findings: Mapping[int, Any],
    ) -> Json:
        """Return the review of a game that was examined completely."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The limits of each search: the first one reached counts; none: iterations of the game's choice."""

    seconds: float | None = None
    iterations: int | None = None


class ReviewedGame:
    """A recorded game, to be reviewed."""

    def __init__(self, record: GameRecord) -> None:
        """Replay a record. Raises RecordError if its game has no reviews."""
        part = game_of(record.game).parts.review
        if part is None:
            raise RecordError(f"games of {record.game} are not reviewed", key="Game")
        self.record = record
        self._reviewer = cast("Reviewer", load(part))
        self._positions: list[Position] = list(replay(record))

    @property
    def questions(self) -> list[int]:
        """The numbers of the positions to examine, each independent of the others."""
        return self._reviewer.questions(self._positions)

    def examine(self, n: int, effort: Effort) -> Finding:
        """Search one position."""
        seconds, iterations = effort.seconds, effort.iterations
        return self._reviewer.examine(
            self._positions, self.record.decisions, n, seconds=seconds, iterations=iterations
        )

    def chances(self, findings: Mapping[int, Finding]) -> list[Any]:
        """Return the chances of each player in each position, None where they are not known yet."""
        return self._reviewer.chances(self._positions, findings)

    def sum_up(self, findings: Mapping[int, Finding]) -> Json:
        """Return the review. findings: of all questions."""
        record = self.record
        found = self._reviewer.sum_up(self._positions, record.decisions, record.outcome, findings)
        return {"version": VERSION, **found}


@lru_cache(_READ)
def reviewed_game(text: str) -> ReviewedGame:
    """Return the game of a record, which a process reads once. Raises RecordError."""
    return ReviewedGame(read_record(text))


# ---------------------------------------------------------------- for worker processes


def outline(text: str) -> tuple[list[int], list[Any]]:
    """Return the numbers of the positions to examine, and the chances that are known without that."""
    game = reviewed_game(text)
    return game.questions, game.chances({})


def examine_for_chances(text: str, n: int, effort: Effort) -> tuple[Finding, list[Any]]:
    """Search one position, and return also the chances that are known by this finding alone."""
    game = reviewed_game(text)
    finding = game.examine(n, effort)
    return finding, game.chances({n: finding})


def sum_up(text: str, findings: Mapping[int, Finding]) -> Json:
    """Return the review of a record's game. findings: of all questions."""
    return reviewed_game(text).sum_up(findings)
