"""Reads a kernel's record into Python numbers, far faster than by the attributes of a record."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from struct import Struct
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar
from weakref import ref

if TYPE_CHECKING:
    import numpy as np


N = TypeVar("N", bound=NamedTuple)
P = TypeVar("P")

MOST_READ = 512
"""The maximum number of states with cached properties."""
_LETTERS = {"uint64": "Q", "int32": "i", "int8": "b", "uint8": "B"}


def reader(record: np.dtype[Any], kind: type[N]) -> Callable[[np.ndarray[Any, Any]], N]:
    """Return a reader of an array of one record as a named tuple of some of its fields.

    Rows of a field are flattened; rows of uint8 become bytes. The record must have no padding.
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
    """Yield each field with its struct format and the index of its numbers, in order."""
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
    """Return the array fields of one record by name, as views to read and write in place."""
    names = records.dtype.names or ()
    return SimpleNamespace(**{name: records[name][0] for name in names if records.dtype[name].shape})


_latest: deque[ref[Readable[Any]]] = deque()
"""The states with cached properties, the oldest first.

The numbers of a record take five times its memory, and earlier positions of a game are rarely read.
"""


class Readable(Generic[P]):
    """A state of the kernels; its cached properties last while it is among the latest states read."""

    __slots__ = ("__dict__", "__weakref__", "states")
    _read: Callable[[np.ndarray[Any, Any]], P]

    def __init__(self, states: np.ndarray[Any, Any]) -> None:
        """states: STATE[1], read-only from now on."""
        self.states = states

    @cached_property
    def plain(self) -> P:
        """The state as Python numbers."""
        _latest.append(ref(self))
        if len(_latest) > MOST_READ and (earliest := _latest.popleft()()) is not None:
            earliest.__dict__.clear()
        return self._read(self.states)
