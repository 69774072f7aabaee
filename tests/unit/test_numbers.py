"""Records of the kernels, read in one go."""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import ref

import numpy as np
import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.api.registry import game
from ekoes.games.kernels.record_reader import MOST_READ, Readable, reader


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
    for then, told in seen:
        assert (then.to_json(), list(then.legal(then.actors()[0]))) == told
