"""Value classes, records of the kernels, and pickling."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple
from weakref import ref

import numpy as np
import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.api.registry import game
from ekoes.games.api.values import MOST_READ, Finding, Readable, changed, reader
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.layout import THREAD, Layout
from ekoes.games.eko.position.state import STACKS, Stack
from ekoes.games.eko.position.tiles import default_tileset
from ekoes.games.eko.rules.record import LEVELS
from ekoes.games.kernels.bits import members
from ekoes.server.ops.secrets import SecretChance
from ekoes.tables.create import new_table
from ekoes.tables.settings import Seat
from tests.kit.tables import played_on
from tests.unit.ekko_games import random_ekko
from tests.unit.games import ALL_VARIANTS, random_game
from tests.unit.tables.racing import SECRET


class Some(NamedTuple):
    """Fields of a record, in another order."""

    last: int
    cards: bytes
    words: tuple[int, ...]


RECORD = np.dtype(
    [("words", np.uint64, (2, 2)), ("left_out", np.int32), ("cards", np.uint8, (3,)), ("last", np.int8)]
)


def test_rows_come_as_one_and_bytes_as_bytes() -> None:
    records = np.zeros(1, RECORD)
    records["words"][0] = [[1, 2**64 - 1], [3, 4]]
    records["cards"][0] = [7, 8, 255]
    records["last"] = -1
    assert reader(RECORD, Some)(records) == (-1, b"\x07\x08\xff", (1, 2**64 - 1, 3, 4))


def test_a_record_with_padding_is_refused() -> None:
    padded = np.dtype([("last", np.int8), ("words", np.uint64)], align=True)
    with pytest.raises(ValueError, match="padding"):
        reader(padded, Some)


class Whole(Readable[int]):
    """A state of one number."""

    def _read(self, states: np.ndarray[Any, Any]) -> int:
        return int(states["last"][0])


def test_the_latest_states_are_cached_and_none_is_kept_alive() -> None:
    states = [Whole(np.zeros(1, RECORD)) for _ in range(MOST_READ + 2)]
    assert not any(state.plain for state in states)
    assert ["plain" in vars(state) for state in states] == [False, False, *[True] * MOST_READ]
    gone = ref(states.pop())
    assert gone() is None


@pytest.mark.parametrize("name", ["eko", "ekko"])
def test_positions_of_long_ago_keep_their_state_alone_and_say_the_same(name: str) -> None:
    chance, position = Chance(3), game(name).new({"players": 2}, 5)
    seen: list[tuple[Any, Any]] = []
    while len(seen) < 700:
        if position.outcome() is not None:
            position = game(name).new({"players": 2}, len(seen))
        (seat,) = position.actors()
        seen.append((position, (position.to_json(), list(position.legal(seat)))))
        action = position.chance_action(chance) if seat < 0 else chance.choice(position.legal(seat))
        position = position.play(seat, action)
    first = seen[0][0]
    assert not vars(first)
    for then, shown in seen:
        assert (then.to_json(), list(then.legal(then.actors()[0]))) == shown


@dataclass(frozen=True, slots=True)
class Under:
    one: int
    two: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Over(Under):
    three: str = "three"


def test_a_value_is_changed_as_dataclasses_would() -> None:
    value = Over(1, (2,))
    assert changed(value, two=(3,), three="") == replace(value, two=(3,), three="") == Over(1, (3,), three="")
    assert changed(value) == value
    assert value == Over(1, (2,))


def test_a_field_that_is_none_is_named() -> None:
    with pytest.raises(TypeError, match="a Over has no four"):
        changed(Over(1), four=4)


searched: list[int] = []


@dataclass(frozen=True, slots=True)
class Wise(Finding):
    number: int

    @cached_property
    def double(self) -> int:
        """Twice the number."""
        searched.append(self.number)
        return 2 * self.number


def test_cached_property_belongs_to_one_value() -> None:
    searched.clear()
    value = Wise(3)
    assert [value.double, value.double] == [6, 6]
    assert searched == [3]
    other = changed(value, number=4)
    assert [other.double, replace(other, number=5).double, value.double] == [8, 10, 6]
    assert searched == [3, 4, 5]


def test_cached_properties_do_not_affect_equality() -> None:
    value = Wise(3)
    assert value.double == 6
    again = pickle.loads(pickle.dumps(value))
    assert (again, hash(again)) == (value, hash(Wise(3)))
    assert again.double == 6
    assert Wise.double.__doc__ == "Twice the number."


MOST_BYTES = 4096
"""Of one position: the state, and the tiles of its board."""


def legal(table: Any) -> list[list[Any]]:
    return [list(table.position.legal(seat)) for seat in table.position.actors()]


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize(
    "steps",
    [
        *(partial(random_game, n, 120, players=n, variants=list(ALL_VARIANTS)) for n in (2, 3, 4)),
        *(partial(random_ekko, 3, 150, players=4, live=live) for live in (False, True)),
    ],
)
def test_positions_come_back_equal(steps: Callable[[], Iterable[tuple[Any, int, Any]]]) -> None:
    for position, seat, action in steps():
        copy = again(position)
        assert copy == position
        assert list(copy.legal(seat)) == list(position.legal(seat))
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
    THREAD.work["code"][:] = 1
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
    fresh: Any = new_table(game, {"players": len(seats)}, 3, seats)
    for table in islice(played_on(fresh, SecretChance(), SECRET), 41):
        copy = again(table)
        assert copy == table
        assert legal(copy) == legal(table)
    assert table.length > 10


SINGLE = (
    "number",
    "player",
    "phase",
    "chooser",
    "resume",
    "first",
    "marched",
    "sandtemple_used",
    "moon_used",
)
OF_SEATS = ("capitals", "reserve", "removed", "unplaced", "whereabouts", "emperor", "captor")


@pytest.mark.parametrize("seed", range(6))
def test_the_view_holds_the_numbers_of_the_record(seed: int) -> None:
    players = 2 + seed % 3
    for position, _, _ in random_game(seed, 100, players=players, variants=ALL_VARIANTS):
        view, state = position.plain, position.states[0]
        assert [getattr(view, name) for name in SINGLE] == [state[name] for name in SINGLE]
        for name in OF_SEATS:
            assert getattr(view, name) == tuple(state[name][:players])
        assert view.placed == state["placed"][: state["n_placed"]].tolist()
        stacks = {
            space: Stack(seat, state["height"][space], state["emperor"][seat] == space)
            for seat in range(players)
            for space in members(state["own"][seat].tolist())
        }
        assert list(view.stacks) == sorted(stacks)
        assert {space: STACKS[code] for space, code in view.stacks.items()} == stacks
        buildings = {
            site: (seat, level)
            for seat in range(players)
            for level in range(1, LEVELS + 1)
            for site in members(state["built"][seat, level].tolist())
        }
        assert list(view.buildings) == sorted(buildings)
        assert {site: divmod(code, LEVELS + 1) for site, code in view.buildings.items()} == buildings
