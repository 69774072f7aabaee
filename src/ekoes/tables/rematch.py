"""Rematches: a new table with the same players and settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from ekoes.bots import stand_in
from ekoes.errors import TableError
from ekoes.games.api.registry import game
from ekoes.games.api.values import changed
from ekoes.tables.orders import Instead
from ekoes.tables.seats import Seat
from ekoes.tables.table import Table

T = TypeVar("T", bound=Table)


def rematch_table(table: Table, seed: int) -> Table:
    """Return the table that follows, without absent players; after a game the first seat becomes the last.

    A game with bots is not rated. Raises TableError, LayoutError or PositionError if it is not possible.
    """
    absent = dict(table.absent)
    seats = [
        Seat(kind="bot", name="", colour=seat.colour, bot=stand_in(table.game))
        if absent.get(number) == "bot"
        else seat
        for number, seat in enumerate(table.seats)
        if absent.get(number) != "out"
    ]
    if table.outcome is not None:
        seats = [*seats[1:], *seats[:1]]
    if len(seats) not in game(table.game).players:
        message = f"this game is not for {len(seats)} players"
        raise TableError(message, code="table/too-few", key="seats")
    options = table.options | {"players": len(seats)}
    fresh = type(table).new(table.game, options, seed, tuple(seats), table.turn_limit)
    if table.clock is not None:
        fresh = fresh.with_clock(table.clock)
    rated = table.rated and all(seat.kind != "bot" for seat in seats)
    fresh = changed(fresh, rated=rated, chat=table.chat, public=table.public)
    return fresh.with_agreements(table.agreements.settings)


def with_rematch_agreed(table: T, seat: int, absent: Mapping[str, Instead] | None) -> T:
    """Return the table with one more seat that wants a rematch and so counts as present again.

    absent: by seat, whether a bot plays there or the seat is dropped; None: as before. Raises TableError.
    """
    if table.outcome is None:
        raise TableError("the game goes on", code="table/not-over")
    if table.rematch is not None:
        return table
    wanted = table.absent if absent is None else frozenset((int(gone), how) for gone, how in absent.items())
    if not dict(wanted).keys() <= table.people:
        raise TableError("nobody was at this seat", code="table/not-your-seat", key="absent")
    left = frozenset((gone, how) for gone, how in wanted if gone != seat)
    if seat in table.agreed and left == table.absent:
        return table
    after = changed(table, agreed=(table.agreed | {seat}) - dict(left).keys(), absent=left)
    rematch_table(after, table.seed)  # raises if it is not possible
    return after


def with_free_seats_filled(table: T, free: Instead) -> T:
    """Return the table with bots in its free seats, or a table without these seats.

    A game of fewer players gets a new table, to which all players move. Raises TableError.
    """
    if table.is_started or table.rematch is not None:
        raise TableError("no seat is free any more", code="table/started")
    taken = frozenset(number for number, seat in enumerate(table.seats) if seat.is_taken)
    absent = frozenset((number, free) for number in range(len(table.seats)) if number not in taken)
    moving = changed(table, absent=absent, agreed=taken & table.people)
    fresh = rematch_table(moving, table.seed)
    if free == "out":
        return moving
    return cast("T", changed(fresh, version=table.version, pace=table.pace, wishes=table.wishes))
