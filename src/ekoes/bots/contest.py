"""Games between bots, played to find out who is stronger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from ekoes.bots import Bot
from ekoes.games.chance import Chance
from ekoes.games.contract import Game, Outcome, Position

__all__ = ["Tally", "play_contest", "play_game", "wilson_interval"]

_CONFIDENCE = 1.959963984540054
"""Standard deviations around the mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How a contest went. wins: of each bot, a shared win counts for all who share it; drawn: nobody's."""

    games: int
    wins: tuple[int, ...]
    drawn: int
    decisions: int


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Return the interval in which the true winning rate lies with 95 % confidence.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    square = _CONFIDENCE**2
    rate = wins / games
    middle = (rate + square / (2 * games)) / (1 + square / games)
    spread = _CONFIDENCE / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    return max(0.0, middle - spread), min(1.0, middle + spread)


def play_game(
    position: Position, bots: Sequence[Bot], chance: Chance, turn_limit: int
) -> tuple[Outcome | None, int]:
    """Let bots play on to the end. bots: by seat.

    Returns: the outcome, None if the turn limit ended the game (E11.5, E12.9); the number of decisions.
    """
    decisions = 0
    while position.outcome() is None and _turn(position) <= turn_limit:
        (seat,) = position.actors()
        position = position.play(seat, bots[seat].choose(position, seat, chance))
        decisions += 1
    return position.outcome(), decisions


def _turn(position: Any) -> int:  # noqa: ANN401 - turns are no part of the contract
    return int(position.turn_number)


def play_contest(
    game: Game,
    options: Mapping[str, Any],
    bots: Sequence[Bot],
    games: int,
    seed: int,
    turn_limit: int,
    advance: Callable[[int], None],
) -> Tally:
    """Play games between bots, who change seats after each game; equal arguments give equal results.

    advance: is told how many more games are done.
    """
    chance = Chance(seed)
    wins = [0] * len(bots)
    drawn = decisions = 0
    for number in range(games):
        seats = [(seat + number) % len(bots) for seat in range(len(bots))]
        first = game.new(options, chance.below(2**32))
        outcome, length = play_game(first, [bots[index] for index in seats], chance.split(), turn_limit)
        winners = outcome.winners if outcome is not None else ()
        for seat in winners:
            wins[seats[seat]] += 1
        drawn += not winners
        decisions += length
        advance(1)
    return Tally(games, tuple(wins), drawn, decisions)
