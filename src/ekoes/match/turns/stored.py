"""Tables of turns as the store keeps them."""

from __future__ import annotations

from datetime import datetime

from ekoes.games.contract import Json, Turn
from ekoes.games.registry import game as game_of
from ekoes.match.stored import fields_from_state, fields_to_state
from ekoes.match.turns.state import Entry, TurnTable, Undoable

__all__ = ["entry_from_state", "entry_to_state", "from_state", "to_state"]


def to_state(table: TurnTable) -> Json:
    """Write the whole table without its log."""
    return fields_to_state(table) | {
        "position": table.position.to_state(),
        "begun": list(map(bytes.hex, table.begun)),
        "undoable": [{"position": one.position.to_state(), "begun": one.begun} for one in table.undoable],
        "held": table.held,
        "offers": sorted(table.offers),
    }


def from_state(value: Json) -> TurnTable:
    """Read what ``to_state`` wrote. Raises EkoesError."""
    read = game_of(value["game"]).from_state
    return TurnTable(
        **fields_from_state(value),
        position=read(value["position"]),
        begun=tuple(map(bytes.fromhex, value["begun"])),
        undoable=tuple(Undoable(read(one["position"]), one["begun"]) for one in value["undoable"]),
        held=value["held"],
        offers=frozenset(value["offers"]),
    )


def entry_to_state(game: str, entry: Entry) -> Json:  # noqa: ARG001 - other kinds of tables need it
    """Write an entry of the log without its position."""
    return {
        "turn": list(entry.turn),
        "seat": entry.seat,
        "action": entry.written,
        "about": entry.about,
        "at": entry.at.isoformat(),
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
    )
