"""What a request to ``ekoes engine`` is about: a game, who is asked, and what that seat may see."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from ekoes.arena.protocol import VIEW_KEYS
from ekoes.bots.sight import asked_seat, sight_from_view
from ekoes.cli.decisions import play_each
from ekoes.cli.requests import Request, game_of
from ekoes.errors import NotationError
from ekoes.games.contract import Game, Position
from ekoes.games.reading import read_list
from ekoes.games.registry import load

__all__ = ["WHAT", "Asked", "read_asked"]

WHAT = ("position", "actions", *VIEW_KEYS)
"""The keys of a request that are read here."""


class Asked(NamedTuple):
    """Who is asked and what that seat may see. seen: the positions that began a turn before (E11.6)."""

    game: Game
    sight: Any
    seat: int
    seen: tuple[bytes, ...] = ()


def read_asked(request: Request) -> Asked:
    """Return the game, what the seat that is asked may see, and the seat."""
    if ("view" in request) == ("position" in request):
        raise NotationError("a choice needs a position, or a view in its place", key="position")
    return _from_view(request) if "view" in request else _from_position(request)


def _from_position(request: Request) -> Asked:
    _refuse(request, ("seen",), "position")
    value = request["position"]
    first = game_of(value, "position").from_json(value)
    way = [first, *play_each(first, request.get("actions", []))]
    position = way[-1]
    seat = asked_seat(position, _seat(request))
    return Asked(position.game, position.sight(seat), seat, _seen(way))


def _seen(way: list[Position]) -> tuple[bytes, ...]:
    """Return the positions that began a turn, as the rule of repetition compares them, if there is one."""
    game = way[0].game
    if game.table_ends.repetition is None:
        return ()
    look = load(game.parts.presenter)
    begun = (after for before, after in pairwise(way) if look.turn(after) != look.turn(before))
    return tuple(look.identity(position) for position in begun)


def _from_view(request: Request) -> Asked:
    """Read a view. What the seat saw before helps no bot that keeps nothing in mind."""
    _refuse(request, ("actions",), "view")
    seat = _seat(request)
    if seat is None:
        raise NotationError("missing beside a view", key="seat")
    game = game_of(request["view"], "view")
    for number, entry in enumerate(read_list(request.get("seen", []), "seen")):
        if not isinstance(entry, dict) or entry.keys() != {"seat", "action"}:
            raise NotationError("must have a seat and an action", key=f"seen[{number}]")
    return Asked(game, sight_from_view(game, request["view"], seat), seat)


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
