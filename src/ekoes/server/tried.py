"""How a table would stand after decisions that are only tried.

The workbench computes it, in a process that has its time counted: this module brings no web server with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ekoes.games.contract import Json
from ekoes.match.ahead import think_ahead
from ekoes.match.kinds import kind_of
from ekoes.match.orders import Foreseen
from ekoes.match.state import Table
from ekoes.server.audience import Audience
from ekoes.server.clock import Still
from ekoes.server.messages import encode, error_json

__all__ = ["tried"]


def tried(
    table_id: str, table: Table, session: str, decisions: Sequence[Foreseen], of: object, now: datetime
) -> str:
    """Tell how a table would stand, as whoever holds all seats there is told.

    of: a piece, as the game names it, whose ways are told besides; None: of none. Returns: JSON.
    """
    ahead = think_ahead(table, session, decisions, now)
    told: Json = {"refusal": None if ahead.refusal is None else error_json(ahead.refusal)}
    if of is not None:
        told["ways"] = kind_of(table.game).ways(ahead.table, of)
    shown = Audience(table_id, Still(now)).table_text(session, ahead.table, ())
    return f'{encode(told)[:-1]},"table":{shown}}}'
