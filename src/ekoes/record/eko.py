"""The records of Ekö: its notation and opening, and the ends that only a table gives (E11.5, E11.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from ekoes.errors import RecordError
from ekoes.games.contract import Outcome, Position
from ekoes.games.eko.action import Action
from ekoes.games.eko.notation import format_action, parse_action
from ekoes.games.eko.opening import OPENING_TAGS, opening_from_tags, opening_tags

if TYPE_CHECKING:
    from ekoes.games.eko.position import EkoPosition
    from ekoes.record.game_record import Decision
    from ekoes.record.live import LiveTable

__all__ = [
    "EXAMPLE",
    "OPENING_TAGS",
    "REPETITIONS",
    "asked",
    "follow",
    "format_action",
    "number",
    "opening_from_tags",
    "opening_tags",
    "parse_action",
    "referee",
    "summary",
    "table",
]

EXAMPLE = "0,1>2,1"

REPETITIONS = 3
"""How often a position must begin a turn to end the game (E11.6)."""


def table(_tags: Mapping[str, str]) -> None:
    """Know no live table: Ekö is played in turns."""


def number(position: Position) -> int:
    """Return the number of the turn (E12.9)."""
    return cast("EkoPosition", position).turn_number


def asked(position: Position) -> tuple[int, ...]:
    """Return who is asked (E12)."""
    return position.actors()


def follow(position: Position, seat: int, action: Action) -> Position:
    """Return the position after an action. Raises IllegalActionError."""
    return position.play(seat, action)


def summary(_before: Position, _after: Position) -> None:
    """Note nothing: a board needs no score sheet."""


def referee(_table: LiveTable | None, turn_limit: int | None) -> _Referee:
    """Return who counts repetitions and turns."""
    return _Referee(turn_limit)


class _Referee:
    """Counts how often each position has begun a turn."""

    def __init__(self, turn_limit: int | None) -> None:
        self.turn_limit = turn_limit
        self.seen: dict[bytes, int] = {}
        self.turn_began = False

    def play(self, position: Position, decision: Decision) -> Position:
        """Play a decision. Raises EkoesError."""
        after = cast("EkoPosition", position.play(decision.seat, decision.action))
        self.turn_began = after.turn_number != number(position)
        if self.turn_began:
            identity = after.identity()
            self.seen[identity] = self.seen.get(identity, 0) + 1
        return after

    def check_result(self, said: Outcome, position: Position) -> None:
        """Check an agreement, a repetition or a turn limit. Raises RecordError."""
        if said.reason != "resignation" and said.winners:
            raise RecordError(f"nobody wins by {said.reason}")
        if said.reason == "repetition" and not self._is_repeated(position):
            raise RecordError("the last position has not begun a turn three times")
        if said.reason == "turn-limit" and not self._is_past_limit(position):
            raise RecordError("the turn limit (tag TurnLimit) has not been reached")

    def _is_repeated(self, position: Position) -> bool:
        return self.turn_began and self.seen[cast("EkoPosition", position).identity()] >= REPETITIONS

    def _is_past_limit(self, position: Position) -> bool:
        return self.turn_limit is not None and self.turn_began and number(position) > self.turn_limit
