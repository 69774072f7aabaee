"""What an order does at a table where the quicker hand wins."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ekoes.bots import stand_in
from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.contract import Json
from ekoes.games.registry import game
from ekoes.match.orders import AnyOrder, Deal, Intent, Resign, Tick, Wake
from ekoes.match.race.state import RaceTable, after_step
from ekoes.match.state import with_seat

__all__ = [
    "advised",
    "begun",
    "check_seat_is_free_for",
    "copied_ahead",
    "decided",
    "expects",
    "merits",
    "order_of",
    "position_of",
    "rested",
    "tempo",
    "vacated",
    "ways",
    "why_not",
]


def decided(table: RaceTable, order: AnyOrder, at: datetime) -> RaceTable:
    """Return the table after an order; itself if the order comes to nothing any more.

    at: when it arrived; never taken for earlier than what came before it. The game is told its own time.
    Raises TableError, IllegalActionError.
    """
    if not table.is_started:
        raise TableError("a seat is still free", code="table/not-started")
    at = at if table.latest is None else max(at, table.latest)
    after = _done(table, order, at)
    return table if after is table else changed(after, latest=at)


def _done(table: RaceTable, order: AnyOrder, at: datetime) -> RaceTable:
    look, play, at = table.presenter, table.play, table.consent.time(at)
    match order:
        case Intent(seat=seat, action=intent):
            return after_step(table, look.judge(play, seat, intent, at))
        case Resign(seat=seat):
            return _resign(table, seat, at)
        case Deal(action=action) if table.needs_deal:
            return after_step(table, look.deal(play, game(table.game).parse_action(action), at))
        case Tick() if (ends := look.strikes_at(play)) is not None and ends <= at:
            return after_step(table, look.strike(play, at))
        case Wake():
            return changed(table, play=look.rested(play, at))
        case Deal() | Tick():
            raise TableError("this is not due", code="table/not-now")
        case _:
            raise TableError("no such order is given in this game", code="table/wrong-order")


def _resign(table: RaceTable, seat: int, at: datetime) -> RaceTable:
    """Let a player go: if the game goes on, a bot takes the seat, at once and for good."""
    after = after_step(table, table.presenter.resign(table.play, seat, at))
    if after.outcome is not None:
        return after
    return with_seat(after, seat, kind="bot", bot=stand_in(table.game), session=None)


def order_of(table: RaceTable, seat: int, action: Json) -> Intent:  # noqa: ARG001
    """Return the order by which a seat does something now."""
    return Intent(key="now", seat=seat, action=action)


def position_of(table: RaceTable) -> Any:  # noqa: ANN401 - each game has its own
    """Return where the game stands."""
    return table.position


def merits(table: RaceTable) -> Sequence[int]:
    """Return what the players have come to: more is better."""
    return table.presenter.merits(table.play)


def tempo(table: RaceTable) -> str:
    """Return in a word how quick one has to be."""
    return table.presenter.tempo(table.options)


def begun(table: RaceTable) -> tuple[bytes, ...]:  # noqa: ARG001
    """Return nothing: no rule compares positions where the quicker hand wins."""
    return ()


def advised(table: RaceTable) -> Any:  # noqa: ANN401 - each game has its own
    """Return what hints are given about: where the game stands, with what each player is asked."""
    return table.play


def expects(table: RaceTable, seat: int) -> bool:  # noqa: ARG001 - who is quick asks nobody
    """Tell whether a round goes on."""
    return table.outcome is None and not table.needs_deal


def check_seat_is_free_for(table: RaceTable, session: str | None) -> None:
    """Refuse a browser a second seat where hands have to be kept apart."""
    if any(seat.session == session for seat in table.seats):
        try:
            table.presenter.at_one_browser(table.options)
        except TableError as error:
            raise TableError(error.message, code=error.code, rule=error.rule, key="seat") from None


def vacated(table: RaceTable, seat: int) -> RaceTable:  # noqa: ARG001
    """Return the table as it is: before the first deal a seat leaves nothing behind."""
    return table


def why_not(table: RaceTable, seat: int, action: Json) -> Json | None:  # noqa: ARG001
    """There is nothing to explain ahead: what is sent is judged when it comes."""
    raise TableError("no such question is answered in this game", code="table/wrong-order")


def ways(table: RaceTable, of: object) -> Json:  # noqa: ARG001
    """There are no pieces to be picked up."""
    raise TableError("no such question is answered in this game", code="table/wrong-order")


def copied_ahead(table: RaceTable, session: str) -> RaceTable:  # noqa: ARG001
    """Nobody plays on alone where others may be quicker."""
    raise TableError("lines are for tables with days for each turn", code="table/lines")


def rested(table: RaceTable, at: datetime) -> RaceTable:
    """Let clocks and bots begin anew where they stood when the server went away.

    at: never taken for earlier than the latest order; else a clock would strike before it can, when its
    orders are judged again.
    """
    at = at if table.latest is None else max(at, table.latest)
    return changed(table, play=table.presenter.rested(table.play, table.consent.time(at)))
