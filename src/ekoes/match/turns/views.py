"""What leaves a table of turns: its state as each seat may see it, and its log."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from ekoes.errors import TableError
from ekoes.games.contract import Json, Position
from ekoes.games.recording import moment_text
from ekoes.games.registry import game
from ekoes.match.clock_plan import clock_json as plan_json
from ekoes.match.state import delay_json, outcome_json, rated_json, rematch_json
from ekoes.match.turns.clock import clock_json
from ekoes.match.turns.state import TurnTable

__all__ = [
    "board_json",
    "entries_json",
    "kept_entries",
    "notes",
    "options_json",
    "own_state",
    "past_state",
    "shared_state",
    "timed",
    "ways",
    "why_not",
]


def options_json(table: TurnTable) -> Json:
    """Return the options, with the seed: it tells the first position and nothing else."""
    limit = {} if table.turn_limit is None else {"turn_limit": table.turn_limit}
    clock = {} if table.clock is None else {"clock": plan_json(table.clock)}
    return {**table.options, "seed": table.seed, **limit, **clock, **rated_json(table), **delay_json(table)}


def board_json(table: TurnTable) -> Json:
    """Describe the board."""
    return table.presenter.board(table.position)


def why_not(table: TurnTable, seat: int, action: Json) -> Json | None:
    """Explain why an action is not possible; None if it is legal. Raises NotationError."""
    refusal = table.position.why_not(seat, game(table.game).parse_action(action))
    if refusal is None:
        return None
    return {"code": refusal.code, "rule": refusal.rule, "message": refusal.message}


def ways(table: TurnTable, of: object) -> Any:  # noqa: ANN401 - as the game tells them
    """Return the ways of a piece. Raises NotationError."""
    return table.presenter.ways(table.position, of)


def timed(table: TurnTable) -> tuple[str, ...]:
    """Return the key of what the clocks show, where there are any."""
    return () if table.times is None else ("left",)


def shared_state(table: TurnTable, now: datetime) -> Json:
    """Return the part of the state that is the same for everybody.

    A browser may hold several seats (hot-seat), so the position is what a spectator may see.
    """
    position = table.position
    return {
        "position": position.view(None),
        "asked": list(table.asked),
        "asked_to": table.presenter.phase(position),
        "choices": {},
        "players": table.presenter.players(position),
        "held": table.held,
        "undo": [],
        "take_back": sorted({start.turn.player for start in table.starts} & table.people),
        "outcome": outcome_json(table.outcome),
        "repetition": min(table.repetition, 3),
        "draw_offers": sorted(table.offers),
        "rematch": rematch_json(table),
        **clock_json(table, now),
    }


def own_state(table: TurnTable, seats: Collection[int]) -> Json:
    """Return the part of the state that is for the holder of some seats: choices and undo."""
    position = table.position
    asked = [seat for seat in table.asked if seat in seats]
    return {
        "choices": {str(seat): table.presenter.choices(position, seat) for seat in asked},
        "undo": [seat for seat in sorted(seats) if table.can_undo(seat)],
        **notes(table, seats),
    }


def notes(table: TurnTable, seats: Collection[int]) -> Json:
    """Return what the holder of some seats has written down for later; nothing where they have not."""
    told = {str(lines.seat): lines.to_json() for lines in table.lines if lines.seat in seats}
    return {"lines": told} if told and table.outcome is None else {}


def past_state(table: TurnTable, decisions: int, then: TurnTable) -> Json:
    """Return the state after some decisions, without choices."""
    position = _position_after(then, decisions)
    return {
        "position": position.view(None),
        "asked": list(position.actors()),
        "asked_to": table.presenter.phase(position),
        "choices": {},
        "players": table.presenter.players(position),
        "held": None,
        "undo": [],
        "take_back": [],
        "outcome": outcome_json(table.outcome if decisions == table.length else position.outcome()),
        "repetition": 1,
        "draw_offers": [],
        "rematch": rematch_json(table),
        **_clock_after(table, then, decisions),
    }


def _clock_after(table: TurnTable, then: TurnTable, decisions: int) -> Json:
    """Tell what the clocks showed after some decisions; none of them runs any more."""
    if table.clock is None:
        return {}
    if not decisions:
        return clock_json(then, datetime.min.replace(tzinfo=UTC))
    return {"left": list(then.log[decisions - then.log_start - 1].left or ()), "running": []}


def _position_after(table: TurnTable, decisions: int) -> Position:
    """Return the position after the last of some decisions, which is in the log; after none the table's."""
    position = table.log[decisions - table.log_start - 1].position if decisions else table.position
    if position is None:
        raise TableError("this position lies in the store", code="table/not-found")
    return position


def entries_json(table: TurnTable, start: int = 0) -> list[Json]:
    """Return the log from its entry ``start`` (0: the first) on."""
    return [
        {
            "n": number,
            "turn": entry.turn.number,
            "seat": entry.seat,
            "action": entry.written,
            **entry.about,
            "at": moment_text(entry.at),
            **({} if entry.left is None else {"left": list(entry.left)}),
        }
        for number, entry in enumerate(table.log[start - table.log_start :], start + 1)
    ]


def kept_entries(table: TurnTable, before: TurnTable) -> int:
    """Return how many decisions stand unchanged; an undo takes back the last."""
    return min(before.length, table.length)
