"""What has changed from one JSON value to another, exactly: how a table travels after it was seen once.

A *change* says for one place what becomes of it:

    [value]          it becomes this value
    null             it is gone
    {"key": change}  it stays; of what is in it, these change; of a list, "0", "1" and so on

A list that has grown shorter is sent anew. In no place a number and a truth value take turns: 1 counts
as true here. ``changed`` undoes what ``difference`` does; ``checksum``
tells whether both sides have come to the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

from ekoes.games.written import canonical

__all__ = ["changed", "checksum", "difference"]


def difference(before: Any, after: Any) -> Any:  # noqa: ANN401 - JSON is anything
    """Return the change that leads from one value to another; {} if there is none."""
    if isinstance(before, dict) and isinstance(after, dict):
        change: dict[str, Any] = {key: None for key in before if key not in after}
        for key, value in after.items():
            if key not in before:
                change[key] = [value]
            elif (former := before[key]) is not value and former != value:
                change[key] = difference(former, value)
        return change
    if isinstance(before, list) and isinstance(after, list) and len(before) <= len(after):
        pairs = enumerate(zip(before, after, strict=False))
        change = {str(place): difference(*pair) for place, pair in pairs if pair[0] != pair[1]}
        return change | {str(place): [after[place]] for place in range(len(before), len(after))}
    return [after]


def changed(value: Any, change: Any) -> Any:  # noqa: ANN401
    """Return a value after a change; the value itself stays as it is."""
    if isinstance(change, list):
        return change[0]
    if isinstance(value, list):
        named = changed({str(place): content for place, content in enumerate(value)}, change)
        return [named[str(place)] for place in range(len(named))]
    fresh = dict(value)
    for key, inner in change.items():
        if inner is None:
            del fresh[key]
        else:
            fresh[key] = changed(fresh.get(key), inner)
    return fresh


def checksum(value: Mapping[str, Any]) -> str:
    """Return the CRC-32 of a value's compact JSON with sorted keys, as eight hexadecimal digits."""
    return f"{crc32(canonical(value)):08x}"
