"""Chooses a table to watch: the best public game, or bots that play while there are viewers."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable

from ekoes.bots import levels
from ekoes.errors import TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.values import changed
from ekoes.server.ops.secrets import SecretChance, fresh_seed
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.viewers import Ratings
from ekoes.tables.create import table_from_plan
from ekoes.tables.ratings import pool
from ekoes.tables.settings import SeatPlan, TableOptions, TablePlan
from ekoes.tables.table import Table

_FEWEST, _MOST = 2, 4
"""Players of an exhibition, where the game allows them."""
_COMPARED = 20
"""Games between people whose ratings are compared, the newest."""
_UNRATED = 0.0


class Watch:
    """Chooses a table for those who want to watch.

    An exhibition is a game of bots alone. Each game has one at most, which is suspended while no one has it
    open, and whose bots wait while games of people need the machine. rating: of a user in a pool. tables_of:
    returns the tables of a game in the lobby with their ids, the newest last.
    """

    def __init__(
        self, hub: Hub, rating: Ratings, tables_of: Callable[[str], Iterable[tuple[str, Table]]]
    ) -> None:
        self._hub = hub
        self._rating = rating
        self._tables_of = tables_of
        self._exhibitions: dict[str, str] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        hub.listeners.append(self._notice)

    def _notice(self, table_id: str, table: Table) -> None:
        """Resume the exhibition that ran before a restart: its viewers come back to it."""
        if table.is_exhibition and table.public and table.goes_on:
            self._exhibitions.setdefault(table.game, table_id)

    async def table(self, game: str) -> str:
        """Return the id of the game between people with the highest ratings, else of the exhibition.

        Raises: NotationError naming the known games; StorageError.
        """
        game = game_of(game).name
        played = [
            (table_id, table)
            for table_id, table in self._tables_of(game)
            if table.public and table.is_in_play and len(table.people) > 1
        ]
        if played:
            return (await asyncio.to_thread(max, played[-_COMPARED:], key=self._merit))[0]
        async with self._locks[game]:
            table_id = self._exhibitions.get(game)
            if table_id is None or not await self._goes_on(table_id):
                table = await asyncio.to_thread(exhibition, game, SecretChance(), fresh_seed())
                table_id = self._exhibitions[game] = await self._hub.create(table)
            return table_id

    async def _goes_on(self, table_id: str) -> bool:
        try:
            async with self._hub.table(table_id) as live:
                return live.table.goes_on
        except TableError:  # it was deleted after a long time without viewers
            return False

    def _merit(self, played: tuple[str, Table]) -> float:
        """Return the mean rating of the players of a table."""
        table = played[1]
        found = [self._rating(seat.session, pool(table)) for seat in table.seats if seat.session]
        return sum(_UNRATED if one is None else one.mean for one in found) / len(table.seats)


def exhibition(game: str, chance: Chance, seed: int) -> Table:
    """Return a new table of bots, of levels drawn from the upper half without the strongest."""
    names = levels(game)
    players = chance.choice([n for n in game_of(game).players if _FEWEST <= n <= _MOST])
    plan = TablePlan(
        game=game,
        options=TableOptions.model_validate({"players": players}),
        seats=[SeatPlan(kind="bot", bot=chance.choice(names[len(names) // 2 : -1])) for _ in range(players)],
        chat=False,
        public=True,
    )
    return changed(table_from_plan(plan, "", fresh_seed=seed), binding=True)
