"""Tables: what an order costs in the store, and opening a long game beside a short one."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from ekoes.games.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.match.new import new_table
from ekoes.match.orders import Act
from ekoes.match.seats import Seat
from ekoes.match.submit import submit
from ekoes.server.app import create_app
from ekoes.server.settings import Settings
from ekoes.storage.store import Kept, Store

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SHORT, LONG = 50, 2000
ROUNDS = 15
TRIED = 12


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with a short table and a long one, at the same kind of moment."""
    folder = tmp_path_factory.mktemp("data")
    store = Store(Settings(data=folder).database_url)
    for decisions in (SHORT, LONG):
        write_game(store, str(decisions), decisions)
    store.close()
    return folder


def standing(store: Store, name: str) -> Kept:
    """Return a table as it is kept."""
    kept = store.load(name)
    assert kept is not None
    return kept


def write_game(store: Store, name: str, decisions: int) -> None:
    """Keep a peaceful game of Ekö for four that lasts so many decisions."""
    seats = tuple(Seat("here", f"P{seat}", seat, session="all") for seat in range(4))
    table: Any = new_table("eko", {"players": 4}, 2, seats)
    store.create(name, table, NOW)
    kept, chance = standing(store, name), Chance(2)
    for number in range(decisions):
        (seat,) = table.asked
        action = EKO.action_to_json(peaceful(table.position, seat, chance))
        order = Act(key=f"{number}", version=table.version, seat=seat, action=action)
        table = submit(table, order, "all", NOW)
        kept = store.append(name, kept, order, "all", NOW, table)


def peaceful(position: Any, seat: int, chance: Chance) -> Any:
    """Return what loses and builds least, of some decisions that chance names."""
    legal = position.legal(seat)
    tried = [chance.choice(legal) for _ in range(TRIED)]
    return min(tried, key=lambda action: weight(position.play(seat, action)))


def weight(position: Any) -> tuple[int, int, int]:
    """Measure how far a game has come: discs lost, buildings, captives."""
    captives = sum(len(position.captives(seat)) for seat in range(position.players))
    return int(position.record.removed.sum()), len(position.buildings()), captives


@pytest.mark.parametrize("decisions", [SHORT, LONG])
def test_opening_a_table_from_the_store(benchmark: Any, data: Path, decisions: int) -> None:
    store = Store(Settings(data=data).database_url)
    benchmark.extra_info |= about("Ekö, table of {} decisions: opened from the store", decisions)
    benchmark.pedantic(store.load, (str(decisions),), rounds=ROUNDS, warmup_rounds=2)
    store.close()


@pytest.mark.parametrize("decisions", [SHORT, LONG])
def test_showing_a_table(benchmark: Any, data: Path, decisions: int) -> None:
    """Open a table that nobody looks at, and write the whole of it for a browser."""
    with asyncio.Runner() as runner:
        app = create_app(Settings(data=data))
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here")

        def show() -> int:
            answer = runner.run(client.get(f"/api/tables/{decisions}"))
            return len(answer.raise_for_status().content)

        assert show() > decisions * 100
        benchmark.extra_info |= about("Ekö, table of {} decisions: shown by GET /api/tables", decisions)
        benchmark.pedantic(show, rounds=ROUNDS, warmup_rounds=2)


def test_keeping_an_order(benchmark: Any, tmp_path: Path) -> None:
    """What the store does about one decision: its event, the log, the state; one commit on the disk."""
    store = Store(f"sqlite:///{tmp_path / 'test.sqlite'}")
    seats = tuple(Seat("here", "", seat, session="all") for seat in range(2))
    table: Any = new_table("eko", {"players": 2}, 1, seats)
    (seat,) = table.asked
    action = EKO.action_to_json(table.position.legal(seat)[0])
    order = Act(key="1", version=0, seat=seat, action=action)
    after = submit(table, order, "all", NOW)
    names = count()

    def fresh() -> tuple[tuple[Any, ...], dict[str, Any]]:
        name = f"{next(names)}"
        store.create(name, table, NOW)
        return (name, standing(store, name), order, "all", NOW, after), {}

    benchmark.extra_info |= {"what": "Ekö: orders kept, one after the other", "unit": "orders/s", "count": 1}
    benchmark.pedantic(store.append, setup=fresh, rounds=100)
    store.close()


def about(what: str, decisions: int) -> dict[str, Any]:
    """Say what is measured, the long table beside the short one."""
    beside = {} if decisions == SHORT else {"beside": what.format(SHORT)}
    return {"what": what.format(decisions), "unit": "tables/s", "count": 1} | beside
