"""Requests of other programs, one JSON object a line, as ``ekoes batch`` and ``ekoes engine`` take them.

A request is ``{"id": 1, "cmd": "…", …}``, its answer ``{"id": 1, "result": …}`` or ``{"id": 1,
"error": "…"}``: whatever is wrong with a request, the program lives on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from ekoes.cli.console import LARGEST_INPUT, decode
from ekoes.errors import EkoesError, NotationError
from ekoes.games.contract import Game
from ekoes.games.registry import game
from ekoes.games.strict_json import parse_json

__all__ = ["Asked", "Command", "Request", "answer_to", "game_of", "perform", "read_requests"]

Request = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A line that was read: its id as far as it has one, and the request, or why it is none."""

    id: object
    request: Request
    error: EkoesError | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """What can be asked for. act: does it; required, optional: the keys beside ``id`` and ``cmd``."""

    act: Callable[[Request], object]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def read_requests(stream: BinaryIO) -> Iterator[Asked]:
    """Read requests, line by line; blank lines say nothing."""
    while data := stream.readline(LARGEST_INPUT + 1):
        if data.strip():
            yield _read(data)
        if len(data) > LARGEST_INPUT:
            _skip_line(data, stream)


def _read(data: bytes) -> Asked:
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
        return Asked(identity, {}, error)
    return Asked(identity, request)


def _skip_line(data: bytes, stream: BinaryIO) -> None:
    while data and not data.endswith(b"\n"):
        data = stream.readline(LARGEST_INPUT)


def answer_to(asked: Asked, act: Callable[[Request], object]) -> Request:
    """Return the answer to a line, under its id. act: does what a request asks for."""
    try:
        if asked.error is not None:
            raise asked.error
        return {"id": asked.id, "result": act(asked.request)}
    except EkoesError as error:
        return {"id": asked.id, "error": " ".join(str(error).split())}


def perform(request: Request, commands: Mapping[str, Command]) -> object:
    """Do what a request asks for. Raises NotationError for an unknown command, and for each key amiss."""
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
    """Return the game that a JSON object, such as a position, names. Raises NotationError. key: its own."""
    if not isinstance(value, dict):
        raise NotationError(f"a {key} is a JSON object", key=key)
    name = value.get("game")
    if not isinstance(name, str):
        raise NotationError("missing, or no name of a game", key="game")
    return game(name)
