"""What ``ekoes engine`` can be asked for: who it is, and what a bot would do."""

from __future__ import annotations

import secrets
from math import inf
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ekoes import __version__
from ekoes.arena.protocol import BUDGETS, DEFAULT_MEMORY, PROTOCOL, VIEW_KEYS
from ekoes.bots import bot, bots
from ekoes.bots.sight import asked_seat, sight_from_view
from ekoes.cli.decisions import play_all
from ekoes.cli.requests import Command, Request, game_of
from ekoes.errors import NotationError
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE, Game, Json
from ekoes.games.reading import read_list, read_options
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
    """Let a bot choose. It knows no chance of winning, so the answer has no ``value``."""
    limits = _limits(request)
    game, sight, seat = _asked(request)
    player = bot(game.name, _level(game, limits))
    action = player.choose(sight, seat, Chance(limits.seed))
    return {"action": game.action_to_json(action)}


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
    if limits.level not in names:
        raise NotationError(f"must be one of {', '.join(names)} at {game.name}", key="level")
    return limits.level


def _asked(request: Request) -> tuple[Game, Any, int]:
    """Return the game, what the seat that is asked may see, and the seat."""
    if ("view" in request) == ("position" in request):
        raise NotationError("a choice needs a position, or a view in its place", key="position")
    return _from_view(request) if "view" in request else _from_position(request)


def _from_position(request: Request) -> tuple[Game, Any, int]:
    _refuse(request, ("seen",), "position")
    value = request["position"]
    position = play_all(game_of(value, "position").from_json(value), request.get("actions", []))
    seat = asked_seat(position, _seat(request))
    return position.game, position.sight(seat), seat


def _from_view(request: Request) -> tuple[Game, Any, int]:
    """Read a view. What the seat saw before helps no bot that keeps nothing in mind."""
    _refuse(request, ("actions",), "view")
    seat = _seat(request)
    if seat is None:
        raise NotationError("missing beside a view", key="seat")
    game = game_of(request["view"], "view")
    for number, entry in enumerate(read_list(request.get("seen", []), "seen")):
        if not isinstance(entry, dict) or entry.keys() != {"seat", "action"}:
            raise NotationError("must have a seat and an action", key=f"seen[{number}]")
    return game, sight_from_view(game, request["view"], seat), seat


def _seat(request: Request) -> int | None:
    if "seat" not in request:
        return None
    seat = request["seat"]
    if not isinstance(seat, int) or isinstance(seat, bool):
        raise NotationError("must be the number of a seat", key="seat")
    return seat


def _refuse(request: Request, keys: tuple[str, ...], beside: str) -> None:
    for key in keys:
        if key in request:
            raise NotationError(f"does not stand beside a {beside}", key=key)


def _analyse(_request: Request) -> object:
    raise NotationError("analyse is not offered yet", key="cmd")


def _nothing(_request: Request) -> None:
    """Answer a stop: what was at work has been answered before."""


_WHAT = ("position", "actions", *VIEW_KEYS)
COMMANDS = {
    "hello": Command(_hello),
    "choose": Command(_choose, optional=(*_WHAT, *Limits.model_fields)),
    "analyse": Command(_analyse, optional=(*_WHAT, *Limits.model_fields, "lines", "every")),
    "stop": Command(_nothing),
    "quit": Command(_nothing),
}
"""Name -> what does it; a quit ends the program where it is read."""


def rehearse() -> None:
    """Let every bot answer once in each way of asking, so that all is loaded before anybody's clock runs."""
    for name in games():
        game = game_named(name)
        position = game.new({"players": game.players.start}, 1)
        while CHANCE in position.actors():
            position = position.play(CHANCE, position.chance_action(Chance(1)))
        seat = asked_seat(position)
        for level in bots(name):
            limits = {"level": level, "iterations": 1}
            _choose({"position": position.to_json()} | limits)
            _choose({"view": position.view(seat), "seat": seat} | limits)
