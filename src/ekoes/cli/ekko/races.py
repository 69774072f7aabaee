"""``ekoes ekko races``: who was quicker, and by how much, in the record of a live game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from ekoes.cli.console import emit, note, write_json
from ekoes.cli.shared.replay import read_game
from ekoes.games.contract import Json

if TYPE_CHECKING:
    from ekoes.games.ekko.position import EkkoPosition
    from ekoes.games.ekko.races import Race

__all__ = ["command"]


def command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A game record; - is standard input.", show_default=False)
    ],
) -> None:
    """Print the races of a live game, one per line: the first card, and what came too late."""
    from ekoes.games.ekko.races import races

    record = read_game(file, "ekko")
    if record.table is None:
        note("a sequence of decisions: nobody was in a hurry")
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
