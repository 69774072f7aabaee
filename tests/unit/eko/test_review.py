"""Reviews: chances, better alternatives, kinds of mistakes, accuracy, and what happened."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json, Outcome
from ekoes.games.api.table import Decision
from ekoes.games.eko.bots.levels import BEGINNER, Guard
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import format_action, parse_action
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.review import JUDGE, JUDGEMENTS, REVIEW, Finding, accuracy_of
from ekoes.games.kernels import COMPILED
from ekoes.records import GameRecord
from ekoes.records.review import Effort, ReviewedGame
from tests.rules.eko.board import SHUFFLED, draw
from tests.unit.games import ALL_VARIANTS, random_game

Stacks = tuple[str, str]
"""Of each player, as ``draw`` takes them."""

FEW = 40 if COMPILED else 2
DEALS: list[tuple[int, Sequence[str]]] = [(2, ()), (3, ALL_VARIANTS), (4, ("labyrinth", "moon"))]


def begun(players: int, variants: Sequence[str], decisions: int) -> tuple[list[EkoPosition], list[Decision]]:
    """Return the positions and decisions of the beginning of a random game."""
    moves = list(random_game(3, decisions, players=players, variants=list(variants)))
    last, seat, action = moves[-1]
    return [*(one for one, _, _ in moves), last.play(seat, action)], [
        Decision(who, one) for _, who, one in moves
    ]


def examined(
    positions: Sequence[EkoPosition], decisions: Sequence[Decision], iterations: int
) -> dict[int, Finding]:
    return {
        n: REVIEW.examine(positions, decisions, n, iterations=iterations) for n in REVIEW.questions(positions)
    }


@pytest.mark.parametrize(
    ("players", "variants"),
    [DEALS[1], *(pytest.param(*one, marks=pytest.mark.long) for one in (DEALS[0], DEALS[2]))],
)
def test_equal_iterations_give_equal_reviews_with_chances_that_sum_to_1(
    players: int, variants: Sequence[str]
) -> None:
    positions, played = begun(players, variants, 14 if COMPILED else 6)
    findings = examined(positions, played, FEW)
    assert findings == examined(positions, played, FEW)
    review = REVIEW.sum_up(positions, played, None, findings)
    assert len(review["chances"]) == len(positions)
    assert all(len(one) == players and sum(one) == pytest.approx(1, abs=1e-3) for one in review["chances"])
    for (before, after), decision in zip(pairwise(review["chances"]), played, strict=True):
        assert after[decision.seat] <= before[decision.seat]
    decisions = review["decisions"]
    assert [one["n"] - 1 for one in decisions] == [
        n for n, one in enumerate(positions[:-1]) if len(one.codes) > 1
    ]
    for one in decisions:
        assert 0 <= one["loss"] <= 1
        follow_better(positions[one["n"] - 1], one)


def follow_better(before: EkoPosition, decision: Json) -> None:
    """Play the better alternative: it is legal, of one seat and of one turn."""
    for entry in decision.get("better", ()):
        assert (entry["seat"], entry["turn"]) == (decision["seat"], before.turn_number)
        before = before.play(entry["seat"], parse_action(entry["notation"], before))


def turn_with(start: EkoPosition, words: Sequence[str]) -> Json:
    """Return the review of a turn's first decision."""
    positions, decisions = [start], list[Decision]()
    for word in words:
        (seat,) = start.actors()
        decisions.append(Decision(seat, parse_action(word, start)))
        positions.append(positions[-1].play(seat, decisions[-1].action))
    findings = examined(positions, decisions, 200)
    found: Json = REVIEW.sum_up(positions, decisions, None, findings)["decisions"][0]
    return found


FRONTIER = ("3E@2,-2 1@-3,1 4@1,2", "4E@-1,2 4@-2,2 4@0,-3")
NORTH = ("3E@0,-3 1@-1,-1 3@1,-3", "4E@2,-4 2@-2,2 3@-3,1")
MISTAKES: list[tuple[str, Stacks, str, str]] = [
    ("emperor", FRONTIER, "c7>a6", "f2>g4 c7+1"),
    ("loses", FRONTIER, "f2>g3 c7+1", "f2>g4 c7+1"),
    ("capture", ("4E@-2,4 2@1,2 4@1,0", "4E@0,-1 2@-3,1 3@2,-4"), "e6>e5", "i3>d5"),
    ("attack 1", ("4E@3,-1 2@3,1 1@4,-2", "3E@2,-2 1@0,0 1@1,0"), "d8>g3", "d8>e5"),
    ("points 1", NORTH, "b6>g1", "b5^c5=camp-E b5+1E"),
    ("exposed 3", ("3E@0,-1 3@0,2 4@-2,4", "3E@2,0 4@0,-3 3@1,-3"), "d5>e7", "i3>e7"),
    ("wasted 1", ("3E@-1,-2 3@3,1 2@1,0", "4E@1,-3 1@-3,3 2@0,2"), "c4^c5=camp-E", "e6^f6=camp c4+1"),
    ("forced-loss", NORTH, "b5>d4", "b5^c5=camp-E b5+1E"),
    ("sites 2", NORTH, "d4^d3=camp", "b5^c5=camp-E b5+1E"),
]


@pytest.mark.skipif(not COMPILED, reason="in plain Python a search takes minutes")
@pytest.mark.parametrize(("kind", "stacks", "played", "better"), MISTAKES, ids=lambda one: str(one)[:11])
def test_mistakes_are_named_by_what_can_be_seen(kind: str, stacks: Stacks, played: str, better: str) -> None:
    decision = turn_with(draw(*stacks, tiles=SHUFFLED), played.split())
    assert f"{decision['kind']} {decision.get('count', '')}".strip() == kind
    assert " ".join(entry["notation"] for entry in decision["better"]) == better


@pytest.mark.skipif(not COMPILED, reason="in plain Python a search takes minutes")
def test_win_that_was_missed_is_found_and_named() -> None:
    *_, (start, seat, played) = random_game(2, 102, players=2)
    review = turn_with(start, [format_action(played, start)])
    assert Guard(start).win() is not None
    assert (review["judgement"], review["kind"]) == ("blunder", "win")
    for entry in review["better"]:
        start = start.play(seat, parse_action(entry["notation"], start))
    assert start.winners == (seat,)


def judged(loss: float) -> Json:
    """Return a decision of seat 0, of 50 %, that loses so much of its chance by its finding."""
    start = EKO.new({"players": 2}, 1)
    first, better = list(start.legal())[:2]
    there = start.play(0, first)
    findings = {0: Finding((0.5, 0.5), (better,), (0.5, 0.5)), 1: Finding((0.5 - loss, 0.5 + loss))}
    found: Json = REVIEW.sum_up([start, there], [Decision(0, first)], None, findings)["decisions"][0]
    return found


@pytest.mark.parametrize(
    ("loss", "judgement"),
    [
        (-0.1, None),
        (0.049, None),
        (0.05, "inaccuracy"),
        (0.1, "mistake"),
        (0.149, "mistake"),
        (0.15, "blunder"),
    ],
)
def test_judgements_follow_the_loss_of_the_own_chance(loss: float, judgement: str | None) -> None:
    decision = judged(loss)
    assert decision["loss"] == pytest.approx(max(0, loss))
    assert decision.get("judgement") == judgement
    assert ("better" in decision) == (loss > 0)


def test_accuracy_of_a_decision_is_that_of_lichess() -> None:
    """The values are those that its formula gives, with its bonus of one point."""
    assert [round(accuracy_of(loss / 100), 1) for loss in (-5, 0, 5, 10, 20, 40, 100)] == [
        100, 100, 80.8, 64.6, 41.0, 15.9, 0,
    ]  # fmt: skip


def summed_up(chances: Sequence[float], outcome: Outcome | None = None, better: Sequence[int] = ()) -> Json:
    """Return the review of a game for two in which seat 0 has these chances.

    The players of its decisions: 1, 0, then turns of 1, 1, 0, 0, 1, 0, 0, 1. better: numbers of positions in
    which another decision kept the chances.
    """
    positions, decisions = begun(2, (), len(chances) - 1)
    findings = {
        n: Finding((one, 1 - one), (positions[n].legal()[0],), (one, 1 - one))
        if n in better
        else Finding((one, 1 - one))
        for n, one in enumerate(chances)
    }
    found: Json = REVIEW.sum_up(positions, decisions, outcome, findings)
    return found


def facts_of(chances: Sequence[float], outcome: Outcome | None = None) -> list[tuple[str, int, int]]:
    facts = summed_up(chances, outcome)["facts"]
    return [(one["code"].removeprefix("review/"), one["n"], one["seat"]) for one in facts]


def test_lead_has_changed_when_another_is_ahead_by_ten_points() -> None:
    facts = facts_of([0.5, 0.6, 0.46, 0.46, 0.6, 0.6, 0.44, 0.56])
    assert facts == [("lead-changed", 6, 1), ("lead-changed", 7, 0)]
    assert len(facts_of([0.2, 0.8, 0.2, 0.2, 0.8, 0.8, 0.2, 0.8, 0.8, 0.2])) == 3


RESIGNED = Outcome((0,), "resignation", "E11.5")


def test_turning_point_is_the_decision_after_which_the_winner_stays_above_three_quarters() -> None:
    facts = facts_of([0.5, 0.8, 0.7, 0.7, 0.9, 0.9, 0.8], RESIGNED)
    assert [one for one in facts if one[0] == "turning-point"] == [("turning-point", 4, 1)]


@pytest.mark.parametrize(
    ("chances", "outcome"),
    [
        ((0.5, 0.8, 0.7), RESIGNED),
        ((0.8, 0.8, 0.8), RESIGNED),
        ((0.5, 0.8), Outcome((0, 1), "agreement", "E11.5")),
    ],
    ids=["resigned while open", "never open", "agreed"],
)
def test_game_without_a_turning_point_has_none(chances: Sequence[float], outcome: Outcome) -> None:
    assert "turning-point" not in {code for code, _, _ in facts_of(chances, outcome)}


def test_of_a_turn_one_decision_is_judged_and_one_fact_is_listed() -> None:
    review = summed_up([0.5, 0.5, 0.5, 0.62, 0.8, 0.8], RESIGNED, better=(2, 3))
    assert [one["n"] for one in review["decisions"] if "judgement" in one] == [4]
    (fact,) = review["facts"]
    assert (fact["code"], fact["n"], fact["loss"]) == ("review/turning-point", 4, 0.18)


def test_best_decision_that_turns_out_badly_is_no_mistake_but_good_until_it_is_answered() -> None:
    review = summed_up([0.5, 0.5, 0.5, 0.5, 0.62, 0.62])
    (fallen,) = (one for one in review["decisions"] if "until" in one)
    assert (fallen["n"], fallen["fell"], fallen["loss"]) == (4, 0.12, 0)
    assert (fallen["until"]["seat"], "judgement" in fallen) == (0, False)


HINTED = [(1, 24, 60), pytest.param(20, 400, JUDGE.iterations, marks=pytest.mark.long)]


@pytest.mark.skipif(not COMPILED, reason="in plain Python a search takes minutes")
@pytest.mark.parametrize(("games", "longest", "iterations"), HINTED)
def test_whoever_follows_hints_makes_no_mistake(games: int, longest: int, iterations: int) -> None:
    """A hint is the decision of ``JUDGE``; the other player is a beginner. Ten times the depth finds few."""
    deeper = list[Json]()
    for seed in range(games):
        position, chance = EKO.new({"players": 2}, seed), Chance(seed)
        positions, decisions = [position], list[Decision]()
        while position.actors() and len(decisions) < longest:
            (seat,) = position.actors()
            level = JUDGE if seat == seed % 2 else BEGINNER
            begun = [next(turn).digest() for _, turn in groupby(positions, lambda one: one.turn_number)]
            action = level.think(position, seat, chance, iterations=iterations, seen=begun)
            decisions.append(Decision(seat, action))
            positions.append(position := position.play(seat, action))
        findings = examined(positions, decisions, iterations)
        review = REVIEW.sum_up(positions, decisions, position.outcome(), findings)
        hinted = [one for one in review["decisions"] if one["seat"] == seed % 2]
        assert {one["loss"] for one in hinted} == {0}
        if seed < games // 4:
            findings = examined(positions, decisions, 10 * iterations)
            review = REVIEW.sum_up(positions, decisions, position.outcome(), findings)
            deeper += [one for one in review["decisions"] if one["seat"] == seed % 2]
    assert 20 * len([one for one in deeper if one["loss"] >= JUDGEMENTS["mistake"]]) <= len(deeper)


def test_record_without_decisions_has_a_review() -> None:
    whole = ReviewedGame(GameRecord("eko", EKO.new({"players": 3}, 1)))
    assert whole.questions == [0]
    review = whole.sum_up({0: whole.examine(0, Effort(iterations=1))})
    assert (review["decisions"], review["accuracy"], review["facts"]) == ([], [None] * 3, [])
    assert len(review["chances"]) == 1
