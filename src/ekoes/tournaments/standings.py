"""Points per table, tie-breaks and standings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ekoes.tournaments.state import Entrant, Game, Tournament

_WIN = Fraction(1)
_HALF = Fraction(1, 2)
_NONE = Fraction(0)
_HALVES = 2
"""Half-point byes for rounds missed before joining, at most; later ones bring nothing."""


def points_of(game: Game, seat: int) -> Fraction:
    """Return the points of a seat in a finished game; an absent player gets none and loses to all others."""
    if game.is_bye:
        return _WIN
    if game.places is None or seat in game.absent:
        return _NONE
    own, others = game.places[seat], [other for other in range(len(game.seats)) if other != seat]
    beaten = [_against(game, own, other) for other in others]
    return sum(beaten, _NONE) / len(others)


def _against(game: Game, own: int, other: int) -> Fraction:
    if game.places is None or other in game.absent or own < game.places[other]:
        return _WIN
    return _HALF if own == game.places[other] else _NONE


def missed(entrant: Entrant, played: int) -> Fraction:
    """Return the points for a round (from 0) without a game: half-point byes for those who join late."""
    return _HALF if played < min(entrant.joined, _HALVES) else _NONE


def round_points(tournament: Tournament, entrant: Entrant, played: int) -> Fraction:
    """Return an entrant's points in an ended round (from 0)."""
    found = tournament.game_of(entrant.number, played)
    return missed(entrant, played) if found is None else points_of(*found)


def after_rounds(tournament: Tournament) -> dict[int, Fraction]:
    """Return the points of each entrant in the rounds that have ended."""
    rounds = range(len(tournament.ended_rounds))
    return {
        entrant.number: sum((round_points(tournament, entrant, played) for played in rounds), _NONE)
        for entrant in tournament.entrants
    }


BREAKS = {
    "robin": ("berger", "wins"),
    "swiss": ("buchholz", "berger", "wins"),
    "tables": ("places", "wins"),
}
"""Tie-breaks in order. Fewer is better for places, more for all others."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of an entrant. rank: from 1, shared if all tie-breaks are equal. breaks: as in BREAKS."""

    entrant: int
    rank: int
    points: Fraction
    breaks: tuple[Fraction, ...]


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Return the standings after the last round that has ended, the first entrant first."""
    points = after_rounds(tournament)
    names = BREAKS[tournament.plan.form]
    breaks = {
        entrant.number: tuple(_break(name, tournament, entrant, points) for name in names)
        for entrant in tournament.entrants
    }

    def merit(number: int) -> tuple[Fraction, ...]:
        signed = (-it if name == "places" else it for name, it in zip(names, breaks[number], strict=True))
        return points[number], *signed

    order = sorted(points, key=lambda number: (*(-it for it in merit(number)), number))
    return tuple(
        Standing(
            number, 1 + sum(merit(other) > merit(number) for other in order), points[number], breaks[number]
        )
        for number in order
    )


def _break(name: str, tournament: Tournament, entrant: Entrant, points: dict[int, Fraction]) -> Fraction:
    rounds = range(len(tournament.ended_rounds))
    of_round = {"buchholz": _buchholz, "berger": _berger, "wins": _wins, "places": _places}[name]
    return sum((of_round(tournament, entrant, played, points) for played in rounds), _NONE)


def _opponents(
    tournament: Tournament, entrant: Entrant, played: int, points: dict[int, Fraction]
) -> tuple[Fraction, Fraction]:
    """Return the sum of the opponents' points in a round, and the entrant's own points in it.

    A round without a game counts as one against an opponent with the entrant's own points, so that neither
    byes nor absent opponents are a disadvantage.
    """
    found = tournament.game_of(entrant.number, played)
    brought = round_points(tournament, entrant, played)
    if found is None or not found[0].is_played:
        return points[entrant.number], brought
    game, seat = found
    others = [points[number] for other, number in enumerate(game.seats) if other != seat]
    return sum(others, _NONE), brought


def _buchholz(tournament: Tournament, entrant: Entrant, played: int, points: dict[int, Fraction]) -> Fraction:
    """Buchholz: the points of the opponents."""
    return _opponents(tournament, entrant, played, points)[0]


def _berger(tournament: Tournament, entrant: Entrant, played: int, points: dict[int, Fraction]) -> Fraction:
    """Sonneborn-Berger: the points of beaten opponents, and half those of drawn ones."""
    theirs, brought = _opponents(tournament, entrant, played, points)
    return theirs * brought


def _wins(tournament: Tournament, entrant: Entrant, played: int, _points: dict[int, Fraction]) -> Fraction:
    """Games actually played and won, ahead of all others."""
    found = tournament.game_of(entrant.number, played)
    return Fraction(found is not None and found[0].is_played and points_of(*found) == 1)


def _places(tournament: Tournament, entrant: Entrant, played: int, _points: dict[int, Fraction]) -> Fraction:
    """The place in a game, from 1, averaged if shared; the last place in a round without a game."""
    others = tournament.plan.players - 1
    brought = round_points(tournament, entrant, played)
    return 1 + (1 - brought) * others
