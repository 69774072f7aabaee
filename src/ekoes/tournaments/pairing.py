"""Pairings of a round: round robin, Swiss, and groups for tables of more than two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ekoes.games.api.registry import game as game_of
from ekoes.tournaments.standings import standings
from ekoes.tournaments.state import Game, Tournament

_TRIES = 12
"""Starting points of the local search for good tables; the first is the order of the standings."""
_MEETING = 10_000
"""The cost of a repeated meeting: more than all distances in the standings together."""
_AGAIN = 6
"""The factor for each further meeting of a pair: several pairs meet again before one meets once more."""

_SMALL, _AHEAD = 10, 3
"""With at most so many players, so many Swiss rounds are planned together, so that none needs a rematch."""
_BYE = 0
"""Stands for the opponent in a bye."""

IntArray = NDArray[np.int64]
Pairs = tuple[tuple[int, ...], ...]
Met = frozenset[frozenset[int]]


def sizes(number: int, most: int, least: int) -> tuple[int, ...]:
    """Return the number of players at each table, as even as possible; players left over get a bye."""
    for playing in range(number, least - 1, -1):
        tables = -(-playing // most)
        if playing // tables >= least:
            return tuple(playing // tables + (table < playing % tables) for table in range(tables))
    return ()


def mixed(tournament: Tournament, least: int) -> Pairs | None:
    """Return the seating of the next round by standings and earlier meetings; a single player has a bye.

    least: the fewest players of a game. Returns None if there are too few players.
    """
    order = _in_order(tournament)
    wanted = sizes(len(order), tournament.plan.players, least)
    if not wanted:
        return None
    idle = _idle(tournament, order, len(order) - sum(wanted))
    playing = [number for number in order if number not in idle]
    tables, had = _tables(tournament, playing, wanted), seats_had(tournament)
    return (*(seated(had, table) for table in tables), *((number,) for number in idle))


def _in_order(tournament: Tournament) -> list[int]:
    """Return the active entrants, the first in the standings first."""
    active = {one.number for one in tournament.active}
    return [it.entrant for it in standings(tournament) if it.entrant in active]


def _idle(tournament: Tournament, order: Sequence[int], number: int) -> Sequence[int]:
    """Return the players who get a bye: those with the fewest so far, the lowest in the standings first."""
    byes = Counter(game.seats[0] for games in tournament.rounds for game in games if game.is_bye)
    last_first = order[::-1]
    return sorted(last_first, key=lambda one: byes[one])[:number]


def _tables(tournament: Tournament, playing: Sequence[int], wanted: Sequence[int]) -> list[list[int]]:
    """Return the best tables found: with few repeated meetings, then with players of similar standing."""
    weights = _weights(tournament, playing)
    begin = np.repeat(np.arange(len(wanted)), wanted)
    chance = np.random.default_rng(len(tournament.rounds))
    beginnings = [begin, *(chance.permutation(begin) for _ in range(1, _TRIES))]
    _, best = min((improved(weights, tables) for tables in beginnings), key=lambda found: found[0])
    return [
        [number for number, at in zip(playing, best, strict=True) if at == table]
        for table in range(len(wanted))
    ]


def _weights(tournament: Tournament, playing: Sequence[int]) -> IntArray:
    """Return the cost of seating each pair at one table, in the order of the standings."""
    places = np.arange(len(playing))
    place = {number: at for at, number in enumerate(playing)}
    met = np.zeros((len(playing), len(playing)), dtype=np.int64)
    for game in (game for games in tournament.rounds for game in games):
        for one, other in permutations([place[number] for number in game.seats if number in place], 2):
            met[one, other] += 1
    weights: IntArray = _MEETING * (_AGAIN**met - 1) + np.abs(places[:, None] - places)
    return weights


def improved(weights: IntArray, tables: IntArray) -> tuple[int, IntArray]:
    """Swap the best pair of players until no swap helps; return the total cost and the tables.

    tables: the table of each player, in the order of the standings.
    """
    people, number = np.arange(len(tables)), int(tables.max()) + 1
    while True:
        beside = weights @ np.eye(number, dtype=np.int64)[tables]
        own, there = beside[people, tables], beside[:, tables]
        gain = own[:, None] + own - there - there.T + 2 * weights
        gain[tables[:, None] == tables] = 0
        one, other = np.unravel_index(int(gain.argmax()), gain.shape)
        if gain[one, other] <= 0:
            return int(own.sum()), tables
        tables[[one, other]] = tables[[other, one]]


def seats_had(tournament: Tournament) -> Counter[tuple[int, int]]:
    """Return how often each player has had each seat."""
    games = (game for games in tournament.rounds for game in games)
    return Counter((number, seat) for game in games for seat, number in enumerate(game.seats))


def seated(had: Counter[tuple[int, int]], table: Sequence[int]) -> tuple[int, ...]:
    """Return a table in the order of its seats, so that each player has had each seat about equally often."""

    @cache
    def best(left: frozenset[int]) -> tuple[int, tuple[int, ...]]:
        """Return the cheapest order of the remaining players on the last seats, with its cost."""
        seat = len(table) - len(left)
        orders = (
            (2 * had[number, seat] + 1 + best(left - {number})[0], (number, *best(left - {number})[1]))
            for number in left
        )
        return min(orders, default=(0, ()))

    return best(frozenset(table))[1]


def _swiss(tournament: Tournament) -> Pairs | None:
    """Return the next Swiss pairings; a single player has a bye.

    They follow the Dutch system if rounds without a rematch can follow, as far as looked ahead. Else players
    near each other in the standings meet, without regard to who began more often; and where there is no
    pairing without a rematch or a second bye, the fewest possible meet again.
    """
    from ekoes.tournaments.swiss import swiss  # noqa: PLC0415 - its library takes long to load

    planned, order, met = rounds_of(tournament), _in_order(tournament), _met(tournament)
    dutch = swiss(tournament, planned)
    if len(order) <= _SMALL:
        for rounds in range(min(planned - len(tournament.rounds), _AHEAD), 0, -1):
            if dutch is not None and _can_follow(order, met, dutch, rounds - 1):
                return dutch
            if (found := _without_rematch(order, met, rounds)) is not None:
                had = seats_had(tournament)
                return tuple(seated(had, pair) for pair in found)
    return mixed(tournament, 2) if dutch is None else dutch


def _met(tournament: Tournament) -> Met:
    """Return the pairs drawn so far, and with the bye those who had one or won against an absent opponent."""
    games = [game for games in tournament.rounds for game in games]
    winners = (
        number
        for game in games
        for seat, number in enumerate(game.seats)
        if game.is_bye or (game.absent and seat not in game.absent)
    )
    pairs = {frozenset(game.seats) for game in games if not game.is_bye}
    return frozenset(pairs | {frozenset((number, _BYE)) for number in winners})


def _can_follow(order: Sequence[int], met: Met, pairs: Pairs, rounds: int) -> bool:
    """Return whether so many rounds without a rematch can follow a round."""
    after = met | {frozenset(pair if len(pair) > 1 else (*pair, _BYE)) for pair in pairs}
    return rounds == 0 or _without_rematch(order, after, rounds) is not None


def _without_rematch(order: Sequence[int], met: Met, rounds: int) -> Pairs | None:
    """Return the pairs of a round that can begin so many without a rematch; None if there is none."""
    everybody = (*order, _BYE) if len(order) % 2 else tuple(order)
    possible = (pairs for pairs in _pairings(everybody, met) if _can_follow(order, met, pairs, rounds - 1))
    return next(possible, None)


def _pairings(order: Sequence[int], met: Met) -> Iterator[Pairs]:
    """Yield all pairings of players who have not met, those of the nearest in the order first."""
    if not order:
        yield ()
        return
    first, *others = order
    for other in others:
        if frozenset((first, other)) not in met:
            pair = (first,) if other == _BYE else (first, other)
            rest = [number for number in others if number != other]
            yield from ((pair, *pairs) for pairs in _pairings(rest, met))


def berger(number: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the rounds in which 1 … number meet each other once: pairs, the first player first.

    With an odd number one has a bye in each round. These are the tables that FIDE publishes (Handbook C.05,
    annex 1): the last player stays, all others rotate by half of the circle.
    """
    even = number + number % 2
    return tuple(_round(number, even, played) for played in range(even - 1))


def _round(number: int, even: int, played: int) -> tuple[tuple[int, ...], ...]:
    ring, half = even - 1, even // 2
    first = (played * half) % ring
    pairs = [(first + 1, even) if played % 2 == 0 else (even, first + 1)]
    for step in range(1, half):
        one, other = (first + step) % ring + 1, (first - step) % ring + 1
        pairs.append((one, other))
    return tuple(tuple(one for one in pair if one <= number) for pair in pairs)


def rounds_of(tournament: Tournament) -> int:
    """Return the number of rounds if no one leaves."""
    number = len(tournament.entrants)
    everybody = max(0, number + number % 2 - 1)
    form, wanted = tournament.plan.form, tournament.plan.rounds
    if form == "robin":
        return everybody
    return min(wanted, max(everybody, len(tournament.rounds))) if form == "swiss" else wanted


def next_round(tournament: Tournament) -> tuple[Game, ...] | None:
    """Return the games of the next round, including byes; None: there is no further round.

    If one player of a pair has left the tournament, the other wins without a game.
    """
    if len(tournament.rounds) >= rounds_of(tournament) or len(tournament.active) < 2:
        return None
    drawn = _drawn(tournament)
    if drawn is None:
        return None
    gone = {one.number for one in tournament.entrants if one.left is not None}
    return tuple(_game(seats, gone) for seats in drawn if not gone.issuperset(seats))


def _drawn(tournament: Tournament) -> Pairs | None:
    match tournament.plan.form:
        case "robin":
            numbers = [one.number for one in tournament.entrants]
            drawn = berger(len(numbers))[len(tournament.rounds)]
            return tuple(tuple(numbers[one - 1] for one in seats) for seats in drawn)
        case "swiss":
            return _swiss(tournament)
        case _:
            return mixed(tournament, game_of(tournament.plan.game).players.start)


def _game(seats: tuple[int, ...], gone: set[int]) -> Game:
    absent = frozenset(seat for seat, number in enumerate(seats) if number in gone)
    if len(seats) == 1 or absent:
        return Game(seats, places=tuple(int(seat in absent) for seat in range(len(seats))), absent=absent)
    return Game(seats)
