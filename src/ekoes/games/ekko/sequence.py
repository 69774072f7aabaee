"""EKKO on an analysis board: a sequence of decisions, all hands open, mirrors asked in order. Rule: K6.

A decision is valued as in a review: by rollouts of deals that the player to move may hold possible, never by
hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from time import monotonic
from types import MappingProxyType

import numpy as np

from ekoes.errors import IllegalActionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.api.table import Decision, Variation
from ekoes.games.ekko.book import follow
from ekoes.games.ekko.bots.levels import RANDOM_DECISIONS, Seen, seen_by
from ekoes.games.ekko.bots.search import SCRATCH, decision_values, win_shares
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
    decode,
)
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.decisions import MOST_DECISIONS
from ekoes.games.ekko.rules.record import CARDS, MOST_PLAYERS, STATE, Phase

_DEALS = 100
"""Sampled deals between two looks at the clock."""
_GAMES = 25
"""Of them, those that are played on to the end of the game."""
_MOST = 20_000
"""Deals after which more would not change the first decimal."""


def sampled_values(seen: Seen, deals: int, stream: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Return the codes of a player's decisions, and the value of each in some sampled deals.

    stream: uint64[1], not 0, written. Returns: float64[deals, decisions], in points.
    """
    options = np.zeros(MOST_DECISIONS, np.int64)
    values = np.zeros((deals, MOST_DECISIONS))
    scratch = np.zeros(SCRATCH, STATE)
    count = decision_values(seen.states, scratch, seen.hidden(), RANDOM_DECISIONS, stream, options, values)
    return options[:count].tolist(), values[:, :count]


class Values:
    """The values of all decisions of a position that is not over, not yet computed.

    One thread may run it; any other may read its results and stop it. Before a deal it has the chances alone.
    """

    depth = 0

    def __init__(self, position: EkkoPosition) -> None:
        self._position = position
        self._stream = np.array([Chance(len(position.zone)).bits() | 1], np.uint64)
        self._codes = () if position.phase == Phase.DEAL else position.codes
        self._sums = np.zeros((2, len(self._codes)))
        self._shares = np.zeros((2, MOST_PLAYERS))
        self._played = 0
        self._is_stopped = False
        self._done = (0, self._sums, self._shares)

    def run(
        self,
        seconds: float | None,
        iterations: int | None,
        threads: int = 1,  # noqa: ARG002 - one takes less than a second for all deals that help
        turns: int | None = None,  # noqa: ARG002 - each decision is played out to the end of the round
    ) -> None:
        """Sample deals until a limit, or until more would not help; blocks, but releases the GIL."""
        most = min(_MOST, iterations or _MOST)
        end = None if seconds is None else monotonic() + seconds
        while not self._is_stopped and self.iterations < most and (end is None or monotonic() < end):
            self._sample(min(_DEALS, most - self.iterations))

    def stop(self) -> None:
        """Stop after the current deals; from any thread."""
        self._is_stopped = True

    @property
    def iterations(self) -> int:
        """The number of sampled deals."""
        return self._done[0]

    @property
    def value(self) -> tuple[float, ...]:
        """Each player's chance to win the game, shared on a tie, after the best decision."""
        return self._chances(1)

    @property
    def about(self) -> Json:
        """Each player's chance to have the fewest points of the round."""
        return {"round": list(self._chances(0))}

    def lines(self, count: int) -> Sequence[Variation]:  # noqa: ARG002 - each decision has its value
        """Return all decisions, best first.

        about: how many fewer ``points`` the round is expected to bring the player than the others on average,
        and twice the standard error of that.
        """
        deals, sums, _ = self._done
        if deals == 0:
            return []
        means = sums[0] / deals
        errors = 2 * np.sqrt(np.maximum(0, sums[1] / deals - means**2) / deals)
        return [
            Variation(
                (decode(self._codes[index]),),
                (),
                deals,
                about={"points": round(float(means[index]), 3), "error": round(float(errors[index]), 3)},
            )
            for index in np.argsort(-means, kind="stable")
        ]

    def _chances(self, row: int) -> tuple[float, ...]:
        _, _, shares = self._done
        total = shares[row].sum()
        return tuple(float(each / total if total else 0) for each in shares[row][: self._position.players])

    @cached_property
    def _seen(self) -> Seen:
        """The view of the player to move."""
        (seat,) = self._position.actors()
        return seen_by(seat, self._position.view(seat))

    def _sample(self, deals: int) -> None:
        """Add some deals. The results are replaced as a whole, for readers in other threads."""
        shares = np.zeros((2, MOST_PLAYERS))
        order = np.arange(1, CARDS + 1, dtype=np.uint8)
        if self._codes:
            seen = self._seen
            hidden = seen.hidden()
            _, gained = sampled_values(seen, deals, self._stream)
            self._sums = self._sums + np.array([gained.sum(axis=0), (gained**2).sum(axis=0)])
            roots, best = seen.states, int(self._codes[int(np.argmax(self._sums[0]))])
        else:
            none = np.zeros(MOST_PLAYERS, np.int64)
            hidden = (np.zeros(0, np.uint8), np.zeros((0, 2), np.uint64), none, none)  # nothing is hidden
            roots, best = self._position.states, 0
        scratch = np.zeros(SCRATCH, STATE)
        win_shares(roots, scratch, hidden, best, _GAMES, RANDOM_DECISIONS, order, self._stream, *shares)
        self._shares = self._shares + shares
        self._done = (self._done[0] + deals, self._sums, self._shares)


_FEWEST = 2
"""Cards in a play zone that two games may have in common by accident."""


class EkkoSequence:
    """The sequences of EKKO."""

    search = Values

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
    yield "valuing cards on the analysis board", _value_cards


def _deal_and_play() -> None:
    position = EKKO.new({"players": 2}, seed=1)
    position = position.play(CHANCE, position.chance_action(Chance(1)))
    position.play_code(position.codes[0])


def _value_cards() -> None:
    position = EKKO.new({"players": 2}, seed=1)
    Values(position.play(CHANCE, position.chance_action(Chance(1)))).run(None, 1)
