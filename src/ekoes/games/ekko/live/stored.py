"""The stored form of a live table's state and log: complete JSON, hidden cards included."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, get_type_hints

from pydantic import TypeAdapter

from ekoes.games.api.contract import Json
from ekoes.games.ekko.live.state import Entry, LiveState, Tried, plain_json
from ekoes.games.ekko.position.notation import format_arrived, parse_arrived
from ekoes.games.ekko.position.position_reader import position_from_state

_SETS = ("people", "ready", "passed", "late")


def _adapters(cls: type[Any], besides: tuple[str, ...]) -> dict[str, TypeAdapter[Any]]:
    hints = get_type_hints(cls)
    names = [field.name for field in fields(cls) if field.name not in besides]
    return {name: TypeAdapter(hints[name]) for name in names}


_STATE = _adapters(LiveState, besides=("position", "withheld", "entries"))
_ENTRY = _adapters(Entry, besides=("action", "position"))


def to_state(state: LiveState) -> Json:
    """Return the JSON of a state between two steps; equal states give equal JSON.

    ``clock`` has the start times of the clocks, which restart after the server was down.
    """
    names = ("stage", "began", "outcome", "busy", *(("silent",) if state.silent else ()))
    return {
        **plain_json({name: getattr(state, name) for name in names}),
        **{name: sorted(map(_row, getattr(state, name)), key=str) for name in _SETS},
        "options": _without_empty(state.options.json, "open_hands"),
        "claim": state.claim and state.claim.json,
        "receipt": state.receipt and state.receipt.json,
        "rounds": [_without_empty(finished.json, "hands") for finished in state.rounds],
        "shown": [shown.json for shown in state.shown],
        "firsts": [first.json for first in state.firsts],
        "length": state.length,
        "position": state.position.to_state(),
        "withheld": [entry_to_state(entry) for entry in state.withheld],
        "clock": {
            "since": state.since and state.since.json,
            "top_since": state.top_since and state.top_since.json,
            "drew_since": [moment and moment.json for moment in state.drew_since],
        },
    }


def _without_empty(value: Json, optional: str) -> Json:
    """Leave out a key if it is empty, so that digests of states from before that key stay the same."""
    return value if value[optional] else {key: content for key, content in value.items() if key != optional}


def _row(member: int | Tried) -> int | list[int | None]:
    return member if isinstance(member, int) else list(member)


def from_state(value: Json) -> LiveState:
    """Read the JSON that ``to_state`` returns; missing keys have their defaults."""
    position = position_from_state(value["position"])
    return LiveState(
        **_read(value | value["clock"], _STATE),
        position=position,
        withheld=tuple(replace(entry_from_state(entry), position=position) for entry in value["withheld"]),
    )


def entry_to_state(entry: Entry) -> Json:
    """Return the JSON of an entry without its position, hidden cards included."""
    written: Json = plain_json({name: getattr(entry, name) for name in _ENTRY})
    return written | {"action": format_arrived(entry.action)}


def entry_from_state(value: Json) -> Entry:
    """Read the JSON that ``entry_to_state`` returns."""
    return Entry(**_read(value, _ENTRY), action=parse_arrived(value["action"]), position=None)


def _read(value: Json, adapters: dict[str, TypeAdapter[Any]]) -> Json:
    return {name: adapter.validate_python(value[name]) for name, adapter in adapters.items() if name in value}
