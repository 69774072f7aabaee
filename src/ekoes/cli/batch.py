"""``ekoes batch``: many requests to one process, one JSON per line in and out.

A request is ``{"id": 1, "cmd": "legal", "position": {…}}``; ``apply`` has ``"actions"`` too and
``perft`` has ``"depth"``. Its answer is ``{"id": 1, "result": …}`` or ``{"id": 1, "error": "…"}``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ekoes.cli.console import LARGEST_INPUT, decode, emit, standard_input, within, write_json
from ekoes.cli.decisions import LARGEST_DEPTH, legal_actions, play_next
from ekoes.errors import EkoesError, NotationError
from ekoes.games.contract import Position
from ekoes.games.registry import game, games, load
from ekoes.games.strict_json import parse_json

__all__ = ["command"]

Request = dict[str, Any]


def command() -> None:
    """Answer requests from standard input, one JSON per line, in order."""
    requests = standard_input()
    while data := requests.readline(LARGEST_INPUT + 1):
        if data.strip():
            emit([write_json(_answer(data))])


def _answer(data: bytes) -> Request:
    identity = None
    try:
        request = _read(data)
        identity = _identity(request)
        return {"id": identity, "result": _do(request)}
    except EkoesError as error:
        return {"id": identity, "error": " ".join(str(error).split())}


def _read(data: bytes) -> Request:
    if len(data) > LARGEST_INPUT:
        _skip_line(data)
        raise NotationError("a request is a line of at most 64 MiB")
    request = parse_json(decode(data, "request"))
    if not isinstance(request, dict):
        raise NotationError("a request is a JSON object")
    return request


def _skip_line(data: bytes) -> None:
    while data and not data.endswith(b"\n"):
        data = standard_input().readline(LARGEST_INPUT)


def _identity(request: Request) -> object:
    identity = request.get("id")
    if isinstance(identity, (dict, list, bool)):
        raise NotationError("must be a number or a string", key="id")
    return identity


def _do(request: Request) -> object:
    name = request.get("cmd")
    if not isinstance(name, str) or name not in _COMMANDS:
        raise NotationError(f"must be one of {', '.join(_COMMANDS)}", key="cmd")
    act, extra = _COMMANDS[name]
    for key in request:
        if key not in {"id", "cmd", "position", *extra}:
            raise NotationError(f"unknown key in a {name} request", key=key[:40])
    for key in ("position", *extra):
        if key not in request:
            raise NotationError(f"missing in a {name} request", key=key)
    return act(_position(request["position"]), request)


def _position(value: object) -> Position:
    if not isinstance(value, dict):
        raise NotationError("a position is a JSON object", key="position")
    name = value.get("game")
    if not isinstance(name, str):
        raise NotationError("missing, or no name of a game", key="game")
    return game(name).from_json(value)


def _legal(position: Position, _request: Request) -> object:
    return [position.game.action_to_json(action) for action in legal_actions(position)]


def _apply(position: Position, request: Request) -> object:
    actions = request["actions"]
    if not isinstance(actions, list):
        raise NotationError("must be a list of actions", key="actions")
    for number, value in enumerate(actions, start=1):
        with within(f"action {number}"):
            position = play_next(position, position.game.parse_action(value))
    return position.to_json()


def _perft(position: Position, request: Request) -> object:
    depth = request["depth"]
    if not isinstance(depth, int) or isinstance(depth, bool) or not 0 <= depth <= LARGEST_DEPTH:
        raise NotationError(f"must be a whole number from 0 to {LARGEST_DEPTH}", key="depth")
    perft = position.game.parts.perft
    if perft is None:
        counted = " and ".join(name for name in games() if game(name).parts.perft is not None)
        raise NotationError(f"only positions of {counted} are counted", key="cmd")
    return {"depth": depth, "nodes": load(perft).perft(position, depth)}


_COMMANDS: dict[str, tuple[Callable[[Position, Request], object], tuple[str, ...]]] = {
    "legal": (_legal, ()),
    "apply": (_apply, ("actions",)),
    "perft": (_perft, ("depth",)),
}
"""Name -> what does it, and the keys that its requests have beside id, cmd and position."""
