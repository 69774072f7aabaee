"""One game: forfeits, limits, repetitions, and how they appear in the statistics and the report."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import pytest
from rich.console import Console

import ekoes.arena.game
from ekoes.arena.game import Forfeit, PlayGames, Result, player_of
from ekoes.arena.plan import Entrant, Plan
from ekoes.arena.players import BotPlayer, Choice, ForfeitError, Limit, Past
from ekoes.arena.report import report_page, report_text, verdict
from ekoes.arena.statistics import Challenge, summary_of
from ekoes.bots import bot
from ekoes.games.api.contract import Outcome, Position
from ekoes.games.api.table import History
from ekoes.games.eko.game import EKO
from ekoes.records import read_record
from tests.unit.arena.plans import GREEDY, RANDOM, plan, statistics_of

Act = Callable[[Position, int], Any]


class Rogue(BotPlayer):
    """Plays like ``random``, until it has been asked a few times in its life."""

    closed: ClassVar[list[Rogue]] = []

    def __init__(self, act: Act) -> None:
        super().__init__(bot("eko", "random"))
        self.act, self.asked = act, 0

    def close(self) -> None:
        self.asked = 0
        self.closed.append(self)

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:
        self.asked += 1
        return (
            super().choose(position, seat, limit) if self.asked < 4 else Choice(self.act(position, seat), 0.0)
        )


def fail(_position: Position, _seat: int) -> None:
    raise ForfeitError("dead", "it ended with status 1")


def illegal(position: Position, seat: int) -> Any:
    return position.play(seat, position.legal(seat)[0]).legal(1 - seat)[-1]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Result]]:
    """Play games of a plan, the first player being a rogue."""

    def games(act: Act, wanted: Plan, count: int) -> list[Result]:
        Rogue.closed.clear()

        def seated(game: str, entrant: Entrant) -> Any:
            return Rogue(act) if entrant == wanted.players[0] else player_of(game, entrant)

        monkeypatch.setattr(ekoes.arena.game, "player_of", seated)
        monkeypatch.setattr(ekoes.arena.game, "_WARM_DECISIONS", 0)
        with PlayGames(wanted) as work:
            return work(range(count))

    return games


@pytest.mark.parametrize(("act", "reason"), [(fail, "dead"), (illegal, "illegal")])
def test_a_player_that_forfeits_loses_the_game_and_not_the_match(play: Any, act: Act, reason: str) -> None:
    wanted = plan(seats=2, turn_limit=None)
    results = play(act, wanted, 4)
    for result in results:
        assert result.forfeit is not None
        assert (result.forfeit.reason, result.seats[result.forfeit.seat]) == (reason, 0)
        assert result.winners == (1 - result.forfeit.seat,)
        record = read_record(result.record)
        assert record.outcome is not None
        assert (record.outcome.winners, record.outcome.reason) == (result.winners, "resignation")
        assert record.tags["Forfeit"].startswith(f"seat {result.forfeit.seat}: {reason}: ")
    assert len(Rogue.closed) == 4 + 1, "it begins each game anew, and is closed at the end"
    stats = statistics_of(wanted, results)
    assert (stats.players[0].score, stats.players[1].score) == (0, 4)
    assert stats.forfeits == {(0, reason): 4}


def test_all_others_share_the_point_of_a_forfeit_at_a_larger_table(play: Any) -> None:
    wanted = plan(players=[{"name": name, "bot": "random"} for name in "abc"], seats=3, turn_limit=None)
    (result,) = play(fail, wanted, 1)
    rogue = result.seats.index(0)
    assert result.scores == tuple(0 if seat == rogue else 0.5 for seat in range(3))
    record = read_record(result.record)
    assert record.outcome is None, "a resignation ends a game for two"
    assert record.tags["Forfeit"].startswith(f"seat {rogue}: dead: ")


def test_the_turn_limit_ends_a_game_without_a_winner() -> None:
    with PlayGames(plan(turn_limit=1)) as games:
        (result,) = games([0])
    assert (result.winners, result.reason, result.rule) == ((), "turn-limit", "E11.5")
    assert result.scores == (0.5, 0.5)
    record = read_record(result.record)
    assert record.turn_limit == 1


def test_a_position_that_begins_a_turn_for_the_third_time_ends_a_game() -> None:
    position = EKO.new({}, 1)
    while position.turn_number < 3:
        position = position.play(position.actors()[0], position.legal()[0])
    value = position.to_json()
    again = [EKO.from_json(value | {"turn": value["turn"] | {"number": number}}) for number in (3, 5, 7)]
    history, outcomes = History.of(again[0], 12), []
    for before, after in pairwise(again):
        outcomes.append(history.outcome(before))
        history = history.then(before, after)
    assert [*outcomes, history.outcome(again[-1])] == [None, None, Outcome((), "repetition", "E11.6")]


def test_the_headline_of_a_test_tells_forfeits() -> None:
    wanted = plan(sprt={"elo0": 0, "elo1": 10})
    lost = replace(result(0, (0, 1), 0), reason="forfeit", forfeit=Forfeit(1, "time", "no answer"))
    said = verdict(summary_of(statistics_of(wanted, [lost, result(1, (1, 0), 1)])))
    assert said is not None
    assert said.endswith("; 1 pairs); r forfeited 1 of 2 games")
    said = verdict(summary_of(statistics_of(wanted, [result(0, (0, 1), 0)])))
    assert said is not None
    assert "forfeited" not in said


def test_decisions_are_counted_by_seat() -> None:
    with PlayGames(plan()) as games:
        (result,) = games([0])
    assert len(result.asked) == len(result.times) > 10
    assert set(result.asked) == {0, 1}
    assert all(taken > 0 for taken in result.times)


def test_hostile_programs_lose_their_games_and_stand_in_the_report() -> None:
    script = str(Path(__file__).with_name("stranger.py"))
    modes = {"dying": "dead", "silent": "time", "blank lines": "flood", "plain": "illegal", "missing": "dead"}
    players: list[dict[str, Any]] = [
        {
            "name": mode,
            "program": [sys.executable, "-I", "-S", script, mode, "{}", ""],
            "seconds": 0.01 if mode == "silent" else 20,
        }
        for mode in modes
    ]
    players[-1]["program"] = ["/no/such/program"]
    wanted = plan(
        players=[*players, {"name": "bot", "bot": "random"}],
        lineups=[[mode, "bot"] for mode in modes],
        rounds=1,
        turn_limit=None,
    )
    with PlayGames(wanted) as games:
        stats = statistics_of(wanted, games(range(2 * len(modes))))
    assert stats.forfeits == dict.fromkeys(enumerate(modes.values()), 2)
    assert stats.players[len(modes)].won == 2 * len(modes)
    page = report_page(summary_of(stats))
    for mode, reason in modes.items():
        assert f"{mode} forfeited: {reason}" in page


ONE_AND_TWO = [["g", "r", "r"], ["g", "g", "r"]]


def result(number: int, seats: tuple[int, ...], *winners: int) -> Result:
    return Result(
        number=number,
        opening=0,
        layout="drawn",
        variant="plain",
        seats=seats,
        winners=winners,
        reason="points",
        rule="E11.2",
        turns=9,
        asked=(),
        times=(),
        record="",
    )


def test_wins_are_counted_for_each_table_by_itself() -> None:
    wanted = plan(players=[GREEDY, RANDOM], seats=3, lineups=ONE_AND_TWO)
    games = [
        result(0, (0, 1, 1), 0),
        result(1, (1, 0, 1), 1),
        result(2, (1, 1, 0), 0),
        result(3, (0, 1, 1), 0, 2),  # shared: nobody has won alone
        result(4, (1, 0, 0), 0),
    ]
    summary = summary_of(statistics_of(wanted, games))
    assert summary.challenges == (Challenge("g", "2 × r", 2, 4), Challenge("r", "2 × g", 1, 1))
    assert "<th>g</th><td>2 × r</td><td>50.0 %</td><td>15.0 … 85.0 %</td><td>4</td>" in report_page(summary)
    console = Console(width=100)
    with console.capture() as shown:
        console.print(*report_text(summary))
    assert "15.0 … 85.0 %" in shown.get()


def test_a_duel_is_no_table() -> None:
    assert summary_of(statistics_of(plan(), [result(0, (0, 1), 0)])).challenges == ()
