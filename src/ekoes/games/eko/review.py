"""Reviews of games: chances before each decision, better alternatives, mistakes by kind, and sentences.

``EkoReview.examine`` searches what a single decision needs, in any order and process. ``EkoReview.sum_up``
joins the findings of a whole game: ::

  positions, decisions ─▶ examine(n) ─▶ Finding ─┐
                          examine(m) ─▶ Finding ─┴▶ sum_up ─▶ chances, decisions, accuracy, facts

The best decision is that of ``JUDGE``, as a hint in the page is: whoever plays it makes no mistake. What
later searches of the game find out about it is in the chances, and is said as ``until``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import exp
from operator import itemgetter
from statistics import fmean, harmonic_mean, pstdev
from typing import cast

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json, Outcome
from ekoes.games.api.table import Decision
from ekoes.games.eko.bots.levels import EXPERT, Guard
from ekoes.games.eko.bots.search import Search
from ekoes.games.eko.position.action import Action, Space, action_to_json
from ekoes.games.eko.position.position import SETUP_PHASES, EkoPosition
from ekoes.games.eko.presenter import PRESENTER

JUDGE = EXPERT
"""The level that says what is best, in hints and in reviews alike: whoever follows hints makes no mistake."""
_MEMORY = 8
"""MiB of a search's tree, more than the iterations fill."""

JUDGEMENTS = {"blunder": 0.15, "mistake": 0.10, "inaccuracy": 0.05}
"""The least loss of the own chance, worst first: the thresholds of Lichess in chances from 0 to 1."""
_OVERTURNED = "mistake"
"""A decision is called good only until its answer, if the chance then falls as far as for this judgement."""
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
    """The findings of the search at a decision.

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

        ``chances``: of each player, before the first decision and after each; no decision raises the chance
        of its own player. ``decisions``: those with an alternative, by their number ``n`` from 1: ``turn``,
        ``seat``, ``loss`` of the own chance, and where they lost any ``better``, the alternative as entries
        of a log. Of the costliest decision of a turn ``judgement`` and ``kind``, from an inaccuracy on. If a
        turn has none and its player's chance falls all the same, ``until`` is the answer that shows why, as
        an entry of a log, and ``fell`` by how much. ``accuracy``: of each player in percent, null without
        decisions. ``facts``: what happened, as codes with parameters, in the order of ``n``, the decision
        where it can be seen, at most one for each turn.
        """
        found = cast("list[Chances]", self.chances(positions, findings))
        chances = _backed_up(positions, findings, found)
        judged = [
            _decision(positions, n, finding, found[n + 1], chances[n + 1])
            for n, finding in sorted(findings.items())
            if n < len(decisions)
        ]
        for _, turn in groupby(judged, key=lambda one: (one["turn"], one["seat"])):
            _judge(positions, decisions, findings, chances, list(turn))
        facts: dict[int, Json] = {}
        for fact in _facts(positions, outcome, judged, chances):
            facts.setdefault(fact["turn"], fact)
        return {
            "players": positions[0].players,
            "chances": [[round(chance, 4) for chance in one] for one in chances],
            "decisions": judged,
            "accuracy": [_accuracy(seat, judged, chances) for seat in range(positions[0].players)],
            "facts": sorted(facts.values(), key=lambda fact: fact["n"]),
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
    if Guard(position).loses():
        lost = _winning_turn(_end_of_turn(position))
        if lost is not None:
            return Finding(lost.chances)
    search = Search(position, seen, _MEMORY)
    search.run(seconds, JUDGE.iterations if iterations is None and seconds is None else iterations)
    return Finding(_whole(search.value), _line(position, search))


def _winning_turn(position: EkoPosition) -> Finding | None:
    """Return how the seat to move certainly wins in this turn, or None. A game that is over is won."""
    line: list[Action] = []
    while (outcome := position.outcome()) is None:
        action = Guard(position).win()
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
    """Return the best decisions of the turn: the first as ``JUDGE`` plays, and more if the search agrees."""
    variation = search.lines(1)[0].actions
    best = JUDGE.pick(search, Chance(0))
    if best != variation[0]:
        return (best,)
    line: list[Action] = []
    there = position
    for action in variation:
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


def _backed_up(
    positions: Sequence[EkoPosition], findings: Mapping[int, Finding], chances: Sequence[Chances]
) -> list[Chances]:
    """Return the chances as later searches correct them: before a decision the best that it could reach."""
    known = list(chances)
    for n in range(len(known) - 2, -1, -1):
        if n not in findings:
            known[n] = known[n + 1]
            continue
        (seat,) = positions[n].actors()
        reached = (known[n + 1], known[n], findings[n].after)
        known[n] = max((one for one in reached if one is not None), key=itemgetter(seat))
    return known


# ---------------------------------------------------------------- decisions


def _decision(
    positions: Sequence[EkoPosition], n: int, finding: Finding, after: Chances, later: Chances
) -> Json:
    """Describe a decision with an alternative. after: the chances after it, by a search of equal depth.

    later: the same as later searches correct them; a decision can turn out better than it looked.
    """
    position = positions[n]
    (seat,) = position.actors()
    loss = 0.0 if finding.after is None else finding.after[seat] - max(after[seat], later[seat])
    value: Json = {"n": n + 1, "turn": position.turn_number, "seat": seat, "loss": round(max(0.0, loss), 4)}
    if value["loss"] > 0:
        value["better"] = _entries(list(_played(position, finding.line)), finding.line)
    return value


def _entries(positions: Sequence[EkoPosition], actions: Sequence[Action]) -> list[Json]:
    """Return actions as entries of a log. positions: before the first action and after each."""
    return [
        {"turn": before.turn_number, "seat": before.actors()[0], "action": action_to_json(action)}
        | PRESENTER.describe(before, action, after)
        for (before, after), action in zip(pairwise(positions), actions, strict=True)
    ]


def _judge(
    positions: Sequence[EkoPosition],
    decisions: Sequence[Decision],
    findings: Mapping[int, Finding],
    chances: Sequence[Chances],
    turn: Sequence[Json],
) -> None:
    """Judge the costliest decision of a turn, or say what made the own chance fall without one."""
    worst = max(turn, key=itemgetter("loss"))
    judgement = next((word for word, least in JUDGEMENTS.items() if worst["loss"] >= least), None)
    seat, n = worst["seat"], worst["n"] - 1
    if judgement is not None:
        rest = positions[n : _turn_end(positions, n) + 1]
        worst["judgement"] = judgement
        worst |= _kind(rest, list(_played(rest[0], findings[n].line)), findings[n], chances[n + 1][seat])
        return

    def fall(one: Json) -> float:
        n = int(one["n"])
        return chances[n - 1][seat] - chances[n][seat]

    fallen = max(turn, key=fall)
    answer = next((m for m in range(fallen["n"], len(decisions)) if decisions[m].seat != seat), None)
    if answer is not None and fall(fallen) >= JUDGEMENTS[_OVERTURNED]:
        line = findings[answer].line if answer in findings else ()
        actions = line[:1] or [decisions[answer].action]
        (entry,) = _entries(list(_played(positions[answer], actions)), actions)
        fallen["until"] = {"n": answer + 1, **entry}
        fallen["fell"] = round(fall(fallen), 4)


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
    played: Sequence[EkoPosition], better: Sequence[EkoPosition], finding: Finding, chance: float
) -> Json:
    """Return the kind of a mistake, by comparing the rest of the turn as played with the better one.

    ``win``: missed a win in this turn. ``loses``: lets the next player win. ``emperor``: the Emperor can be
    captured (E5.6) and could not after the better one. ``capture``: missed an Emperor. ``back``: left the own
    Emperor in captivity. ``forced-win``, ``forced-loss``: missed a win of several turns that no one could
    prevent, or allows one. ``capital``: missed the first capital. Then by ``count``, ``attack``: missed so
    many discs of others, ``points``: missed so many points, ``exposed``: so many discs more can be attacked,
    ``wasted``: so many own discs more were spent. ``hunt``: an Emperor could have been attacked next. By
    ``count``, ``sites``: so many more sites, ``threats``: so many more stacks of others could have been built
    on or attacked next. ``later``: nothing of these.

    chance: the own one after the decision.
    """
    position, end, goal = played[0], played[-1], better[-1]
    (seat,) = position.actors()
    if seat in goal.winners and seat not in end.winners:
        return {"kind": "win"}
    begun = position.phase not in SETUP_PHASES
    if begun and end.outcome() is None and end.actors() != (seat,) and Guard(end).win() is not None:
        return {"kind": "loses"}
    was, now = exposed_stacks(end, seat), exposed_stacks(goal, seat)
    (takes, sites), (could_take, could_site) = end.prospects(seat), goal.prospects(seat)
    kinds = {
        "emperor": has_emperor(end, was) and not has_emperor(goal, now),
        "capture": len(goal.captives(seat)) > len(end.captives(seat)),
        "back": _is_captive(end, seat) and not _is_captive(goal, seat),
        "forced-win": finding.after is not None and finding.after[seat] >= _CERTAIN,
        "forced-loss": chance <= 1 - _CERTAIN,
        "capital": goal.plain.capitals[seat] > 0 == end.plain.capitals[seat],
        "attack": _discs_of_others(end, seat) - _discs_of_others(goal, seat),
        "points": goal.total(seat) - end.total(seat),
        "exposed": _height(end, was) - _height(goal, now),
        "wasted": _discs_left(goal, seat) - _discs_left(end, seat),
        "hunt": has_emperor(goal, could_take) and not has_emperor(end, takes),
        "sites": len(could_site) - len(sites),
        "threats": len(could_take) - len(takes),
    }
    kind, found = next(((kind, found) for kind, found in kinds.items() if found > 0), ("later", True))
    return {"kind": kind} if found is True else {"kind": kind, "count": found}


def _height(position: EkoPosition, spaces: set[Space]) -> int:
    stacks = position.stacks()
    return sum(stacks[space].height for space in spaces)


def _is_captive(position: EkoPosition, seat: int) -> bool:
    return any(seat in position.captives(other) for other in range(position.players))


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
    """Yield what happened, the most important first."""
    if outcome is not None and len(outcome.winners) == 1:
        (winner,) = outcome.winners
        if outcome.reason == "points":
            last, points = len(positions) - 1, positions[-1].points(winner)
            source = max(points, key=lambda one: points[one])
            yield _fact("won", last, positions[-1].turn_number, winner, source=source, count=points[source])
        yield from _turning_point(positions, winner, decisions, chances)
    misses = sorted((one for one in decisions if "judgement" in one), key=itemgetter("loss"), reverse=True)
    listed = set[int]()
    for one in misses:
        if one["kind"] == "win" and one["seat"] not in listed:
            listed.add(one["seat"])
            yield _fact("missed-win", one["n"], one["turn"], one["seat"])
    for one in misses[:1]:
        yield _fact("largest-miss", one["n"], one["turn"], one["seat"], **_miss(one))
    yield from list(_leads(positions, chances))[-_MOST_LEADS:]


def _turning_point(
    positions: Sequence[EkoPosition], winner: int, decisions: Sequence[Json], chances: Sequence[Chances]
) -> Iterator[Json]:
    """Yield the decision of another player after which the winner's chance stayed high.

    There is none in a game that was never open, nor in one that was given up while it was.
    """
    since = next((n for n in range(len(chances) - 1, -1, -1) if chances[n][winner] < _SAFE), None)
    if since is None or since + 1 == len(chances):
        return
    (seat,) = positions[since].actors()
    one = next((one for one in decisions if one["n"] == since + 1 and "judgement" in one), None)
    more = _miss(one) if one else {"loss": round(chances[since][seat] - chances[since + 1][seat], 4)}
    yield _fact(
        "turning-point", since + 1, positions[since].turn_number, seat, winner=winner, chance=_SAFE, **more
    )


def _miss(decision: Json) -> Json:
    """Return what a judged decision lost, and why."""
    return {key: decision[key] for key in ("loss", "kind", "count") if key in decision}


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


def _fact(code: str, n: int, turn: int, seat: int, **more: object) -> Json:
    return {"code": f"review/{code}", "n": n, "turn": turn, "seat": seat, **more}


def exposed_stacks(position: EkoPosition, seat: int) -> set[Space]:
    """Return the player's stacks that another player could attack next."""
    stacks, others = position.stacks(), set(range(position.players)) - {seat}
    exposed = {space for other in others for space in position.prospects(other)[0]}
    return {space for space in exposed if stacks[space].owner == seat}


def has_emperor(position: EkoPosition, spaces: set[Space]) -> bool:
    """Return whether an Emperor is in one of the stacks on some spaces."""
    stacks = position.stacks()
    return any(stacks[space].emperor for space in spaces)
