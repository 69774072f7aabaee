"""What an order does at a table where the quicker hand wins."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ekoes.bots import stand_in
from ekoes.errors import TableError
from ekoes.games.contract import Json, Outcome
from ekoes.games.ekko import remarks
from ekoes.games.ekko.action import Deal as DealCards
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.intents import SayReady, read_intent
from ekoes.match.orders import AnyOrder, Deal, Intent, Resign, Tick, Wake
from ekoes.match.race import clock, course, judge
from ekoes.match.race.entry import Entry, Moment, Stage, Verdict
from ekoes.match.race.state import RaceTable
from ekoes.match.state import with_seat

__all__ = ["check_seat_is_free_for", "decided", "rested", "vacated", "why_not"]


def decided(table: RaceTable, order: AnyOrder, at: datetime) -> RaceTable:
    """Return the table after an order; itself if the order comes to nothing any more.

    at: when it arrived; never taken for earlier than what came before it. Raises TableError,
    IllegalActionError.
    """
    if not table.is_started:
        raise TableError("a seat is still free", code="table/not-started")
    at = at if table.latest is None else max(at, table.latest)
    after = _done(table, order, at)
    return table if after is table else replace(after, latest=at)


def _done(table: RaceTable, order: AnyOrder, at: datetime) -> RaceTable:
    match order:
        case Intent(seat=seat, action=action):
            intent = read_intent(action)
            if isinstance(intent, SayReady):
                return _ready(table, seat, intent.round, at)
            return judge.judged(table, seat, intent, at)
        case Resign(seat=seat):
            return _resign(table, seat, at)
        case Deal(action=action) if table.needs_deal:
            dealt = EKKO.parse_action(action)
            return course.deal(table, dealt.order if isinstance(dealt, DealCards) else (), at)
        case Tick() if (ends := clock.ends_at(table)) is not None and ends <= at:
            return course.after_clock(table, at)
        case Wake():
            return rested(table, at)
        case Deal() | Tick():
            raise TableError("this is not due", code="table/not-now")
        case _:
            raise TableError("no such order is given in this game", code="table/wrong-order")


def _ready(table: RaceTable, seat: int, number: int, at: datetime) -> RaceTable:
    """Note that a player has seen the hand; who says so too late has said so all the same. Rule: K1.3."""
    if number > table.position.round:
        raise TableError("this round has not been dealt", code="table/not-now")
    if table.stage is not Stage.LOOK or number < table.position.round or seat in table.ready:
        return table
    return _begun_if_ready(replace(table, ready=table.ready | {seat}), at)


def _begun_if_ready(table: RaceTable, at: datetime) -> RaceTable:
    """Begin the round if all people have seen their hands."""
    is_ready = table.stage is Stage.LOOK and table.people and table.ready >= table.people
    return course.begin_round(table, at) if is_ready else table


def _resign(table: RaceTable, seat: int, at: datetime) -> RaceTable:
    """Let a player go: of two, the other wins; else a bot takes the seat, at once and for good."""
    position = table.position
    entry = Entry(position.round, seat, remarks.Resign(), Verdict.RESIGN, at, position)
    if len(table.seats) == 2:
        table = replace(table, outcome=Outcome((1 - seat,), "resignation", "K5.6"))
        return course.enter(course.note(table, entry), Stage.OVER, at)
    after = with_seat(course.note(table, entry), seat, kind="bot", bot=stand_in(table.game), session=None)
    return _begun_if_ready(after, at)


def check_seat_is_free_for(table: RaceTable, session: str | None) -> None:
    """Refuse a browser a second seat, unless the calm mode keeps its hands apart."""
    if not table.rules.calm and any(seat.session == session for seat in table.seats):
        message = "several players at one browser need the calm mode"
        raise TableError(message, code="table/hot-seat", key="seat")


def vacated(table: RaceTable, seat: int) -> RaceTable:  # noqa: ARG001
    """Return the table as it is: before the first deal a seat leaves nothing behind."""
    return table


def why_not(table: RaceTable, seat: int, action: Json) -> Json | None:  # noqa: ARG001
    """There is nothing to explain ahead: a card is judged when it comes."""
    raise TableError("no such question is answered in this game", code="table/wrong-order")


def rested(table: RaceTable, at: datetime) -> RaceTable:
    """Let clocks and bots begin anew where they stood when the server went away."""

    def anew(moment: Moment | None) -> Moment | None:
        return moment and replace(moment, at=at)

    return replace(
        table,
        since=anew(table.since),
        top_since=anew(table.top_since),
        drew_since=tuple(map(anew, table.drew_since)),
    )
