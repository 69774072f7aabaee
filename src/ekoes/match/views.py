"""What leaves a table: its board, its state as each seat may see it, its log, its seats."""

from __future__ import annotations

from collections.abc import Collection

from ekoes.games.contract import Json, Outcome
from ekoes.games.registry import game
from ekoes.match.table import Table

__all__ = ["entries_json", "own_state", "past_state", "seats_json", "seats_of", "shared_state"]


def shared_state(table: Table) -> Json:
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
        "outcome": _outcome_json(table.outcome),
        "repetition": min(table.repetition, 3),
        "draw_offers": sorted(table.offers),
    }


def own_state(table: Table, seats: Collection[int]) -> Json:
    """Return the part of the state that is for the holder of some seats: choices and undo."""
    position = table.position
    asked = [seat for seat in table.asked if seat in seats]
    return {
        "choices": {str(seat): table.lens.choices(position, seat) for seat in asked},
        "undo": [seat for seat in sorted(seats) if table.can_undo(seat)],
    }


def past_state(table: Table, decisions: int) -> Json:
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
        "outcome": _outcome_json(table.outcome if decisions == len(table.log) else position.outcome()),
        "repetition": 1,
        "draw_offers": [],
    }


def entries_json(table: Table, start: int = 0) -> list[Json]:
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


def seats_of(table: Table, session: str) -> frozenset[int]:
    """Return the seats that a session holds."""
    return frozenset(number for number, seat in enumerate(table.seats) if seat.session == session)


def seats_json(table: Table, session: str, online: Collection[str]) -> list[Json]:
    """Describe the seats to one session. online: the sessions that are connected."""
    return [
        {
            "seat": number,
            "name": seat.name,
            "colour": seat.colour,
            "kind": seat.kind,
            "bot": seat.bot,
            "taken": seat.is_taken,
            "yours": seat.session == session,
            "online": seat.kind == "bot" or seat.session in online,
        }
        for number, seat in enumerate(table.seats)
    ]


def _outcome_json(outcome: Outcome | None) -> Json | None:
    if outcome is None:
        return None
    return {"winners": list(outcome.winners), "reason": outcome.reason, "rule": outcome.rule}
