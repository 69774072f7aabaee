"""EKKO on an analysis board: a sequence of decisions, all hands open, mirrors asked in order. Rule: K6."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ekoes.errors import IllegalActionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.api.table import Decision
from ekoes.games.ekko.book import follow
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.position.action import (
    Close,
    Draw,
    Mirror,
    Misplay,
    Pass,
    Play,
    Remark,
    action_to_json,
)
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import Phase

_FEWEST = 2
"""Cards in a play zone that two games may have in common by accident."""


class EkkoSequence:
    """The sequences of EKKO."""

    untimed: Mapping[str, object] = MappingProxyType(
        {"calm": True, "misplays": False, "turn_clock": None, "window": None}
    )

    def sends(self, state: LiveState, decision: Decision | None) -> Iterator[tuple[int, Json]]:
        """Yield what players of a calm table send for a decision of a sequence, or at its end. Rule: K7.4.

        Where a mirror was let be, all pass; with one, all others do. A deal needs all to be ready.
        """
        seat, action = (CHANCE, None) if decision is None else (decision.seat, decision.action)
        if isinstance(action, Pass):
            return
        position, top = state.position, {"on": state.position.top}
        if isinstance(action, Mirror):
            yield seat, action_to_json(action) | top
        if state.has_window:
            decided = {*state.decided, position.leaving, *([seat] if isinstance(action, Mirror) else [])}
            for other in sorted(set(range(position.players)) - decided):
                yield other, {"type": "pass", **top}
        if isinstance(action, Play | Draw):
            yield seat, action_to_json(action) | top

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


SEQUENCE = EkkoSequence()


def as_sequence(position: EkkoPosition) -> EkkoPosition:
    """Return a position of a live game in the sequence: the mirror's holder is asked first. Rule: K6.1."""
    states = position.states.copy()
    states["live"] = 0
    quiet = EkkoPosition(states)
    if position.phase != Phase.PLAY:
        return quiet
    if position.mirror_holder is not None:
        states["phase"], states["asked"] = Phase.MIRROR, position.mirror_holder
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


def warm_steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what compiles the kernels that tables need: a description and a call."""
    yield "dealing and playing cards", _deal_and_play
    yield "reasons of refusals", lambda: EKKO.new({"players": 2}, seed=1).why_not(0, Pass())


def _deal_and_play() -> None:
    position = EKKO.new({"players": 2}, seed=1)
    position = position.play(CHANCE, position.chance_action(Chance(1)))
    position.play_code(position.codes[0])
