"""How long a table waits in each stage."""

from __future__ import annotations

from datetime import datetime, timedelta

from ekoes.match.race.entry import Stage
from ekoes.match.race.state import RaceTable

__all__ = ["ends_at", "remaining", "whole"]

BETWEEN_ROUNDS = 3
"""Seconds before a round begins where nobody has to look at a hand."""


def whole(table: RaceTable) -> int | None:
    """Return how long the stage lasts at most, in milliseconds; None: no clock runs. Rule: K5.1, K7.5."""
    seconds = _seconds(table)
    return None if seconds is None else seconds * 1000


def ends_at(table: RaceTable) -> datetime | None:
    """Return when the running clock runs out, None if none runs."""
    milliseconds = whole(table)
    if milliseconds is None or table.since is None or table.outcome is not None:
        return None
    return table.since.at + timedelta(milliseconds=milliseconds)


def remaining(table: RaceTable, now: datetime) -> int | None:
    """Return the milliseconds that are left on the running clock, None if none runs."""
    ends = ends_at(table)
    return None if ends is None else max(0, (ends - now) // timedelta(milliseconds=1))


def _seconds(table: RaceTable) -> int | None:
    rules = table.rules
    match table.stage:
        case Stage.LOOK:
            return rules.turn_clock if table.people else BETWEEN_ROUNDS
        case Stage.RACE | Stage.EFFECT:
            return rules.turn_clock
        case Stage.WINDOW:
            return rules.window
        case Stage.LEAVING:
            return rules.window if rules.calm else rules.reaction
        case Stage.WAITING | Stage.OVER:
            return None
