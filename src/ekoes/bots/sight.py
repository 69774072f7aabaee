"""What a player that is asked from afar gets: what its seat sees, and what it saw of the decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from ekoes.errors import PositionError
from ekoes.games.contract import CHANCE, Game, Json, Position
from ekoes.games.registry import load

__all__ = ["Hidden", "asked_seat", "decisions_seen", "sight_from_view"]


class Hidden(Protocol):
    """What a game brings where a seat does not see everything (``Parts.hidden``)."""

    def sight_from_view(self, value: object, seat: int) -> Any:  # noqa: ANN401
        """Return ``Position.sight(seat)`` from the JSON of ``Position.view(seat)``, of a seat that is asked.

        Raises: PositionError naming rule and key.
        """

    def decisions_seen(self, decisions: Sequence[tuple[int, Any]], seat: int) -> list[Json]:
        """Return what a seat saw of decisions, as far as they still matter. decisions: (seat, action)."""


def sight_from_view(game: Game, value: object, seat: int) -> Any:  # noqa: ANN401 - each game has its own
    """Read what a seat that is asked sees. Raises PositionError naming rule and key."""
    if game.parts.hidden is not None:
        return cast("Hidden", load(game.parts.hidden)).sight_from_view(value, seat)
    position = game.from_json(value)
    return position.sight(asked_seat(position, seat))


def decisions_seen(game: Game, decisions: Sequence[tuple[int, Any]], seat: int) -> list[Json]:
    """Return what a seat saw of decisions, as ``{"seat", "action"}``. decisions: (seat, action), in order."""
    if game.parts.hidden is not None:
        return cast("Hidden", load(game.parts.hidden)).decisions_seen(decisions, seat)
    return [{"seat": actor, "action": game.action_to_json(action)} for actor, action in decisions]


def asked_seat(position: Position, seat: int | None = None) -> int:
    """Return a seat that is asked, the first if none is given. Raises PositionError if it is not."""
    asked = [actor for actor in position.actors() if actor != CHANCE]
    if not asked:
        raise PositionError("nobody is asked", key="position")
    if seat is None:
        return asked[0]
    if seat not in asked:
        raise PositionError(f"player {seat} is not asked", key="seat")
    return seat
