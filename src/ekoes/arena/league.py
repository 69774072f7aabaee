"""A league of players two of whom meet at a time: their strengths, and who meets next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations

from ekoes.arena.ratings import Ratings, Showing, expected_score, fit_ratings
from ekoes.games.api.chance import Chance

Results = Mapping[tuple[str, str, int | None], int]
"""First player, second player and the seat that won alone -> games."""


def strengths(players: Sequence[str], measure: int, results: Results) -> Ratings:
    """Return the strengths of players. measure: the mean of the first so many is 0."""
    places = {player: place for place, player in enumerate(players)}
    showings: Counter[Showing] = Counter()
    for (first, second, winner), games in results.items():
        if first in places and second in places:
            pair = places[first], places[second]
            table = tuple(sorted(pair))
            showings[table, table if winner is None else (pair[winner],)] += games
    return fit_ratings(len(players), showings).beside(range(measure))


def next_pair(
    players: Sequence[str],
    ratings: Ratings,
    results: Results,
    may_meet: Callable[[str, str], bool],
    chance: Chance,
) -> tuple[str, str] | None:
    """Return who meets next, by seat: the player of whom least is known, and whose game says most of it.

    That is one of about equal strength, or one whom it has met seldom. None: no two may meet.
    """
    met = Counter[frozenset[str]]()
    begun = Counter[tuple[str, str]]()
    for (first, second, _), games in results.items():
        met[frozenset((first, second))] += games
        begun[first, second] += games
    widths = {player: ratings.covariance[place, place] for place, player in enumerate(players)}
    elo = dict(zip(players, ratings.elo, strict=True))

    def told(one: str, other: str) -> tuple[float, int]:
        score = expected_score(elo[one] - elo[other])
        return round(score * (1 - score) / (1 + met[frozenset((one, other))]), 6), chance.bits()

    pairs = [pair for pair in permutations(players, 2) if may_meet(*pair)]
    if not pairs:
        return None
    widest = max({one for one, _ in pairs}, key=lambda one: (round(widths[one], 6), chance.bits()))
    other = max((other for one, other in pairs if one == widest), key=lambda other: told(widest, other))
    pair = (widest, other)
    back = begun[pair] - begun[pair[::-1]] or chance.choice([-1, 1])
    return pair[::-1] if back > 0 else pair
