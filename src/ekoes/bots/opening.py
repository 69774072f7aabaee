"""Warm-up: bots play the first decisions of a game, so that their code is compiled early."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from ekoes.bots import Thought, bot, bots, decide
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.api.registry import game, games

_LOG = logging.getLogger("ekoes.bots")

_FIRST_DECISIONS = 4
"""Enough decisions to reach the first turn from the set-up."""


def begin_game(name: str, player: str) -> None:
    """Let a bot play the first decisions of a game with minimal search."""
    position, chance = game(name).new({"players": game(name).players.start}, seed=1), Chance(1)
    for _ in range(_FIRST_DECISIONS):
        (seat,) = position.actors()
        if seat == CHANCE:
            position = position.play(seat, position.chance_action(chance))
        else:
            action = decide(bot(name, player), position.sight(seat), seat, chance, Thought(iterations=1))
            position = position.play(seat, action)


def warm_bots(names: Iterable[str] | None = None) -> None:
    """Let every bot play the opening of each game with compiled code; failures are only logged.

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
