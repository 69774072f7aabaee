"""What is handed to another process comes back as it was, small, and each board is built once."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.tiles import default_tileset
from ekoes.server.ops.secrets import SecretChance
from ekoes.tables.create import new_table
from ekoes.tables.seats import Seat
from ekoes.tables.submit import submit
from tests.next_move import next_move
from tests.unit.ekko_games import random_ekko
from tests.unit.games import ALL_VARIANTS, random_game
from tests.unit.tables.racing import NOW, SECRET

MOST_BYTES = 4096
"""Of one position: the state, and the tiles of its board."""


def legal(table: Any) -> list[list[Any]]:
    return [list(table.position.legal(seat)) for seat in table.position.actors()]


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_positions_of_eko_come_back_equal(players: int) -> None:
    for position, seat, action in random_game(players, 120, players=players, variants=list(ALL_VARIANTS)):
        copy = again(position)
        assert copy == position
        assert list(copy.legal(seat)) == list(position.legal(seat))
        assert copy.play(seat, action) == position.play(seat, action)
        assert len(pickle.dumps(position)) < MOST_BYTES


@pytest.mark.parametrize("live", [False, True])
def test_positions_of_ekko_come_back_equal(live: bool) -> None:
    for position, seat, action in random_ekko(3, 150, players=4, live=live):
        copy = again(position)
        assert copy == position
        assert copy.legal(seat) == position.legal(seat)
        assert copy.play(seat, action) == position.play(seat, action)
        assert len(pickle.dumps(position)) < MOST_BYTES


def test_board_is_built_once_for_all_positions_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pickles = [pickle.dumps(position) for position, _, _ in random_game(77, 9)]
    built: list[object] = []
    make = Layout.__init__

    def count(layout: Layout, *given: Any) -> None:
        built.append(layout)
        make(layout, *given)

    monkeypatch.setattr(Layout, "__init__", count)
    layouts = {id(pickle.loads(text).layout) for text in pickles}
    assert (len(built), len(layouts)) == (1, 1)


def test_scratch_memory_of_the_kernels_stays_at_home() -> None:
    position = EKO.new({"players": 2}, 5)
    before = len(pickle.dumps(position))
    assert len(position.legal()) > 0
    position.layout.work["code"][:] = 1
    assert len(pickle.dumps(position)) == before


def test_board_of_another_box_comes_back_with_it() -> None:
    box = default_tileset().to_json()
    box["groups"]["unused"] = 4
    position = EKO.new({"players": 2, "tileset": box}, 4)
    assert again(position) == position
    assert not again(position).layout.tileset.is_default


@pytest.mark.parametrize(
    ("game", "bots"), [("eko", ("random", "greedy")), ("ekko", ("random", "beginner", "skilled"))]
)
def test_tables_come_back_equal(game: str, bots: tuple[str, ...]) -> None:
    seats = tuple(Seat("bot", "", number, bot=bot) for number, bot in enumerate(bots))
    table: Any = new_table(game, {"players": len(seats)}, 3, seats)
    chance, at = SecretChance(), NOW
    for _ in range(40):
        due = table.automatic_order(at, chance) if game == "ekko" else None
        move = next_move(table, at, SECRET) if due is None else None
        if due is not None:
            table = submit(table, due[0], None, due[1])
        elif move is not None:
            at = max(at, move.at)
            table = table if move.order is None else submit(table, move.order, None, at)
        copy = again(table)
        assert copy == table
        assert legal(copy) == legal(table)
    assert table.length > 10
