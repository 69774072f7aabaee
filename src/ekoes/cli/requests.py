"""Requests from other programs, one JSON object per line, for ``ekoes batch`` and ``ekoes engine``.

A request is ``{"id": 1, "cmd": "…", …}``, its answer ``{"id": 1, "result": …}`` or
``{"id": 1, "error": "…"}``. An invalid request never ends the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import BinaryIO

from ekoes.cli.console import LARGEST_INPUT, decode, emit_json, standard_input
from ekoes.cli.games import LARGEST_DEPTH, legal_actions, play_all
from ekoes.errors import EkoesError, NotationError
from ekoes.games.api.contract import Game, Json, Position
from ekoes.games.api.reading import parse_json, read_object
from ekoes.games.api.registry import game, games, load

Request = Json


@dataclass(frozen=True, slots=True)
class Incoming:
    """A line of input: its id, if any, and the request or the error."""

    id: object
    request: Request
    error: EkoesError | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A command. act: executes it; required, optional: the keys beside ``id`` and ``cmd``."""

    act: Callable[[Request], object]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def read_requests(stream: BinaryIO) -> Iterator[Incoming]:
    """Read requests line by line, ignoring blank lines."""
    while data := stream.readline(LARGEST_INPUT + 1):
        if data.strip():
            yield _read(data)
        if len(data) > LARGEST_INPUT:
            _skip_line(data, stream)


def _read(data: bytes) -> Incoming:
    identity = None
    try:
        if len(data) > LARGEST_INPUT:
            raise NotationError("a request is a line of at most 64 MiB")
        request = parse_json(decode(data, "request"))
        if not isinstance(request, dict):
            raise NotationError("a request is a JSON object")
        if isinstance(request.get("id"), (dict, list, bool)):
            raise NotationError("must be a number or a string", key="id")
        identity = request.get("id")
    except EkoesError as error:
        return Incoming(identity, {}, error)
    return Incoming(identity, request)


def _skip_line(data: bytes, stream: BinaryIO) -> None:
    while data and not data.endswith(b"\n"):
        data = stream.readline(LARGEST_INPUT)


def answer_to(asked: Incoming, act: Callable[[Request], object]) -> Request:
    """Return the answer to a line, with its id. act: executes a request."""
    try:
        if asked.error is not None:
            raise asked.error
        return {"id": asked.id, "result": act(asked.request)}
    except EkoesError as error:
        return {"id": asked.id, "error": " ".join(str(error).split())}


def perform(request: Request, commands: Mapping[str, Command]) -> object:
    """Execute a request. Raises NotationError for an unknown command and for a wrong key."""
    name = request.get("cmd")
    if not isinstance(name, str) or name not in commands:
        raise NotationError(f"must be one of {', '.join(commands)}", key="cmd")
    command = commands[name]
    for key in request:
        if key not in {"id", "cmd", *command.required, *command.optional}:
            raise NotationError(f"unknown key in a {name} request", key=key[:40])
    for key in command.required:
        if key not in request:
            raise NotationError(f"missing in a {name} request", key=key)
    return command.act(request)


def game_of(value: object, key: str) -> Game:
    """Return the game of a JSON object such as a position. key: of that object. Raises NotationError."""
    if not isinstance(value, dict):
        raise NotationError(f"a {key} is a JSON object", key=key)
    name = value.get("game")
    if not isinstance(name, str):
        raise NotationError("missing, or no name of a game", key="game")
    return game(name)


def read_seat(request: Request) -> int | None:
    """Return the seat of a request, if it names one. Raises NotationError."""
    if "seat" not in request:
        return None
    seat = request["seat"]
    if not isinstance(seat, int) or isinstance(seat, bool):
        raise NotationError("must be the number of a seat", key="seat")
    return seat


def batch() -> None:
    """Answer requests from standard input, one JSON per line, in order."""
    for asked in read_requests(standard_input()):
        emit_json(answer_to(asked, partial(perform, commands=_COMMANDS)))


def _position(request: Request) -> Position:
    value = request["position"]
    return game_of(value, "position").from_json(value)


def _new(request: Request) -> object:
    options, seed = read_object(request.get("options", {}), "options"), request["seed"]
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise NotationError("must be a whole number", key="seed")
    return game_of(request, "request").new(options, seed).to_json()


def _view(request: Request) -> object:
    position, seat = _position(request), read_seat(request)
    if seat is not None and seat not in range(position.players):
        raise NotationError(f"must be a seat from 0 to {position.players - 1}", key="seat")
    return position.view(seat)


def _outcome(request: Request) -> object:
    outcome = _position(request).outcome()
    return None if outcome is None else asdict(outcome)


def _ready(request: Request) -> object:
    """Compile the rules of a game."""
    from ekoes.server.workers.warmup import load_rules

    load_rules([game_of(request, "request").name])
    return True


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
        raise NotationError(f"perft counts only positions of {counted}", key="cmd")
    return {"depth": depth, "nodes": load(perft).perft(position, depth)}


_COMMANDS = {
    "new": Command(_new, ("game", "seed"), ("options",)),
    "legal": Command(_legal, ("position",)),
    "apply": Command(_apply, ("position", "actions")),
    "view": Command(_view, ("position",), ("seat",)),
    "outcome": Command(_outcome, ("position",)),
    "perft": Command(_perft, ("position", "depth")),
    "ready": Command(_ready, ("game",)),
}
