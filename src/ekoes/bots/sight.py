"""What an external player receives: the view of its seat and the decisions it has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from ekoes.errors import PositionError
from ekoes.games.api.contract import CHANCE, Game, Json, Position
from ekoes.games.api.registry import load


class Hidden(Protocol):
    """What a game with hidden information provides (``Parts.hidden``)."""

    def sight_from_view(self, value: object, seat: int) -> Any:  # noqa: ANN401
        """Return ``Position.sight(seat)`` from the JSON of ``Position.view(seat)``, of a seat to move.

        Raises: PositionError naming rule and key.
        """

    def decisions_seen(self, decisions: Sequence[tuple[int, Any]], seat: int) -> list[Json]:
        """Return the relevant decisions as a seat saw them. decisions: (seat, action)."""


def sight_from_view(game: Game, value: object, seat: int) -> Any:  # noqa: ANN401 - each game has its own
    """Read the view of a seat to move. Raises PositionError naming rule and key."""
    if game.parts.hidden is not None:
        return cast("Hidden", load(game.parts.hidden)).sight_from_view(value, seat)
    position = game.from_json(value)
    return position.sight(asked_seat(position, seat))


def decisions_seen(game: Game, decisions: Sequence[tuple[int, Any]], seat: int) -> list[Json]:
    """Return decisions as a seat saw them, as ``{"seat", "action"}``. decisions: (seat, action), in order."""
    if game.parts.hidden is not None:
        return cast("Hidden", load(game.parts.hidden)).decisions_seen(decisions, seat)
    return [{"seat": actor, "action": game.action_to_json(action)} for actor, action in decisions]


def asked_seat(position: Position, seat: int | None = None) -> int:
    """Return a seat to move, by default the first. Raises PositionError if the seat is not to move."""
    asked = [actor for actor in position.actors() if actor != CHANCE]
    if not asked:
        raise PositionError("no player is to move", key="position")
    if seat is None:
        return asked[0]
    if seat not in asked:
        raise PositionError(f"player {seat} is not to move", key="seat")
    return seat
