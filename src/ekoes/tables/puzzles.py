"""Puzzles, positions with one solution: their choice, first ratings, and verdicts on answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from heapq import nsmallest
from itertools import pairwise
from types import MappingProxyType
from typing import Any, cast

from ekoes.errors import TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Listed, Puzzle, Puzzles, Verdict
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.tables.ratings import NEW, UNCERTAIN, Rating

_STEP = 200 / 30
"""From one difficulty to the next, in the unit of ratings: 200 points."""
_MIDDLE = 3
_NEAR = 20
"""The next puzzle is one of so many with the nearest ratings."""
_RUSH = 36
"""Puzzles of a rush: one every five seconds, more than anyone solves."""


def _part(game: str) -> Puzzles[Any] | None:
    part = game_of(game).parts.puzzles
    return None if part is None else cast("Puzzles[Any]", load(part))


def puzzles_of(game: str) -> Mapping[str, Listed]:
    """Return the puzzles of a game by name; none if the game has no puzzles."""
    part = _part(game)
    return MappingProxyType({}) if part is None else part.listed()


def themes_of(game: str) -> Sequence[str]:
    """Return the themes of a game's puzzles; none if it has no puzzles."""
    part = _part(game)
    return () if part is None else part.THEMES


def puzzle_of(game: str, name: str) -> Puzzle[Any]:
    """Return a puzzle. Raises TableError if there is none of this name."""
    part = _part(game)
    if part is None or name not in part.listed():
        raise no_puzzle(name)
    return part.puzzle(name)


def no_puzzle(wanted: str) -> TableError:
    """Return the error that there is no such puzzle."""
    return TableError(f"there is no puzzle {wanted!r:.40}", code="puzzle/not-found", key="puzzle")


def daily_puzzle(game: str, day: date) -> str:
    """Return the name of the puzzle of a day, the same for everybody. Raises TableError without puzzles."""
    names = list(puzzles_of(game))
    if not names:
        raise no_puzzle("daily")
    return names[day.toordinal() % len(names)]


def rush_puzzles(game: str, day: date, run: int) -> list[str]:
    """Return the names of the puzzles of a rush, the easiest first; raises TableError without puzzles.

    run: 1 for the first of a day. The same day and run have the same puzzles for everybody.
    """
    about = puzzles_of(game)
    if not about:
        raise no_puzzle("rush")
    chance = Chance(day.toordinal() * 1000 + run)
    names = sorted(about, key=lambda name: about[name].difficulty)
    ends = [number * len(names) // _RUSH for number in range(_RUSH + 1)]
    return [chance.choice(names[start:end]) for start, end in pairwise(ends) if start < end]


def first_rating(about: Listed) -> Rating:
    """Return the rating of a puzzle without answers, which follows from its difficulty."""
    return Rating(NEW.mean + (about.difficulty - _MIDDLE) * _STEP, UNCERTAIN)


def next_puzzle(
    game: str,
    chance: Chance,
    near: Rating,
    ratings: Mapping[str, Rating],
    *,
    theme: str | None,
    solved: Collection[str],
    tried: Collection[str],
) -> str:
    """Draw one of the puzzles with the ratings nearest to one, never one that is solved.

    ratings: of puzzles that were answered. tried: those that come last. Raises TableError if there is none.
    """
    about = puzzles_of(game)
    fitting = [name for name in about if theme in (None, about[name].theme)]
    unsolved = [name for name in fitting if name not in solved]
    if not fitting:
        raise no_puzzle("next")
    if not unsolved:
        raise TableError("all of these puzzles are solved", code="puzzle/none-left")

    def distance(name: str) -> float:
        return abs((ratings.get(name) or first_rating(about[name])).mean - near.mean)

    drawn = [name for name in unsolved if name not in tried] or unsolved
    chance.shuffle(drawn)  # many have the same rating
    return chance.choice(nsmallest(_NEAR, drawn, distance))


def judge_decisions(game: str, name: str, decisions: Sequence[Json]) -> Verdict:
    """Return the verdict on the solver's decisions; what follows a right or wrong one is ignored.

    Raises: EkoesError if one is illegal.
    """
    rules, puzzle = game_of(game), puzzle_of(game, name)
    verdict: Verdict = "open"
    now = puzzle.position
    for action in decisions:
        now = now.play(puzzle.seat, rules.parse_action(action))
        verdict = puzzle.judge(now)
        if verdict != "open":
            break
    return verdict
