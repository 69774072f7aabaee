"""The times of a table of turns as a value: what each seat has left, and since when whose clock runs.

All of it is arithmetic in whole milliseconds. A clock that starts waits for as long as a message needs
to its player and back (``lags``), so that nobody pays for the line.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from ekoes.games.changing import changed
from ekoes.games.contract import Json, Turn
from ekoes.match.clock_plan import ClockPlan

__all__ = ["Times", "first_times", "times_from_json"]

_DAY = 86_400_000
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Times:
    """What each seat has left, in milliseconds, and since when its clock runs; None: it stands.

    lags: how long each seat's clock waits as it starts. turn: the latest that has brought its time. away: who
    is on vacation: no time counts for these seats though they are awaited.
    """

    left: tuple[int, ...]
    since: tuple[datetime | None, ...]
    lags: tuple[int, ...]
    turn: Turn
    away: frozenset[int] = frozenset()

    @property
    def awaited(self) -> frozenset[int]:
        """The seats whose clocks run, or would if they were not on vacation."""
        return frozenset(seat for seat, since in enumerate(self.since) if since is not None)

    @property
    def running(self) -> frozenset[int]:
        """The seats whose clocks run."""
        return self.awaited - self.away

    @property
    def counts(self) -> tuple[datetime | None, ...]:
        """Since when each clock runs; None: it stands."""
        return tuple(None if seat in self.away else since for seat, since in enumerate(self.since))

    @property
    def strikes_at(self) -> datetime | None:
        """When the first of the running clocks has run out, None if none runs."""
        pairs = zip(self.counts, self.left, strict=True)
        return min((since + left * _MILLISECOND for since, left in pairs if since is not None), default=None)

    def up(self, at: datetime) -> tuple[int, ...]:
        """Return the seats whose clocks run and have run out."""
        return tuple(
            seat
            for seat, (since, left) in enumerate(zip(self.counts, self.left, strict=True))
            if since is not None and since + left * _MILLISECOND <= at
        )

    def left_at(self, at: datetime, away: int = 0) -> tuple[int, ...]:
        """Return what each seat has left at a moment. away: milliseconds of these that do not count."""
        return tuple(
            left if since is None else left - max(0, (at - since) // _MILLISECOND - away)
            for since, left in zip(self.counts, self.left, strict=True)
        )

    def going_on(self, plan: ClockPlan, runs: Collection[int], turn: Turn, at: datetime) -> Times:
        """Return the times as clocks run from now on. turn: which one it is now.

        Nothing is counted before somebody else is asked or a turn begins.
        """
        begins = turn != self.turn
        if not begins and self.awaited == frozenset(runs):
            return self
        left = tuple(max(0, time) for time in self.left_at(at))
        seats = range(len(left))
        since = tuple(self._since(seat, at, begins=begins) if seat in runs else None for seat in seats)
        if not begins:
            return changed(self, left=left, since=since)
        return changed(self, left=_brought(plan, left, turn.player), since=since, turn=turn)

    def _since(self, seat: int, at: datetime, *, begins: bool) -> datetime:
        """Return since when the clock of a seat runs that is asked: it waits for the line, once a turn."""
        since = self.since[seat]
        return at + self.lags[seat] * _MILLISECOND if begins or since is None else max(since, at)

    def standing_still(self, away: int, at: datetime) -> Times:
        """Return the times after so many milliseconds, up to now, that do not count."""
        counted = at - away * _MILLISECOND
        since = tuple(
            None if since is None else at + max(since - counted, timedelta()) for since in self.since
        )
        return changed(self, left=self.left_at(at, away), since=since)

    def with_away(self, seat: int, at: datetime, *, is_away: bool) -> Times:
        """Return the times as a seat's vacation begins or ends: what it has left stays as it is meanwhile."""
        now = self.left_at(at)
        own = [one == seat for one in range(len(self.left))]
        left = tuple(now[one] if is_own else self.left[one] for one, is_own in enumerate(own))
        since = tuple(
            max(begun, at) if is_own and begun is not None else begun
            for begun, is_own in zip(self.since, own, strict=True)
        )
        away = self.away | {seat} if is_away else self.away - {seat}
        return changed(self, left=left, since=since, away=away)

    def with_lag(self, seat: int, milliseconds: int) -> Times:
        """Return the times with how long a seat's clock waits as it starts from now on."""
        return changed(self, lags=(*self.lags[:seat], milliseconds, *self.lags[seat + 1 :]))

    def to_json(self) -> Json:
        """Write the times as a store keeps them."""
        return {
            "left": list(self.left),
            "since": [None if since is None else since.isoformat() for since in self.since],
            "lags": list(self.lags),
            "turn": list(self.turn),
            **({"away": sorted(self.away)} if self.away else {}),
        }


def first_times(plan: ClockPlan, seats: int, turn: Turn) -> Times:
    """Return the times before anything was decided: no clock runs, the first turn has brought its time."""
    base = ((plan.base or 0) * 1000,) * seats
    return Times(_brought(plan, base, turn.player), (None,) * seats, (0,) * seats, turn)


def times_from_json(value: Json) -> Times:
    """Read what ``Times.to_json`` wrote."""
    return Times(
        tuple(value["left"]),
        tuple(None if since is None else datetime.fromisoformat(since) for since in value["since"]),
        tuple(value["lags"]),
        Turn(*value["turn"]),
        frozenset(value.get("away", ())),
    )


def _brought(plan: ClockPlan, left: tuple[int, ...], player: int) -> tuple[int, ...]:
    """Return what is left once a turn of a player has brought its time: days are everybody's, anew."""
    if plan.days is not None:
        return (plan.days * _DAY,) * len(left)
    more = (plan.increment or 0) * 1000
    return tuple(time + more if seat == player else time for seat, time in enumerate(left))
