"""Tables where the quicker hand wins as the store keeps them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ekoes.games.contract import Json
from ekoes.match.race.presenter import presenter
from ekoes.match.race.state import RaceTable
from ekoes.match.stored import fields_from_state, fields_to_state

__all__ = ["entry_from_state", "entry_to_state", "from_state", "to_state"]


def to_state(table: RaceTable) -> Json:
    """Write the whole table without its log; what clocks count from apart from the rest."""
    play = table.presenter.to_state(table.play)
    clock = {"clock": play.pop("clock")} if "clock" in play else {}
    latest = table.latest and table.latest.isoformat()
    return fields_to_state(table) | {"play": play, "latest": latest} | clock


def from_state(value: Json) -> RaceTable:
    """Read what ``to_state`` wrote. Raises EkoesError."""
    clock = {"clock": value["clock"]} if "clock" in value else {}
    return RaceTable(
        **fields_from_state(value),
        play=presenter(value["game"]).from_state(value["play"] | clock),
        latest=value["latest"] and datetime.fromisoformat(value["latest"]),
    )


def entry_to_state(game: str, entry: Any) -> Json:  # noqa: ANN401 - each game has its own
    """Write an entry of the log without its position."""
    return presenter(game).entry_to_state(entry)


def entry_from_state(game: str, value: Json) -> Any:  # noqa: ANN401 - each game has its own
    """Read what ``entry_to_state`` wrote. Raises EkoesError."""
    return presenter(game).entry_from_state(value)
