"""The secret of a table's bots is published nowhere (K6.4)."""

from __future__ import annotations

import logging
import pickle
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ekoes.bots import BotRequest, Secret, fresh_secret
from ekoes.games.api.chance import Chance
from ekoes.games.ekko.position.position import shuffled_cards
from ekoes.server.ops.clock import WallClock
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from tests.kit.stored import create, stored_table
from tests.kit.tables import played_on
from tests.unit.server.hub_room import Room, Viewer, run
from tests.unit.tables.racing import NOW, SECRET

AT = re.compile(r'"at":([^,}]*)')
FINE = timedelta(microseconds=457)


def table_of(game: str, people: int = 0, seed: int = 7) -> Table:
    """A table of bots, with people in the first seats."""
    bots = {"eko": "random", "ekko": "beginner"}
    seats = tuple(
        Seat("here", "", number, session="ada")
        if number < people
        else Seat("bot", "", number, bot=bots[game])
        for number in range(3)
    )
    options: dict[str, Any] = {"players": 3} | ({"target": 9} if game == "ekko" else {})
    return new_table(game, options, seed, seats, turn_limit=4 if game == "eko" else None)


def bot_actions(game: str, secret: Secret) -> list[Any]:
    """Return what bots did at a table whose seed and deals are known."""
    table = next(
        one for one in played_on(table_of(game), Chance(1), secret) if one.outcome or one.length >= 30
    )
    return [(entry["seat"], entry["action"], entry["at"]) for entry in table.entries_json()]


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_k6_4_seed_of_a_table_does_not_tell_what_its_bots_do(game: str) -> None:
    """The same seed, the same orders, the same deals: another secret, other bots."""
    assert bot_actions(game, SECRET) == bot_actions(game, SECRET)
    assert bot_actions(game, SECRET) != bot_actions(game, Secret(bytes([1] * 32)))


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_k6_4_no_question_s_chance_comes_from_the_seed(game: str) -> None:
    seen: set[int] = set()
    table = table_of(game)
    while (due := table.automatic_order(NOW, Chance(1))) is not None:
        table = submit(table, due[0], None, due[1])
    table = table if table.deadline is None else submit(table, *_struck(table))
    for seed in range(20):
        questions = replace(table, seed=seed).bot_requests(SECRET)
        seen |= {question.chance for question in questions}
        assert len(questions) == len(table.bot_requests(SECRET)) > 0
    assert len(seen) == len(questions)


def _struck(table: Table) -> tuple[Any, None, Any]:
    """Let the time to look at the hands be over."""
    at = table.deadline
    assert at is not None
    due = table.automatic_order(at, Chance(1))
    assert due is not None
    return due[0], None, due[1]


def test_chances_of_questions_tell_nothing_of_each_other() -> None:
    """64 bits of a keyed hash for each; no two of a thousand have a difference in common."""
    chances = [SECRET.seed(f"turn-{seat}-{number}") for seat in range(2) for number in range(500)]
    differences = {one ^ other for one, other in pairwise(chances)}
    assert len(differences) == len(chances) - 1
    assert max(chances).bit_length() == 64
    assert SECRET.seed("turn-0-0") == chances[0] != Secret(bytes([1] * 32)).seed("turn-0-0")


def test_every_table_has_a_secret_of_its_own_that_comes_back(store: Store) -> None:
    stored = [create(store, name, table_of("ekko"), NOW).secret for name in ("a", "b")]
    assert stored[0] != stored[1]
    loaded = stored_table(store, "a")
    assert loaded.secret == stored[0]
    assert len(fresh_secret().key) * 8 >= 128


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_k6_4_secret_is_in_no_message_no_log_and_no_record(
    game: str, store: Store, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    deals = Chance(3)
    asked: list[BotRequest] = []

    async def serve() -> str:
        room = Room(store, lambda: shuffled_cards(deals))
        room.clock._now += FINE
        table_id = await room.hub.create(table_of(game))
        viewers = [Viewer("ada"), Viewer("bob")]
        async with room.hub.table(table_id) as live:
            for viewer in viewers:
                await live.join(viewer)
            for _ in range(15_000):
                if live.table.outcome is not None:
                    break
                asked.extend(live.bot_requests())
                await room.clock.forward(197)
            assert live.table.outcome is not None
            texts = [text for viewer in viewers for text in viewer.texts] + [await live.table_text("eve")]
            texts += [str(await live.past_json(1)), await live.record(), repr(live.table)]
        await room.hub.stop()
        return "\n".join(texts)

    with caplog.at_level(logging.DEBUG):
        said = run(serve())
    with closing(sqlite3.connect(path)) as database:
        ((secret,),) = database.execute("SELECT secret FROM tables").fetchall()
        rest = [
            database.execute(f"SELECT * FROM {name}").fetchall()  # noqa: S608 - our own names
            for name in ("events", "states")
        ]
        rest += database.execute("SELECT options FROM tables").fetchall()
        rest += database.execute("SELECT state, clock FROM states").fetchall()
    assert len(asked) > 5
    assert all(bytes.fromhex(secret) not in pickle.dumps(question) for question in asked)
    hidden = [secret, str(bytes.fromhex(secret)), *(str(question.chance) for question in asked)]
    written = str([vars(record) for record in caplog.records])
    assert not [each for each in hidden if each in said + caplog.text + written + str(rest)]
    assert repr(Secret.read(secret)) == "Secret()"
    assert "chance" not in repr(asked[0])
    times = AT.findall(said)
    assert times
    assert {len(time) for time in times} == {len("1767225600000")}, "no time finer than milliseconds"


def test_server_clock_has_whole_milliseconds_and_is_monotonic() -> None:
    clock = WallClock()
    moments = [clock.now() for _ in range(20_000)]
    assert {moment.microsecond % 1000 for moment in moments} == {0}
    assert moments == sorted(moments)
