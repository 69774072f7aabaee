"""What a table, a visitor and a decision cost, as this machine and PostgreSQL tell it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace

from sqlalchemy import create_engine, text

from benchmarks.lobby import measured as lobby
from benchmarks.server import series
from benchmarks.server.eko import Script, scripts
from benchmarks.server.setups import POSTGRES, TWO
from benchmarks.server.subject import ekoes
from ekoes.match.new import new_table
from ekoes.match.orders import Act
from ekoes.match.seats import Seat
from ekoes.match.state import shortened
from ekoes.match.submit import submit
from ekoes.server.clock import WallClock
from ekoes.storage.store import Store
from tests.services.postgres import Postgres

__all__ = ["Costs", "measured"]

FEW = 20
GAMES = 8
READS = 200
_VISITORS = (50, 450)
_CHANGES = 20.0
_HOLDER = "S"


@dataclass(frozen=True)
class Costs:
    """What things cost. Bytes, and milliseconds of processor time.

    decision, passed_on, database: processor time of a decision in the server, in two servers if each second
    line is passed on, and in PostgreSQL. wire, log, kept: its bytes to people, to the disk at once, and for
    good. moves: decisions of a game that is played to its end. process, table, visitor: memory of a server
    without tables, of a live table with two lines, of a line in the lobby. told: processor time of telling
    one visitor of one change in the lobby. read: processor time of reading a table from the store.
    """

    decision: float
    passed_on: float
    database: float
    wire: float
    log: float
    kept: float
    moves: float
    process: float
    table: float
    visitor: float
    told: float
    read: float


def measured(tables: int, seconds: float) -> Costs:
    """Measure all of it. tables: live ones; seconds: of each load."""
    few = series.run(series.eko_by(POSTGRES, FEW, seconds))
    many = series.run(series.eko_by(POSTGRES, tables, seconds))
    two = series.run(series.eko_by(TWO, tables, seconds))
    table = (many.memory - few.memory) / (tables - FEW)
    costs = Costs(
        decision=many.cpu,
        passed_on=two.cpu,
        database=many.database_cpu,
        wire=many.sent,
        log=many.written,
        kept=0.0,
        moves=0.0,
        process=few.memory - FEW * table,
        table=table,
        visitor=0.0,
        told=0.0,
        read=0.0,
    )
    return _with_store(_with_lobby(costs, seconds))


def _with_lobby(costs: Costs, seconds: float) -> Costs:
    """Add what a visitor of the lobby costs: what many cost more than few, by their number."""
    found = []
    for visitors in _VISITORS:
        with ekoes("--bot-workers", "0") as subject:
            found.append(series.run(lobby(subject, visitors, _CHANGES, seconds)))
    few, many = found
    more = many.visitors - few.visitors
    told = max(0.0, many.cpu / many.changes - few.cpu / few.changes) * 1000 / more
    return replace(costs, visitor=(many.memory - few.memory) / more, told=told)


def _with_store(costs: Costs) -> Costs:
    """Add what PostgreSQL keeps of games played to their end, and what reading a table costs."""
    server = Postgres()
    try:
        url = server.empty()
        store = Store(url)
        before = _size(url)
        decisions = sum(_played(store, f"t{number}", script) for number, script in enumerate(scripts(GAMES)))
        kept = (_size(url) - before) / decisions
        begun = time.process_time()
        for number in range(READS):
            store.load(f"t{number % GAMES}")
        read = (time.process_time() - begun) * 1000 / READS
        store.close()
    finally:
        server.remove()
    return replace(costs, kept=kept, moves=decisions / GAMES, read=read)


def _size(url: str) -> int:
    """Return the bytes of a database, once nothing in it is of no use any more."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("VACUUM FULL"))
        size: int = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
    engine.dispose()
    return size


def _played(store: Store, table_id: str, script: Script) -> int:
    """Keep a game of two, decision by decision. Returns: how many."""
    now = WallClock().now
    seats = tuple(Seat("here", f"P{seat}", seat, session=_HOLDER) for seat in range(2))
    kept = store.create(table_id, new_table("eko", {"players": 2}, script.seed, seats), now())
    for number, (seat, action) in enumerate(script.moves):
        act = Act(key=str(number), version=kept.table.version, seat=seat, action=json.loads(action))
        after = submit(kept.table, act, _HOLDER, at := now())
        kept = store.append(table_id, kept, act, _HOLDER, at, after)
        kept = replace(kept, table=shortened(kept.table, 4))
    return len(script.moves)
