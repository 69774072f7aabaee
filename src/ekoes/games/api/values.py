"""Values: frozen dataclasses with slots, JSON that is serialised once, its diffs, and records of kernels."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from functools import cache, cached_property
from operator import attrgetter
from struct import Struct
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar, get_type_hints
from weakref import ref
from zlib import crc32

import orjson
from pydantic import PlainSerializer, TypeAdapter
from typing_extensions import TypedDict

from ekoes.games.api.contract import Json

if TYPE_CHECKING:
    import numpy as np

V = TypeVar("V")
N = TypeVar("N", bound=NamedTuple)
P = TypeVar("P")
T = TypeVar("T")

Sorted = Annotated[frozenset[T], PlainSerializer(sorted)]
"""A set that is stored as a sorted list."""
Stamp = Annotated[datetime, PlainSerializer(datetime.isoformat)]
"""A moment that is stored to the microsecond."""
_adapter = cache(TypeAdapter)
BRIEF = PlainSerializer(lambda it: _adapter(it.__class__).dump_python(it, mode="json", exclude_defaults=True))
"""An object that is stored without defaults."""


class StoredFields:
    """Writes and reads fields of a dataclass as JSON.

    besides: other fields. always: those that are stored even if they have their default.
    """

    def __init__(self, cls: type[Any], besides: Collection[str], always: Collection[str] = ()) -> None:
        hints = get_type_hints(cls, include_extras=True)
        own = [field for field in fields(cls) if field.name not in besides]
        self.defaults = {it.name: MISSING if it.name in always else it.default for it in own}
        shape: Any = TypedDict(cls.__name__, {name: hints[name] for name in self.defaults}, total=False)  # type: ignore[misc]
        self._adapter: TypeAdapter[Any] = TypeAdapter(shape)

    def write(self, value: object) -> Json:
        """Return the fields that differ from their defaults, and those that are always stored."""
        others = {
            name: content
            for name, default in self.defaults.items()
            if (content := getattr(value, name)) != default
        }
        stored: Json = self._adapter.dump_python(others, mode="json", by_alias=True)
        return stored

    def read(self, stored: Json) -> Json:
        """Return the fields of what ``write`` returned, by name."""
        read: Json = self._adapter.validate_python(stored)
        return read


class Finding:
    """The base of frozen dataclasses with slots and cached properties; a changed copy starts without them."""

    __slots__ = ("__dict__",)


@cache
def field_names(cls: type[Any]) -> tuple[str, ...]:
    """Return the names of a dataclass's fields."""
    return tuple(field.name for field in fields(cls))


def changed(value: V, **others: object) -> V:
    """Return a copy with changed fields: ``dataclasses.replace`` without ``__init__``, and much faster."""
    places, read, writers = _slots(type(value))  # type: ignore[arg-type] # a type can be hashed
    contents = [*read(value)]
    for name, content in others.items():
        if name not in places:
            raise TypeError(f"a {type(value).__name__} has no {name}")
        contents[places[name]] = content
    fresh = object.__new__(type(value))
    for write, content in zip(writers, contents, strict=True):
        write(fresh, content)
    return fresh


@cache
def _slots(
    cls: type[Any],
) -> tuple[dict[str, int], Callable[[Any], tuple[Any, ...]], list[Callable[[Any, Any], None]]]:
    """Return the index of each slot, a reader of all slots, and the writers."""
    names = field_names(cls)  # type: ignore[arg-type] # a type can be hashed
    read = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
    places = {name: place for place, name in enumerate(names)}
    return places, read, [getattr(cls, name).__set__ for name in names]


class CachedJson:
    """The base of frozen dataclasses that often stay unchanged over many orders: caches their JSON."""

    __slots__ = ("_json",)
    _json: Json

    @property
    def json(self) -> Json:
        """The value as JSON, read-only."""
        try:
            return self._json
        except AttributeError:
            object.__setattr__(self, "_json", plain_json(self))
            return self._json


def plain_json(value: object) -> Json:
    """Return a dataclass or a mapping as it is after a round trip through JSON."""
    found: Json = orjson.loads(orjson.dumps(value, option=orjson.OPT_UTC_Z))
    return found


class Written(dict[str, Any]):
    """A JSON object, read-only, whose canonical text is cached."""

    __slots__ = ("text",)

    text: orjson.Fragment


def canonical(value: object) -> bytes:
    """Return canonical JSON: compact, keys sorted, in UTF-8."""
    return orjson.dumps(value, _text_of, orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS)


def _text_of(value: object) -> orjson.Fragment:
    if not isinstance(value, Written):
        raise TypeError(f"{type(value).__name__} is no JSON")
    try:
        return value.text
    except AttributeError:
        text = orjson.dumps(dict(value), option=orjson.OPT_SORT_KEYS)
        # a copy, as orjson's own bytes keep the buffer of 16 KB into which they were written
        value.text = orjson.Fragment(bytes(memoryview(text)))
        return value.text


def difference(before: object, after: object) -> Any:  # noqa: ANN401 - an object between two, else a list
    """Return the change that leads from one value to another; {} if there is none."""
    root: Json = {}
    pairs = [(root, "", before, after)]
    while pairs:
        change, name, before, after = pairs.pop()
        if isinstance(before, list) and isinstance(after, list) and len(before) <= len(after):
            places = [*map(str, range(len(after)))]
            before, after = dict(zip(places, before, strict=False)), dict(zip(places, after, strict=True))
        if not (isinstance(before, dict) and isinstance(after, dict)):
            change[name] = [after]
            continue
        inner = change[name] = dict.fromkeys(before.keys() - after.keys())
        for key, value in after.items():
            if key not in before:
                inner[key] = [value]
            elif (former := before[key]) is not value and former != value:
                pairs.append((inner, key, former, value))
    return root[""]


def patched(value: Any, change: Any) -> Any:  # noqa: ANN401 - JSON is anything
    """Return a value after a change; the argument is not modified."""
    if isinstance(change, list):
        return change[0]
    if isinstance(value, list):
        named = patched({str(place): content for place, content in enumerate(value)}, change)
        return [named[str(place)] for place in range(len(named))]
    fresh = dict(value)
    for key, inner in change.items():
        if inner is None:
            del fresh[key]
        else:
            fresh[key] = patched(fresh.get(key), inner)
    return fresh


def checksum(value: Mapping[str, Any]) -> str:
    """Return the CRC-32 of a value's compact JSON with sorted keys, as eight hexadecimal digits."""
    return f"{crc32(canonical(value)):08x}"


MOST_READ = 128
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
