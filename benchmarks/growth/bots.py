"""What a decision of a bot costs, at each level."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean
from typing import Any

from ekoes.bots import Thought, bot, decide
from ekoes.bots.levels import levels
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE
from ekoes.games.registry import game as game_of
from ekoes.games.registry import games

__all__ = ["Thinking", "thoughts"]

POSITIONS = 12
_APART = 9
"""Decisions of chance between two positions that are measured."""


@dataclass(frozen=True)
class Thinking:
    """What decisions of a bot took: milliseconds of processor time, on average and at most."""

    game: str
    bot: str
    usual: float
    longest: float


def thoughts() -> list[Thinking]:
    """Measure all levels of all games, in positions of games that chance plays."""
    return [_measured(game, level) for game in games() for level in levels(game)]


def _measured(game: str, name: str) -> Thinking:
    player, took = bot(game, name), []
    for number, (position, seat) in enumerate(_positions(game)):
        if not number:
            decide(player, position, seat, Chance(0), Thought())  # compiled kernels are loaded
        begun = time.process_time()
        decide(player, position, seat, Chance(number), Thought())
        took.append((time.process_time() - begun) * 1000)
    return Thinking(game, name, mean(took), max(took))


def _positions(game: str) -> Iterator[tuple[Any, int]]:
    """Yield positions and who decides there, from the beginning of a game on."""
    position, chance = game_of(game).new({"players": 2}, 1), Chance(1)
    for number in range(POSITIONS * _APART):
        if position.outcome() is not None:
            return
        (seat, *_) = position.actors()
        if seat == CHANCE:
            position = position.play(CHANCE, position.chance_action(chance))
            continue
        if number % _APART == 1:
            yield position, seat
        position = position.play(seat, chance.choice(position.legal(seat)))
