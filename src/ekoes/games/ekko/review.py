"""Reviews of games: better cards, missed mirrors, races, reaction times, and the luck of each deal.

Decisions are valued by the search of the bots, from what the player saw and remembered at that time; never
by hidden cards. The best decision is chosen by one half of the sampled deals, and what it gains is estimated
by the other half, so that the choice does not flatter it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json, Outcome
from ekoes.games.api.table import Decision
from ekoes.games.ekko.book import races
from ekoes.games.ekko.bots.levels import RANDOM_DECISIONS, Seen, seen_by
from ekoes.games.ekko.bots.player import asked_for_mirror
from ekoes.games.ekko.bots.search import SCRATCH, deal_values, decision_values
from ekoes.games.ekko.position.action import (
    Claim,
    Deal,
    Draw,
    Late,
    Mirror,
    Pass,
    Play,
    Remark,
    action_to_json,
    decode,
    encode,
    format_action,
)
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.decisions import MOST_DECISIONS
from ekoes.games.ekko.rules.record import MOST_PLAYERS, STATE, Phase

DEALS = 2000
"""Sampled deals for each decision."""
FAIR_DEALS = 200
"""Random deals that a deal is compared with."""
_ROLLOUTS = 40
"""Rollouts of each of these deals, and of the deal itself."""
_LUCKY = 80
"""The percentile from which a deal is called lucky; unlucky is as far from the other end."""


class Better(NamedTuple):
    """The best decision by the search. code: of it. gain: points more than by the one that was made.

    error: twice the standard error of the gain.
    """

    code: int
    gain: float
    error: float

    @property
    def loss(self) -> int:
        """Whole points that were lost, 0 unless they exceed the error of the search."""
        return max(0, round(self.gain)) if self.gain > self.error else 0


class Luck(NamedTuple):
    """The percentile of a deal among random ones for a player, and where it may lie."""

    percentile: int
    least: int
    most: int


class Missed(NamedTuple):
    """A mirror that its holder did not play.

    n: of the position from which it was possible. milliseconds: how long, None if unknown. behind: by how
    many milliseconds it came too late, None if it was not tried.
    """

    n: int
    seat: int
    card: int
    on: int
    milliseconds: int | None
    behind: int | None


@dataclass(frozen=True, slots=True)
class Finding:
    """The findings at a position.

    choice: of the decision, if there was one. missed: the mirror that was missed from here on, and what was
    lost by not playing it. luck: of each player, if cards are dealt.
    """

    choice: Better | None = None
    missed: tuple[Missed, Better] | None = None
    luck: tuple[Luck, ...] = ()


class EkkoReview:
    """Reviews games of EKKO. Its findings depend on the record and on ``iterations``, the sampled deals."""

    def questions(self, positions: Sequence[EkkoPosition]) -> list[int]:
        """Return the numbers of the positions to examine: deals, choices, and mirrors that are held."""
        return [n for n, position in enumerate(positions[:-1]) if _has_question(position)]

    def examine(
        self,
        positions: Sequence[EkkoPosition],
        decisions: Sequence[Decision],
        n: int,
        *,
        seconds: float | None = None,  # noqa: ARG002 - a finding takes some milliseconds
        iterations: int | None = None,
    ) -> Finding:
        """Examine a position of a game. positions: the first one and that after each decision."""
        position, decision = positions[n], decisions[n]
        deals = iterations or DEALS
        if isinstance(decision.action, Deal):
            return Finding(luck=tuple(_luck(position, decision.action, n)))
        missed, mirror = None, _missed_from(positions, decisions, n)
        if mirror and (held := asked_for_mirror(position.view(mirror.seat), mirror.seat)):
            missed = mirror, _better(held, mirror.seat, encode(Pass()), deals, n)
        view = _view_of_choice(position, decision)
        choice = None if view is None else _better(view, decision.seat, encode(decision.action), deals, n)
        return Finding(choice, missed)

    def chances(self, positions: Sequence[EkkoPosition], findings: Mapping[int, Finding]) -> list[Any]:  # noqa: ARG002
        """Return an empty list: the points of the rounds are valued, not the game."""
        return []

    def sum_up(
        self,
        positions: Sequence[EkkoPosition],
        decisions: Sequence[Decision],
        outcome: Outcome | None,  # noqa: ARG002 - rounds are reviewed
        findings: Mapping[int, Finding],
    ) -> Json:
        """Return the review of a game that was examined completely.

        ``decisions``: those with an alternative, by their number ``n`` from 1: ``turn`` (the round),
        ``seat``, ``loss`` in whole expected points, and if there is any ``error`` of the search and
        ``better``, as entries of a log. ``reactions``: of live tables, ``milliseconds`` from when a card
        could be played, ``kind`` ``turn`` or ``mirror``. ``luck``: by deal, of each player ``percentile``
        among random deals, between ``least`` and ``most``. ``totals``: of each player. ``facts``: what
        happened, as codes with parameters, in the order of ``n``, the position where it can be seen, or of
        ``review/better`` the decision.
        """
        judged = [
            _judged(positions[n], decisions[n], n, finding.choice)
            for n, finding in sorted(findings.items())
            if finding.choice is not None
        ]
        reactions = list(_reactions(positions, decisions))
        missed = [finding.missed for _, finding in sorted(findings.items()) if finding.missed is not None]
        luck = [
            {"n": n + 1, "turn": positions[n].round, "seats": [one._asdict() for one in finding.luck]}
            for n, finding in sorted(findings.items())
            if finding.luck
        ]
        facts = [
            *_better_cards(judged, positions, missed),
            *_missed_mirrors(missed, positions),
            *_races(positions, decisions),
            *_lucky(luck),
        ]
        return {
            "players": positions[0].players,
            "chances": [],
            "decisions": judged,
            "reactions": reactions,
            "luck": luck,
            "totals": [_total(seat, judged, reactions, facts) for seat in range(positions[0].players)],
            "facts": sorted(facts, key=lambda fact: (fact["n"], fact["code"])),
        }


REVIEW = EkkoReview()


# ---------------------------------------------------------------- decisions


def _has_question(position: EkkoPosition) -> bool:
    if not position.is_in_round:
        return position.phase == Phase.DEAL
    return len(position.codes) > 1 or position.mirror_holder is not None


def _view_of_choice(position: EkkoPosition, decision: Decision) -> Json | None:
    """Return what a player saw who chose between several cards or effects, None for any other decision.

    A pass is judged as a mirror that was missed.
    """
    is_clock = decision.arrival is not None and decision.arrival.is_clock
    if is_clock or not isinstance(decision.action, Play | Mirror):
        return None
    view = position.view(decision.seat)
    if isinstance(decision.action, Mirror) and position.live:
        return asked_for_mirror(view, decision.seat)
    return view if len(position.codes) > 1 else None


def sampled_values(seen: Seen, deals: int, stream: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Return the codes of a player's decisions, and the value of each in some sampled deals.

    stream: uint64[1], not 0, written. Returns: float64[deals, decisions], in points.
    """
    options = np.zeros(MOST_DECISIONS, np.int64)
    values = np.zeros((deals, MOST_DECISIONS))
    scratch = np.zeros(SCRATCH, STATE)
    count = decision_values(seen.states, scratch, seen.hidden(), RANDOM_DECISIONS, stream, options, values)
    return options[:count].tolist(), values[:, :count]


def _better(view: Json, seat: int, played: int, deals: int, n: int) -> Better:
    """Compare a decision with the best one for a player who remembers the round. played: its code."""
    codes, values = sampled_values(seen_by(seat, view), max(4, deals), _stream(n))
    half = len(values) // 2
    best = int(np.argmax(values[:half].mean(axis=0)))
    gains = values[half:, best] - values[half:, codes.index(played)]
    return Better(codes[best], float(gains.mean()), _error(gains))


def _error(sample: np.ndarray) -> float:
    """Return twice the standard error of a mean."""
    return float(2 * sample.std(ddof=1) / np.sqrt(len(sample)))


def _stream(n: int) -> np.ndarray:
    return np.array([Chance(n).bits() | 1], np.uint64)


def _judged(position: EkkoPosition, decision: Decision, n: int, choice: Better) -> Json:
    value: Json = {"n": n + 1, "turn": position.round, "seat": decision.seat, "loss": choice.loss}
    if choice.loss:
        action = decode(choice.code)
        better = {"turn": position.round, "seat": decision.seat, "action": action_to_json(action)}
        value["error"] = round(choice.error, 1)
        value["better"] = [better | {"notation": format_action(action)}]
    return value


# ---------------------------------------------------------------- mirrors


def _holder(position: EkkoPosition) -> tuple[int, int, int, int] | None:
    """Return who could play the mirror of the top card, with the round and both cards. Rule: K3.2, K4.1."""
    seat = position.mirror_holder if position.is_in_round else None
    return None if seat is None else (seat, position.round, position.top or 0, position.mirror)


def _missed_from(positions: Sequence[EkkoPosition], decisions: Sequence[Decision], n: int) -> Missed | None:
    """Return the mirror that could be played from a position on, and was not, None if there is none."""
    held = _holder(positions[n])
    if held is None or (n and _holder(positions[n - 1]) == held):
        return None
    seat, number, on, card = held
    end = next((m for m in range(n, len(decisions)) if _holder(positions[m + 1]) != held), None)
    if end is None or any(_plays(decisions[m], seat, card) for m in range(n, end + 1)):
        return None
    begin, until = _time(decisions, n - 1), _time(decisions, end)
    milliseconds = None if begin is None or until is None else until - begin
    late = Late(card)
    behind = None
    for m in range(n, len(decisions)):
        one = decisions[m]
        if positions[m].round != number and not isinstance(one.action, Deal | Remark):
            break  # after the next deal a card may still be late for this round
        if one.seat == seat and one.action == late and one.arrival is not None and one.arrival.saw == on:
            behind = one.arrival.behind
    return Missed(n, seat, card, on, milliseconds, behind)


def _plays(decision: Decision, seat: int, card: int) -> bool:
    action = decision.action
    return decision.seat == seat and isinstance(action, Mirror | Claim) and action.card == card


def _time(decisions: Sequence[Decision], n: int) -> int | None:
    """Return when a decision arrived; None for a deal, whose first card is turned over later (K1.3)."""
    if n < 0 or isinstance(decisions[n].action, Deal) or (arrival := decisions[n].arrival) is None:
        return None
    return arrival.at


# ---------------------------------------------------------------- reaction times


def _reactions(positions: Sequence[EkkoPosition], decisions: Sequence[Decision]) -> Iterator[Json]:
    """Yield how long after it was possible each card was played by its player, not by the clock.

    A turn begins with the card or draw before it; a mirror can be played from the top card on, or from
    when it was drawn.
    """
    turn = mirror = 0
    for n, decision in enumerate(decisions):
        if n and _turn(positions[n]) != _turn(positions[n - 1]):
            turn = n
        if n and _holder(positions[n]) != _holder(positions[n - 1]):
            mirror = n
        is_mirror = isinstance(decision.action, Claim | Mirror)
        if not is_mirror and not isinstance(decision.action, Play | Draw):
            continue
        begin, end = _time(decisions, (mirror if is_mirror else turn) - 1), _time(decisions, n)
        is_clock = decision.arrival is not None and decision.arrival.is_clock
        if begin is None or end is None or is_clock or _is_effect(decisions, n):
            continue
        yield {
            "n": n + 1,
            "turn": positions[n].round,
            "seat": decision.seat,
            "milliseconds": end - begin,
            "kind": "mirror" if is_mirror else "turn",
        }


def _turn(position: EkkoPosition) -> tuple[object, ...]:
    return position.round, len(position.zone), position.player, position.phase


def _is_effect(decisions: Sequence[Decision], n: int) -> bool:
    """Return whether a mirror only settles the effect of one that was claimed before."""
    mirror = decisions[n].action
    if not isinstance(mirror, Mirror):
        return False
    before = next(
        (one for one in reversed(decisions[:n]) if isinstance(one.action, Claim | Mirror | Deal)), None
    )
    return before is not None and before.seat == decisions[n].seat and before.action == Claim(mirror.card)


# ---------------------------------------------------------------- luck


def _luck(position: EkkoPosition, deal: Deal, n: int) -> Iterator[Luck]:
    """Compare a deal with random ones by what each player gains if all play alike, by the heuristic."""
    roots = position.states.copy()
    roots["live"] = 0
    values = np.zeros((1 + FAIR_DEALS, _ROLLOUTS, MOST_PLAYERS))
    order = np.array(deal.order, np.uint8)
    deal_values(roots, np.zeros(SCRATCH, STATE), order, RANDOM_DECISIONS, _stream(n), values)
    means = values.mean(axis=1)
    for seat in range(position.players):
        fair, own, error = means[1:, seat], means[0, seat], _error(values[0, :, seat])
        share = _share_below(fair, own)
        sampling = 2 * np.sqrt(share * (1 - share) / FAIR_DEALS)
        least = max(0.0, min(_share_below(fair, own - error), share - sampling))
        most = min(1.0, max(_share_below(fair, own + error), share + sampling))
        yield Luck(round(100 * share), round(100 * least), round(100 * most))


def _share_below(sample: np.ndarray, value: float) -> float:
    return float(((sample < value).mean() + (sample <= value).mean()) / 2)


# ---------------------------------------------------------------- facts


def _better_cards(
    judged: Sequence[Json], positions: Sequence[EkkoPosition], missed: Sequence[tuple[Missed, Better]]
) -> Iterator[Json]:
    """Yield the decisions with a better alternative, without mirrors that are listed as missed."""
    listed = {(positions[one.n].round, one.on, one.seat) for one, better in missed if better.loss}
    for one in judged:
        key = (one["turn"], positions[one["n"] - 1].top, one["seat"])
        if one["loss"] and not (key in listed and one["better"][0]["action"]["type"] == Mirror.type):
            yield _fact("better", one["n"], one["turn"], one["seat"], loss=one["loss"])


def _missed_mirrors(
    missed: Sequence[tuple[Missed, Better]], positions: Sequence[EkkoPosition]
) -> Iterator[Json]:
    for one, better in missed:
        times = {"milliseconds": one.milliseconds, "behind": one.behind}
        known = {key: value for key, value in times.items() if value is not None}
        number = positions[one.n].round
        yield _fact(
            "missed-mirror", one.n, number, one.seat, card=one.card, on=one.on, loss=better.loss, **known
        )


def _races(positions: Sequence[EkkoPosition], decisions: Sequence[Decision]) -> Iterator[Json]:
    """Yield by how much each race was won (K3.5, K7.2)."""
    for race in races(positions[0], decisions):
        for loser in (one for one in race.late if one.seat != race.seat):
            yield _fact(
                "race",
                race.n,
                race.round,
                race.seat,
                card=race.card,
                on=race.on,
                loser=loser.seat,
                behind=loser.behind,
            )


def _lucky(luck: Sequence[Json]) -> Iterator[Json]:
    """Yield the deals that were clearly lucky or unlucky for a player; of two players, for the lucky one."""
    for deal in luck:
        is_duel = len(deal["seats"]) == 2
        for seat, one in enumerate(deal["seats"]):
            if one["percentile"] >= _LUCKY and one["least"] > 50:
                yield _fact("lucky", deal["n"], deal["turn"], seat, **one)
            elif one["percentile"] <= 100 - _LUCKY and one["most"] < 50 and not is_duel:
                yield _fact("unlucky", deal["n"], deal["turn"], seat, **one)


def _fact(code: str, n: int, turn: int, seat: int, **more: object) -> Json:
    return {"code": f"review/{code}", "n": n, "turn": turn, "seat": seat, **more}


def _total(seat: int, judged: Sequence[Json], reactions: Sequence[Json], facts: Sequence[Json]) -> Json:
    """Sum up a player: decisions, good ones, points lost, mirrors missed, races, median reaction times."""
    own = [one["loss"] for one in judged if one["seat"] == seat]
    codes = [fact["code"] for fact in facts if fact["seat"] == seat]
    times = {
        kind: [one["milliseconds"] for one in reactions if (one["seat"], one["kind"]) == (seat, kind)]
        for kind in ("turn", "mirror")
    }
    return {
        "seat": seat,
        "decisions": len(own),
        "good": own.count(0),
        "loss": sum(own),
        "missed": codes.count("review/missed-mirror"),
        "won": codes.count("review/race"),
        "lost": sum(fact.get("loser") == seat for fact in facts),
        **{kind: round(median(found)) if found else None for kind, found in times.items()},
    }
