"""Who stands where, and what decides between those with equal points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ekoes.tournament.points import after_rounds, points_of, round_points
from ekoes.tournament.state import Entrant, Tournament

__all__ = ["BREAKS", "Standing", "standings"]

BREAKS = {
    "robin": ("berger", "wins"),
    "swiss": ("buchholz", "berger", "wins"),
    "tables": ("places", "wins"),
}
"""What decides between equals, in this order. Of places few are better, of everything else much."""

_NONE = Fraction(0)


@dataclass(frozen=True, slots=True)
class Standing:
    """How an entrant stands. rank: from 1 on, shared by those whom nothing parts. breaks: as in BREAKS."""

    entrant: int
    rank: int
    points: Fraction
    breaks: tuple[Fraction, ...]


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Return how all entrants stand, the first one first."""
    points = after_rounds(tournament)
    names = BREAKS[tournament.plan.form]
    told = {
        entrant.number: tuple(_break(name, tournament, entrant, points) for name in names)
        for entrant in tournament.entrants
    }

    def merit(number: int) -> tuple[Fraction, ...]:
        signed = (-it if name == "places" else it for name, it in zip(names, told[number], strict=True))
        return points[number], *signed

    order = sorted(points, key=lambda number: (*(-it for it in merit(number)), number))
    return tuple(
        Standing(
            number, 1 + sum(merit(other) > merit(number) for other in order), points[number], told[number]
        )
        for number in order
    )


def _break(name: str, tournament: Tournament, entrant: Entrant, points: dict[int, Fraction]) -> Fraction:
    rounds = range(len(tournament.rounds))
    of_round = {"buchholz": _buchholz, "berger": _berger, "wins": _wins, "places": _places}[name]
    return sum((of_round(tournament, entrant, played, points) for played in rounds), _NONE)


def _opponents(
    tournament: Tournament, entrant: Entrant, played: int, points: dict[int, Fraction]
) -> tuple[Fraction, Fraction]:
    """Return the points of those met in a round, and what the round brought.

    A round without a game counts as one against somebody with as many points as oneself, so that nobody
    is put back by a bye or by who did not come.
    """
    found = tournament.game_of(entrant.number, played)
    brought = round_points(tournament, entrant, played)
    if found is None or not found[0].is_played:
        return points[entrant.number], brought
    game, seat = found
    if game.places is None:
        return _NONE, _NONE
    others = [points[number] for other, number in enumerate(game.seats) if other != seat]
    return sum(others, _NONE), brought


def _buchholz(tournament: Tournament, entrant: Entrant, played: int, points: dict[int, Fraction]) -> Fraction:
    """The points of whom one has met."""
    return _opponents(tournament, entrant, played, points)[0]


def _berger(tournament: Tournament, entrant: Entrant, played: int, points: dict[int, Fraction]) -> Fraction:
    """The points of whom one has beaten, and half of those of whom one has drawn with (Sonneborn-Berger)."""
    theirs, brought = _opponents(tournament, entrant, played, points)
    return theirs * brought


def _wins(tournament: Tournament, entrant: Entrant, played: int, _points: dict[int, Fraction]) -> Fraction:
    """Games that one has played and won, before all others."""
    found = tournament.game_of(entrant.number, played)
    return Fraction(found is not None and found[0].is_played and points_of(*found) == 1)


def _places(tournament: Tournament, entrant: Entrant, played: int, _points: dict[int, Fraction]) -> Fraction:
    """One's place in a game, from 1 on, of a share its middle; in a round without a game the last of all."""
    found = tournament.game_of(entrant.number, played)
    others = tournament.plan.players - 1
    brought = round_points(tournament, entrant, played)
    return 1 + (1 - brought) * others if found is None or found[0].places is not None else _NONE
