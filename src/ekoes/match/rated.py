"""Rated games: which are compared with which, who came before whom, and what a rated table must be."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.match.kinds import kind_of
from ekoes.match.plan import TableOptions, TablePlan
from ekoes.match.state import Table

__all__ = [
    "check_rated",
    "check_rated_options",
    "has_won",
    "holders",
    "pool",
    "ranks",
    "with_gone",
    "with_left",
]

T = TypeVar("T", bound=Table)


def check_rated(plan: TablePlan) -> None:
    """Refuse a rated table at which somebody would play alone, against a program, or a board of their choice.

    Raises: TableError ``table/rated``, naming the key.
    """
    here = sum(seat.kind == "here" for seat in plan.seats)
    if any(seat.kind == "bot" for seat in plan.seats) or here > 1:
        message = "at a rated table each seat is one person's at a browser of their own"
        raise TableError(message, code="table/rated", key="seats")
    check_rated_options(plan.options)


def check_rated_options(options: TableOptions) -> None:
    """Refuse a board of one's choice, and an end before the game's own. Raises TableError naming the key."""
    for key in ("seed", "turn_limit"):
        if getattr(options, key) is not None:
            raise TableError("a rated table takes none", code="table/rated", key=key)


def with_left(before: T, after: T) -> T:
    """Return a rated table with a note of whom a bot plays on for now, and of nobody who is back."""
    if not after.rated or after.seats is before.seats:
        return after
    is_bot = [seat.kind == "bot" for seat in after.seats]
    stays = tuple(gone for gone in before.left if is_bot[gone[0]])
    fresh = tuple(
        (number, seat.session)
        for number, seat in enumerate(before.seats)
        if seat.session is not None and is_bot[number]
    )
    return changed(after, left=stays + fresh)


def with_gone(table: T, seats: Collection[int]) -> T:
    """Return a rated table that ended without some of its players: they have left it."""
    if not table.rated:
        return table
    gone = tuple(
        (seat, holder) for seat in sorted(seats) if (holder := table.seats[seat].session) is not None
    )
    return changed(table, left=table.left + gone)


def holders(table: Table) -> tuple[str | None, ...]:
    """Return for each seat for whom its game counts: whoever left it to a bot has lost it."""
    left = dict(table.left)
    return tuple(left.get(number, seat.session) for number, seat in enumerate(table.seats))


def pool(table: Table) -> str:
    """Return which games a table is compared with: game, number of players and kind of clock."""
    return f"{table.game}/{len(table.seats)}/{kind_of(table.game).tempo(table)}"


def ranks(table: Table) -> tuple[int, ...]:
    """Return for each seat of a game that is over how many came before it; equal numbers share a rank.

    Winners come first, however they won; the others in the order of what they had come to, and last those
    who left, the first of them at the very end. Where nobody won all who stayed are equal.
    """
    winners, merits = _winners(table), kind_of(table.game).merits(table)
    left = {seat: number for number, (seat, _) in enumerate(table.left)}

    def standing(seat: int) -> tuple[bool, bool, int]:
        if seat in left:
            return False, False, left[seat]
        has_won = seat in winners
        return True, has_won, 0 if has_won or not winners else merits[seat]

    places = [standing(seat) for seat in range(len(table.seats))]
    return tuple(sum(other > own for other in places) for own in places)


def has_won(table: Table, seat: int) -> bool:
    """Tell whether a seat has won for whoever began to play there."""
    return seat in _winners(table) and seat not in dict(table.left)


def _winners(table: Table) -> Collection[int]:
    return table.outcome.winners if table.outcome else ()
