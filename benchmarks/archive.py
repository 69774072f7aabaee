"""How quickly the archive answers: ``python -m benchmarks.archive [GAMES]``.

A database is filled with games of people and options that are as common as they may be, and asked the
questions of the page, and the worst ones. Each is asked five times; the median is told.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from sqlalchemy import Engine, insert

from ekoes.storage.archive import Archive, Search
from ekoes.storage.database import open_database, transaction
from ekoes.storage.mentions import Facts, words
from ekoes.storage.schema import GameRow, MentionRow, ResultRow, TableRow

GAMES = 100_000
PAGE = 50
TIMES = 5
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
VARIANTS = ("portals", "labyrinth", "beacon", "moon", "sandtemple", "pyramids", "wind")
_AT_ONCE = 5000

Rows = dict[type[Any], list[dict[str, Any]]]


def game(number: int, chance: Random) -> Facts:
    """Return a game: 2,000 people, of whom a few play much; two in three at the board."""
    is_board = chance.random() < 0.66
    players = chance.choice((2, 2, 2, 3, 4)) if is_board else chance.choice((2, 3, 4, 5, 8))
    names = [f"Person {int(2000 * chance.random() ** 3)}" for _ in range(players)]
    chosen = [one for one in VARIANTS if chance.random() < 0.15] if is_board else []
    options = {"variants": chosen} if is_board else {"calm": chance.random() < 0.2}
    tempo = chance.choice(("untimed", "live", "days")) if is_board else "live"
    people = [(name, seat == number % players) for seat, name in enumerate(names)]
    rated = chance.random() < 0.3
    return Facts("eko" if is_board else "ekko", players, tempo, rated, "points", options, people)


def rows(number: int, facts: Facts) -> Iterator[tuple[type[Any], dict[str, Any]]]:
    """Yield the rows of a game."""
    table_id, at = f"t{number:011}", BEGAN + timedelta(minutes=number)
    facts_of = {"game": facts.game, "players": facts.players, "rated": facts.rated, "reason": facts.reason}
    made = {"id": table_id, "game": facts.game, "options": "{}", "seed": 1, "created_at": at}
    yield TableRow, made | {"stirs": False, "is_over": True, "events": 0}
    pool = f"{facts.game}/{facts.players}/{facts.tempo}"
    yield GameRow, facts_of | {"table_id": table_id, "pool": pool, "length": 100, "ended_at": at}
    for seat, (name, won) in enumerate(facts.people):
        result = {"table_id": table_id, "seat": seat, "holder": None, "name": name, "bot": None}
        yield ResultRow, result | {"rank": int(not won), "won": won}
    for word in sorted(words(facts)):
        yield MentionRow, {"word": word, "ended_at": at, "table_id": table_id}


def fill(engine: Engine, games: int) -> None:
    """Fill a database."""
    chance = Random(7)
    for first in range(0, games, _AT_ONCE):
        kinds: Rows = {}
        for number in range(first, min(first + _AT_ONCE, games)):
            for kind, row in rows(number, game(number, chance)):
                kinds.setdefault(kind, []).append(row)
        with transaction(engine) as connection:
            for kind, some in kinds.items():
                connection.execute(insert(kind), some)


QUESTIONS = {
    "the latest games": Search(),
    "of somebody who plays much": Search(people=("person 0",)),
    "of somebody who plays little": Search(people=("person 1999",)),
    "between two who play much": Search(people=("person 0", "person 1")),
    "won by somebody, rated, of a game": Search(winner="person 3", rated=True, game="eko"),
    "of a game with three variants": Search(
        game="eko", options=tuple(("variants", one) for one in VARIANTS[:3])
    ),
    "in a week": Search(since=BEGAN + timedelta(days=20), until=BEGAN + timedelta(days=27), players=2),
    "two common words that never meet": Search(game="ekko", tempo="days"),
    "two that seldom meet": Search(players=8, options=(("calm", "true"),), rated=True),
}


def asked(archive: Archive, search: Search) -> tuple[int, float]:
    """Return how many games a page has, and the milliseconds that it took."""
    took = []
    for _ in range(TIMES):
        began = perf_counter()
        found = archive.search(search, None, PAGE)
        took.append(1000 * (perf_counter() - began))
    return len(found), median(took)


def main() -> None:
    """Fill a database and ask."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "archive.sqlite"
        engine = open_database(f"sqlite:///{file}")
        fill(engine, games)
        print(f"{games} games, {file.stat().st_size / 2**20:.0f} MiB")
        for name, search in QUESTIONS.items():
            number, milliseconds = asked(Archive(engine), search)
            print(f"{name:36} {number:3} games {milliseconds:8.1f} ms")
        engine.dispose()


if __name__ == "__main__":
    main()
