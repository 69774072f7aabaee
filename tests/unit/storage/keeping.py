"""A table in a store as a test plays at it: each order is judged, then stored."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.storage.store import Store
from ekoes.storage.tables import state_to_store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act, AnyOrder
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from ekoes.tables.turns import TurnTable
from tests.kit.stored import append, create, stored_table, write_one

NOW = datetime(2026, 5, 1, 12, 30, 15, 250000, tzinfo=UTC)
_KEYS = count()


class Keeper:
    """A table in a store; ``stored`` is what the last order made of it."""

    def __init__(self, store: Store, table: Table, table_id: str = "t") -> None:
        self.store, self.id, self.stored = store, table_id, create(store, table_id, table, NOW)

    @property
    def table(self) -> Any:
        return self.stored.table

    def give(self, order: AnyOrder, session: str | None = "all", at: datetime | None = None) -> None:
        """Judge an order and keep it."""
        moment = at or NOW + timedelta(seconds=self.stored.events)
        after = submit(self.table, order, session, moment)
        self.stored = append(self.store, self.id, self.stored, order, session, moment, after)

    def order(self, kind: Callable[..., AnyOrder], session: str | None = "all", **content: Any) -> None:
        """Give an order with a fresh key, for the table's version."""
        self.give(kind(key=f"key-{next(_KEYS)}", version=self.table.version, **content), session)

    def act(self, action: Any, seat: int | None = None, *, hold: bool = False) -> None:
        """Let the seat that is asked, or another one, play an action of Ekö."""
        asked = self.table.asked[0] if seat is None else seat
        self.order(Act, seat=asked, action=EKO.action_to_json(action), hold=hold)

    def play(self, decisions: int, seed: int = 1) -> None:
        """Let chance play Ekö."""
        chance = Chance(seed)
        for _ in range(decisions):
            self.act(chance.choice(self.table.position.legal(self.table.asked[0])))

    def close(self) -> None:
        """Store the state, as a server does with a table that leaves its memory."""
        write_one(self.store, state_to_store(self.id, self.stored))

    def open_again(self) -> None:
        """Go on with the table as it comes from the store."""
        stored = stored_table(self.store, self.id)
        self.stored = stored


def eko_table(seed: int = 1, players: int = 2, seats: tuple[Seat, ...] = ()) -> TurnTable:
    """Return a table of Ekö; unless seats are named, one browser holds them all."""
    seats = seats or tuple(Seat("here", f"P{seat}", seat, session="all") for seat in range(players))
    table = new_table("eko", {"players": players}, seed, seats)
    assert isinstance(table, TurnTable)
    return table
