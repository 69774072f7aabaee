"""The numbers of a kernel's record, for plain Python: far quicker than by the attributes of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from struct import Struct
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    import numpy as np

__all__ = ["reader", "rows"]

N = TypeVar("N", bound=NamedTuple)

_LETTERS = {"uint64": "Q", "int32": "i", "int8": "b", "uint8": "B"}


def reader(record: np.dtype[Any], kind: type[N]) -> Callable[[np.ndarray[Any, Any]], N]:
    """Return what reads the fields of a record that a kind of named tuple has.

    Rows of a field come as one; rows of bytes come as bytes. The record has no padding: its reader takes
    an array of one such record.
    """
    places = {name: (letters, row) for name, letters, row in _places(record)}
    numbers = Struct("=" + "".join(letters for letters, _ in places.values()))
    if numbers.size != record.itemsize:
        raise ValueError("there is padding between the fields of this record")
    rows = [places[name][1] for name in kind._fields]

    def read(records: np.ndarray[Any, Any]) -> N:
        found = numbers.unpack(records.tobytes())
        return kind(*[found[row] for row in rows])  # type: ignore[arg-type] # rows and single numbers

    return read


def _places(record: np.dtype[Any]) -> Iterator[tuple[str, str, int | slice]]:
    """Yield each field with its letters and where its numbers stand, in the order in which they lie."""
    start = 0
    for name in record.names or ():
        field = record[name]
        letter, count = _LETTERS[field.base.name], field.itemsize // field.base.itemsize
        is_bytes = letter == "B" and bool(field.shape)
        end = start + (1 if is_bytes else count)
        is_row = bool(field.shape) and not is_bytes
        yield name, f"{count}{'s' if is_bytes else letter}", slice(start, end) if is_row else start
        start = end


def rows(records: np.ndarray[Any, Any]) -> SimpleNamespace:
    """Return the fields of a record that have rows, by their names, to be read and written in place.

    records: one of them.
    """
    names = records.dtype.names or ()
    return SimpleNamespace(**{name: records[name][0] for name in names if records.dtype[name].shape})
