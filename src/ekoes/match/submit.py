"""The judge of a table: may this be done now, and what is the table after it?"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from ekoes.bots import STAND_INS
from ekoes.errors import IllegalActionError, TableError
from ekoes.games.contract import Outcome, Refusal
from ekoes.match.orders import Act, Draw, EndTurn, GameOrder, Order, Pace, Rename, Resign, Sit, Stand, Undo
from ekoes.match.seats import Seat
from ekoes.match.table import Entry, Table
from ekoes.record.read import REPETITIONS

__all__ = ["RefusedError", "submit"]


class RefusedError(IllegalActionError):
    """The rules do not allow this action now; ``refusal`` holds the rules' own words."""

    def __init__(self, refusal: Refusal) -> None:
        """Keep the refusal."""
        super().__init__(refusal.message, rule=refusal.rule)
        self.refusal = refusal


def submit(table: Table, order: Order, session: str | None, at: datetime) -> Table:
    """Return the table after an order. session: who asks, None for a bot's decision; at: when.

    Raises: TableError (stale, not your seat, …), IllegalActionError, NotationError.
    """
    _check_right(table, order, session)
    after = _done(table, order, session, at)
    if isinstance(order, GameOrder):
        after = replace(after, version=table.version + 1)
    answers = MappingProxyType({**table.answers, (session, order.key): after.version})
    return replace(after, answers=answers)


def _check_right(table: Table, order: Order, session: str | None) -> None:
    """Raise TableError unless this session may give such an order to this version of the table."""
    if isinstance(order, Pace):
        is_allowed = any(seat.session == session for seat in table.seats)
    elif isinstance(order, Sit):
        is_allowed = order.seat < len(table.seats)
    else:
        is_allowed = table.is_held_by(session, order.seat)
    if not is_allowed:
        raise TableError("this seat is not yours", code="table/not-your-seat")
    if not isinstance(order, GameOrder):
        return
    if table.outcome is not None:
        raise TableError("the game is over", code="table/game-over", rule=table.outcome.rule)
    if order.version != table.version:
        message = f"the table is at version {table.version}, not {order.version}"
        raise TableError(message, code="table/stale")
    if not table.is_started:
        raise TableError("a seat is still free", code="table/not-started")


def _done(table: Table, order: Order, session: str | None, at: datetime) -> Table:
    """Return the table after an order of somebody who has the right to give it."""
    match order:
        case Act():
            return _act(table, order, at)
        case Undo(seat=seat):
            return _undo(table, seat)
        case EndTurn(seat=seat):
            return _end_turn(table, seat)
        case Resign(seat=seat):
            return _resign(table, seat)
        case Draw(seat=seat, offer=offer):
            return _draw(table, seat, is_offer=offer)
        case Sit(seat=seat, name=name):
            return _sit(table, seat, name, session)
        case Stand(seat=seat):
            return _stand(table, seat)
        case Rename(seat=seat, name=name):
            return _with_seat(table, seat, name=name)
        case Pace(milliseconds=milliseconds):
            return replace(table, pace=milliseconds)


def _act(table: Table, order: Act, at: datetime) -> Table:
    if table.held is not None:
        raise TableError("the turn is finished and waits for its end to be confirmed", code="table/held")
    look, before, turn = table.lens, table.position, table.turn
    action = table.parse_action(order.action)
    refusal = before.why_not(order.seat, action)
    if refusal is not None:
        raise RefusedError(refusal)
    position = before.play(order.seat, action)
    entry = Entry(turn, order.seat, action, look.describe(before, action), at)
    begins_turn = look.turn(position) != turn
    after = replace(
        table,
        positions=(*table.positions, position),
        identities=(*table.identities, look.identity(position) if begins_turn else None),
        log=(*table.log, entry),
        outcome=position.outcome(),
    )
    is_finished = turn.player == order.seat and begins_turn and after.outcome is None
    if order.hold and is_finished and look.can_hold(before):
        return replace(after, held=order.seat)
    return _turn_passed(table, after)


def _turn_passed(before: Table, after: Table) -> Table:
    """Return the table as it stands when nothing is held: what ends with the start of a turn ends now."""
    turn = after.turn
    if after.outcome is not None or (before.held is None and turn == before.turn):
        return after
    after = replace(after, offers=after.offers - {turn.player})
    if after.repetition >= REPETITIONS:
        return replace(after, outcome=Outcome((), "repetition", "E11.6"))
    if after.last_turn is not None and turn.number > after.last_turn:
        return replace(after, outcome=Outcome((), "turn-limit", "E11.5"))
    return after


def _undo(table: Table, seat: int) -> Table:
    if not table.can_undo(seat):
        raise TableError("there is no decision of your own turn to take back", code="table/nothing-to-undo")
    return replace(
        table,
        positions=table.positions[:-1],
        identities=table.identities[:-1],
        log=table.log[:-1],
        held=None,
    )


def _end_turn(table: Table, seat: int) -> Table:
    if table.held != seat:
        raise TableError("your turn does not wait for its end", code="table/not-held")
    return _turn_passed(table, replace(table, held=None))


def _resign(table: Table, seat: int) -> Table:
    if len(table.seats) == 2:
        winner = 1 - seat
        return replace(table, held=None, outcome=Outcome((winner,), "resignation", "E11.5"))
    after = _with_seat(table, seat, kind="bot", bot=STAND_INS[table.game], session=None)
    after = replace(after, offers=after.offers - {seat})
    if after.held == seat:
        after = _turn_passed(table, replace(after, held=None))
    return _agreed(after)


def _draw(table: Table, seat: int, *, is_offer: bool) -> Table:
    if is_offer:
        return _agreed(replace(table, offers=table.offers | {seat}))
    withdrawn = table.offers - {seat} if seat in table.offers else frozenset[int]()
    return replace(table, offers=withdrawn)


def _agreed(table: Table) -> Table:
    """Return the table, drawn if every person at it offers that."""
    if table.outcome is None and table.people and table.offers >= table.people:
        return replace(table, held=None, outcome=Outcome((), "agreement", "E11.5"))
    return table


def _sit(table: Table, seat: int, name: str | None, session: str | None) -> Table:
    if table.seats[seat].is_taken:
        raise TableError("this seat is taken", code="table/seat-taken")
    changes: dict[str, Any] = {"session": session} | ({"name": name} if name else {})
    return _with_seat(table, seat, **changes)


def _stand(table: Table, seat: int) -> Table:
    if table.seats[seat].kind != "open":
        raise TableError("only an open seat can be left", code="table/not-your-seat")
    if table.log:
        raise TableError("the game has begun; a seat can only be resigned now", code="table/started")
    # Who sits down here next has offered nothing.
    return replace(_with_seat(table, seat, session=None), offers=table.offers - {seat})


def _with_seat(table: Table, seat: int, **changes: Any) -> Table:  # noqa: ANN401 - fields of Seat
    """Return the table with one seat changed."""
    chair: Seat = replace(table.seats[seat], **changes)
    return replace(table, seats=(*table.seats[:seat], chair, *table.seats[seat + 1 :]))
