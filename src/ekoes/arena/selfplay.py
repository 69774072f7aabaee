"""Games of bots as data, one row a game (``ekoes.data``)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ekoes.bots import bots
from ekoes.errors import NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.api.registry import game as game_of
from ekoes.library import Game

__all__ = ["SelfPlay"]


@dataclass(frozen=True)
class SelfPlay:
    """Plays the games of a data set, each of them the same again; called by workers with its number.

    new: begins a game. levels: each seat draws one of them. players: None: as many as can play, drawn for
    each game. options: of every game. in_a_third: lists of options of which each game has about a third.
    iterations: by level, where they are not those of tables. Raises EkoesError, naming the key, where there
    is no such level, option or number of players.
    """

    new: type[Game[Any, Any]]
    levels: tuple[str, ...]
    players: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    in_a_third: Mapping[str, Sequence[str]] = field(default_factory=dict)
    seed: int = 1
    iterations: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        name, known = self.new.name, bots(self.new.name)
        for level in self.levels or ("",):
            if level not in known:
                raise NotationError(f"{name} has no level {level!r}, only {', '.join(known)}", key="level")
        game_of(name).new({"players": self.players or game_of(name).players[0], **self.options}, self.seed)

    def __call__(self, n: int) -> dict[str, Any]:
        """Play game number n, and return its row."""
        seed = Chance(self.seed).bits() % 2**31 + n
        chance, about = Chance(seed), game_of(self.new.name)
        players = self.players or about.players[chance.below(len(about.players))]
        seats = [chance.choice(self.levels) for _ in range(players)]
        options = {"players": players, **self.options}
        for option, words in self.in_a_third.items():
            options[option] = [word for word in words if chance.below(3) == 0]
        ends = about.table_ends
        limit = {} if ends.turn_limit is None else {"turn_limit": ends.longest}
        game = self.new(**options, **limit, seed=seed)
        while (outcome := game.outcome()) is None:
            if game.turn == CHANCE:
                game.push_chance()
            else:
                level = seats[game.turn or 0]
                game.push_bot(level, iterations=self.iterations.get(level))
        won = set(outcome.winners)
        return {
            "game": self.new.name,
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
