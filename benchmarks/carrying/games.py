"""Games of chance at a table that looks like any other: who sits there, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ekoes.games.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.match.new import new_table
from ekoes.match.orders import Act
from ekoes.match.seats import Seat
from ekoes.match.state import Table, shortened
from ekoes.match.submit import submit
from ekoes.server.clock import WallClock

__all__ = ["ALL_VARIANTS", "LARGEST", "eko_table", "played"]

ALL_VARIANTS = ("portals", "labyrinth", "beacon", "moon", "sandtemple", "pyramids", "wind")
LARGEST = 24
"""The game with all variants that has, after 192 decisions, the most choices known: 5,525."""
_LOG = 4


def eko_table(seed: int, players: int, variants: tuple[str, ...] = ()) -> Table:
    """Return a new table at which each seat is somebody's, from ``p0`` on."""
    seats = tuple(Seat("here", f"P{seat}", seat, session=f"p{seat}") for seat in range(players))
    return new_table("eko", {"players": players, "variants": list(variants)}, seed, seats)


def played(table: Any, seed: int, decisions: int) -> Iterator[tuple[Any, Any]]:
    """Yield a table before and after each decision of chance, until the game is over."""
    chance, now = Chance(seed), WallClock().now
    for number in range(decisions):
        if table.outcome is not None:
            return
        (seat,) = table.asked
        action = EKO.action_to_json(chance.choice(table.position.legal(seat)))
        order = Act(key=str(number), version=table.version, seat=seat, action=action)
        before, table = table, submit(table, order, f"p{seat}", now())
        yield before, table
        table = shortened(table, _LOG)
