"""The races of a live game: which card was first on a top card, and what came too late by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ekoes.games.ekko.action import Mirror, Play
from ekoes.games.ekko.book import follow
from ekoes.games.ekko.live.entry import Loser
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.remarks import Claim, Late
from ekoes.games.ekko.rules.cards import mirror_of
from ekoes.games.recording import Decision

__all__ = ["Race", "races"]


@dataclass(frozen=True, slots=True)
class Race:
    """Who put the first card on a top card, and when (milliseconds since the table began)."""

    round: int
    on: int
    seat: int
    card: int
    at: int
    is_mirror: bool
    by_clock: bool = False
    late: tuple[Loser, ...] = ()


def races(start: EkkoPosition, decisions: Sequence[Decision]) -> list[Race]:
    """Return the races of a live game in their order: every mirror, and every card that left others behind.

    Rule: K3.5, K7.1, K7.2. A record of a sequence has none. Raises IllegalActionError.
    """
    found: dict[tuple[int, int], Race] = {}
    position = start
    for decision in decisions:
        for race in _seen_in(position, decision):
            key = (race.round, race.on)
            if key not in found:  # a claim comes before its mirror, and is when the card came
                found[key] = race
        if isinstance(decision.action, Late) and decision.arrival is not None:
            loser = Loser(decision.seat, decision.action.card, decision.arrival.behind or 0)
            lost = _lost(found, loser, position.round, decision.arrival.saw or 0)
            found[lost.round, lost.on] = replace(lost, late=(*lost.late, loser))
        position = follow(position, decision.seat, decision.action)
    return [race for race in found.values() if race.is_mirror or race.late]


def _lost(found: Mapping[tuple[int, int], Race], loser: Loser, number: int, on: int) -> Race:
    """Return the race that a card lost which named a top card: its sender's own card is no excuse (K7.2)."""
    race = found[number, on]
    while race.seat == loser.seat and not race.by_clock and mirror_of(race.on) != loser.card:
        race = found[number, race.card]
    return race


def _seen_in(here: EkkoPosition, decision: Decision) -> Iterator[Race]:
    action = decision.action
    if isinstance(action, Play | Mirror | Claim) and decision.arrival is not None and here.top is not None:
        is_mirror = not isinstance(action, Play)
        arrival = decision.arrival
        yield Race(here.round, here.top, decision.seat, action.card, arrival.at, is_mirror, arrival.is_clock)
