"""How a game that is over ended, and by which rule (E4.2, E11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ekoes.games.contract import Outcome
from ekoes.games.eko.rules.record import WINNING_POINTS

if TYPE_CHECKING:
    from ekoes.games.eko.state import EkoState

__all__ = ["judge"]


def judge(position: EkoState) -> Outcome:
    """Return the outcome of a position that is over.

    Reasons: points (E11.2), last-on-board (E11.3), both (E11.4), nobody (E11.4), no-moves (E4.2).
    """
    winners = position.winners
    present = {stack.owner for stack in position.stacks().values()}
    if not winners:
        return Outcome((), "no-moves", "E4.2") if present else Outcome((), "nobody", "E11.4")
    by_points = [seat for seat in winners if has_won_by_points(position, seat)]
    if len(by_points) == len(winners):
        return Outcome(winners, "points", "E11.2")
    return Outcome(winners, "both", "E11.4") if by_points else Outcome(winners, "last-on-board", "E11.3")


def has_won_by_points(position: EkoState, seat: int) -> bool:
    """Whether a seat has 12 points and a building on a capital. Rule: E11.2."""
    return bool(position.record.capitals[seat]) and position.points(seat).total >= WINNING_POINTS
