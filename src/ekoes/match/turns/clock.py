"""The clocks of a table of turns: whose run, what they show, and when the first of them strikes.

Whose decision is awaited, their clock runs: also while they choose a ransom in another's turn, and
while their finished turn waits for its end. Bots have none: how long they take is the machine's doing
and the table's pace. No clock runs before the first decision, nor after the end.
"""

from __future__ import annotations

from datetime import datetime

from ekoes.errors import PositionError
from ekoes.games.changing import changed
from ekoes.games.contract import Json, Turn
from ekoes.games.registry import game
from ekoes.match.clock_plan import ClockPlan
from ekoes.match.orders import MOST_LAG, Lag, Vacation
from ekoes.match.turns.back import retimed
from ekoes.match.turns.state import TurnTable
from ekoes.match.turns.times import first_times

__all__ = [
    "clock_json",
    "clocked",
    "counts_since",
    "gone_away",
    "lag_noted",
    "left",
    "stood_still",
    "strikes_at",
    "vacation_noted",
    "with_clock",
]

_LAG_STEP = 50
"""Milliseconds by which the way to a player has to change before anybody takes note of it."""


def with_clock(table: TurnTable, clock: ClockPlan) -> TurnTable:
    """Return a table before its first decision with a clock. Raises PositionError where nobody can lose."""
    if clock.up == "lose" and len(table.seats) == 2 and game(table.game).table_ends.time is None:
        message = "nobody loses this game by time: 'bot' and 'pass' are possible"
        raise PositionError(message, code="position/options", key="clock")
    return changed(table, clock=clock, times=first_times(clock, len(table.seats), table.turn))


def clocked(table: TurnTable, at: datetime) -> TurnTable:
    """Return a table after an order, its clocks as they run from now on."""
    if table.clock is None or table.times is None:
        return table
    turn = _turn(table) if table.outcome is None else table.times.turn
    times = table.times.going_on(table.clock, _running(table), turn, table.consent.time(at))
    return table if times is table.times else changed(table, times=times)


def _running(table: TurnTable) -> list[int]:
    """Return the seats of people whose decision is awaited."""
    if table.outcome is not None or not table.length:
        return []
    awaited = table.asked if table.held is None else (table.held,)
    return [seat for seat in awaited if seat in table.people]


def _turn(table: TurnTable) -> Turn:
    """Return the turn that goes on, also where it is finished and held."""
    return table.turn if table.held is None else table.presenter.turn(table.undoable[-1].position)


def strikes_at(table: TurnTable) -> datetime | None:
    """Return when the first clock runs out."""
    return _moment(table, None if table.times is None else table.times.strikes_at)


def _moment(table: TurnTable, time: datetime | None) -> datetime | None:
    return None if time is None else table.consent.moment(time)


def counts_since(table: TurnTable) -> datetime | None:
    """Return since when a clock runs: it does so whether anybody is there or not."""
    since = () if table.times is None else table.times.counts
    return _moment(table, min((moment for moment in since if moment is not None), default=None))


def lag_noted(table: TurnTable, seat: int, milliseconds: int) -> Lag | None:
    """Return the order that takes note of how far away a player is, where it is another way than before."""
    if table.times is None or table.outcome is not None:
        return None
    steps = min(milliseconds, MOST_LAG) // _LAG_STEP * _LAG_STEP
    if table.times.lags[seat] == steps:
        return None
    return Lag(key=f"lag-{table.version}-{seat}", seat=seat, milliseconds=steps)


def stood_still(table: TurnTable, milliseconds: int, at: datetime) -> TurnTable:
    """Return the table after its clocks have stood for so long; those before an undo have stood as well."""
    time = table.consent.time(at)
    return retimed(table, lambda times: times.standing_still(milliseconds, time))


def vacation_noted(table: TurnTable, seat: int, *, is_away: bool) -> Vacation | None:
    """Return the order by which a table of days takes note that a player is on vacation, or is so no more."""
    has_days = table.clock is not None and table.clock.days is not None
    if not has_days or table.times is None or table.outcome is not None:
        return None
    if (seat in table.times.away) == is_away:
        return None
    return Vacation(key=f"vacation-{table.version}-{seat}", seat=seat, away=is_away)


def gone_away(table: TurnTable, seat: int, at: datetime, *, is_away: bool) -> TurnTable:
    """Return the table as a player's vacation begins or ends, also for whatever an undo brings back."""
    time = table.consent.time(at)
    return retimed(table, lambda times: times.with_away(seat, time, is_away=is_away))


def left(table: TurnTable, at: datetime) -> tuple[int | None, ...] | None:
    """Return what each seat has left, None for a bot's; None where there is no clock."""
    if table.times is None:
        return None
    times = table.times.left_at(table.consent.time(at))
    return tuple(max(0, time) if seat in table.people else None for seat, time in enumerate(times))


def clock_json(table: TurnTable, at: datetime) -> Json:
    """Tell what the clocks show, and which run; nothing where there are none."""
    shown = left(table, at)
    if shown is None or table.times is None:
        return {}
    running = table.times.running if table.consent.moment(at) else frozenset[int]()
    away = {"away": sorted(table.times.away)} if table.times.away else {}
    return {"left": list(shown), "running": sorted(running), **away}
