"""What leaves a table of turns: its state as each seat may see it, and its log."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ekoes.games.contract import Json
from ekoes.games.registry import game
from ekoes.match.table import outcome_json

if TYPE_CHECKING:
    from ekoes.match.turns.table import TurnTable

__all__ = ["entries_json", "own_state", "past_state", "shared_state"]


def shared_state(table: TurnTable) -> Json:
    """Return the part of the state that is the same for everybody.

    A browser may hold several seats (hot-seat), so the position is what a spectator may see.
    """
    position = table.position
    return {
        "position": position.view(None),
        "asked": list(table.asked),
        "asked_to": table.lens.phase(position),
        "choices": {},
        "players": table.lens.players(position),
        "held": table.held,
        "undo": [],
        "outcome": outcome_json(table.outcome),
        "repetition": min(table.repetition, 3),
        "draw_offers": sorted(table.offers),
        "rematch": table.rematch_json(),
    }


def own_state(table: TurnTable, seats: Collection[int]) -> Json:
    """Return the part of the state that is for the holder of some seats: choices and undo."""
    position = table.position
    asked = [seat for seat in table.asked if seat in seats]
    return {
        "choices": {str(seat): table.lens.choices(position, seat) for seat in asked},
        "undo": [seat for seat in sorted(seats) if table.can_undo(seat)],
    }


def past_state(table: TurnTable, decisions: int) -> Json:
    """Return the state after some decisions (0 … len(log)), without choices."""
    position = table.positions[decisions]
    return {
        "position": position.view(None),
        "asked": list(position.actors()),
        "asked_to": table.lens.phase(position),
        "choices": {},
        "players": table.lens.players(position),
        "held": None,
        "undo": [],
        "outcome": outcome_json(table.outcome if decisions == len(table.log) else position.outcome()),
        "repetition": 1,
        "draw_offers": [],
        "rematch": table.rematch_json(),
    }


def entries_json(table: TurnTable, start: int = 0) -> list[Json]:
    """Return the log from its entry ``start`` (0: the first) on."""
    write = game(table.game).action_to_json
    return [
        {
            "n": number,
            "turn": entry.turn.number,
            "seat": entry.seat,
            "action": write(entry.action),
            **entry.about,
            "at": entry.at.isoformat(),
        }
        for number, entry in enumerate(table.log[start:], start + 1)
    ]
