"""``ekoes GAME apply``: a position after some actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from ekoes.cli.console import emit, read_position, read_text, within, write_json
from ekoes.cli.decisions import play_next
from ekoes.cli.shared.position import PositionFile
from ekoes.errors import NotationError
from ekoes.games.contract import Position
from ekoes.games.registry import load
from ekoes.games.strict_json import parse_json

__all__ = ["command_for"]


def command_for(game: str) -> Callable[..., None]:
    """Return the command of a game."""

    def command(
        file: PositionFile,
        actions: Annotated[
            str,
            typer.Argument(
                help="One action per line, as JSON or in notation; - is standard input.", show_default=False
            ),
        ],
    ) -> None:
        """Print the position after some actions; an illegal one: its line and the broken rule."""
        if file == actions == "-":
            raise NotationError("only one of FILE and ACTIONS can be standard input")
        position = read_position(file, game)
        notation = load(position.game.parts.notation)
        for number, line in enumerate(read_text(actions).split("\n"), start=1):
            if line.strip():
                with within(f"line {number}"):
                    position = play_next(position, _parse(line, position, notation))
        emit([write_json(position.to_json())])

    return command


def _parse(line: str, position: Position, notation: Any) -> object:  # noqa: ANN401 - a module
    if line.lstrip()[:1] in ("{", "[", '"'):
        return position.game.parse_action(parse_json(line))
    return notation.parse_action(line, position)
