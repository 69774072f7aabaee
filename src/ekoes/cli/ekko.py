"""The commands of EKKO: ``ekoes ekko …``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from ekoes.cli.console import chosen_seed, emit, emit_json, note, read_text, write_json
from ekoes.cli.games import RecordFile, Seed, read_games
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game
from ekoes.games.ekko.rules.record import DEFAULT_TARGET

if TYPE_CHECKING:
    from ekoes.games.ekko.book import Race
    from ekoes.games.ekko.position.position import EkkoPosition


def new(
    players: Annotated[int, typer.Option(help="2 to 8 (K1.1).", show_default=False)],
    seed: Seed = None,
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
    emit_json(position.to_json())


def races(file: RecordFile) -> None:
    """Print the races of live games, one per line: the first card and the ones that came too late."""
    from ekoes.games.ekko.book import races

    for record in read_games(read_text(file), file, "ekko"):
        if record.table is None:
            note("this game was not played live: it has no races")
        emit(write_json(_shown(race)) for race in races(cast("EkkoPosition", record.start), record.decisions))


def _shown(race: Race) -> Json:
    return {
        "round": race.round,
        "on": race.on,
        "seat": race.seat,
        "card": race.card,
        "kind": "mirror" if race.is_mirror else "play",
        "at": race.at,
        "late": [{"seat": loser.seat, "card": loser.card, "behind": loser.behind} for loser in race.late],
    }
