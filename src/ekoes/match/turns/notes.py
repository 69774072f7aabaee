"""What players have written down at a table of turns: who may, what is left of it, and what not."""

from __future__ import annotations

from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.contract import Json
from ekoes.match.orders import Foresee
from ekoes.match.turns.lines import Aside, Lines, with_way
from ekoes.match.turns.state import TurnTable

__all__ = ["check_foresees", "lines_after", "put_aside", "without_lines", "written_down"]


def check_foresees(table: TurnTable) -> None:
    """Raise TableError unless lines can be written at a table: one with days for each turn."""
    if table.clock is None or table.clock.days is None:
        raise TableError("lines are for tables with days for each turn", code="table/lines")
    if not table.is_started:
        raise TableError("a seat is still free", code="table/not-started")


def written_down(table: TurnTable, order: Foresee) -> TurnTable:
    """Return the table with one more line of a seat, or one less. Raises EkoesError."""
    check_foresees(table)
    if order.version != table.version:
        message = f"the table is at version {table.version}, not {order.version}"
        raise TableError(message, code="table/stale")
    lines = table.lines_of(order.seat) or Lines(order.seat, ())
    if order.add is None:
        ways = tuple(way for number, way in enumerate(lines.ways) if number != order.drop)
        return _with_lines(table, order.seat, changed(lines, ways=ways))
    if order.seat in table.asked:
        raise TableError("lines are for when others decide: you are asked now", code="table/lines")
    return _with_lines(table, order.seat, with_way(table.game, lines, table.position, order.add))


def put_aside(table: TurnTable, seat: int, why: Aside) -> TurnTable:
    """Return the table where what a seat has written down is not followed any more; it can still be read."""
    lines = table.lines_of(seat)
    return table if lines is None else _with_lines(table, seat, changed(lines, aside=why))


def without_lines(table: TurnTable, seat: int) -> TurnTable:
    """Return the table without what a seat has written down: its holder goes."""
    return _with_lines(table, seat, None)


def lines_after(table: TurnTable, seat: int, action: Json) -> tuple[Lines, ...]:
    """Return what is left of all lines once a seat has decided: its own go on where they say the same."""
    own = table.lines_of(seat)
    if own is None:
        return table.lines
    step = None if own.aside else own.next(table.position)
    goes_on = step is not None and step.action == action
    return _with_lines(table, seat, own.after(table.position) if goes_on else None).lines


def _with_lines(table: TurnTable, seat: int, lines: Lines | None) -> TurnTable:
    """Return the table with other lines of a seat; None, or none at all: without."""
    others = [one for one in table.lines if one.seat != seat]
    own = [lines] if lines is not None and lines.ways else []
    after = tuple(sorted((*others, *own), key=lambda one: one.seat))
    return table if after == table.lines else changed(table, lines=after)
