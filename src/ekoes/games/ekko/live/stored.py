"""A live table's state and log as a store keeps them: JSON, complete, also what is hidden."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from ekoes.games.contract import Json, Outcome
from ekoes.games.ekko.live.entry import Entry, First, Moment, OpenMirror, Receipt, Round, Stage, Verdict
from ekoes.games.ekko.live.kept import plain_json
from ekoes.games.ekko.live.options import LiveOptions
from ekoes.games.ekko.live.state import LiveState, Shown, Tried
from ekoes.games.ekko.position_reader import position_from_state
from ekoes.games.ekko.remarks import format_arrived, parse_arrived

__all__ = ["entry_from_state", "entry_to_state", "from_state", "to_state"]

_FIELDS: dict[str, TypeAdapter[Any]] = {
    "options": TypeAdapter(LiveOptions),
    "stage": TypeAdapter(Stage),
    "claim": TypeAdapter(OpenMirror | None),
    "receipt": TypeAdapter(Receipt | None),
    "rounds": TypeAdapter(tuple[Round, ...]),
    "shown": TypeAdapter(tuple[Shown, ...]),
    "firsts": TypeAdapter(tuple[First, ...]),
    "began": TypeAdapter(datetime | None),
    "outcome": TypeAdapter(Outcome | None),
    "busy": TypeAdapter(tuple[datetime | None, ...]),
    "silent": TypeAdapter(tuple[int, ...]),
    "length": TypeAdapter(int),
}
_CLOCK: dict[str, TypeAdapter[Any]] = {
    "since": TypeAdapter(Moment | None),
    "top_since": TypeAdapter(Moment | None),
    "drew_since": TypeAdapter(tuple[Moment | None, ...]),
}
_SETS: dict[str, TypeAdapter[Any]] = {
    "people": TypeAdapter(frozenset[int]),
    "ready": TypeAdapter(frozenset[int]),
    "passed": TypeAdapter(frozenset[int]),
    "late": TypeAdapter(frozenset[Tried]),
}
_ENTRY: dict[str, TypeAdapter[Any]] = {
    "round": TypeAdapter(int),
    "seat": TypeAdapter(int),
    "verdict": TypeAdapter(Verdict),
    "at": TypeAdapter(datetime),
    "on": TypeAdapter(int | None),
    "behind": TypeAdapter(int | None),
    "draws": TypeAdapter(tuple[tuple[int, int], ...]),
    "by_clock": TypeAdapter(bool),
}


def to_state(state: LiveState) -> Json:
    """Write a state between two steps; equal states give equal JSON.

    What clocks count from stands under the key ``clock``: it begins anew after a server was away.
    """
    names = ("stage", "began", "outcome", "busy", *(("silent",) if state.silent else ()))
    return {
        **plain_json({name: getattr(state, name) for name in names}),
        **{name: sorted(map(_row, getattr(state, name)), key=str) for name in _SETS},
        "options": _said(state.options.json, "open_hands"),
        "claim": state.claim and state.claim.json,
        "receipt": state.receipt and state.receipt.json,
        "rounds": [_said(finished.json, "hands") for finished in state.rounds],
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


def _said(value: Json, late: str) -> Json:
    """Return a value without what came with a later release, where it says nothing: digests stay."""
    return value if value[late] else {key: content for key, content in value.items() if key != late}


def _row(member: int | Tried) -> int | list[int | None]:
    return member if isinstance(member, int) else list(member)


def from_state(value: Json) -> LiveState:
    """Read what ``to_state`` wrote; what a release before did not write yet stands as at the beginning."""
    position = position_from_state(value["position"])
    return LiveState(
        **_read(value, _FIELDS | _SETS),
        **_read(value["clock"], _CLOCK),
        position=position,
        withheld=tuple(replace(entry_from_state(entry), position=position) for entry in value["withheld"]),
    )


def entry_to_state(entry: Entry) -> Json:
    """Write an entry without its position, but with all that is hidden."""
    written: Json = plain_json({name: getattr(entry, name) for name in _ENTRY})
    return written | {"action": format_arrived(entry.action)}


def entry_from_state(value: Json) -> Entry:
    """Read what ``entry_to_state`` wrote."""
    return Entry(**_read(value, _ENTRY), action=parse_arrived(value["action"]), position=None)


def _read(value: Json, fields: dict[str, TypeAdapter[Any]]) -> Json:
    return {name: kind.validate_python(value[name]) for name, kind in fields.items() if name in value}
