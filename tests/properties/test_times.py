"""No time is lost or won through decisions, undos, restarts, vacations or a slow connection."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Turn
from ekoes.games.eko.game import EKO
from ekoes.tables.clocks import LAG_BUDGET, LAG_GAIN
from ekoes.tables.create import new_table
from ekoes.tables.orders import MOST_LAG, Act, AnyOrder, EndTurn, Lag, StandStill, Undo, Vacation
from ekoes.tables.settings import ClockPlan, Seat
from ekoes.tables.submit import submit
from ekoes.tables.turns import TurnTable
from tests.kit.examples import property_settings

BEGAN = datetime(2026, 5, 1, 12, tzinfo=UTC)
PLENTY = 4 * 3600
DAY = 86_400_000
MILLISECOND = timedelta(milliseconds=1)


@dataclass
class Moment:
    """How the book stood before a decision."""

    charged: dict[int, int]
    waits: int
    turns: list[Turn]
    passed: int
    budgets: dict[int, int]


@dataclass
class Book:
    """A model of the clocks that counts each millisecond by itself.

    passed: how much time has counted, and who was on vacation meanwhile.
    """

    table: Any
    increment: int
    days: int | None = None
    now: int = 0
    charged: dict[int, int] = field(default_factory=dict)
    waits: int = 0
    turns: list[Turn] = field(default_factory=list)
    passed: list[tuple[int, frozenset[int]]] = field(default_factory=list)
    away: frozenset[int] = frozenset()
    budgets: dict[int, int] = field(default_factory=dict)
    earlier: list[Moment] = field(default_factory=list)

    def moment(self) -> Moment:
        passed, budgets = len(self.passed), dict(self.budgets)
        return Moment(dict(self.charged), self.waits, list(self.turns), passed, budgets)

    @property
    def at(self) -> datetime:
        return BEGAN + self.now * MILLISECOND

    @property
    def awaited(self) -> int | None:
        table = self.table
        if not table.length or table.outcome is not None:
            return None
        seats = table.asked if table.held is None else (table.held,)
        return next((seat for seat in seats if table.seats[seat].kind != "bot"), None)

    def pass_time(self, milliseconds: int, *, counts: bool = True) -> None:
        self.now += milliseconds
        if counts:
            self.passed.append((milliseconds, self.away))
            self.charge(milliseconds, self.away)

    def charge(self, milliseconds: int, away: frozenset[int]) -> None:
        seat = self.awaited
        if seat is None:
            return
        spared = min(self.waits, milliseconds)
        self.waits -= spared
        if seat in away:
            return
        self.charged[seat] = self.charged.get(seat, 0) + milliseconds - spared

    def give(self, order: AnyOrder) -> None:
        session = None if isinstance(order, Lag | StandStill | Vacation) else "all"
        self.table = submit(self.table, order, session, self.at)

    def expected(self) -> list[int]:
        if self.days is not None:
            return [self.days * DAY - self.charged.get(seat, 0) for seat in range(len(self.table.seats))]
        players = [player for _, player in self.turns[:-1]]
        return [
            (PLENTY + players.count(seat) * self.increment) * 1000 - self.charged.get(seat, 0)
            for seat in range(len(self.table.seats))
        ]


def fresh(players: int, increment: int, setup: str, days: int | None = None) -> Book:
    seats = tuple(Seat("here", str(seat), seat, session="all") for seat in range(players))
    clock = ClockPlan(base=PLENTY, increment=increment) if days is None else ClockPlan(days=days)
    table = new_table("eko", {"players": players, "setup": setup}, 7, seats, clock=clock)
    assert isinstance(table, TurnTable)
    return Book(table, increment, days, turns=[table.turn])


def decide(book: Book, choice: int, *, hold: bool) -> None:
    """Let the seat in turn decide, or end the turn that is held."""
    table: TurnTable = book.table
    before = book.awaited
    if table.held is not None:
        book.give(EndTurn(key="k", version=table.version, seat=table.held))
    else:
        seat = table.asked[0]
        action = Chance(choice).choice(table.position.legal(seat))
        book.earlier.append(book.moment())
        order = Act(key="k", version=table.version, seat=seat, action=EKO.action_to_json(action), hold=hold)
        book.give(order)
    after: TurnTable = book.table
    if after.held is None and after.outcome is None and after.turn != book.turns[-1]:
        book.turns.append(after.turn)
        if book.days is not None:
            book.charged = {}
        player = after.turn.player
        book.budgets[player] = min(LAG_BUDGET, book.budgets.get(player, LAG_BUDGET) + LAG_GAIN)
        book.waits = wait_for_lag(book)
    elif book.awaited != before:
        book.waits = wait_for_lag(book)


def wait_for_lag(book: Book) -> int:
    """Take the lag of the seat that is awaited from its budget, and return it."""
    seat = book.awaited
    if seat is None:
        return 0
    budget = book.budgets.get(seat, LAG_BUDGET)
    lag: int = min(book.table.clocks.lags[seat], budget)
    book.budgets[seat] = budget - lag
    return lag


def take_back(book: Book) -> None:
    """Take back the latest decision, if that may be done: it is as if it had not been made."""
    table: TurnTable = book.table
    seat = table.undo_seat
    if seat is None:
        return
    book.give(Undo(key="k", version=table.version, seat=seat))
    then = book.earlier.pop()
    book.charged, book.waits, book.turns = dict(then.charged), then.waits, list(then.turns)
    book.budgets = dict(then.budgets)
    for milliseconds, away in book.passed[then.passed :]:
        book.charge(milliseconds, away)


def go_away(book: Book, seat: int, *, is_away: bool) -> None:
    """Begin or end a vacation, where the table has days for each turn."""
    order = book.table.vacation_order(seat, begins=is_away)
    assert (order is None) == (book.days is None or (seat in book.away) == is_away)
    if order is not None:
        book.give(order)
        book.away = book.away | {seat} if is_away else book.away - {seat}


STEP = st.one_of(
    st.tuples(st.just("decide"), st.integers(0, 2**32), st.booleans()),
    st.tuples(st.just("think"), st.integers(0, 5000), st.booleans()),
    st.tuples(st.just("away"), st.integers(1, 10**9), st.booleans()),
    st.tuples(st.just("restart"), st.just(0), st.booleans()),
    st.tuples(st.just("undo"), st.just(0), st.booleans()),
    st.tuples(st.just("vacation"), st.integers(0, 3), st.booleans()),
    st.tuples(st.just("line"), st.integers(0, MOST_LAG), st.booleans()),
)


@property_settings(60)
@given(
    st.integers(2, 4),
    st.integers(0, 30),
    st.sampled_from(["standard", "draft"]),
    st.sampled_from([None, 1, 14]),
    st.lists(STEP, max_size=40),
)
def test_no_time_is_lost_or_won(
    players: int, increment: int, setup: str, days: int | None, steps: list[tuple[str, int, bool]]
) -> None:
    book = fresh(players, increment, setup, days)
    for word, number, flag in steps:
        if book.table.outcome is not None:
            break
        match word:
            case "decide":
                decide(book, number, hold=flag)
            case "think":
                book.pass_time(number)
            case "away":
                book.pass_time(number, counts=False)
                book.give(StandStill(key="k", milliseconds=number))
            case "undo":
                take_back(book)
            case "line":
                book.give(Lag(key="k", seat=number % players, milliseconds=number))
            case "vacation":
                go_away(book, number % players, is_away=flag)
            case "restart":
                stored = book.table.to_state()
                book.table = replace(
                    TurnTable.from_state(stored), log=book.table.log, log_start=book.table.log_start
                )
                assert book.table.to_state() == stored
        assert book.table.shared_state(book.at)["left"] == book.expected()
