"""A slow, obvious second implementation of EKKO, written from the rules alone.

It works directly on interchange positions (plain dictionaries) and shares no code with the
package, so that a difference between the two is a mistake in one of them.

The decision sequence (K6), and the same game at a live table (K7), where nobody is asked for a
mirror and cards are misplayed:

    legal(position)              -> list of action dictionaries of whoever is asked
    apply(position, action)      -> the position afterwards
    live_legal(position)         -> list of (seat, action): all that may arrive at a live table
    live_apply(position, action) -> the position afterwards
    live_verdict(shown, …)       -> what a card comes to that arrives at a live table
    taken(position)              -> list of (seat, action): of a live table, taken in sequence too
    check(position)              -> raises Refused when the position is impossible
    canonical(position)          -> the same position, keys and cards in interchange order
    view(position, eye, drew)    -> what an eye may see (K6.4)
    points(hand)                 -> what a hand scores (K5.4)
"""

from __future__ import annotations

from tests.reference.common import Refused
from tests.reference.ekko.cards import mirror_of, playable, points
from tests.reference.ekko.live import live_apply, live_follow, live_legal, live_verdict, taken
from tests.reference.ekko.position import canonical, check
from tests.reference.ekko.turn import apply, follow, legal
from tests.reference.ekko.view import view

__all__ = [
    "Refused",
    "apply",
    "canonical",
    "check",
    "follow",
    "legal",
    "live_apply",
    "live_follow",
    "live_legal",
    "live_verdict",
    "mirror_of",
    "playable",
    "points",
    "taken",
    "view",
]
