"""``ekoes eko perft``: the number of decision sequences of a length."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import emit, progress, write_json
from ekoes.cli.decisions import LARGEST_DEPTH
from ekoes.cli.eko.arguments import read_eko
from ekoes.cli.shared.position import PositionFile
from ekoes.games.eko.action import action_to_json

__all__ = ["command"]


def command(
    file: PositionFile,
    depth: Annotated[
        int, typer.Option(min=0, max=LARGEST_DEPTH, help="The length of the sequences.", show_default=False)
    ],
    divide: Annotated[bool, typer.Option("--divide", help="First one line per first action.")] = False,
) -> None:
    """Count the decision sequences of a length; a game that ends earlier counts as one."""
    from ekoes.games.eko.perft import perft_divide

    position = read_eko(file)
    if depth == 0 or not position.actors():
        emit([write_json({"depth": depth, "nodes": 1})])
        return
    nodes = 0
    with progress("perft", len(position.legal())) as advance:
        for action, below in perft_divide(position, depth):
            nodes += below
            if divide:
                emit([write_json({"action": action_to_json(action), "nodes": below})])
            advance(1)
    emit([write_json({"depth": depth, "nodes": nodes})])
