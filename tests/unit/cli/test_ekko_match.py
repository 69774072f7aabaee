"""`ekoes ekko match` and `ekoes ekko strength`: who beats whom, and how sure that is."""

from __future__ import annotations

import pytest

from tests.unit.cli.conftest import Ekoes


def test_match_counts_games_won_alone(ekoes: Ekoes) -> None:
    arguments = (
        "ekko",
        "match",
        "--bots",
        "skilled,random,beginner",
        "--games",
        6,
        "--seed",
        3,
        "--target",
        10,
    )
    done = ekoes(*arguments, "--threads", 2)
    (result,) = done.lines
    assert [line["bot"] for line in result["bots"]] == ["skilled", "random", "beginner"]
    assert sum(line["wins"] for line in result["bots"]) + result["tied"] == result["games"] == 6
    for line in result["bots"]:
        low, high = line["interval"]
        assert 0 <= low <= line["rate"] <= high <= 1
    assert ekoes(*arguments, "--threads", 1).out == done.out


@pytest.mark.parametrize(
    ("bots", "reason"),
    [
        ("random", "K1.1"),
        (",".join(["random"] * 9), "K1.1"),
        ("random,greedy", "no bot is called 'greedy'"),
    ],
)
def test_impossible_matches_are_refused(ekoes: Ekoes, bots: str, reason: str) -> None:
    done = ekoes("ekko", "match", "--bots", bots)
    assert (done.status, done.out) == (2, "")
    assert reason in done.err


def test_strength_is_told_for_five_players_and_for_two(ekoes: Ekoes) -> None:
    done = ekoes("ekko", "strength", "--games", 3, "--seed", 5)
    five, two = done.lines
    assert (five["players"], two["players"]) == (5, 2)
    for line in (five, two):
        assert (line["bot"], line["games"]) == ("master", 3)
        assert line["wins"] + line["tied"] <= 3
        assert line["interval"][0] <= line["rate"] <= line["interval"][1]
