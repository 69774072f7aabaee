"""What a bot decides at a table of turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ekoes.bots import bot
from ekoes.errors import TableError
from ekoes.games.chance import Chance
from ekoes.games.registry import game
from ekoes.match.orders import Act

if TYPE_CHECKING:
    from ekoes.match.turns.table import TurnTable

__all__ = ["next_decision"]


def next_decision(table: TurnTable) -> Act:
    """Return the decision of the bot that is asked; blocks while it thinks.

    The same table gives the same decision: a bot's chance comes from the table's seed and version.
    Raises: TableError if no bot is asked.
    """
    seat = table.asked_bot
    name = None if seat is None else table.seats[seat].bot
    if seat is None or name is None:
        raise TableError("no bot is asked here")
    chance = Chance(table.seed ^ Chance(table.version).bits())
    action = bot(table.game, name).choose(table.position, seat, chance)
    return Act(
        key=f"bot-{table.version}",
        version=table.version,
        seat=seat,
        action=game(table.game).action_to_json(action),
    )
