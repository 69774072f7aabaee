"""Judging the records of EKKO: what was sent must have come to what the record says (K6, K7)."""

from __future__ import annotations

from ekoes.errors import IllegalActionError, RecordError
from ekoes.games.contract import CHANCE, Outcome
from ekoes.games.ekko.action import Action, Close, Deal, Draw, Effect, Mirror, Misplay, Pass, Play
from ekoes.games.ekko.live import Verdict, clock_action, judge_card
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.remarks import Claim, Late, LiveTable, Ready, Remark, Resign
from ekoes.games.ekko.rules.record import Phase
from ekoes.games.recording import Arrival, Decision

__all__ = ["LiveReferee", "SequenceReferee"]

_VERDICTS: dict[type[Action | Remark], Verdict] = {
    Play: Verdict.PLAY,
    Mirror: Verdict.MIRROR,
    Claim: Verdict.MIRROR,
    Misplay: Verdict.MISPLAY,
    Late: Verdict.LATE,
}


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
        _check_resignation(said, position)


class LiveReferee:
    """Judges what arrived at a live table, in the order in which it came. Rule: K7.

    seen: for each card that has been on top in this round the latest position in which it was;
    covered: when what lies upon it came. since: when the position last changed. claim: the mirror
    whose effect is not chosen yet. decided: who has passed or claimed since the position changed.
    """

    def __init__(self, table: LiveTable) -> None:
        """Know the options of the table."""
        self.table = table
        self.now = self.since = 0
        self.seen: dict[int, EkkoPosition] = {}
        self.covered: dict[int, int] = {}
        self.claim: tuple[int, int, int] | None = None
        self.decided: set[int] = set()

    def play(self, position: EkkoPosition, decision: Decision) -> EkkoPosition:
        """Judge what arrived and return the position after it. Raises EkoesError."""
        here, arrival = position, decision.arrival
        if arrival is None:
            raise RecordError("the record of a live table says when each intent came, as in {at 4.2}")
        if arrival.at < self.now:
            raise RecordError("comes earlier than what stands before it")
        self.now = arrival.at
        if here.top is not None:
            self.seen.setdefault(here.top, here)
        self._check_seat(here, decision)
        self._judge(here, decision, arrival)
        if isinstance(decision.action, Pass | Claim):
            self.decided.add(decision.seat)
        if isinstance(decision.action, Remark | Pass):
            return position
        after = here.play(decision.seat, decision.action)
        self._note_change(here, after, decision)
        return after

    def check_result(self, said: Outcome, position: EkkoPosition) -> None:
        """Check a resignation. Raises RecordError."""
        _check_resignation(said, position)

    def _check_seat(self, position: EkkoPosition, decision: Decision) -> None:
        if (decision.seat == CHANCE) != isinstance(decision.action, Deal | Close):
            raise IllegalActionError("the table deals and closes, the seats do all else", rule="K7.4")
        if isinstance(decision.action, Pass) and position.phase != Phase.PLAY:
            raise IllegalActionError("there is nothing to pass", rule="K7.4")

    def _judge(self, position: EkkoPosition, decision: Decision, arrival: Arrival) -> None:
        match decision.action:
            case Close():
                self._check_close(position)
            case Deal() | Pass() | Ready() | Resign():
                pass
            case _ if arrival.is_clock:
                self._check_clock(position, decision)
            case Late(card):
                self._check_late(position, decision.seat, card, arrival)
            case Draw():
                self._check_unclaimed()
            case _:
                self._check_card(position, decision, arrival)

    def _check_card(self, position: EkkoPosition, decision: Decision, arrival: Arrival) -> None:
        """Check that a card came to what the record says. Rule: K7.2, K7.3."""
        action = decision.action
        if not (isinstance(action, Mirror) and self._claimed() == (decision.seat, action.card)):
            self._check_unclaimed()
        on = _seen_card(arrival)
        self._expect({_VERDICTS[type(action)]}, position, decision.seat, action.card, on)
        if isinstance(action, Claim):
            self.claim = (decision.seat, action.card, arrival.at)

    def _expect(self, said: set[Verdict], position: EkkoPosition, seat: int, card: int, on: int) -> None:
        judgement = judge_card(position, seat, card, on, self.seen.get(on), misplays=self.table.misplays)
        if judgement.verdict not in said:
            why = judgement.refusal
            reason = f": {why.message}" if why else ""
            message = f"the table would say {judgement.verdict.value!r}{reason}"
            raise IllegalActionError(message, rule=why.rule if why else "K7.2")

    def _check_late(self, position: EkkoPosition, seat: int, card: int | None, arrival: Arrival) -> None:
        """Check that something was quicker, and by how much. Rule: K3.5, K7.2."""
        on = _seen_card(arrival)
        # a claimed mirror, which has yet to be put, was quicker than every card that would fit now
        fits = {Verdict.LATE} if self.claim is None else {Verdict.LATE, Verdict.PLAY}
        if card is not None:
            self._expect(fits, position, seat, card, on)
        is_claimed = on == position.top and self.claim is not None
        quicker = self.claim[2] if is_claimed and self.claim is not None else self.covered.get(on)
        if quicker is None:
            raise IllegalActionError(f"nothing was quicker: {on} has not been covered", rule="K7.2")
        if arrival.behind != self.now - quicker:
            raise RecordError(f"by the times of arrival it was {self.now - quicker} ms behind")

    def _check_clock(self, position: EkkoPosition, decision: Decision) -> None:
        """Check what the clock did for a player. Rule: K7.5."""
        if self.table.turn_clock is None:
            raise IllegalActionError("this table has no turn clock (tag TurnClock)", rule="K7.5")
        action = decision.action
        if self.claim is not None:
            is_due = (
                isinstance(action, Mirror)
                and self._claimed() == (decision.seat, action.card)
                and action.effect is Effect.DRAW
            )
        else:
            is_due = decision.seat == position.player and action == clock_action(position)
        if not is_due:
            raise IllegalActionError("the clock does something else", rule="K7.5")

    def _check_close(self, position: EkkoPosition) -> None:
        """Check that the reaction time was over, or everybody had passed. Rule: K7.4."""
        self._check_unclaimed()
        limit = self.table.window if self.table.calm else self.table.reaction
        others = set(range(position.players)) - {position.leaving}
        if not others <= self.decided and (limit is None or self.now - self.since < limit):
            message = "the reaction time is not over, and not everybody has passed"
            raise IllegalActionError(message, rule="K7.4")

    def _check_unclaimed(self) -> None:
        if self.claim is not None:
            raise IllegalActionError("a mirror has been claimed and its effect comes first", rule="K3.2")

    def _claimed(self) -> tuple[int, int] | None:
        return None if self.claim is None else self.claim[:2]

    def _note_change(self, before: EkkoPosition, after: EkkoPosition, decision: Decision) -> None:
        """Keep what later intents are judged by."""
        if after.top != before.top:
            if before.top is not None:
                self.covered[before.top] = self.now if self.claim is None else self.claim[2]
            if after.zone_size <= 1:
                self.seen, self.covered = {}, {}
        if isinstance(decision.action, Mirror):
            self.claim = None
        if after.top is not None and after.phase == Phase.PLAY:
            self.seen[after.top] = after
        self.since, self.decided = self.now, set()


def _seen_card(arrival: Arrival) -> int:
    if arrival.saw is None:
        raise RecordError("a card comes with the top card that its player saw, as in {at 4.2, saw 38}")
    return arrival.saw


def _check_resignation(said: Outcome, position: EkkoPosition) -> None:
    """At a table for two the other player wins. Raises RecordError."""
    if position.players != 2 or len(said.winners) != 1:
        raise RecordError("a resignation ends a game for two, and the other player wins")
