"""The records of Ekö: its notation and opening, and the ends that only a table gives (E11.5, E11.6)."""

from __future__ import annotations

from collections.abc import Mapping

from ekoes.errors import RecordError
from ekoes.games.contract import Outcome
from ekoes.games.eko.action import Action
from ekoes.games.eko.game import EKO
from ekoes.games.eko.notation import format_action, parse_action
from ekoes.games.eko.opening import OPENING_TAGS, opening_from_tags, opening_tags
from ekoes.games.eko.position import EkoPosition
from ekoes.games.recording import Decision

__all__ = [
    "EXAMPLE",
    "OPENING_TAGS",
    "TABLE_TAGS",
    "asked",
    "follow",
    "format_action",
    "number",
    "opening_from_tags",
    "opening_tags",
    "parse_action",
    "referee",
    "summary",
    "table_from_tags",
    "table_tags",
]

EXAMPLE = "0,1>2,1"

TABLE_TAGS = ()


def table_tags(_table: None) -> dict[str, str]:
    """Write nothing: Ekö is played in turns."""
    return {}


def table_from_tags(_tags: Mapping[str, str]) -> None:
    """Know no table where the quicker hand wins."""


def number(position: EkoPosition) -> int:
    """Return the number of the turn (E12.9)."""
    return position.turn_number


def asked(position: EkoPosition) -> tuple[int, ...]:
    """Return who is asked (E12)."""
    return position.actors()


def follow(position: EkoPosition, seat: int, action: Action) -> EkoPosition:
    """Return the position after an action. Raises IllegalActionError."""
    return position.play(seat, action)


def summary(_before: EkoPosition, _after: EkoPosition) -> None:
    """Note nothing: a board needs no score sheet."""


def referee(_table: None, turn_limit: int | None) -> _Referee:
    """Return who counts repetitions and turns."""
    return _Referee(turn_limit)


class _Referee:
    """Counts how often each position has begun a turn."""

    def __init__(self, turn_limit: int | None) -> None:
        self.turn_limit = turn_limit
        self.seen: dict[bytes, int] = {}
        self.turn_began = False

    def play(self, position: EkoPosition, decision: Decision) -> EkoPosition:
        """Play a decision. Raises EkoesError."""
        after = position.play(decision.seat, decision.action)
        self.turn_began = after.turn_number != number(position)
        if self.turn_began:
            identity = after.identity()
            self.seen[identity] = self.seen.get(identity, 0) + 1
        return after

    def check_result(self, said: Outcome, position: EkoPosition) -> None:
        """Check an agreement, a repetition or a turn limit. Raises RecordError."""
        if said.reason != "resignation" and said.winners:
            raise RecordError(f"nobody wins by {said.reason}")
        if said.reason == "repetition" and not self._is_repeated(position):
            raise RecordError("the last position has not begun a turn three times")
        if said.reason == "turn-limit" and not self._is_past_limit(position):
            raise RecordError("the turn limit (tag TurnLimit) has not been reached")

    def _is_repeated(self, position: EkoPosition) -> bool:
        return self.turn_began and self.seen[position.identity()] >= EKO.table_ends.repetitions

    def _is_past_limit(self, position: EkoPosition) -> bool:
        return self.turn_limit is not None and self.turn_began and number(position) > self.turn_limit
