"""Judging the records of EKKO that hold a sequence of decisions (K6)."""

from __future__ import annotations

from ekoes.errors import IllegalActionError, RecordError
from ekoes.games.contract import Outcome
from ekoes.games.ekko.action import Close, Mirror, Misplay
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.remarks import Remark
from ekoes.games.recording import Decision

__all__ = ["SequenceReferee", "check_resignation"]


class SequenceReferee:
    """Judges a sequence of decisions: nothing of a live table stands in it. Rule: K6.3."""

    def play(self, position: EkkoPosition, decision: Decision) -> EkkoPosition:
        """Play a decision. Raises EkoesError."""
        action = decision.action
        is_live = isinstance(action, Misplay | Close | Remark)
        if is_live or (isinstance(action, Mirror) and action.on is not None) or decision.arrival is not None:
            raise IllegalActionError("stands in the record of a live table alone (tag Live)", rule="K6.3")
        return position.play(decision.seat, action)

    def check_result(self, said: Outcome, position: EkkoPosition) -> None:
        """Check a resignation. Raises RecordError."""
        check_resignation(said, position)


def check_resignation(said: Outcome, position: EkkoPosition) -> None:
    """By agreement nobody wins; at a table for two who did not resign. Raises RecordError."""
    if said.reason == "agreement":
        if said.winners:
            raise RecordError("nobody wins by agreement")
        return
    if position.players != 2 or len(said.winners) != 1:
        raise RecordError("a resignation ends a game for two, and the other player wins")
