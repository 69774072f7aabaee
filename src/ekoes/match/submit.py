"""The judge of a table: may this be done now, and what is the table after it?"""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.match import consent
from ekoes.match.again import agreed_again, filled
from ekoes.match.kinds import kind_of
from ekoes.match.orders import (
    AnyOrder,
    Away,
    Draw,
    Fill,
    GameOrder,
    GoOn,
    HandOver,
    Pace,
    Pause,
    ProgramOrder,
    Propose,
    Rematch,
    Rematched,
    Rename,
    Resign,
    Sit,
    Stand,
    Timing,
    Vote,
)
from ekoes.match.pace import agreed, at_usual_pace, wished
from ekoes.match.rated import with_left
from ekoes.match.state import Table, with_seat

__all__ = ["submit"]

T = TypeVar("T", bound=Table)


def submit(table: T, order: AnyOrder, session: str | None, at: datetime) -> T:
    """Return the table after an order; itself if the order changes nothing.

    session: who asks, None for the program and its bots; at: when. Whether the same order has come
    before is for whoever keeps the orders to know.

    Raises: TableError (stale, not your seat, …), IllegalActionError, NotationError.
    """
    _check_right(table, order, session)
    done = agreed(_done(table, order, session, at))
    after = with_left(table, consent.follow_up(table, done, at))
    if after is table or after == table:
        return table
    if not isinstance(order, GameOrder | Rematch) and not _changes_the_game(table, after, order):
        return after
    return changed(after, version=table.version + 1)


def _changes_the_game(before: Table, after: Table, order: AnyOrder) -> bool:
    """Tell whether what people have agreed to changed the game, and not only what they are asked."""
    was, now = before.consent, after.consent
    if now is was or isinstance(order, Timing):
        return False
    has_changed = (now.rest, now.lent) != (was.rest, was.lent)
    return has_changed or changed(after, consent=was) != before


def _check_right(table: Table, order: AnyOrder, session: str | None) -> None:
    """Raise TableError unless this session may give such an order."""
    if isinstance(order, ProgramOrder | Timing):
        is_allowed = session is None
    elif isinstance(order, Pause):
        is_allowed = not table.people
    elif isinstance(order, Pace):
        is_allowed = not table.people or any(seat.session == session for seat in table.seats)
    elif isinstance(order, Fill):
        is_allowed = session is not None and session == table.host and table.is_held_by(session, order.seat)
    elif isinstance(order, Sit):
        is_allowed = order.seat < len(table.seats)
    elif isinstance(order, Propose | Vote | GoOn):
        is_allowed = session is not None and table.is_held_by(session, order.seat)
    else:
        is_allowed = table.is_held_by(session, order.seat)
    if not is_allowed:
        raise TableError("this seat is not yours", code="table/not-your-seat")


def _done(table: T, order: AnyOrder, session: str | None, at: datetime) -> T:
    """Return the table after an order of somebody who has the right to give it."""
    match order:
        case Sit(seat=seat, name=name):
            return consent.returned(table, seat, session, at) or _sit(table, seat, name, session)
        case Stand(seat=seat):
            return _stand(table, seat)
        case Rename(seat=seat, name=name):
            _check_rename(table, name)
            return with_seat(table, seat, name=name)
        case Pace(milliseconds=milliseconds):
            return wished(table, session, milliseconds)
        case Pause(paused=paused):
            return _paused(table, at, paused=paused)
        case Fill(free=free):
            return filled(table, free)
        case Rematch(seat=seat, absent=absent):
            return agreed_again(table, seat, absent)
        case Rematched(table=rematch):
            return changed(table, rematch=rematch)
        case HandOver(seat=seat, holder=holder):
            return _handed_over(table, seat, holder)
        case _:
            return _played(table, order, at)


def _played(table: T, order: AnyOrder, at: datetime) -> T:
    if isinstance(order, Propose | Vote | GoOn | Away):
        return consent.judged(table, order, at)
    if table.outcome is not None:
        raise TableError("the game is over", code="table/game-over", rule=table.outcome.rule)
    if not isinstance(order, Resign | Draw | Timing):
        consent.check_goes_on(table, at)
    after: T = kind_of(table.game).decided(table, order, at)
    return after


def _paused(table: T, at: datetime, *, paused: bool) -> T:
    """Return the table at rest, or going on: then what runs begins anew."""
    if table.paused == paused or table.outcome is not None:
        return table
    goes_on: T = table if paused else kind_of(table.game).rested(table, at)
    return changed(goes_on, paused=paused)


def _sit(table: T, seat: int, name: str | None, session: str | None) -> T:
    if table.rematch is not None:
        raise TableError("the game goes on at another table", code="table/moved")
    if table.seats[seat].is_taken:
        raise TableError("this seat is taken", code="table/seat-taken")
    if table.rated and any(seat.session == session for seat in table.seats):
        raise TableError("nobody plays a rated game alone", code="table/rated", key="seat")
    kind_of(table.game).check_seat_is_free_for(table, session)
    changes: dict[str, Any] = {"session": session} | ({"name": name} if name else {})
    return with_seat(table, seat, **changes)


def _check_rename(table: Table, name: str) -> None:
    """Refuse another name than the account's, where ratings depend on who that is; none at all is right."""
    if table.rated and name:
        message = "at a rated table everybody has the name of their account"
        raise TableError(message, code="table/rated", key="name")


def _handed_over(table: T, seat: int, holder: str) -> T:
    if seat >= len(table.seats) or table.seats[seat].session is None:
        raise TableError("nobody holds this seat", code="table/not-your-seat", key="seat")
    if table.seats[seat].session == holder:
        return table
    if table.rated:
        raise TableError("a seat of a rated table stays its player's", code="table/rated", key="seat")
    kind_of(table.game).check_seat_is_free_for(table, holder)
    return with_seat(table, seat, session=holder)


def _stand(table: T, seat: int) -> T:
    if table.seats[seat].kind != "open":
        raise TableError("only an open seat can be left", code="table/not-your-seat")
    if table.length:
        raise TableError("the game has begun; a seat can only be resigned now", code="table/started")
    # Who sits down here next has offered nothing.
    left: T = kind_of(table.game).vacated(table, seat)
    return at_usual_pace(with_seat(left, seat, session=None))
