"""EKKO on an analysis board: a sequence of decisions, all hands open, mirrors asked in order. Rule: K6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ekoes.errors import IllegalActionError
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.api.table import Decision
from ekoes.games.ekko.live.machine import VERDICTS, draws, finished_round
from ekoes.games.ekko.live.state import Stage, Verdict
from ekoes.games.ekko.live.views import held, quiet_state
from ekoes.games.ekko.position.action import (
    Action,
    Close,
    Deal,
    Draw,
    Mirror,
    Misplay,
    Pass,
    Play,
    Remark,
    action_to_json,
    format_action,
)
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import Phase, mirror_of
from ekoes.games.ekko.table.book import follow
from ekoes.games.ekko.values import Values

_FEWEST = 2
"""Cards in a play zone that two games may have in common by accident."""


class EkkoSequence:
    """The sequences of EKKO."""

    search = Values

    def converted(
        self, start: EkkoPosition, decisions: Sequence[Decision], after: int
    ) -> tuple[EkkoPosition, list[Decision], int]:
        """Return a live game around a place as a sequence: its start, its decisions, those before the place.

        after: decisions of the live game before the place. What there is not in a sequence, such as a
        misplay, ends it, and the next one begins after it. Raises IllegalActionError.
        """
        here, begin = start, as_sequence(start)
        now, found, shown = begin, list[Decision](), 0
        for number, decision in enumerate(decisions, 1):
            here = follow(here, decision.seat, decision.action)
            try:
                then, steps = _in_sequence(now, decision)
            except IllegalActionError:
                then, steps = now, []
            if then == (same := as_sequence(here)):
                now, found = then, [*found, *steps]
            elif number > after:
                break
            else:
                begin, now, found = same, same, []
            if number == after:
                shown = len(found)
        return begin, found, shown

    def begun(self, position: EkkoPosition) -> tuple[bytes, ...]:
        """Return the play zone as it grew in this round, by which a copy of a game is known."""
        zone = bytes(position.zone)
        return tuple(zone[:size] for size in range(_FEWEST, len(zone) + 1))

    def state(self, positions: Sequence[EkkoPosition]) -> Json:
        """Return the state of a table after some positions, all hands open, as at the end of a live game."""
        now = positions[-1]
        ended = (finished_round(*pair) for pair in pairwise(positions))
        stage = Stage.OVER if now.phase == Phase.OVER else Stage.RACE
        choices = [self.described(now, seat, action) for seat in now.actors() for action in now.legal()]
        state = quiet_state(now.view(None), stage, (one for one in ended if one is not None))
        return state | held(now, range(now.players)) | {"choices": choices}

    def entry(self, before: EkkoPosition, decision: Decision, after: EkkoPosition) -> Json:
        """Return a decision as an entry of a log."""
        value = self.described(before, decision.seat, decision.action)
        drew = draws(before, after, decision.seat, decision.action) if before.phase != Phase.DEAL else ()
        return value | ({"draws": [list(draw) for draw in drew]} if drew else {})

    def described(self, position: EkkoPosition, seat: int, action: Action) -> Json:
        """Return a decision in a position as an entry of a log, without its effects."""
        value = {
            "turn": position.round,
            "round": position.round,
            "seat": seat,
            "action": action_to_json(action),
            "verdict": _VERDICTS[type(action)].value,
            "notation": format_action(action),
        }
        return value if position.top is None else value | {"on": position.top}


SEQUENCE = EkkoSequence()
_VERDICTS: dict[type[Action], Verdict] = VERDICTS | {Deal: Verdict.DEAL, Pass: Verdict.PASS}


def as_sequence(position: EkkoPosition) -> EkkoPosition:
    """Return a position of a live game in the sequence: the mirror's holder is asked first. Rule: K6.1."""
    states = position.states.copy()
    states["live"] = 0
    quiet = EkkoPosition(states)
    if position.phase != Phase.PLAY:
        return quiet
    mirror = mirror_of(position.top or 0)
    for seat, hand in enumerate(position.hands):
        if mirror in hand and mirror not in position.blocked[seat]:
            states["phase"], states["asked"] = Phase.MIRROR, seat
            return EkkoPosition(states)
    return quiet if position.leaving is None else quiet.play(CHANCE, Close())


def _in_sequence(position: EkkoPosition, decision: Decision) -> tuple[EkkoPosition, list[Decision]]:
    """Return the position after a decision of a live game, and the decisions of the sequence that it is.

    Before a card, a draw or the end of a reaction time, mirrors were let be. Raises IllegalActionError.
    """
    action, steps = decision.action, list[Decision]()
    if isinstance(action, Play | Draw | Close) and position.phase == Phase.MIRROR:
        (asked,) = position.actors()
        steps.append(Decision(asked, Pass()))
        position = position.play(asked, Pass())
    if isinstance(action, Misplay):
        raise IllegalActionError("there are no misplays in a sequence", rule="K6.3")
    if isinstance(action, Mirror):
        action = replace(action, on=None)
    if not isinstance(action, Pass | Close | Remark):
        steps.append(Decision(decision.seat, action))
        position = position.play(decision.seat, action)
    return position, steps
