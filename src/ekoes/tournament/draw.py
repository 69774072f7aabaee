"""The next round of a tournament."""

from __future__ import annotations

from ekoes.games.registry import game as game_of
from ekoes.tournament.mixing import mixed
from ekoes.tournament.robin import berger
from ekoes.tournament.state import Game, Tournament
from ekoes.tournament.swiss import swiss

__all__ = ["next_round", "rounds_of"]

_FEWEST = 2


def rounds_of(tournament: Tournament) -> int:
    """Return how many rounds there will be, if all stay."""
    number = len(tournament.entrants)
    everybody = max(0, number + number % 2 - 1)
    form, wanted = tournament.plan.form, tournament.plan.rounds
    if form == "robin":
        return everybody
    return min(wanted, max(everybody, len(tournament.rounds))) if form == "swiss" else wanted


def next_round(tournament: Tournament) -> tuple[Game, ...] | None:
    """Return the games of the next round, byes among them; None: there is none.

    Where somebody of a pair has left for good the other wins without a game.
    """
    if len(tournament.rounds) >= rounds_of(tournament) or len(tournament.active) < _FEWEST:
        return None
    drawn = _drawn(tournament)
    if drawn is None:
        return None
    gone = {one.number for one in tournament.entrants if one.left is not None}
    return tuple(_game(seats, gone) for seats in drawn if not gone.issuperset(seats))


def _drawn(tournament: Tournament) -> tuple[tuple[int, ...], ...] | None:
    match tournament.plan.form:
        case "robin":
            numbers = [one.number for one in tournament.entrants]
            drawn = berger(len(numbers))[len(tournament.rounds)]
            return tuple(tuple(numbers[one - 1] for one in seats) for seats in drawn)
        case "swiss":
            return swiss(tournament)
        case _:
            return mixed(tournament, game_of(tournament.plan.game).players.start)


def _game(seats: tuple[int, ...], gone: set[int]) -> Game:
    absent = frozenset(seat for seat, number in enumerate(seats) if number in gone)
    if len(seats) == 1 or absent:
        return Game(seats, places=tuple(int(seat in absent) for seat in range(len(seats))), absent=absent)
    return Game(seats)
