"""What a game where the quicker hand wins and its table share: steps, and what bots are asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

__all__ = ["Ask", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """What something came to: the game as it stands now, and what the log notes of it.

    Each entry has ``at``, when it came, and ``position``, the one after it, None where only a store has it.
    """

    state: Any
    entries: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """What a bot is asked. asks: what for, in a word of the game; at: since when.

    number: the same as long as the same is asked, and no other question of the game has it: the bot's
    chance comes from it, and its delay counts from ``at``.
    """

    asks: str
    at: datetime
    number: int
