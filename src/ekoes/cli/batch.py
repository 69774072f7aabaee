"""``ekoes batch``: many requests to one process, one JSON per line in and out.

A request is ``{"id": 1, "cmd": "legal", "position": {…}}``; ``apply`` has ``"actions"`` too and
``perft`` has ``"depth"``. Its answer is ``{"id": 1, "result": …}`` or ``{"id": 1, "error": "…"}``.
"""

from __future__ import annotations

from ekoes.cli.console import emit, standard_input, write_json
from ekoes.cli.decisions import LARGEST_DEPTH, legal_actions, play_all
from ekoes.cli.requests import Command, Request, answer_to, game_of, perform, read_requests
from ekoes.errors import NotationError
from ekoes.games.contract import Position
from ekoes.games.registry import game, games, load

__all__ = ["command"]


def command() -> None:
    """Answer requests from standard input, one JSON per line, in order."""
    for asked in read_requests(standard_input()):
        emit([write_json(answer_to(asked, _do))])


def _do(request: Request) -> object:
    return perform(request, _COMMANDS)


def _position(request: Request) -> Position:
    value = request["position"]
    return game_of(value, "position").from_json(value)


def _legal(request: Request) -> object:
    position = _position(request)
    return [position.game.action_to_json(action) for action in legal_actions(position)]


def _apply(request: Request) -> object:
    return play_all(_position(request), request["actions"]).to_json()


def _perft(request: Request) -> object:
    position, depth = _position(request), request["depth"]
    if not isinstance(depth, int) or isinstance(depth, bool) or not 0 <= depth <= LARGEST_DEPTH:
        raise NotationError(f"must be a whole number from 0 to {LARGEST_DEPTH}", key="depth")
    perft = position.game.parts.perft
    if perft is None:
        counted = " and ".join(name for name in games() if game(name).parts.perft is not None)
        raise NotationError(f"only positions of {counted} are counted", key="cmd")
    return {"depth": depth, "nodes": load(perft).perft(position, depth)}


_COMMANDS = {
    "legal": Command(_legal, ("position",)),
    "apply": Command(_apply, ("position", "actions")),
    "perft": Command(_perft, ("position", "depth")),
}
