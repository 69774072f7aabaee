"""A slow, obvious second implementation of Ekö (EKKO: `ekko`), written from the rules alone.

It works directly on interchange positions (plain dictionaries) and shares no code with the
package, so that a difference between the two is a mistake in one of them.

    legal(position)         -> list of action dictionaries
    apply(position, action) -> the position afterwards
    perft(position, depth)  -> number of decision sequences
    broken(position, seat, action) -> the rules that an illegal action breaks
    check(position)         -> raises Refused when the position is impossible
    canonical(position)     -> the same position, keys and spaces in interchange order
"""

from __future__ import annotations

from tests.reference.board import Board, board_of
from tests.reference.common import Refused
from tests.reference.ending import points, winners
from tests.reference.position import canonical, check
from tests.reference.reasons import broken
from tests.reference.turn import apply, follow, legal, perft

__all__ = [
    "Board",
    "Refused",
    "apply",
    "board_of",
    "broken",
    "canonical",
    "check",
    "follow",
    "legal",
    "perft",
    "points",
    "winners",
]
