"""One player at a table of others of one kind: how often it won alone stands in the report."""

from __future__ import annotations

from rich.console import Console

from ekoes.arena.report.page import report_page
from ekoes.arena.report.summary import Challenge, summary_of
from ekoes.arena.report.text import report_text
from ekoes.arena.result import Result
from ekoes.arena.tally import tally_of
from tests.unit.arena.plans import GREEDY, RANDOM, plan

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
    summary = summary_of(tally_of(wanted, games), None)
    assert summary.challenges == (Challenge("g", "2 × r", 2, 4), Challenge("r", "2 × g", 1, 1))
    assert "<th>g</th><td>2 × r</td><td>50.0 %</td><td>15.0 … 85.0 %</td><td>4</td>" in report_page(summary)
    console = Console(width=100)
    with console.capture() as shown:
        console.print(*report_text(summary))
    assert "15.0 … 85.0 %" in shown.get()


def test_a_duel_is_no_table() -> None:
    assert summary_of(tally_of(plan(), [result(0, (0, 1), 0)]), None).challenges == ()
