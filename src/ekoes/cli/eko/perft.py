"""``ekoes eko perft``: the number of decision sequences of a length."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, progress, read_position, write_json
from ekoes.cli.decisions import LARGEST_DEPTH, legal_actions, play_next
from ekoes.cli.eko.arguments import PositionFile

__all__ = ["command"]


def command(
    file: PositionFile,
    depth: Annotated[
        int, typer.Option(min=0, max=LARGEST_DEPTH, help="The length of the sequences.", show_default=False)
    ],
    divide: Annotated[bool, typer.Option("--divide", help="First one line per first action.")] = False,
) -> None:
    """Count the decision sequences of a length; a game that ends earlier counts as one."""
    from ekoes.games.eko.engine import perft

    position = read_position(file, "eko")
    first = legal_actions(position)
    if depth == 0 or not first:
        emit([write_json({"depth": depth, "nodes": 1})])
        return
    nodes = 0
    with progress("perft", len(first)) as advance:
        for done, action in enumerate(first, start=1):
            below = perft(play_next(position, action), depth - 1)
            nodes += below
            if divide:
                emit([write_json({"action": position.game.action_to_json(action), "nodes": below})])
            advance(done)
    emit([write_json({"depth": depth, "nodes": nodes})])
