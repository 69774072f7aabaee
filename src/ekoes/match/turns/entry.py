"""An entry of the log of a table of turns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ekoes.games.contract import Json
from ekoes.match.turns.lens import Turn

__all__ = ["Entry"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision in the log. turn: the turn it belongs to; about: notation, effect, path."""

    turn: Turn
    seat: int
    action: Any
    about: Json
    at: datetime
