"""Diffs between two JSON values, and updates that carry them to viewers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

from ekoes.games.api.contract import Json
from ekoes.games.api.values import canonical


def difference(before: Any, after: Any) -> Any:  # noqa: ANN401 - JSON is anything
    """Return the change that leads from one value to another; {} if there is none."""
    if isinstance(before, list) and isinstance(after, list) and len(before) <= len(after):
        places = [*map(str, range(len(after)))]
        before, after = dict(zip(places, before, strict=False)), dict(zip(places, after, strict=True))
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return [after]
    change: dict[str, Any] = {}
    for key in before:
        if key not in after:
            change[key] = None
    for key, value in after.items():
        if key not in before:
            change[key] = [value]
        elif (former := before[key]) is not value and former != value:
            change[key] = difference(former, value) if isinstance(value, dict | list) else [value]
    return change


def changed(value: Any, change: Any) -> Any:  # noqa: ANN401
    """Return a value after a change; the argument is not modified."""
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


class LostTrackError(ValueError):
    """An update does not match the client's state; request the whole table again."""


def updated(table: Json, update: Json) -> Json:
    """Return a ``table`` message after an ``update``. Raises LostTrackError."""
    if update["base"] != table["version"]:
        raise LostTrackError
    state = changed(table["state"], update["change"])
    if checksum(state) != update["check"]:
        raise LostTrackError
    common = {key: value for key, value in table.items() if key != "own"}
    news: Json = {key: update[key] for key in ("version", "seats", "own") if key in update}
    log = [*table["log"][: update["keep"]], *update["entries"]]
    return {**common, **news, "state": state, "log": log}


def seen(table: Json) -> Json:
    """Return the state as the viewer sees it: the common state overlaid with their own keys."""
    state: Json = {**table["state"], **table.get("own", {})}
    return state
