"""Reviews of EKKO: better cards, missed mirrors, races, reaction times, and the luck of a deal."""

from __future__ import annotations

import pytest

from ekoes.games.api.contract import Json
from ekoes.games.api.table import Decision
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Deal, Effect, Mirror, Pass, Play
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.review import REVIEW, Finding
from ekoes.games.kernels import COMPILED
from ekoes.records import GameRecord, read_record
from ekoes.records.review import Effort, ReviewedGame
from tests.rules.ekko.cards import deal_out
from tests.unit.test_record_ekko import LATE_MIRROR, next_round

needs_kernels = pytest.mark.skipif(not COMPILED, reason="in plain Python a search takes minutes")
FEW = Effort(iterations=60 if COMPILED else 4)


def of_decision(start: EkkoPosition, *actions: Play | Mirror | Pass) -> tuple[Finding, Json]:
    """Return what is found at the first decision of a game, of seat 0, and the review."""
    decisions = tuple(Decision(seat, action) for seat, action in enumerate(actions))
    game = ReviewedGame(GameRecord("ekko", start, decisions))
    finding = game.examine(0, FEW)
    return finding, game.sum_up({0: finding})


CHAIN, OTHERS = "30 44", "3 8 15 61 77"
"""44 and then 30 end the round at once (K2.3); 30 leaves 44 in hand."""


@needs_kernels
def test_better_card_is_found_with_the_points_it_gains() -> None:
    finding, review = of_decision(deal_out(CHAIN, OTHERS, zone="90"), Play(30))
    assert finding.choice is not None
    assert 0 < finding.choice.error < finding.choice.gain
    (judged,) = review["decisions"]
    assert (judged["n"], judged["seat"], judged["loss"]) == (1, 0, round(finding.choice.gain))
    assert [entry["notation"] for entry in judged["better"]] == ["44"]
    assert [(fact["code"], fact["loss"]) for fact in review["facts"]] == [("review/better", judged["loss"])]
    _, good = of_decision(deal_out(CHAIN, OTHERS, zone="90"), Play(44))
    assert [(one["loss"], "better" in one) for one in good["decisions"]] == [(0, False)]
    assert (good["totals"][0]["good"], good["totals"][0]["loss"], good["facts"]) == (1, 0, [])


@needs_kernels
def test_decisions_are_judged_by_what_the_player_saw() -> None:
    """The other hand and the pile do not change what is found."""
    found, _ = of_decision(deal_out(CHAIN, OTHERS, zone="90"), Play(30))
    assert found == of_decision(deal_out(CHAIN, "2 12 40 41 97", zone="90"), Play(30))[0]


@needs_kernels
def test_pass_with_a_mirror_that_ends_the_round_is_a_missed_mirror() -> None:
    """73 on 37, and 22 put aside, end the round (K3.2)."""
    start = deal_out("22 73", OTHERS, zone="37", player=1, last=0, dealer=1, phase="mirror", asked=0)
    _, review = of_decision(start, Pass(), Play(61))
    (fact,) = review["facts"]
    assert (fact["code"], fact["seat"], fact["card"], fact["on"]) == ("review/missed-mirror", 0, 73, 37)
    assert fact["loss"] >= 2
    assert "milliseconds" not in fact, "a sequence has no times"
    assert review["decisions"] == []
    _, taken = of_decision(start, Mirror(73, Effect.DISCARD, 22))
    assert [fact["code"] for fact in taken["facts"]] == []
    assert [one["loss"] for one in taken["decisions"]] == [0]


DEALT = [73, 50, 83, 96, 69, 12, 5, 38, 95, 20, 30, 41, 37]
"""Six cards of seat 1, six of seat 0, and the card turned over."""
LIVE = """1. seat 1: 50{at 4, saw 37}
1. seat 0: 38{at 5.5, saw 50}
1. seat 1: claim:83{at 6.1, saw 38}
1. seat 1: 83/+{at 7.6, saw 38}
1. seat 0: 95{at 8, saw 83}
1. seat 1: 96{at 9.25, saw 95}
1. seat 1: 69/+{at 9.9, saw 96}
1. seat 0: late:20{at 9.94, saw 96, behind 0.04}"""


def live_review() -> Json:
    cards = ",".join(map(str, [*DEALT, *(card for card in range(1, 99) if card not in DEALT)]))
    tags = {"Game": "ekko", "Format": "1", "Live": "yes", "Players": "2", "Dealer": "0"}
    head = "\n".join(f'[{tag} "{value}"]' for tag, value in tags.items())
    game = ReviewedGame(read_record(f"{head}\n\n1. table: deal:{cards}{{at 0}}\n{LIVE}\nresult: open\n"))
    return game.sum_up({n: game.examine(n, FEW) for n in game.questions})


@needs_kernels
def test_live_game_shows_missed_mirrors_races_and_reaction_times() -> None:
    review = live_review()
    missed = [fact for fact in review["facts"] if fact["code"] == "review/missed-mirror"]
    assert [(one["n"], one["seat"], one["card"], one["on"], one.get("milliseconds")) for one in missed] == [
        (1, 1, 73, 37, None),  # the record does not say when the first card was turned over
        (2, 0, 5, 50, 1500),
    ]
    (race,) = (fact for fact in review["facts"] if fact["code"] == "review/race")
    assert race == {
        "code": "review/race", "n": 8, "turn": 1, "seat": 1, "card": 69, "on": 96, "loser": 0, "behind": 40
    }  # fmt: skip
    assert [(one["n"], one["seat"], one["milliseconds"], one["kind"]) for one in review["reactions"]] == [
        (3, 0, 1500, "turn"),
        (4, 1, 600, "mirror"),
        (6, 0, 400, "turn"),
        (7, 1, 1250, "turn"),
        (8, 1, 650, "mirror"),
    ]
    totals = [
        (one["missed"], one["won"], one["lost"], one["turn"], one["mirror"]) for one in review["totals"]
    ]
    assert totals == [(1, 0, 1, 950, None), (1, 1, 0, 1250, 625)]
    assert review == live_review(), "equal records give equal reviews"


@needs_kernels
def test_missed_mirror_that_came_as_its_round_had_ended_says_by_how_much() -> None:
    game = ReviewedGame(read_record(next_round(LATE_MIRROR)))
    fact, *_ = game.sum_up({n: game.examine(n, FEW) for n in game.questions})["facts"]
    assert (fact["code"], fact["card"], fact["milliseconds"], fact["behind"]) == (
        "review/missed-mirror",
        2,
        3000,
        20,
    )


@needs_kernels
def test_luck_of_a_deal_is_its_place_among_random_deals() -> None:
    """Seat 1 holds four multiples of 11 in a chain, seat 0 the cards on which everything is valid."""
    lucky = [66, 44, 22, 20, 64, 46, 49, 50, 51, 53, 33, 77, 98]
    order = (*lucky, *(card for card in range(1, 99) if card not in lucky))
    start = EKKO.new({"players": 2}, 1)
    states = start.states.copy()
    states["dealer"] = 0
    first = EkkoPosition(states)
    decision = Decision(-1, Deal(order))
    finding = REVIEW.examine([first, first.play(-1, Deal(order))], [decision], 0)
    other, own = finding.luck
    assert own.least > 80
    assert own.least <= own.percentile <= own.most
    assert other.most < 20
    assert other.percentile == 100 - own.percentile
    review = REVIEW.sum_up([first, first.play(-1, Deal(order))], [decision], None, {0: finding})
    assert [(fact["code"], fact["seat"]) for fact in review["facts"]] == [("review/lucky", 1)]


def test_record_without_decisions_has_a_review() -> None:
    game = ReviewedGame(GameRecord("ekko", EKKO.new({"players": 3}, 1)))
    assert game.questions == []
    review = game.sum_up({})
    assert (review["chances"], review["decisions"], review["facts"]) == ([], [], [])
    assert [one["turn"] for one in review["totals"]] == [None] * 3
