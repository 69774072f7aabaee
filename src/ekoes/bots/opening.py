"""Bots play the first decisions of a game, so that their code is compiled before it counts."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from ekoes.bots import Thought, bot, bots, decide
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE
from ekoes.games.registry import game, games

__all__ = ["begin_game", "warm_bots"]

_LOG = logging.getLogger("ekoes.bots")

_FIRST_DECISIONS = 4
"""Enough to come from the set-up into the first turn."""


def begin_game(name: str, player: str) -> None:
    """Let a bot play the first decisions of a game, with as little thought as can be."""
    position, chance = game(name).new({"players": game(name).players.start}, seed=1), Chance(1)
    for _ in range(_FIRST_DECISIONS):
        (seat,) = position.actors()
        if seat == CHANCE:
            position = position.play(seat, position.chance_action(chance))
        else:
            action = decide(bot(name, player), position.sight(seat), seat, chance, Thought(iterations=1))
            position = position.play(seat, action)


def warm_bots(names: Iterable[str] | None = None) -> None:
    """Let every bot begin a game that has anything to compile; one that fails will fail when it is asked.

    names: of the games; None: all.
    """
    for name in games() if names is None else names:
        if game(name).parts.warm is None:
            continue
        for player in bots(name):
            try:
                begin_game(name, player)
            except Exception:  # noqa: BLE001 - a bot may fail in any way
                _LOG.exception("bot %s of %s can't begin a game", player, name)
