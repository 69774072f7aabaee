"""Games of bots as data, one row a game (``ekoes.data``)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ekoes import ekko, eko
from ekoes.bots import bots
from ekoes.errors import NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Outcome
from ekoes.games.api.registry import game as game_of
from ekoes.games.eko.game import TURN_LIMIT
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.library import Game

__all__ = ["SelfPlay"]


@dataclass(frozen=True)
class SelfPlay:
    """Plays the games of a data set, each of them the same again; called by workers with its number.

    players: None: as many as can play, drawn for each game. levels: each seat draws one of them. variants: of
    Ekö; None: each in a third of the games. iterations: by level, where it is not that of tables.
    Raises NotationError, naming the key, where the game has no such level, variant or number of players.
    """

    game: str
    levels: tuple[str, ...]
    players: int | None = None
    variants: tuple[str, ...] | None = None
    seed: int = 1
    iterations: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = bots(self.game)
        for level in self.levels or ("",):
            if level not in known:
                raise NotationError(
                    f"{self.game} has no level {level!r}, only {', '.join(known)}", key="level"
                )
        numbers = game_of(self.game).players
        if self.players is not None and self.players not in numbers:
            raise NotationError(f"{self.game} is for {numbers[0]} to {numbers[-1]} players", key="players")
        for variant in self.variants or ():
            if self.game != "eko" or variant not in VARIANTS:
                raise NotationError(
                    f"{self.game} has no variant {variant!r}"
                    + (f", only {', '.join(VARIANTS)}" if self.game == "eko" else ""),
                    key="variants",
                )

    def __call__(self, n: int) -> dict[str, Any]:
        """Play game number n, and return its row."""
        seed = Chance(self.seed).bits() % 2**31 + n
        chance, about = Chance(seed), game_of(self.game)
        players = self.players or about.players[chance.below(len(about.players))]
        seats = [chance.choice(self.levels) for _ in range(players)]
        options: dict[str, Any] = {"players": players}
        if self.game == "eko":
            drawn = [one for one in VARIANTS if chance.below(3) == 0]
            options["variants"] = drawn if self.variants is None else list(self.variants)
            game: Game[Any, Any] = eko.Game(**options, turn_limit=TURN_LIMIT, seed=seed)
        else:
            game = ekko.Game(**options, seed=seed)
        outcome = self._played(game, seats)
        won = set(outcome.winners)
        return {
            "game": self.game,
            "rules": about.rules_version,
            "ended": None,
            "players": players,
            "rated": False,
            "options": json.dumps(options),
            "seed": seed,
            "reason": outcome.reason,
            "decisions": len(game.decisions),
            "seats": [
                {"bot": bot, "rank": 0 if seat in won else len(won), "won": seat in won}
                for seat, bot in enumerate(seats)
            ],
            "record": game.record(),
        }

    def _played(self, game: Game[Any, Any], seats: list[str]) -> Outcome:
        """Play to the end by the rules, by repetition (E11.6) or by the limit of turns (E11.5)."""
        while (outcome := game.outcome()) is None:
            if game.turn == CHANCE:
                game.push_chance()
            else:
                level = seats[game.turn or 0]
                game.push_bot(level, iterations=self.iterations.get(level))
        return outcome
