"""The game that follows: a rematch, or a table that begins though not everybody is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from ekoes.bots import stand_in
from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.registry import game
from ekoes.match.kinds import kind_of
from ekoes.match.new import new_table
from ekoes.match.orders import Instead
from ekoes.match.seats import Seat
from ekoes.match.state import Table

__all__ = ["agreed_again", "filled", "following"]

T = TypeVar("T", bound=Table)


def following(table: Table, seed: int) -> Table:
    """Return the table after this one, without who is absent.

    After a game the seats are turned round: who began is the last. With bots no game is rated.
    Raises TableError, LayoutError or PositionError where the game can't be played so.
    """
    absent = dict(table.absent)
    seats = [
        _bots(seat, table.game) if absent.get(number) == "bot" else seat
        for number, seat in enumerate(table.seats)
        if absent.get(number) != "out"
    ]
    if table.outcome is not None:
        seats = [*seats[1:], *seats[:1]]
    if len(seats) not in game(table.game).players:
        message = f"this game is not for {len(seats)} players"
        raise TableError(message, code="table/too-few", key="seats")
    options = table.options | {"players": len(seats)}
    rated = table.rated and all(seat.kind != "bot" for seat in seats)
    fresh = new_table(
        table.game,
        options,
        seed,
        tuple(seats),
        turn_limit=table.turn_limit,
        rated=rated,
        clock=table.clock,
    )
    told = changed(fresh, chat=table.chat, public=table.public, delay=table.delay)
    again: Table = kind_of(table.game).with_consent(told, table.consent.set_alike)
    return again


def agreed_again(table: T, seat: int, absent: Mapping[str, Instead] | None) -> T:
    """Return the table where one more wants a rematch; absent: what becomes of the seats of who has gone.

    Who comes back and agrees is not absent any more. Raises TableError.
    """
    if table.outcome is None:
        raise TableError("the game goes on", code="table/not-over")
    if table.rematch is not None:
        return table
    told = table.absent if absent is None else frozenset((int(gone), how) for gone, how in absent.items())
    if not dict(told).keys() <= table.people:
        raise TableError("nobody was at this seat", code="table/not-your-seat", key="absent")
    left = frozenset((gone, how) for gone, how in told if gone != seat)
    if seat in table.agreed and left == table.absent:
        return table
    again = changed(table, agreed=(table.agreed | {seat}) - dict(left).keys(), absent=left)
    following(again, table.seed)
    return again


def filled(table: T, free: Instead) -> T:
    """Return the table as it begins though seats are free: with bots there, or about to go on without them.

    A smaller game has another table, to which all go who are here. Raises TableError.
    """
    if table.is_started or table.rematch is not None:
        raise TableError("no seat is free any more", code="table/started")
    taken = frozenset(number for number, seat in enumerate(table.seats) if seat.is_taken)
    absent = frozenset((number, free) for number in range(len(table.seats)) if number not in taken)
    going = changed(table, absent=absent, agreed=taken & table.people)
    fresh = following(going, table.seed)
    if free == "out":
        return going
    kept = {"version": table.version, "pace": table.pace, "wishes": table.wishes}
    return cast("T", changed(fresh, **kept))


def _bots(seat: Seat, name: str) -> Seat:
    """Return a seat with the game's stand-in at it."""
    return Seat(kind="bot", name="", colour=seat.colour, bot=stand_in(name))
