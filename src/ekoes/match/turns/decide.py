"""What an order does at a table of turns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ekoes.bots import stand_in
from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.contract import CHANCE, Json, Outcome
from ekoes.games.registry import game
from ekoes.match.orders import (
    Act,
    AnyOrder,
    Deal,
    Draw,
    EndTurn,
    FollowLine,
    Foresee,
    Lag,
    PassTurn,
    PutAside,
    Resign,
    StandStill,
    Tick,
    Undo,
    Vacation,
)
from ekoes.match.state import with_seat
from ekoes.match.turns.back import begun_by, stood_at
from ekoes.match.turns.clock import clocked, gone_away, left, stood_still
from ekoes.match.turns.notes import lines_after, put_aside, without_lines, written_down
from ekoes.match.turns.played import played
from ekoes.match.turns.state import Entry, TurnTable, Undoable

__all__ = [
    "advised",
    "begun",
    "check_seat_is_free_for",
    "decided",
    "expects",
    "goes_on_without",
    "merits",
    "order_of",
    "position_of",
    "tempo",
    "vacated",
]


def decided(table: TurnTable, order: AnyOrder, at: datetime) -> TurnTable:
    """Return the table after an order of somebody who has the right to give it."""
    match order:
        case Lag(seat=seat, milliseconds=milliseconds) if table.times is not None:
            return changed(table, times=table.times.with_lag(seat, milliseconds))
        case StandStill(milliseconds=milliseconds) if table.times is not None:
            return stood_still(table, milliseconds, at)
        case Vacation(seat=seat, away=away) if table.times is not None:
            return gone_away(table, seat, at, is_away=away)
        case Foresee():
            return written_down(table, order)
        case PutAside(seat=seat, why=why):
            return put_aside(table, seat, why)
        case _:
            return clocked(_decided(table, order, at), at)


def _decided(table: TurnTable, order: AnyOrder, at: datetime) -> TurnTable:
    """Return the table after an order, its clocks as they ran before."""
    match order:
        case Deal():
            return _dealt(table, order, at)
        case Tick():
            return _struck(table, at)
        case PassTurn():
            return _passed(table, order, at)
        case FollowLine():
            return _followed(table, order, at)
        case _:
            return _ordered(table, order, at)


def _ordered(table: TurnTable, order: AnyOrder, at: datetime) -> TurnTable:
    """Return the table after an order of somebody who plays."""
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
            return _undo(table, seat, at)
        case EndTurn(seat=seat):
            return _end_turn(table, seat)
        case Resign(seat=seat):
            return _given_up(table, seat, "resignation", game(table.game).table_ends.resignation)
        case Draw(seat=seat, offer=offer):
            return _draw(table, seat, is_offer=offer)


def order_of(table: TurnTable, seat: int, action: Json) -> Act:
    """Return the order by which a seat does something now."""
    return Act(key="now", version=table.version, seat=seat, action=action)


def position_of(table: TurnTable) -> Any:  # noqa: ANN401 - each game has its own
    """Return where the game stands."""
    return table.position


def merits(table: TurnTable) -> Sequence[int]:
    """Return what the players have come to: more is better."""
    return table.presenter.merits(table.position)


def tempo(table: TurnTable) -> str:
    """Return the kind of clock."""
    if table.clock is None:
        return "untimed"
    return "live" if table.clock.days is None else "days"


def begun(table: TurnTable) -> tuple[bytes, ...]:
    """Return the positions that began a turn so far, as the rule of repetition compares them."""
    return table.begun


def advised(table: TurnTable) -> Any:  # noqa: ANN401 - each game has its own
    """Return what hints are given about: where the game stands."""
    return position_of(table)


def expects(table: TurnTable, seat: int) -> bool:
    """Tell whether a seat is asked."""
    return seat in table.asked


def check_seat_is_free_for(table: TurnTable, session: str | None) -> None:
    """Anybody may take as many seats as they like: nothing is hidden here."""


def vacated(table: TurnTable, seat: int) -> TurnTable:
    """Return the table without a seat's offer of a draw."""
    return without_lines(changed(table, offers=table.offers - {seat}), seat)


def _act(table: TurnTable, order: Act, at: datetime) -> TurnTable:
    if table.held is not None:
        raise TableError("the turn is finished and waits for its end to be confirmed", code="table/held")
    action = game(table.game).parse_action(order.action)
    after = _with_decision(table, order.seat, action, at)
    has_ended = after.turn != table.turn and after.outcome is None
    if order.hold and has_ended and after.undoable and table.presenter.can_hold(table.position):
        return changed(after, held=order.seat)
    return _turn_passed(table, after)


def _dealt(table: TurnTable, order: Deal, at: datetime) -> TurnTable:
    """Return the table after what chance has decided."""
    if CHANCE not in table.asked:
        raise TableError("this is not due", code="table/not-now")
    after = _with_decision(table, CHANCE, game(table.game).parse_action(order.action), at)
    return _turn_passed(table, changed(after, undoable=(), starts=()))


def _struck(table: TurnTable, at: datetime) -> TurnTable:
    """Return the table after a player's time is up; who has finished the turn has only ended it late."""
    seat = _late(table, at)
    if table.held == seat:
        return _end_turn(table, seat)
    if table.clock is not None and table.clock.up == "lose":
        return _given_up(table, seat, "time", game(table.game).table_ends.time)
    return _replaced(table, seat)


def _passed(table: TurnTable, order: PassTurn, at: datetime) -> TurnTable:
    """Return the table after what is decided for a player whose time is up; nobody takes that back."""
    if _late(table, at) != order.seat or table.held is not None:
        raise TableError("this is not due", code="table/not-now")
    after = _with_decision(table, order.seat, game(table.game).parse_action(order.action), at)
    return _turn_passed(table, changed(after, undoable=()))


def _followed(table: TurnTable, order: FollowLine, at: datetime) -> TurnTable:
    """Return the table after what a player has written down for this; nobody takes that back."""
    lines = table.lines_of(order.seat)
    step = None if lines is None or lines.aside else lines.next(table.position)
    if order.seat not in table.asked or step is None or step.action != order.action:
        raise TableError("this is not due", code="table/not-now")
    after = _with_decision(table, order.seat, game(table.game).parse_action(order.action), at)
    return _turn_passed(table, changed(after, undoable=()))


def _late(table: TurnTable, at: datetime) -> int:
    """Return the first seat whose time is up. Raises TableError if there is none."""
    late = () if table.times is None else table.times.up(table.consent.time(at))
    if not late:
        raise TableError("this is not due", code="table/not-now")
    return late[0]


def _with_decision(table: TurnTable, seat: int, action: Any, at: datetime) -> TurnTable:  # noqa: ANN401
    """Return the table after a decision, as if it were held; raises RefusedError."""
    look, before, turn = table.presenter, table.position, table.turn
    earlier = Undoable(before, len(table.begun), table.times)
    position = played(before, seat, action)
    begins = look.identity(position) if look.turn(position) != turn else None
    taken = (*table.undoable, earlier)
    written, about = game(table.game).action_to_json(action), look.describe(before, action, position)
    entry = Entry(turn, seat, action, written, about, at, position, left(table, at))
    return changed(
        table,
        position=position,
        begun=table.begun if begins is None else (*table.begun, begins),
        undoable=taken if seat == turn.player else (),
        starts=begun_by(table, seat, earlier),
        log=(*table.log, entry),
        outcome=position.outcome(),
        lines=lines_after(table, seat, written),
    )


def _turn_passed(before: TurnTable, after: TurnTable) -> TurnTable:
    """Return the table as it stands when nothing is held: what ends with the start of a turn ends now."""
    turn, ends = after.turn, game(after.game).table_ends
    if after.outcome is not None or (before.held is None and turn == before.turn):
        return after
    can_hold = before.held is not None or before.presenter.can_hold(before.position)
    after = changed(
        after, undoable=() if can_hold else after.undoable[-1:], offers=after.offers - {turn.player}
    )
    if ends.repetition and after.repetition >= ends.repetitions:
        return changed(after, outcome=Outcome((), "repetition", ends.repetition))
    if ends.turn_limit and after.last_turn is not None and turn.number > after.last_turn:
        return changed(after, outcome=Outcome((), "turn-limit", ends.turn_limit))
    return after


def _undo(table: TurnTable, seat: int, at: datetime) -> TurnTable:
    """Return the table as if a decision had not been made: its player's clock has run all the while."""
    if not table.can_undo(seat):
        raise TableError("there is no decision of your own turn to take back", code="table/nothing-to-undo")
    latest = table.undoable[-1]
    if latest.times is not None and latest.times.up(table.consent.time(at)):
        raise TableError("no time is left for taking it back", code="table/nothing-to-undo")
    return changed(stood_at(table, latest, table.length - 1), undoable=table.undoable[:-1])


def _end_turn(table: TurnTable, seat: int) -> TurnTable:
    if table.held != seat:
        raise TableError("your turn does not wait for its end", code="table/not-held")
    return _turn_passed(table, changed(table, held=None))


def _given_up(table: TurnTable, seat: int, reason: str, rule: str | None) -> TurnTable:
    """Let a player go: of two, the other wins, where a rule says so; else a bot plays on."""
    if rule is not None and len(table.seats) == 2:
        return changed(table, held=None, outcome=Outcome((1 - seat,), reason, rule))
    return _replaced(table, seat)


def _replaced(table: TurnTable, seat: int) -> TurnTable:
    """Let a bot play on at a seat, at once and for good."""
    return goes_on_without(with_seat(table, seat, kind="bot", bot=stand_in(table.game), session=None), seat)


def goes_on_without(table: TurnTable, seat: int) -> TurnTable:
    """Return the table as a bot finds it that has sat down at a player's seat."""
    after = without_lines(changed(table, offers=table.offers - {seat}), seat)
    if after.held == seat:
        after = _turn_passed(table, changed(after, held=None))
    return _agreed(after)


def _draw(table: TurnTable, seat: int, *, is_offer: bool) -> TurnTable:
    if game(table.game).table_ends.agreement is None:
        raise TableError("this game knows no draw by agreement", code="table/wrong-order")
    if is_offer:
        return _agreed(changed(table, offers=table.offers | {seat}))
    withdrawn = table.offers - {seat} if seat in table.offers else frozenset[int]()
    return changed(table, offers=withdrawn)


def _agreed(table: TurnTable) -> TurnTable:
    """Return the table, drawn if every person at it offers that."""
    rule = game(table.game).table_ends.agreement
    if rule is not None and table.outcome is None and table.people and table.offers >= table.people:
        return changed(table, held=None, outcome=Outcome((), "agreement", rule))
    return table
