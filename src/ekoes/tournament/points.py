"""What a game and a round bring: each one's share of the others whom they came before.

So a game of two is worth 1, ½ or 0, and one of four 1, ⅔, ⅓ or 0: no table is worth more than another.
"""

from __future__ import annotations

from fractions import Fraction

from ekoes.tournament.state import Entrant, Game, Tournament

__all__ = ["after_rounds", "missed", "points_of", "round_points"]

_WIN = Fraction(1)
_HALF = Fraction(1, 2)
_NONE = Fraction(0)
_HALVES = 2
"""Rounds before somebody joined that bring them half a point each; others bring nothing."""


def points_of(game: Game, seat: int) -> Fraction:
    """Return what a game that is over brings a seat; who did not come is behind all others, with nothing."""
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
    """Return what a round (from 0 on) brings in which somebody had no game: a little, if they came later."""
    return _HALF if played < min(entrant.joined, _HALVES) else _NONE


def round_points(tournament: Tournament, entrant: Entrant, played: int) -> Fraction:
    """Return what a round (from 0 on) has brought an entrant; nothing while their game goes on."""
    found = tournament.game_of(entrant.number, played)
    return missed(entrant, played) if found is None else points_of(*found)


def after_rounds(tournament: Tournament) -> dict[int, Fraction]:
    """Return what each entrant has come to."""
    rounds = range(len(tournament.rounds))
    return {
        entrant.number: sum((round_points(tournament, entrant, played) for played in rounds), _NONE)
        for entrant in tournament.entrants
    }
