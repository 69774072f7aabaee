"""Creates tables: from plans, and for rematches."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from ekoes.bots import bots, is_bot, stand_in
from ekoes.errors import PositionError, TableError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import read_options
from ekoes.games.api.registry import game
from ekoes.games.api.values import changed
from ekoes.records import GameRecord
from ekoes.tables.deals import Joint
from ekoes.tables.race import RaceTable
from ekoes.tables.ratings import check_rated
from ekoes.tables.settings import (
    Agreements,
    ClockPlan,
    Seat,
    SeatPlan,
    TableOptions,
    TablePlan,
    seats_from_plans,
)
from ekoes.tables.table import Table
from ekoes.tables.turns import TurnTable

_ABSENCE = 3
"""Minutes after which a disconnected player counts as absent, by default."""
_TABLES: dict[str, type[Table]] = {"turns": TurnTable, "race": RaceTable}


def table_class(name: str) -> type[Table]:
    """Return the class of a game's tables. Raises NotationError naming the known games."""
    return _TABLES[game(name).parts.table]


def table_from_plan(
    plan: TablePlan, session: str, *, fresh_seed: int, start: GameRecord | None = None
) -> Table:
    """Return the table of a plan. fresh_seed: used if the plan names none. start: gives the first position.

    Raises: TableError, NotationError, PositionError or LayoutError, naming the key.
    """
    most = game(plan.game).players.stop - 1
    _check_seats(plan.game, plan.seats, most)
    options = plan.options
    table_class(plan.game).check_plan(plan)
    if options.rated:
        check_rated(plan)
    if start is not None:
        if table_class(plan.game) is not TurnTable:
            message = f"a game of {plan.game} can't go on from a record"
            raise TableError(message, code="table/wrong-order", key="record")
        check_start(plan, start)
    seats = seats_from_plans(tuple(plan.seats), session, stand_in(plan.game), most)
    table = new_table(
        plan.game,
        options.of_game(),
        fresh_seed if options.seed is None else options.seed,
        seats,
        turn_limit=options.turn_limit,
        rated=options.rated,
        clock=options.clock,
        start=start,
    )
    table = changed(table, chat=plan.chat, public=plan.public).with_agreements(_agreements(options, seats))
    is_joint = plan.gives_part and options.seed is None and start is None
    return with_parts_of(table, {session}) if is_joint else table


def _agreements(options: TableOptions, seats: tuple[Seat, ...]) -> Agreements:
    """Return the settings for agreements: in a correspondence game no player counts as absent by default."""
    can_take_back = not options.rated and any(seat.kind != "bot" for seat in seats)
    usual = 0 if options.clock is not None and options.clock.days is not None else _ABSENCE
    return Agreements(
        absence=usual if options.absence is None else options.absence,
        back=options.back,
        take_back=can_take_back if options.take_back is None else options.take_back,
    )


def with_parts_of(table: Table, users: AbstractSet[str | None]) -> Table:
    """Return a new table whose seed waits for the parts of some users; the same if there are none."""
    seats = reversed([*enumerate(table.seats)])
    awaited = {seat.session: number for number, seat in seats if seat.session in users - {None}}
    return changed(table, joint=Joint((), frozenset(awaited.values()))) if awaited else table


def new_table(
    name: str,
    options: Json,
    seed: int,
    seats: tuple[Seat, ...],
    *,
    turn_limit: int | None = None,
    rated: bool = False,
    clock: ClockPlan | None = None,
    start: GameRecord | None = None,
) -> Table:
    """Return a table of a game before its first decision; equal arguments give equal tables.

    start: a record with the first position, which options and seed give otherwise.
    Raises: TableError, NotationError, PositionError or LayoutError, naming the key.
    """
    if start is None:
        table = table_class(name).new(name, options, seed, seats, turn_limit)
    else:
        table = TurnTable.of_record(start, seats)
    if clock is not None:
        table = table.with_clock(clock)
    players = table.options["players"]
    if players != len(seats):
        message = f"{players} players need {players} seats, not {len(seats)}"
        raise TableError(message, code="table/bad-seats", key="seats")
    return table.as_rated() if rated else table


def check_start(plan: TablePlan, record: GameRecord) -> None:
    """Raise EkoesError, naming the key, if a plan has what the game of a record can't have."""
    options = plan.options
    if options.rated:
        raise TableError("a rated game starts anew", code="table/rated", key="record")
    if any(seat.kind == "open" for seat in plan.seats):
        message = "a game that goes on from a record has no free seats"
        raise TableError(message, code="table/bad-seats", key="seats")
    given = {"seed": options.seed, "turn_limit": options.turn_limit} | options.of_game()
    for key, value in given.items():
        if value is not None:
            raise PositionError("is given by the record", code="position/options", key=key)
    kept = {"seed": record.seed, "turn_limit": record.turn_limit}
    read_options(TableOptions, {key: value for key, value in kept.items() if value is not None})


def _check_seats(name: str, plans: list[SeatPlan], colours: int) -> None:
    """Raise TableError if a seat's bot or colour is unknown or two seats share a colour."""
    for plan in plans:
        if plan.bot is not None and plan.kind != "bot":
            raise TableError("only a seat of kind 'bot' names a bot", code="table/bad-seats", key="bot")
        if plan.bot is not None and not is_bot(name, plan.bot):
            message = f"no bot is called {plan.bot!r:.40}; there are: {', '.join(bots(name))}"
            raise TableError(message, code="table/bad-seats", key="bot")
        if plan.colour is not None and plan.colour >= colours:
            message = f"colours are 0 to {colours - 1} in this game"
            raise TableError(message, code="table/bad-seats", key="colour")
    named = [plan.colour for plan in plans if plan.colour is not None]
    if len(named) != len(set(named)):
        raise TableError("two seats can't have the same colour", code="table/bad-seats", key="colour")


def rematch_table(table: Table, seed: int) -> Table:
    """Return the table of a rematch, begun by the player after the one who began this game.

    The seed draws the seat that begins, and the players change seats to fit; not if this game is not over.
    Raises as ``following_table``.
    """
    if table.outcome is None:
        return _joint_again(table, following_table(table, seed))
    began = type(table).new(table.game, table.options, table.seed, table.seats, table.turn_limit).first_seat
    fresh = following_table(table, seed, start=began + 1)
    fresh = fresh.turned(fresh.first_seat)
    return _joint_again(table, fresh, fresh.first_seat)


def _joint_again(table: Table, fresh: Table, first: int | None = None) -> Table:
    """Return the following table, which waits for the parts of those who gave one before. first: begins."""
    if table.joint is None:
        return fresh
    gave = {table.seats[seat].session for seat in {*dict(table.joint.parts), *table.joint.awaits}}
    joint = with_parts_of(fresh, gave).joint or Joint((), frozenset())
    return changed(fresh, joint=changed(joint, first=first))


def following_table(table: Table, seed: int, start: int = 0) -> Table:
    """Return a new table with the same options and players, without absent ones.

    start: the seat whose player gets seat 0. A game with bots is not rated. Raises TableError, LayoutError or
    PositionError if it is not possible.
    """
    absent, places = dict(table.absent), len(table.seats)
    seats = []
    for number in (step % places for step in range(start, start + places)):
        seat = table.seats[number]
        match absent.get(number):
            case "bot":
                seats.append(Seat(kind="bot", name="", colour=seat.colour, bot=stand_in(table.game)))
            case None:
                seats.append(seat)
    if len(seats) not in game(table.game).players:
        raise TableError(f"this game is not for {len(seats)} players", code="table/too-few", key="seats")
    options = table.options | {"players": len(seats)}
    fresh = type(table).new(table.game, options, seed, tuple(seats), table.turn_limit)
    if table.clock is not None:
        fresh = fresh.with_clock(table.clock)
    if table.rated and all(seat.kind != "bot" for seat in seats):
        fresh = fresh.as_rated()
    fresh = changed(fresh, chat=table.chat, public=table.public)
    return fresh.with_agreements(table.agreements.settings)
