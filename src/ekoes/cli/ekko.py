"""The commands of EKKO: ``ekoes ekko …``."""

from __future__ import annotations

from typing import Annotated

import typer

from ekoes.cli.console import chosen_seed, emit, write_json
from ekoes.games.api.registry import game
from ekoes.games.ekko.rules.record import DEFAULT_TARGET


def new(
    players: Annotated[int, typer.Option(help="2 to 8 (K1.1).", show_default=False)],
    seed: Annotated[
        int | None, typer.Option(help="Equal seeds give equal positions; random if not given.")
    ] = None,
    target: Annotated[int, typer.Option(help="The total that ends the game (K5.6).")] = DEFAULT_TARGET,
    deal: Annotated[bool, typer.Option("--deal", help="Deal the first round from the seed (K6.0).")] = False,
) -> None:
    """Print a position before the deal, or with the first round dealt."""
    from ekoes.games.api.chance import Chance
    from ekoes.games.api.contract import CHANCE

    seed = chosen_seed(seed)
    position = game("ekko").new({"players": players, "target": target}, seed)
    if deal:
        # a separate stream: the first numbers of the seed chose the dealer
        position = position.play(CHANCE, position.chance_action(Chance(seed).split()))
    emit([write_json(position.to_json())])
