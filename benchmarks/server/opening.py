"""How long it takes to open tables that lie in the store: a very long one, and very many at a start."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.server.load import Figures, figures
from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.games.eko.action import Build
from ekoes.games.eko.game import EKO
from ekoes.match.new import new_table
from ekoes.match.orders import Act
from ekoes.match.seats import Seat
from ekoes.match.state import Table, shortened
from ekoes.match.submit import submit
from ekoes.server.audience import Audience
from ekoes.server.clock import WallClock
from ekoes.server.hub import Hub
from ekoes.server.thinking.workers import Workers
from ekoes.storage.store import Store
from ekoes.storage.store import new_table as kept_table

__all__ = ["open_long", "wake_many"]

DECISIONS = 2000
PLAYERS = 4
TIMES = 20
_SESSION = "S"


class _Reader:
    """Whoever the whole table is sent to."""

    session = _SESSION

    def __init__(self) -> None:
        self.received = 0

    def send(self, text: str) -> None:
        self.received += len(text)


async def open_long() -> Figures:
    """Open a table of 2,000 decisions again and again, and tell somebody all of it."""
    with _store() as store:
        _keep_long(store)
        reader, took = _Reader(), []
        _open(store, reader)
        cpu, begun, before = time.process_time(), time.perf_counter(), reader.received
        for _ in range(TIMES):
            start = time.perf_counter()
            _open(store, reader)
            took.append(time.perf_counter() - start)
        passed, used = time.perf_counter() - begun, time.process_time() - cpu
        return figures(1, took, passed, used, reader.received - before, 0)


def _open(store: Store, reader: _Reader) -> None:
    kept = store.load("long")
    assert kept is not None
    Audience("long", WallClock()).join(reader, kept.table, store.log("long", kept.table.log_start))


async def wake_many(tables: int) -> Figures:
    """Start where so many tables of bots were left, and wait until all of them go on."""
    with _store() as store:
        bots = tuple(Seat("bot", f"Bot {seat}", seat, "random") for seat in range(2))
        now = WallClock().now()
        store.write([kept_table(f"t{number}", _table(number, bots), now)[1] for number in range(tables)])
        cpu, begun = time.process_time(), time.perf_counter()
        hub = Hub(store, WallClock(), thinkers=Workers(0))
        await hub.start()
        await hub.woken()
        passed, used = time.perf_counter() - begun, time.process_time() - cpu
        await hub.stop()
        return figures(tables, [passed / tables] * tables, passed, used, 0, 0)


@contextmanager
def _store() -> Iterator[Store]:
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder) / 'tables.sqlite'}")
        yield store
        store.close()


def _table(seed: int, seats: tuple[Seat, ...]) -> Table:
    return new_table("eko", {"players": len(seats)}, seed, seats)


def _keep_long(store: Store) -> None:
    """Play decisions of chance at a table of four and keep each of them."""
    table, moves = _long_game()
    now = WallClock().now
    kept = store.create("long", table, now())
    for number, (seat, action) in enumerate(moves):
        act = Act(key=str(number), version=kept.table.version, seat=seat, action=action)
        after = submit(kept.table, act, _SESSION, at := now())
        kept = store.append("long", kept, act, _SESSION, at, after)
        kept = replace(kept, table=shortened(kept.table, 4))


def _long_game() -> tuple[Table, list[tuple[int, Json]]]:
    """Return a table with decisions of chance that go on for long enough."""
    seats = tuple(Seat("here", f"P{seat}", seat, session=_SESSION) for seat in range(PLAYERS))
    games = ((seed, _moves(seed)) for seed in count())
    seed, moves = next(game for game in games if len(game[1]) == DECISIONS)
    return _table(seed, seats), moves


def _moves(seed: int) -> list[tuple[int, Json]]:
    """Return the first decisions of a game: who takes them, and what."""
    position, chance = EKO.new({"players": PLAYERS}, seed), Chance(seed)
    moves: list[tuple[int, Json]] = []
    while position.outcome() is None and len(moves) < DECISIONS:
        (seat,) = position.actors()
        action = chance.choice(position.legal(seat))
        if isinstance(action, Build):  # who builds less plays longer
            action = chance.choice(position.legal(seat))
        moves.append((seat, EKO.action_to_json(action)))
        position = position.play(seat, action)
    return moves
