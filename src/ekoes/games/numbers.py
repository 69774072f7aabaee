"""The numbers of a kernel's record, for plain Python: far quicker than by the attributes of a record."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from struct import Struct
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar
from weakref import ref

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Latest", "Readable", "reader", "rows"]

N = TypeVar("N", bound=NamedTuple)
P = TypeVar("P")

_MOST_READ = 512
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


class Forgetful(Protocol):
    """A value that remembers what was found out about it, and can find it out again."""

    def forget(self) -> None:
        """Remember nothing."""


class Latest:
    """Of some values the latest ones remember; what comes after them lets the earliest forget.

    The numbers of a record take five times its own memory, and of a game's earlier positions hardly anybody
    asks for them again.
    """

    def __init__(self, most: int = _MOST_READ) -> None:
        """Begin with none. most: how many remember at the same time."""
        self._most = most
        self._values: deque[ref[Forgetful]] = deque()

    def add(self, value: Forgetful) -> None:
        """Let a value remember; it is not kept alive by that."""
        self._values.append(ref(value))
        if len(self._values) > self._most and (earliest := self._values.popleft()()) is not None:
            earliest.forget()


_LATEST = Latest()


class Readable(Generic[P]):
    """A state of the kernels, and what was read of it, as long as that is among the latest."""

    __slots__ = ("__weakref__", "_plain", "states")
    _read: ClassVar[Callable[..., Any]]

    def __init__(self, states: np.ndarray[Any, Any]) -> None:
        """Hold a state. states: STATE[1], not to be written any more."""
        self.states = states
        self._plain: P | None = None

    @property
    def plain(self) -> P:
        """The state in plain numbers."""
        found = self._plain  # another thread may let it be forgotten meanwhile
        if found is None:
            found = self._plain = self._read(self.states)
            _LATEST.add(self)
        return found

    def forget(self) -> None:
        """Keep the state alone, until somebody asks for more again."""
        self._plain = None
