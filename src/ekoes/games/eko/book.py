"""The records of Ekö: its notation and opening, and the ends that only a table gives (E11.5, E11.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ekoes.errors import IllegalActionError, RecordError
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

EXAMPLE = "b4>d6"

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
    """Counts how often each position has begun a turn, and which turn it is.

    ends: by what the table ended as the latest turn began; nothing is played then.
    """

    def __init__(self, turn_limit: int | None) -> None:
        self.turn_limit = turn_limit
        self.seen: Counter[bytes] = Counter()
        self.ends: frozenset[str] = frozenset()
        self.is_first = True

    def play(self, position: EkoPosition, decision: Decision) -> EkoPosition:
        """Play a decision. Raises EkoesError, also where the table had ended the game."""
        if self.is_first and _begins_turn(position):
            self._begin(position)
        self.is_first = False
        for reason in sorted(self.ends):
            raise IllegalActionError(f"{_ENDED[reason]}: the game was over", rule=_RULES[reason])
        after = position.play(decision.seat, decision.action)
        if after.turn_number != number(position):
            self._begin(after)
        return after

    def _begin(self, position: EkoPosition) -> None:
        identity = position.identity()
        self.seen[identity] += 1
        is_reached = {
            "repetition": self.seen[identity] >= EKO.table_ends.repetitions,
            "turn-limit": self.turn_limit is not None and number(position) > self.turn_limit,
        }
        self.ends = frozenset(reason for reason, is_so in is_reached.items() if is_so)

    def check_result(self, said: Outcome, _position: EkoPosition) -> None:
        """Check an agreement, a repetition or a turn limit. Raises RecordError."""
        if said.reason not in {"resignation", "time"} and said.winners:
            raise RecordError(f"nobody wins by {said.reason}")
        if said.reason in _NOT_ENDED and said.reason not in self.ends:
            raise RecordError(_NOT_ENDED[said.reason])


_RULES = EKO.table_ends.rules()
_ENDED = {
    "repetition": "the same position began a turn for the third time",
    "turn-limit": "the turn limit (tag TurnLimit) was reached",
}
_NOT_ENDED = {
    "repetition": "the last position has not begun a turn three times",
    "turn-limit": "the turn limit (tag TurnLimit) has not been reached",
}


def _begins_turn(position: EkoPosition) -> bool:
    """Whether a turn begins here: nothing has been done in it. Rule: E4.1, E4.2, E11.6."""
    turn = position.to_json()["turn"]
    return turn["phase"] in {"action", "reinforce"} and set(turn) == {"number", "player", "phase"}
