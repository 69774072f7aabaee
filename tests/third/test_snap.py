"""A game with hidden cards and races, which only the tests know, at a table: no other file knows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ekoes.errors import EkoesError
from ekoes.games import registry
from ekoes.games.chance import Chance
from ekoes.match.kinds import kind_of
from ekoes.match.moves import next_move
from ekoes.match.new import new_table
from ekoes.match.orders import Intent, Resign
from ekoes.match.seats import Seat
from ekoes.match.state import Table
from ekoes.match.submit import submit
from ekoes.record import read_record
from tests.tables import past, record
from tests.third.conftest import HERE

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
PEOPLE = (Seat("here", "Ada", 0, session="a"), Seat("open", "Bo", 1, session="b"))
BOTS = tuple(Seat("bot", "", seat, bot="first") for seat in range(3))


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(HERE))
    registry._others.cache_clear()
    yield
    registry._others.cache_clear()


def dealt(seats: tuple[Seat, ...], seed: int) -> Any:
    table: Any = new_table("snap", {"players": len(seats)}, 7, seats)
    due = kind_of("snap").due(table, NOW, Chance(seed))
    assert due is not None
    return submit(table, due[0], None, due[1])


def put(table: Table, seat: int, card: int, on: int, after: int) -> Table:
    intent = Intent(key="k", seat=seat, action={"card": card, "on": on})
    return submit(table, intent, "ab"[seat], NOW + timedelta(milliseconds=after))


def test_bots_play_to_the_end_and_the_record_reads_back() -> None:
    kind = kind_of("snap")
    winners = set()
    for seed in range(10):
        table, at = dealt(BOTS, seed), NOW
        while table.outcome is None:
            kept = kind.from_state(json.loads(json.dumps(kind.to_state(table))))
            move = next_move(table, at)
            assert move is not None
            assert next_move(kept, at) == move
            at = max(at, move.at)
            due = kind.due(table, at, Chance(0))
            order = move.order if due is None else due[0]
            assert order is not None
            table = submit(table, order, None, at)
        game = read_record(record(table))
        assert game.outcome == table.outcome
        assert len(game.decisions) == table.length
        winners |= {table.outcome.winners}
    assert len(winners) > 1, "some hands run empty, others wait in vain"


def test_of_two_cards_for_one_place_the_first_is_right() -> None:
    tables = (dealt(PEOPLE, seed) for seed in range(100))
    table = next(each for each in tables if each.position.legal(0) and each.position.legal(1))
    top = table.position.top
    cards = [table.position.legal(seat)[0].cards[0] for seat in (0, 1)]
    both = put(put(table, 1, cards[1], top, 300), 0, cards[0], top, 312)
    log = kind_of("snap").entries_json(both)
    assert [entry["action"]["type"] for entry in log] == ["deal", "put", "late"]
    assert both.log[-1].behind == 12
    with pytest.raises(EkoesError, match=r"S2\.1"):
        put(table, 0, cards[1], top, 400)


def test_nobody_sees_a_hand_of_others() -> None:
    kind, table = kind_of("snap"), dealt(PEOPLE, 1)
    everybodys = json.dumps([kind.shared_state(table, NOW), kind.entries_json(table), past(table, 1)])
    assert '"cards": []' in everybodys
    assert '"hand"' not in everybodys
    assert kind.own_state(table, {1})["hands"] == {"1": list(table.position.hands[1])}
    with pytest.raises(EkoesError, match=r"S1\.1"):
        record(table)


def test_of_two_who_resigns_loses() -> None:
    after = submit(dealt(PEOPLE, 1), Resign(key="r", seat=0), "a", NOW)
    assert after.outcome is not None
    assert (after.outcome.winners, after.outcome.rule) == ((1,), "S3.2")
