"""Records of the kernels, read in one go."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from ekoes.games.numbers import reader


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
