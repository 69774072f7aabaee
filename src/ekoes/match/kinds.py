"""Which kind of table a game is played at."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from ekoes.games.contract import Json
from ekoes.match.plan import TablePlan
from ekoes.match.seats import Seat
from ekoes.match.table import Table

__all__ = ["Kind", "kind_of"]

_KINDS = {"eko": "ekoes.match.turns.new", "ekko": "ekoes.match.race.new"}
"""Game -> the module that makes its tables; imported when first asked for."""


class Kind(Protocol):
    """What the module ``new`` of a kind of tables offers. Each raises EkoesError naming the key."""

    def about(self, game: str) -> Json:
        """Describe what a table of a game can be set to."""

    def check_plan(self, plan: TablePlan) -> None:
        """Refuse a plan that asks for what this kind does not offer."""

    def preview(self, game: str, options: dict[str, Any], seed: int) -> Json:
        """Deal a first position to look at."""

    def new_table(
        self, game: str, options: dict[str, Any], seed: int, seats: tuple[Seat, ...], turn_limit: int | None
    ) -> Table:
        """Return a table before its first decision."""


def kind_of(game: str) -> Kind:
    """Return the kind of table of a game of the registry."""
    return cast("Kind", import_module(_KINDS[game]))
