"""Tables in the process of a test: dealt cards, next moves, and what the store would show of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from ekoes.bots import Secret, answer_to
from ekoes.errors import TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act
from ekoes.tables.race import RaceTable
from ekoes.tables.submit import submit
from ekoes.tables.table import Move, Table

T = TypeVar("T", bound=Table)
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def act(table: T, action: Json | None = None, *, hold: bool = False, at: datetime = NOW) -> T:
    """Return a table of turns after its next decision. action: None: the first legal one."""
    (seat,) = table.deciding()
    chosen = action or game(table.game).action_to_json(table.position.legal(seat)[0])
    order = Act(key="k", version=table.version, seat=seat, action=chosen, hold=hold)
    return submit(table, order, table.seats[seat].session, at)


def refusal(work: Callable[..., object], *arguments: Any, **named: Any) -> str:
    """Return the code of the TableError that a call raises; none if it raises nothing."""
    try:
        work(*arguments, **named)
    except TableError as refused:
        return refused.code
    return ""


class Dealing(Chance):
    """Shuffles into the orders that a test hands out. orders: returns the next one."""

    def __init__(self, orders: Callable[[], Sequence[int]]) -> None:
        super().__init__(0)
        self._orders = orders

    def shuffle(self, items: MutableSequence[Any]) -> None:
        items[:] = self._orders()


def next_move(table: Table, now: datetime, secret: Secret) -> Move | None:
    """Return the earliest of what the program has to order and of what the bots will do; None for nothing.

    Blocks while the bots think. The same table with the same secret has the same next move.
    """
    if table.is_paused_at(now):
        return None if table.paused or (until := table.agreements.paused_until) is None else Move(until)
    if table.automatic_order(now, Chance(0)) is not None:
        return Move(now)
    strikes = table.deadline
    asked = table.bot_requests(secret)
    planned = (table.bot_move(question, answer_to(question), now) for question in asked)
    first = min((move for move in planned if move is not None), key=lambda move: move.at, default=None)
    if first is not None and (strikes is None or first.at < strikes):
        return first
    return None if strikes is None else Move(strikes)


def played_on(table: T, chance: Chance, secret: Secret) -> Iterator[T]:
    """Yield a table, and it again after each step of the program or of a bot, until its game is over."""
    at = NOW
    yield table
    while table.outcome is None:
        due = table.automatic_order(at, chance)
        if due is not None:
            table = submit(table, due[0], None, due[1])
        else:
            move = next_move(table, at, secret)
            assert move is not None
            at = max(at, move.at)
            table = table if move.order is None else submit(table, move.order, None, at)
        yield table


def made(table: Table) -> Any:
    """Return the table as it was made."""
    return new_table(table.game, table.options, table.seed, table.seats, turn_limit=table.turn_limit)


def past(table: Table, entries: int) -> Json:
    """Return the state after some entries."""
    return table.past_state(entries, table if entries else made(table))


def record(table: Table) -> str:
    """Write the game as a record that today's rules have judged."""
    return table.record_text(made(table), table.log, _rules(table))


def open_record(table: RaceTable) -> str:
    """Write the game of a race as a record, finished or not."""
    return table.open_record_text(made(table), table.log, _rules(table))


def _rules(table: Table) -> list[str]:
    return [game(table.game).rules_version] * len(table.log)
