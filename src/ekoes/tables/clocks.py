"""`Clocks`: the time that each seat has left, and which clocks run."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import TypeAdapter

from ekoes.games.api.contract import Json, Turn
from ekoes.games.api.values import Sorted, Stamp, changed
from ekoes.tables.settings import ClockPlan

_DAY = 86_400_000
_MILLISECOND = timedelta(milliseconds=1)
LAG_BUDGET, LAG_GAIN = 1000, 250
"""Milliseconds of lag for which each seat's clock waits at first and at most, and what each own turn adds."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The milliseconds that each seat has left, and since when its clock runs; None: it is stopped.

    lags: for how long each seat's clock waits when it starts, as far as its budget goes: a client that delays
    its pongs can claim any lag. turn: the current one; when it ends, it brings its player the increment.
    budgets: the lag for which each seat's clock still waits. on_vacation: seats on vacation, whose clocks are
    stopped though they are to decide. berserk: seats that have given up half of their time and the increment;
    may_berserk: those that still may, in an arena before their first decision.
    """

    left: tuple[int, ...]
    since: tuple[Stamp | None, ...]
    lags: tuple[int, ...]
    turn: Turn
    budgets: tuple[int, ...]
    on_vacation: Sorted[int] = frozenset()
    berserk: Sorted[int] = frozenset()
    may_berserk: Sorted[int] = frozenset()

    @classmethod
    def new(cls, plan: ClockPlan, seats: int, turn: Turn) -> Clocks:
        """Return the clocks before the first decision, stopped; without a base, each has one increment."""
        left = _DAY * plan.days if plan.days is not None else 1000 * (plan.base or plan.increment or 0)
        return cls((left,) * seats, (None,) * seats, (0,) * seats, turn, (LAG_BUDGET,) * seats)

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that are to decide: their clocks run unless they are on vacation."""
        return frozenset(seat for seat, since in enumerate(self.since) if since is not None)

    @property
    def running(self) -> frozenset[int]:
        """The seats whose clocks run."""
        return self.awaited - self.on_vacation

    @property
    def running_since(self) -> tuple[datetime | None, ...]:
        """Since when each clock runs; None: it is stopped."""
        if not self.on_vacation:
            return self.since
        return tuple(None if seat in self.on_vacation else since for seat, since in enumerate(self.since))

    @property
    def deadline(self) -> datetime | None:
        """When the first clock runs out; None if none runs."""
        pairs = zip(self.running_since, self.left, strict=True)
        return min((since + left * _MILLISECOND for since, left in pairs if since is not None), default=None)

    def expired(self, at: datetime) -> tuple[int, ...]:
        """Return the seats whose time is up."""
        return tuple(
            seat
            for seat, (since, left) in enumerate(zip(self.running_since, self.left, strict=True))
            if since is not None and since + left * _MILLISECOND <= at
        )

    def left_at(self, at: datetime, uncounted: int = 0) -> tuple[int, ...]:
        """Return the time that each seat has left at a moment. uncounted: milliseconds that don't count."""
        return tuple(
            [
                left if since is None else left - max(0, (at - since) // _MILLISECOND - uncounted)
                for since, left in zip(self.running_since, self.left, strict=True)
            ]
        )

    def switched(self, plan: ClockPlan, runs: Collection[int], turn: Turn, at: datetime) -> Clocks:
        """Return the clocks with those of some seats running from now on. turn: the current one.

        They stay as they are while the same seats are to decide in the same turn.
        """
        begins = turn != self.turn
        if not begins and self.awaited == frozenset(runs):
            return self
        left = tuple([max(0, time) for time in self.left_at(at)])
        since: list[datetime | None] = [None] * len(left)
        budgets = [
            min(LAG_BUDGET, budget + LAG_GAIN) if begins and seat == turn.player else budget
            for seat, budget in enumerate(self.budgets)
        ]
        for seat in runs:
            earlier = self.since[seat]
            if begins or earlier is None:  # once in a turn a clock waits for the lag
                lag = min(self.lags[seat], budgets[seat])
                budgets[seat] -= lag
                since[seat] = at + lag * _MILLISECOND
            else:
                since[seat] = max(earlier, at)
        fields = {"since": tuple(since), "budgets": tuple(budgets)}
        if not begins:
            return changed(self, left=left, **fields)
        if self.turn.player not in self.berserk:
            left = _with_increment(plan, left, self.turn.player)
        return changed(self, left=left, turn=turn, **fields)

    def without_downtime(self, milliseconds: int, at: datetime) -> Clocks:
        """Return the clocks as if they had not run for so long before a moment."""
        counted = at - milliseconds * _MILLISECOND
        since = tuple(
            None if since is None else at + max(since - counted, timedelta()) for since in self.since
        )
        return changed(self, left=self.left_at(at, milliseconds), since=since)

    def with_vacation(self, seat: int, at: datetime, *, begins: bool) -> Clocks:
        """Return the clocks as a seat's vacation begins or ends."""
        left, since = list(self.left), list(self.since)
        left[seat] = self.left_at(at)[seat]
        begun = since[seat]
        since[seat] = None if begun is None else max(begun, at)
        on_vacation = self.on_vacation | {seat} if begins else self.on_vacation - {seat}
        return changed(self, left=tuple(left), since=tuple(since), on_vacation=on_vacation)

    def with_lag(self, seat: int, milliseconds: int) -> Clocks:
        """Return the clocks with another lag of a seat."""
        return changed(self, lags=(*self.lags[:seat], milliseconds, *self.lags[seat + 1 :]))

    def with_berserk(self, seat: int) -> Clocks:
        """Return the clocks with half of the time for a seat, and no increment from now on."""
        left = tuple(time // 2 if one == seat else time for one, time in enumerate(self.left))
        return changed(self, left=left, berserk=self.berserk | {seat}, may_berserk=self.may_berserk - {seat})

    def after_decision(self, seat: int) -> Clocks:
        """Return the clocks after a decision of a seat, which can't go berserk any more."""
        may = self.may_berserk
        return changed(self, may_berserk=may - {seat}) if seat in may else self

    def to_json(self) -> Json:
        """Return the clocks as stored JSON."""
        value: Json = _CLOCKS.dump_python(self, mode="json", exclude_defaults=True)
        if min(self.budgets) == LAG_BUDGET:
            del value["budgets"]
        return value

    @classmethod
    def from_json(cls, value: Json) -> Clocks:
        """Read what ``to_json`` wrote."""
        return _CLOCKS.validate_python({"budgets": (LAG_BUDGET,) * len(value["left"])} | value)


_CLOCKS = TypeAdapter(Clocks)


def _with_increment(plan: ClockPlan, left: tuple[int, ...], player: int) -> tuple[int, ...]:
    """Return the time left as a player's turn ends; with days per turn, every player's is reset."""
    if plan.days is not None:
        return (plan.days * _DAY,) * len(left)
    more = (plan.increment or 0) * 1000
    return tuple([time + more if seat == player else time for seat, time in enumerate(left)])
