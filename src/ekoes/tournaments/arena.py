"""Pairs the free players of an arena: near each other in the standings, and not the same two again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ekoes.games.api.registry import game as game_of
from ekoes.tournaments.pairing import IntArray, improved, seated, seats_had, sizes
from ekoes.tournaments.standings import standings
from ekoes.tournaments.state import Game, Tournament

PATIENCE = 6
"""Seconds after which two who have just met meet again, and tables of several start with fewer players."""
_WAITED = 1_000
"""The cost of each second that a player has waited who stays free: more than all distances together."""
_LONGEST = 900
"""Seconds of waiting that count, at most."""
_AGAIN = 1_000_000
"""The cost of pairing two who have just played each other: more than letting anyone wait."""
_TOO_OFTEN = 1_000_000_000
"""The cost of pairing two who may not meet."""
MOST_IN_A_ROW = 3
"""Games of the same two in a row, at most, unless no one else plays: they could take turns in losing."""


def free(tournament: Tournament) -> frozenset[int]:
    """Return the active entrants without a game."""
    busy = {number for game, _ in tournament.running for number in game.seats}
    return frozenset(one.number for one in tournament.active) - busy


def paired(tournament: Tournament, waited: Mapping[int, float]) -> tuple[Game, ...]:
    """Return the games that begin now. waited: the seconds that each free player has waited."""
    order = [it.entrant for it in standings(tournament) if it.entrant in waited]
    tables = _pairs if tournament.plan.players == 2 else _larger
    had = seats_had(tournament)
    return tuple(Game(seated(had, table)) for table in tables(tournament, order, waited))


def _pairs(tournament: Tournament, order: list[int], waited: Mapping[int, float]) -> list[list[int]]:
    """Return pairs of two. With an odd number one player waits, paired with an extra row of the weights."""
    if len(order) < 2:
        return []
    weights = _distances(tournament, order)
    if len(order) % 2:
        waits = [_WAITED * min(_LONGEST, int(waited[number])) for number in order]
        weights = np.pad(weights, (0, 1))
        weights[-1, :-1] = weights[:-1, -1] = waits
    _, tables = improved(weights, np.arange(len(weights)) // 2)
    pairs = [np.flatnonzero(tables == table) for table in range(len(weights) // 2)]
    most = _TOO_OFTEN if max(waited.values()) >= PATIENCE else _AGAIN
    return [
        [order[one], order[other]]
        for one, other in pairs
        if other < len(order) and weights[one, other] < most
    ]


def _distances(tournament: Tournament, order: list[int]) -> IntArray:
    """Return the cost of each pair: their distance in the standings, and that they have just met."""
    places = np.arange(len(order))
    weights: IntArray = np.abs(places[:, None] - places)
    place = {number: at for at, number in enumerate(order)}
    in_a_row = _in_a_row(tournament)
    most = MOST_IN_A_ROW if len(tournament.active) > 2 else len(tournament.rounds) + 1
    for one, at in place.items():
        other, times = in_a_row.get(one, (0, 0))
        if other in place:
            pair = [at, place[other]], [place[other], at]
            weights[pair] = np.maximum(weights[pair], _AGAIN if times < most else _TOO_OFTEN)
    return weights


def _in_a_row(tournament: Tournament) -> dict[int, tuple[int, int]]:
    """Return the last opponent of each player, and how many games in a row they were."""
    found: dict[int, tuple[int, int]] = {}
    for game in (game for games in tournament.rounds for game in games if len(game.seats) == 2):
        for one, other in (game.seats, game.seats[::-1]):
            before, times = found.get(one, (other, 0))
            found[one] = (other, times + 1 if before == other else 1)
    return found


def _larger(tournament: Tournament, order: list[int], waited: Mapping[int, float]) -> list[list[int]]:
    """Return full tables of neighbours in the standings, smaller ones after a wait or if all are free."""
    players, least = tournament.plan.players, game_of(tournament.plan.game).players.start
    if max(waited.values(), default=0) >= PATIENCE or len(order) == len(tournament.active):
        wanted = sizes(len(order), players, least)
    else:
        wanted = (players,) * (len(order) // players)
    idle = sorted(order, key=lambda number: waited[number])[: len(order) - sum(wanted)]
    playing = iter(number for number in order if number not in idle)
    return [[next(playing) for _ in range(size)] for size in wanted]
