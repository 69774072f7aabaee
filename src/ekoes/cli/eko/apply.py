"""``ekoes eko apply``: a position after some actions."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, parse_json, read_text, within, write_json
from ekoes.cli.decisions import play_next
from ekoes.cli.eko.arguments import PositionFile, read_eko
from ekoes.errors import NotationError
from ekoes.games.contract import Position
from ekoes.games.eko.notation import parse_action

__all__ = ["command"]


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
    position: Position = read_eko(file)
    for number, line in enumerate(read_text(actions).split("\n"), start=1):
        if line.strip():
            with within(f"line {number}"):
                position = play_next(position, _parse(position, line))
    emit([write_json(position.to_json())])


def _parse(position: Position, line: str) -> object:
    if line.lstrip()[:1] in ("{", "[", '"'):
        return position.game.parse_action(parse_json(line))
    return parse_action(line)
