"""New tables where the quicker hand wins."""

from __future__ import annotations

from typing import Any

from ekoes.errors import PositionError
from ekoes.games.about import fields_about
from ekoes.games.contract import Json
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position import EkkoPosition
from ekoes.match.plan import TablePlan
from ekoes.match.race.options import RaceOptions
from ekoes.match.race.state import RaceTable
from ekoes.match.seats import Seat

__all__ = ["about", "check_plan", "new_table", "preview"]


def about(game: str) -> Json:  # noqa: ARG001 - EKKO's tables are the only ones
    """Describe what a table can be set to."""
    return {
        "players": [EKKO.players.start, EKKO.players.stop - 1],
        "options": fields_about(RaceOptions, besides={"players"}),
    }


def check_plan(plan: TablePlan) -> None:
    """Refuse a seed, from which a player could tell what the bots do, and a limit of turns."""
    for key in ("seed", "turn_limit"):
        if getattr(plan.options, key) is not None:
            raise PositionError("this game takes none", code="position/options", key=key)


def preview(game: str, options: dict[str, Any], seed: int) -> Json:  # noqa: ARG001
    """Check the options; before the deal there is nothing to see."""
    position = _first_position(RaceOptions.read(options), seed)
    return {"seed": seed, "board": {}, "position": position.view(None)}


def new_table(
    game: str,
    options: dict[str, Any],
    seed: int,
    seats: tuple[Seat, ...],
    turn_limit: int | None,  # noqa: ARG001
) -> RaceTable:
    """Return a table before its first deal."""
    rules = RaceOptions.read(options).fit_for(seats)
    return RaceTable(
        game=game,
        options=rules.model_dump(mode="json"),
        seed=seed,
        seats=seats,
        rules=rules,
        position=_first_position(rules, seed),
    )


def _first_position(rules: RaceOptions, seed: int) -> EkkoPosition:
    return EKKO.new({"players": rules.players, "target": rules.target, "live": True}, seed)
