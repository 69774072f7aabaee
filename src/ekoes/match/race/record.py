"""A table where the quicker hand wins as a game record, with the time of everything that came."""

from __future__ import annotations

from ekoes.errors import TableError
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.remarks import LiveTable
from ekoes.games.recording import Arrival, milliseconds_between
from ekoes.match.race.entry import Entry
from ekoes.match.race.options import RaceOptions
from ekoes.match.race.state import RaceTable
from ekoes.record import Decision, GameRecord, write_record

__all__ = ["record_text"]


def record_text(table: RaceTable) -> str:
    """Write a game as a record, once it is over: it holds every hand. Times count from the first deal.

    Raises: TableError while the game goes on.
    """
    if table.outcome is None:
        message = "the record holds every hand; it can be had when the game is over"
        raise TableError(message, code="table/not-over", rule="K6.4")
    names = tuple(seat.name or seat.bot or "" for seat in table.seats)
    start = EKKO.new({"players": table.rules.players, "target": table.rules.target, "live": True}, table.seed)
    record = GameRecord(
        game=table.game,
        start=start,
        decisions=tuple(_decision(table, entry) for entry in _in_order_of_arrival(table)),
        outcome=table.outcome,
        names=names if any(names) else (),
        date=table.log[0].at.date().isoformat() if table.log else None,
        table=_options(table.rules),
    )
    return write_record(record)


def _in_order_of_arrival(table: RaceTable) -> list[Entry]:
    """Return the log; a claim that was kept to the end of its window stands where it came (K7.1)."""
    return sorted(table.log, key=lambda entry: entry.at)


def _decision(table: RaceTable, entry: Entry) -> Decision:
    at = milliseconds_between(table.log[0].at, entry.at)
    arrival = Arrival(at, entry.on, entry.behind, entry.by_clock)
    return Decision(entry.seat, entry.action, arrival=arrival)


def _options(rules: RaceOptions) -> LiveTable:
    return LiveTable(
        misplays=rules.misplays,
        reaction=rules.reaction * 1000,
        turn_clock=None if rules.turn_clock is None else rules.turn_clock * 1000,
        calm=rules.calm,
        window=None if rules.window is None else rules.window * 1000,
        hints=rules.hints,
    )
