"""What ``ekoes engine`` can be asked for: who it is, and what a bot would do."""

from __future__ import annotations

import secrets
from contextlib import suppress
from math import inf
from threading import Thread
from time import monotonic
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ekoes import __version__
from ekoes.arena.protocol import BUDGETS, DEFAULT_MEMORY, PROTOCOL
from ekoes.bots import bot, bots, is_bot
from ekoes.bots.analysis import begin_search, info_of
from ekoes.bots.sight import asked_seat
from ekoes.cli.asked import WHAT, read_asked
from ekoes.cli.at_work import AT_WORK
from ekoes.cli.console import emit, write_json
from ekoes.cli.requests import Command, Request
from ekoes.errors import NotationError
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE, Game, Json
from ekoes.games.reading import read_options
from ekoes.games.registry import game as game_named
from ekoes.games.registry import games

__all__ = ["COMMANDS", "rehearse"]

_SEEDS = 2**64


class Limits(BaseModel):
    """How much a choice may cost, and how it is made; the first budget that is reached counts.

    time: seconds of wall clock. iterations, depth: of a search, in its steps and in turns. seed: makes
    a choice repeatable. level: the name of a bot. threads: how many may think. memory: MiB.
    """

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    time: Annotated[float, Field(gt=0)] = inf
    iterations: Annotated[int, Field(ge=1)] = 2**63
    depth: Annotated[int, Field(ge=1)] = 2**63
    seed: int = Field(default_factory=lambda: secrets.randbelow(_SEEDS))
    level: str = ""
    threads: Annotated[int, Field(ge=1)] = 1
    memory: Annotated[int, Field(ge=1)] = DEFAULT_MEMORY

    @property
    def tree(self) -> int:
        """MiB for a tree of a search: the rest is what the program itself needs."""
        return max(1, self.memory // 5)

    @property
    def seconds(self) -> float | None:
        """The time, if it is limited."""
        return self.time if self.time < inf else None

    @property
    def steps(self) -> int | None:
        """The iterations, if they are limited."""
        return self.iterations if "iterations" in self.model_fields_set else None


class Looks(BaseModel):
    """How an analysis is told. lines: how many; every: seconds between two accounts."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    lines: Annotated[int, Field(ge=1, le=1000)] = 1
    every: Annotated[float, Field(ge=0.01)] = 0.25


def _hello(_request: Request) -> Json:
    levels = dict.fromkeys(level for game in games() for level in bots(game))
    return {
        "name": "Ekoes",
        "version": __version__,
        "protocol": PROTOCOL,
        "games": list(games()),
        "levels": list(levels),
    }


def _choose(request: Request) -> Json:
    """Let a bot choose. One that does not search knows no chance of winning: no ``value`` is told."""
    limits = _limits(request)
    game, sight, seat, seen = read_asked(request)
    player: Any = bot(game.name, _level(game, limits))
    chance = Chance(limits.seed)
    if not hasattr(player, "begin"):
        return {"action": game.action_to_json(player.choose(sight, seat, chance))}
    search = AT_WORK.on(player.begin(sight, seen, limits.tree))
    if limits.level or (limits.seconds is None and limits.steps is None):
        player.run(search, limits.seconds, limits.steps)
    else:
        search.run(limits.seconds, limits.steps)
    action = game.action_to_json(player.pick(search, chance))
    return {"action": action, "value": list(search.value), "iterations": search.iterations}


def _limits(request: Request) -> Limits:
    limits = read_options(Limits, {key: request[key] for key in Limits.model_fields if key in request})
    if not limits.model_fields_set & set(BUDGETS):
        raise NotationError(f"a choice needs one of {', '.join(BUDGETS)}", key=BUDGETS[0])
    return limits


def _level(game: Game, limits: Limits) -> str:
    """Return the bot of a level, or the strongest. Raises NotationError naming the levels of the game."""
    names = bots(game.name)
    if "level" not in limits.model_fields_set:
        return names[-1]
    if not is_bot(game.name, limits.level):
        raise NotationError(f"must be one of {', '.join(names)} at {game.name}", key="level")
    return limits.level


def _analyse(request: Request) -> Json:
    """Tell what a search knows, now and then and at its end."""
    limits = _limits(request)
    looks = read_options(Looks, {key: request[key] for key in Looks.model_fields if key in request})
    game, position, _, seen = read_asked(request)
    search = AT_WORK.on(begin_search(game, position, seen, limits.tree))
    begun = monotonic()
    worker = Thread(target=search.run, args=(limits.seconds, limits.steps), daemon=True)
    worker.start()
    worker.join(looks.every)
    while worker.is_alive():
        info = info_of(search, looks.lines, begun).to_json(position)
        emit([write_json({"id": request["id"], "info": info})])
        worker.join(looks.every)
    return info_of(search, looks.lines, begun).to_json(position)


def _nothing(_request: Request) -> None:
    """Answer a stop: what was at work has been answered before."""


COMMANDS = {
    "hello": Command(_hello),
    "choose": Command(_choose, optional=(*WHAT, *Limits.model_fields)),
    "analyse": Command(_analyse, optional=(*WHAT, *Limits.model_fields, "lines", "every")),
    "stop": Command(_nothing),
    "quit": Command(_nothing),
}
"""Name -> what does it; a quit ends the program where it is read."""


def rehearse() -> None:
    """Let every bot answer once in each way of asking, so that all is loaded before anybody's clock runs."""
    for name in games():
        for level in bots(name):
            with suppress(Exception):  # a bot that fails will fail when it is asked
                _rehearse(game_named(name), level)


def _rehearse(game: Game, level: str) -> None:
    position = game.new({"players": game.players.start}, 1)
    while CHANCE in position.actors():
        position = position.play(CHANCE, position.chance_action(Chance(1)))
    seat = asked_seat(position)
    for what in ({"position": position.to_json()}, {"view": position.view(seat), "seat": seat}):
        _choose(what | {"level": level, "iterations": 1})
