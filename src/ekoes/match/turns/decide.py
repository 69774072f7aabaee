"""What an order does at a table of turns."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from ekoes.bots import STAND_INS
from ekoes.errors import TableError
from ekoes.games.contract import Outcome
from ekoes.match.orders import Act, AnyOrder, Draw, EndTurn, Resign, Undo
from ekoes.match.refused import RefusedError
from ekoes.match.submit import with_seat
from ekoes.match.turns.entry import Entry
from ekoes.record.eko import REPETITIONS

if TYPE_CHECKING:
    from ekoes.match.turns.table import TurnTable

__all__ = ["decided"]


def decided(table: TurnTable, order: AnyOrder, at: datetime) -> TurnTable:
    """Return the table after an order of somebody who has the right to give it."""
    if not isinstance(order, Act | Undo | EndTurn | Resign | Draw):
        raise TableError("no such order is given in this game", code="table/wrong-order")
    if order.version != table.version:
        message = f"the table is at version {table.version}, not {order.version}"
        raise TableError(message, code="table/stale")
    if not table.is_started:
        raise TableError("a seat is still free", code="table/not-started")
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


def _act(table: TurnTable, order: Act, at: datetime) -> TurnTable:
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


def _turn_passed(before: TurnTable, after: TurnTable) -> TurnTable:
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


def _undo(table: TurnTable, seat: int) -> TurnTable:
    if not table.can_undo(seat):
        raise TableError("there is no decision of your own turn to take back", code="table/nothing-to-undo")
    return replace(
        table,
        positions=table.positions[:-1],
        identities=table.identities[:-1],
        log=table.log[:-1],
        held=None,
    )


def _end_turn(table: TurnTable, seat: int) -> TurnTable:
    if table.held != seat:
        raise TableError("your turn does not wait for its end", code="table/not-held")
    return _turn_passed(table, replace(table, held=None))


def _resign(table: TurnTable, seat: int) -> TurnTable:
    if len(table.seats) == 2:
        winner = 1 - seat
        return replace(table, held=None, outcome=Outcome((winner,), "resignation", "E11.5"))
    after = with_seat(table, seat, kind="bot", bot=STAND_INS[table.game], session=None)
    after = replace(after, offers=after.offers - {seat})
    if after.held == seat:
        after = _turn_passed(table, replace(after, held=None))
    return _agreed(after)


def _draw(table: TurnTable, seat: int, *, is_offer: bool) -> TurnTable:
    if is_offer:
        return _agreed(replace(table, offers=table.offers | {seat}))
    withdrawn = table.offers - {seat} if seat in table.offers else frozenset[int]()
    return replace(table, offers=withdrawn)


def _agreed(table: TurnTable) -> TurnTable:
    """Return the table, drawn if every person at it offers that."""
    if table.outcome is None and table.people and table.offers >= table.people:
        return replace(table, held=None, outcome=Outcome((), "agreement", "E11.5"))
    return table
