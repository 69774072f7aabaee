"""Points per table, tie-breaks and standings."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

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
    "arena": ("wins", "games"),
}
"""Tie-breaks in order. Fewer is better for places and games, more for all others."""
_FEWER = {"places", "games"}


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of an entrant. rank: from 1, shared if all tie-breaks are equal. breaks: as in BREAKS."""

    entrant: int
    rank: int
    points: Fraction
    breaks: tuple[Fraction, ...]


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Return the standings after the last round that has ended, the first entrant first.

    In an arena they are those after the last game.
    """
    names = BREAKS[tournament.plan.form]
    if tournament.plan.form == "arena":
        found, _ = sheets(tournament)
        points = {number: one.points for number, one in found.items()}
        breaks: dict[int, tuple[Fraction, ...]] = {
            number: (Fraction(one.wins), Fraction(len(one.scores))) for number, one in found.items()
        }
    else:
        points = after_rounds(tournament)
        breaks = {
            entrant.number: tuple(_break(name, tournament, entrant, points) for name in names)
            for entrant in tournament.entrants
        }

    def demerit(number: int) -> tuple[Fraction, ...]:
        signed = (it if name in _FEWER else -it for name, it in zip(names, breaks[number], strict=True))
        return -points[number], *signed

    order = sorted((demerit(number), number) for number in points)
    ranks: dict[tuple[Fraction, ...], int] = {}
    return tuple(
        Standing(number, ranks.setdefault(merit, place), points[number], breaks[number])
        for place, (merit, number) in enumerate(order, 1)
    )


_FIRE = 2
"""Wins in a row after which the next games of an arena count double, until one is not won."""


@dataclass(slots=True)
class Sheet:
    """What an entrant has in an arena. scores: the points of each game. streak: wins in a row."""

    points: Fraction = _NONE
    wins: int = 0
    streak: int = 0
    scores: list[Fraction] = field(default_factory=list)

    @property
    def is_on_fire(self) -> bool:
        """Whether the next game counts double."""
        return self.streak >= _FIRE

    def add(self, game: Game, seat: int) -> Fraction:
        """Add a game that is over; returns its points.

        A win brings two points, a draw one; a win berserk one more. A brief game ends the loser's streak, and
        brings points only to a player whose opponent did not come.
        """
        share = _share(game.places, game.absent, seat)
        has_won = share == _WIN
        if game.brief:
            score = 2 * share if game.absent else _NONE
            self.streak = self.streak if has_won else 0
        else:
            score = 2 * share * (2 if self.is_on_fire else 1) + (has_won and seat in game.berserk)
            self.streak = self.streak + 1 if has_won else 0
            self.wins += has_won
        self.points += score
        self.scores.append(score)
        return score


@lru_cache(4096)
def _share(places: tuple[int, ...], absent: frozenset[int], seat: int) -> Fraction:
    return points_of(Game(tuple(range(len(places))), places=places, absent=absent), seat)


def sheets(tournament: Tournament) -> tuple[dict[int, Sheet], dict[str | None, list[Fraction]]]:
    """Return the sheets of the entrants of an arena, by number, and the points of each game, by its table."""
    found = {one.number: Sheet() for one in tournament.entrants}
    over = (game for games in tournament.rounds for game in games if game.places is not None)
    scores = {
        game.table: [found[number].add(game, seat) for seat, number in enumerate(game.seats)] for game in over
    }
    return found, scores


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
