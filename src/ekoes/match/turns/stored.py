"""Tables of turns as the store keeps them."""

from __future__ import annotations

from datetime import datetime

from ekoes.games.contract import Json, Turn
from ekoes.games.registry import game as game_of
from ekoes.match.stored import fields_from_state, fields_to_state
from ekoes.match.turns.lines import lines_from_json
from ekoes.match.turns.state import Entry, Start, TurnTable, Undoable
from ekoes.match.turns.times import Times, times_from_json

__all__ = ["entry_from_state", "entry_to_state", "from_state", "to_state"]


def to_state(table: TurnTable) -> Json:
    """Write the whole table without its log."""
    return fields_to_state(table) | {
        "position": table.position.to_state(),
        "begun": list(map(bytes.hex, table.begun)),
        "undoable": list(map(_undoable_to_state, table.undoable)),
        "held": table.held,
        "offers": sorted(table.offers),
        **_times_to_state(table.times),
        **({"starts": list(map(_start_to_state, table.starts))} if table.starts else {}),
        **({"lines": [lines.to_state() for lines in table.lines]} if table.lines else {}),
    }


def _start_to_state(one: Start) -> Json:
    return {"turn": list(one.turn), "length": one.length, **_undoable_to_state(one.before)}


def _undoable_to_state(one: Undoable) -> Json:
    return {"position": one.position.to_state(), "begun": one.begun, **_times_to_state(one.times)}


def _times_to_state(times: Times | None) -> Json:
    return {} if times is None else {"times": times.to_json()}


def _times_from_state(value: Json) -> Times | None:
    return times_from_json(value["times"]) if "times" in value else None


def from_state(value: Json) -> TurnTable:
    """Read what ``to_state`` wrote. Raises EkoesError."""
    read = game_of(value["game"]).from_state

    def undoable(one: Json) -> Undoable:
        return Undoable(read(one["position"]), one["begun"], _times_from_state(one))

    return TurnTable(
        **fields_from_state(value),
        position=read(value["position"]),
        begun=tuple(map(bytes.fromhex, value["begun"])),
        undoable=tuple(undoable(one) for one in value["undoable"]),
        held=value["held"],
        offers=frozenset(value["offers"]),
        times=_times_from_state(value),
        starts=tuple(
            Start(Turn(*one["turn"]), one["length"], undoable(one)) for one in value.get("starts", ())
        ),
        lines=tuple(map(lines_from_json, value.get("lines", ()))),
    )


def entry_to_state(game: str, entry: Entry) -> Json:  # noqa: ARG001 - other kinds of tables need it
    """Write an entry of the log without its position."""
    return {
        "turn": list(entry.turn),
        "seat": entry.seat,
        "action": entry.written,
        "about": entry.about,
        "at": entry.at.isoformat(),
        **({} if entry.left is None else {"left": list(entry.left)}),
    }


def entry_from_state(game: str, value: Json) -> Entry:
    """Read what ``entry_to_state`` wrote. Raises NotationError."""
    return Entry(
        turn=Turn(*value["turn"]),
        seat=value["seat"],
        action=game_of(game).parse_action(value["action"]),
        written=value["action"],
        about=value["about"],
        at=datetime.fromisoformat(value["at"]),
        left=tuple(value["left"]) if "left" in value else None,
    )
