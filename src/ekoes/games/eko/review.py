"""Reviews of games: chances before each decision, better alternatives, mistakes by kind, and sentences.

``EkoReview.examine`` searches what a single decision needs, in any order and process. ``EkoReview.sum_up``
joins the findings of a whole game: ::

  positions, decisions ─▶ examine(n) ─▶ Finding ─┐
                          examine(m) ─▶ Finding ─┴▶ sum_up ─▶ chances, decisions, accuracy, facts
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from statistics import fmean, harmonic_mean, pstdev
from typing import Any, cast

import numpy as np

from ekoes.games.api.contract import Json, Outcome
from ekoes.games.api.table import Decision
from ekoes.games.eko.bots.levels import Guard
from ekoes.games.eko.bots.search import Search
from ekoes.games.eko.position.action import Action, Space, action_to_json
from ekoes.games.eko.position.position import SETUP_PHASES, EkoPosition
from ekoes.games.eko.presenter import PRESENTER
from ekoes.games.eko.rules.prospects import ANYWHERE, PROSPECTS, find_prospects
from ekoes.games.eko.rules.record import STATE
from ekoes.games.kernels.bits import WORDS, members

ITERATIONS = 6_000
"""Iterations of a search; a game of 60 decisions takes about 20 s of two cores."""
_MEMORY = 8
"""MiB of a search's tree, more than the iterations fill."""
_BUDGET = 100_000
"""Decisions tried to prove a win of this player or the next; a tenth of a second at most."""
_CANDIDATES = 12
"""Decisions, best first, of which the first is taken that does not let the next player win."""

JUDGEMENTS = {"blunder": 0.15, "mistake": 0.10, "inaccuracy": 0.05}
"""The least loss of the own chance, worst first: the thresholds of Lichess in chances from 0 to 1."""
_CERTAIN = 0.99
_LEAD = 0.1
"""By how much a chance has to exceed that of the leader until the lead has changed."""
_MOST_LEADS = 3
"""Changes of the lead that are listed, the last ones."""
_SAFE = 0.75
"""The winner's chance from which on a game counts as decided."""

Chances = tuple[float, ...]
"""The chance of each player to win; they sum to 1, and a game without a winner counts for all alike."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the search found at a decision.

    chances: before it. line: the best decisions to the end of the turn at most, if another one than the first
    was played; after: the chances after the first of them.
    """

    chances: Chances
    line: tuple[Action, ...] = ()
    after: Chances | None = None


class EkoReview:
    """Reviews games of Ekö."""

    def questions(self, positions: Sequence[EkoPosition]) -> list[int]:
        """Return the numbers of the positions to examine: those with alternatives, and the last if open."""
        last = len(positions) - 1
        return [n for n, one in enumerate(positions) if len(one.codes) > 1 or (n == last and one.actors())]

    def examine(
        self,
        positions: Sequence[EkoPosition],
        decisions: Sequence[Decision],
        n: int,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
    ) -> Finding:
        """Search a position of a game; equal iterations give equal findings.

        positions: the first one and that after each decision. seconds, iterations: limits of each of at most
        two searches; the first reached counts.
        """
        position, seen = positions[n], list(_begun(positions[: n + 1]))
        view = _look(position, seen, seconds, iterations)
        if n == len(decisions) or not view.line or view.line[0] == decisions[n].action:
            return Finding(view.chances)
        better = _after(position, view.line[0])
        if better.outcome() is None and _is_same_turn(position, better):
            there = _look(better, seen, seconds, iterations)
            rest = view.line[1:] if len(view.line) > 1 else there.line
            return Finding(view.chances, (view.line[0], *rest), there.chances)
        if better.outcome() is None:
            seen.append(better.digest())
        return Finding(view.chances, view.line[:1], _look(better, seen, seconds, iterations).chances)

    def chances(
        self, positions: Sequence[EkoPosition], findings: Mapping[int, Finding]
    ) -> list[Chances | None]:
        """Return the chances in each position, None where they are not known yet."""
        found: list[Chances | None] = [None] * len(positions)
        for n in range(len(positions) - 1, -1, -1):
            outcome = positions[n].outcome()
            if outcome is not None:
                found[n] = _shares(outcome.winners, positions[n].players)
            elif n in findings:
                found[n] = findings[n].chances
            elif len(positions[n].codes) == 1 and n + 1 < len(positions):
                found[n] = found[n + 1]
        return found

    def sum_up(
        self,
        positions: Sequence[EkoPosition],
        decisions: Sequence[Decision],
        outcome: Outcome | None,
        findings: Mapping[int, Finding],
    ) -> Json:
        """Return the review of a game that was examined completely.

        ``chances``: of each player, before the first decision and after each. ``decisions``: those with an
        alternative, by their number ``n`` from 1: ``turn``, ``seat``, ``loss`` of the own chance, and where
        they lost any ``better``, the alternative as entries of a log; from an inaccuracy on ``judgement`` and
        ``kind``. ``accuracy``: of each player in percent, null without decisions. ``facts``: what happened,
        as codes with parameters, in the order of ``n``, the decision where it can be seen.
        """
        chances = cast("list[Chances]", self.chances(positions, findings))
        judged = [
            _decision(positions, decisions[n].action, n, finding, chances[n + 1])
            for n, finding in sorted(findings.items())
            if n < len(decisions)
        ]
        return {
            "players": positions[0].players,
            "chances": [[round(chance, 4) for chance in one] for one in chances],
            "decisions": judged,
            "accuracy": [_accuracy(seat, judged, chances) for seat in range(positions[0].players)],
            "facts": sorted(_facts(positions, outcome, judged, chances), key=lambda fact: fact["n"]),
        }


REVIEW = EkoReview()


# ---------------------------------------------------------------- chances of a position


def _look(
    position: EkoPosition, seen: Sequence[bytes], seconds: float | None, iterations: int | None
) -> Finding:
    """Return the chances in a position: proven if a player wins in this turn or the next, else searched."""
    outcome = position.outcome()
    if outcome is not None:
        return Finding(_shares(outcome.winners, position.players))
    won = _winning_turn(position)
    if won is not None:
        return won
    if Guard(position, _BUDGET).loses():
        lost = _winning_turn(_end_of_turn(position))
        if lost is not None:
            return Finding(lost.chances)
    search = Search(position, seen, _MEMORY)
    search.run(seconds, ITERATIONS if iterations is None and seconds is None else iterations)
    return Finding(_whole(search.value), _line(position, search))


def _winning_turn(position: EkoPosition) -> Finding | None:
    """Return how the seat to move certainly wins in this turn, or None. A game that is over is won."""
    line: list[Action] = []
    while (outcome := position.outcome()) is None:
        action = Guard(position, _BUDGET).win()
        if action is None:
            return None
        line.append(action)
        position = _after(position, action)
    return Finding(_shares(outcome.winners, position.players), tuple(line))


def _end_of_turn(position: EkoPosition) -> EkoPosition:
    """Return a position at the end of the turn, reached by any decisions."""
    begin, (seat,) = position, position.actors()
    while position.actors() == (seat,) and position.turn_number == begin.turn_number:
        position = position.play_code(int(position.codes[0]))
    return position


def _line(position: EkoPosition, search: Search) -> tuple[Action, ...]:
    """Return the best decisions of the turn: the first that does not let the next player win, and more."""
    ranking = search.ranking()[:_CANDIDATES]
    best = next((one for one in ranking if not Guard(position, _BUDGET).loses(one)), ranking[0])
    if best != ranking[0]:
        return (best,)
    line: list[Action] = []
    there = position
    for action in search.lines(1)[0].actions:
        line.append(action)
        there = _after(there, action)
        if there.outcome() is not None or not _is_same_turn(position, there):
            break
    return tuple(line)


def _after(position: EkoPosition, action: Action) -> EkoPosition:
    (seat,) = position.actors()
    return position.play(seat, action)


def _is_same_turn(one: EkoPosition, other: EkoPosition) -> bool:
    return other.actors() == one.actors() and other.turn_number == one.turn_number


def _begun(positions: Sequence[EkoPosition]) -> Iterator[bytes]:
    """Yield the digest of each position that began a turn. Rule: E11.6."""
    number = 0
    for position in positions:
        if position.turn_number != number:
            number = position.turn_number
            yield position.digest()


def _shares(winners: Sequence[int], players: int) -> Chances:
    return _whole(tuple((seat in winners) / max(1, len(winners)) for seat in range(players)))


def _whole(value: Sequence[float]) -> Chances:
    """Return chances that sum to 1: what is missing, games without a winner, counts for all alike."""
    rest = (1.0 - sum(value)) / len(value)
    return tuple(chance + rest for chance in value)


# ---------------------------------------------------------------- decisions


def _decision(
    positions: Sequence[EkoPosition], action: Action, n: int, finding: Finding, after: Chances
) -> Json:
    """Describe a decision with an alternative. after: the chances after it."""
    position = positions[n]
    (seat,) = position.actors()
    loss = 0.0 if finding.after is None else round(max(0.0, finding.after[seat] - after[seat]), 4)
    value: Json = {"n": n + 1, "turn": position.turn_number, "seat": seat, "loss": loss}
    if loss > 0:
        better = list(_played(position, finding.line))
        value["better"] = [
            {"turn": there.turn_number, "seat": seat, "action": action_to_json(action)}
            | PRESENTER.describe(there, action, then)
            for (there, then), action in zip(pairwise(better), finding.line, strict=True)
        ]
        judgement = next((word for word, least in JUDGEMENTS.items() if loss >= least), None)
        if judgement is not None:
            end = _turn_end(positions, n)
            value["judgement"] = judgement
            value |= _kind(positions[n : end + 1], action, better, finding, after)
    return value


def _played(position: EkoPosition, actions: Sequence[Action]) -> Iterator[EkoPosition]:
    """Yield a position, and that after each action."""
    yield position
    for action in actions:
        position = _after(position, action)
        yield position


def _turn_end(positions: Sequence[EkoPosition], n: int) -> int:
    """Return the number of the position at the end of a decision's turn, or of the decision in the set-up."""
    begin, end = positions[n], n + 1
    while end + 1 < len(positions) and begin.turn_number and _is_same_turn(begin, positions[end]):
        end += 1
    return end


def _kind(
    played: Sequence[EkoPosition],
    action: Action,
    better: Sequence[EkoPosition],
    finding: Finding,
    after: Chances,
) -> Json:
    """Return the kind of a mistake, by comparing the rest of the turn as played with the better one.

    ``win``: missed a win in this turn. ``loses``: lets the next player win. ``emperor``: the Emperor can be
    captured (E5.6) and could not after the better one. ``capture``: missed an Emperor. ``forced-win``,
    ``forced-loss``: missed a win of several turns that no one could prevent, or allows one. Then by
    ``count``, ``attack``: missed so many discs of others, ``points``: missed so many points, ``exposed``: so
    many discs more can be attacked, ``wasted``: so many own discs more were spent. ``place``: the right
    action at another place; ``other``: nothing of these.
    """
    position, end, goal = played[0], played[-1], better[-1]
    (seat,) = position.actors()
    alike = "place" if type(action) is type(finding.line[0]) else "other"
    if seat in goal.winners and seat not in end.winners:
        return {"kind": "win"}
    if position.phase in SETUP_PHASES:
        return {"kind": alike}
    if end.outcome() is None and end.actors() != (seat,) and Guard(end, _BUDGET).win() is not None:
        return {"kind": "loses"}
    was, now = exposed_stacks(end, seat), exposed_stacks(goal, seat)
    if has_emperor(end, was) and not has_emperor(goal, now):
        return {"kind": "emperor"}
    if len(goal.captives(seat)) > len(end.captives(seat)):
        return {"kind": "capture"}
    if finding.after is not None and finding.after[seat] >= _CERTAIN:
        return {"kind": "forced-win"}
    if after[seat] <= 1 - _CERTAIN:
        return {"kind": "forced-loss"}
    counts = {
        "attack": _discs_of_others(end, seat) - _discs_of_others(goal, seat),
        "points": goal.total(seat) - end.total(seat),
        "exposed": _height(end, was) - _height(goal, now),
        "wasted": _discs_left(goal, seat) - _discs_left(end, seat),
    }
    return next(
        ({"kind": kind, "count": count} for kind, count in counts.items() if count > 0), {"kind": alike}
    )


def _height(position: EkoPosition, spaces: set[Space]) -> int:
    stacks = position.stacks()
    return sum(stacks[space].height for space in spaces)


def _discs_of_others(position: EkoPosition, seat: int) -> int:
    return sum(position.plain.discs) - position.plain.discs[seat]


def _discs_left(position: EkoPosition, seat: int) -> int:
    return position.plain.discs[seat] + position.plain.reserve[seat]


# ---------------------------------------------------------------- accuracy

_FEWEST_WINDOW, _MOST_WINDOW = 2, 8
_LEAST_WEIGHT, _MOST_WEIGHT = 0.5, 12.0


def accuracy_of(loss: float) -> float:
    """Return the accuracy of a decision in percent, from the loss of the own chance.

    Lichess' formula: https://lichess.org/page/accuracy and ``AccuracyPercent.scala`` in its source.
    """
    if loss <= 0:
        return 100.0
    return min(
        100.0, max(0.0, 103.1668100711649 * exp(-0.04354415386753951 * 100 * loss) - 3.166924740191411 + 1)
    )


def _accuracy(seat: int, decisions: Sequence[Json], chances: Sequence[Chances]) -> float | None:
    """Return a player's accuracy, as Lichess: the mean of a weighted and of a harmonic mean.

    The weights are the deviation of the own chance around a decision, in percent.
    """
    own = [one for one in decisions if one["seat"] == seat]
    if not own:
        return None
    percent = [100 * one[seat] for one in chances]
    width = max(_FEWEST_WINDOW, min(_MOST_WINDOW, len(percent) // 10))
    values, weights = [accuracy_of(one["loss"]) for one in own], []
    for one in own:
        begin = max(0, min(one["n"] - width + 1, len(percent) - width))
        weights.append(max(_LEAST_WEIGHT, min(_MOST_WEIGHT, pstdev(percent[begin : begin + width]))))
    weighted = fmean(values, weights)
    return round((weighted + harmonic_mean([max(1.0, value) for value in values])) / 2, 1)


# ---------------------------------------------------------------- facts


def _facts(
    positions: Sequence[EkoPosition],
    outcome: Outcome | None,
    decisions: Sequence[Json],
    chances: Sequence[Chances],
) -> Iterator[Json]:
    """Yield what happened."""
    yield from list(_leads(positions, chances))[-_MOST_LEADS:]
    worst = max(decisions, key=lambda one: one["loss"], default=None)
    if worst is not None and "judgement" in worst:
        kind = {key: worst[key] for key in ("kind", "count") if key in worst}
        yield _fact("largest-miss", worst["n"], worst["turn"], worst["seat"], loss=worst["loss"], **kind)
    listed = {worst["seat"]} if worst is not None and worst.get("kind") == "win" else set()
    for one in decisions:
        if one.get("kind") == "win" and one["seat"] not in listed:
            listed.add(one["seat"])
            yield _fact("missed-win", one["n"], one["turn"], one["seat"])
    if outcome is None or len(outcome.winners) != 1:
        return
    (winner,) = outcome.winners
    since = next((n for n in range(len(chances) - 1, -1, -1) if chances[n][winner] < _SAFE), None)
    if since is not None and since + 1 < len(chances):
        yield _fact("decided", since + 1, positions[since].turn_number, winner, chance=_SAFE)
    if outcome.reason == "points":
        points = positions[-1].points(winner)._asdict()
        source = max(points, key=lambda one: points[one])
        yield _fact(
            "won", len(positions) - 1, positions[-1].turn_number, winner, source=source, count=points[source]
        )


def _leads(positions: Sequence[EkoPosition], chances: Sequence[Chances]) -> Iterator[Json]:
    """Yield when another player took the lead, by the decision after which it was so."""
    leader = None
    for n, one in enumerate(chances):
        first = max(range(len(one)), key=lambda seat: one[seat])
        if leader is None:
            leader = first
        elif one[first] - one[leader] >= _LEAD:
            leader = first
            yield _fact("lead-changed", n, positions[n - 1].turn_number, first)


def _fact(code: str, n: int, turn: int, seat: int, **more: Any) -> Json:  # noqa: ANN401 - numbers and words
    return {"code": f"review/{code}", "n": n, "turn": turn, "seat": seat, **more}


def exposed_stacks(position: EkoPosition, seat: int) -> set[Space]:
    """Return the player's stacks that another player could attack next."""
    layout, stacks = position.layout, position.stacks()
    exposed = set[Space]()
    for other in set(range(position.players)) - {seat}:
        found = np.zeros((PROSPECTS, WORDS), np.uint64)
        scratch = np.empty(1, STATE)
        find_prospects(layout.record, position.states, layout.work, scratch, other, ANYWHERE, found)
        exposed.update(layout.spaces[space] for space in members(found[1].tolist()))
    return {space for space in exposed if stacks[space].owner == seat}


def has_emperor(position: EkoPosition, spaces: set[Space]) -> bool:
    """Return whether an Emperor is in one of the stacks on some spaces."""
    stacks = position.stacks()
    return any(stacks[space].emperor for space in spaces)
