"""The table as its messages have told it: what a program that plays over the wire keeps."""

from __future__ import annotations

from ekoes.games.contract import Json
from ekoes.match.difference import changed, checksum

__all__ = ["LostTrackError", "seen", "updated"]


class LostTrackError(ValueError):
    """An update does not fit what is known; the whole table has to be asked for again."""


def updated(table: Json, update: Json) -> Json:
    """Return a ``table`` message as an ``update`` leaves it. Raises LostTrackError."""
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
    """Return the state as the reader sees it: what everybody sees, and what is the reader's own."""
    state: Json = {**table["state"], **table.get("own", {})}
    return state
