"""Games between bots, played to find out who is stronger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any

from ekoes.bots import Bot
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE, Game, Outcome, Position

__all__ = ["Tally", "play_contest", "play_game", "wilson_interval"]

_CONFIDENCE = 1.959963984540054
"""Standard deviations around the mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How a contest went.

    wins: of each bot, a shared win counts for all who share it; alone: those that it shared with nobody;
    shared: games with several winners; drawn: games that nobody won.
    """

    games: int
    wins: tuple[int, ...]
    alone: tuple[int, ...]
    shared: int
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
    position: Position, bots: Sequence[Bot], chance: Chance, turn_limit: int | None
) -> tuple[Outcome | None, int]:
    """Let bots play on to the end. bots: by seat; turn_limit: None for none, or for a game without turns.

    Returns: the outcome, None if the turn limit ended the game; the number of the bots'
    decisions.
    """
    decisions = 0
    while position.outcome() is None and (turn_limit is None or _turn(position) <= turn_limit):
        (seat,) = position.actors()
        if seat == CHANCE:
            position = position.play(seat, position.chance_action(chance))
        else:
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
    turn_limit: int | None,
    advance: Callable[[int], None],
    *,
    threads: int = 1,
) -> Tally:
    """Play games between bots, who change seats after each game; equal arguments give equal results.

    advance: is told how many more games are done, from any thread. threads: games played at the same
    time; they change nothing but the time it takes.
    """
    chance = Chance(seed)
    begins = [(number, chance.below(2**32), chance.split()) for number in range(games)]

    def play_one(begin: tuple[int, int, Chance]) -> tuple[tuple[int, ...], int]:
        """Play a game. Returns: the bots that won it, and the number of decisions."""
        number, first_seed, stream = begin
        seats = [(seat + number) % len(bots) for seat in range(len(bots))]
        first = game.new(options, first_seed)
        outcome, length = play_game(first, [bots[index] for index in seats], stream, turn_limit)
        advance(1)
        return tuple(seats[seat] for seat in (outcome.winners if outcome is not None else ())), length

    with ThreadPoolExecutor(max_workers=threads) as pool:
        results = list(pool.map(play_one, begins))
    alone = [winners[0] for winners, _ in results if len(winners) == 1]
    return Tally(
        games=games,
        wins=tuple(sum(index in winners for winners, _ in results) for index in range(len(bots))),
        alone=tuple(alone.count(index) for index in range(len(bots))),
        shared=sum(len(winners) > 1 for winners, _ in results),
        drawn=sum(not winners for winners, _ in results),
        decisions=sum(length for _, length in results),
    )
