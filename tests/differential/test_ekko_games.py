"""EKKO's engine against the reference: games, synthetic positions and exact chances, in sequence and live."""

from __future__ import annotations

import json
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import pytest

from ekoes.games.ekko.game import EKKO, playouts
from ekoes.games.kernels import COMPILED
from tests.differential.compare import text, times
from tests.differential.ekko_compare import compare, compare_legal, compare_live, engine_reads
from tests.kit.examples import one_quick
from tests.reference import ekko as reference
from tests.reference.ekko.generate import random_game, random_live_game, shuffled, synthetic, undealt
from tests.reference.ekko.view import who_drew

PLAYERS = range(2, 9)
QUICK_PLAYERS = [2, 3, *one_quick(8, range(4, 8))]

Value = dict[str, Any]


@pytest.mark.parametrize("players", PLAYERS)
def test_whole_games(players: int) -> None:
    """The engine's position is carried along, so that nothing it keeps beside the text goes wrong."""
    rng = Random(f"games {players}")
    for _ in range(times(5)):
        start = undealt(players, target=rng.choice([1, 12, 25, 60]), dealer=rng.randrange(players))
        position, drew = engine_reads(start), []  # type: Any, list[list[Any]]
        for value, action in random_game(rng, start, 5_000):
            assert text(position.to_json()) == text(value)
            compare_legal(position, value)
            compare_views(position, value, drew)
            if action is not None:
                drew = who_drew(value, action, drew)
                position = position.play(position.actors()[0], EKKO.parse_action(action))
        assert "winners" in position.to_json()


@pytest.mark.parametrize("players", PLAYERS)
def test_whole_live_games(players: int) -> None:
    rng = Random(f"live games {players}")
    for _ in range(times(5)):
        start = undealt(players, target=rng.choice([1, 12, 25, 60]), dealer=rng.randrange(players))
        position, drew = engine_reads(start, live=True), []  # type: Any, list[list[Any]]
        for value, action in random_live_game(rng, start, 5_000):
            assert text(position.to_json()) == text(value)
            compare_views(position, value, drew)
            if action is not None:
                drew = who_drew(value, action, drew)
                parsed = EKKO.parse_action(action)
                position = position.play(position.seat_of(parsed), parsed)
        assert "winners" in position.to_json()


def compare_views(position: Any, value: Value, drew: list[list[Any]]) -> None:
    for eye in (None, *range(value["players"])):
        assert text(position.view(eye)) == text(reference.view(value, eye, drew))


@pytest.mark.parametrize("players", QUICK_PLAYERS)
def test_positions_of_games(players: int) -> None:
    """Every action, not the played one alone, from positions on the way through a game."""
    rng = Random(f"on the way {players}")
    for _ in range(times(2)):
        for value, _ in random_game(rng, undealt(players), 5_000):
            if rng.random() < 1 / 3:
                compare(value)
        for value, _ in random_live_game(rng, undealt(players), 5_000):
            if rng.random() < 1 / 6:
                compare_live(value)


@pytest.mark.parametrize("players", QUICK_PLAYERS)
def test_synthetic_positions(players: int) -> None:
    """Full of mirrors, last cards and empty piles; and a few decisions on from there."""
    rng = Random(f"synthetic {players}")
    for _ in range(times(30)):
        for _ in range(6):
            value = synthetic(rng, players)
            for _ in range(4):
                afterwards = compare(value)
                if not afterwards:
                    break
                value = rng.choice(afterwards)


@pytest.mark.parametrize("players", QUICK_PLAYERS)
def test_synthetic_live_positions(players: int) -> None:
    rng = Random(f"synthetic live {players}")
    for _ in range(times(12)):
        for _ in range(6):
            value = synthetic(rng, players, live=True)
            for _ in range(4):
                afterwards = compare_live(value)
                if not afterwards:
                    break
                value = rng.choice(afterwards)


@pytest.mark.parametrize("players", PLAYERS)
def test_any_deal(players: int) -> None:
    """K6.0, K1.3: any order of the cards, any dealer, in sequence and live."""
    rng = Random(f"deals {players}")
    for live in (False, True):
        for _ in range(times(40)):
            start = undealt(players, dealer=rng.randrange(players))
            deal = shuffled(rng)
            dealt = (reference.live_apply if live else reference.apply)(start, deal)
            played = engine_reads(start, live=live).play(-1, EKKO.parse_action(deal))
            assert text(played.to_json()) == text(dealt)


def test_new_positions() -> None:
    """Any number of players and any target; the seed names the first dealer alone (K1.3)."""
    dealers = set()
    for seed in range(40):
        for players in PLAYERS:
            value = EKKO.new({"players": players, "target": seed + 1}, seed).to_json()
            reference.check(value)
            assert value == undealt(players, target=seed + 1, dealer=value["turn"]["dealer"])
            dealers.add((players, value["turn"]["dealer"]))
    assert dealers == {(players, dealer) for players in PLAYERS for dealer in range(players)}


GAMES = 40_000 if COMPILED else 1_000
LARGEST_TREE = 3_000


class TooLargeError(Exception):
    """A position whose games are too many to count them out here."""


def chances(value: Value) -> tuple[list[float], float]:
    """The chance of each seat to win alone, of a tie at the end, and the mean number of decisions."""
    left = [LARGEST_TREE]

    @cache
    def visit(here: str) -> tuple[tuple[float, ...], float]:
        left[0] -= 1
        if left[0] < 0:
            raise TooLargeError
        position: Value = json.loads(here)
        if "winners" in position:
            wins = position["winners"]
            alone = wins[0] if len(wins) == 1 else position["players"]
            return tuple(float(seat == alone) for seat in range(position["players"] + 1)), 0.0
        after = [visit(text(reference.follow(position, action))) for action in reference.legal(position)]
        share = 1 / len(after)
        won = [sum(column) * share for column in zip(*(each for each, _ in after), strict=True)]
        return tuple(won), 1 + sum(length for _, length in after) * share

    won, length = visit(text(value))
    return list(won), length


def endgame(rng: Random, players: int) -> Value:
    """The last round of a game: however it ends, somebody reaches the target."""
    value = synthetic(rng, players) | {"target": 1, "scores": [0] * players}
    value["pile"] = value["pile"][:3]
    reference.check(value)
    return value


@pytest.mark.parametrize("players", range(2, 9))
def test_playouts_win_as_often_as_they_should(players: int) -> None:
    rng = Random(f"playouts {players}")
    compared = 0
    while compared < times(8):
        value = endgame(rng, players)
        try:
            won, length = chances(value)
        except TooLargeError:
            continue
        compared += 1
        seen = playouts(engine_reads(value), GAMES, rng.getrandbits(40))
        counts = [*seen.wins, seen.drawn]
        assert sum(counts) == seen.games == GAMES
        for count, chance in zip(counts, won, strict=True):
            assert abs(count / GAMES - chance) <= 5 * sqrt(chance * (1 - chance) / GAMES) + 1e-9, text(value)
        assert abs(seen.decisions / GAMES - length) <= 0.1 * (length + 1), text(value)


def test_whole_playouts_end_with_one_winner_or_a_tie() -> None:
    """Deals are shuffled anew; no seat is better than another where nobody has played yet."""
    for players in (2, 5):
        games = 4_000 if COMPILED else 60
        seen = playouts(EKKO.new({"players": players}, 3), games, 11)
        assert sum(seen.wins) + seen.drawn == games
        share = (games - seen.drawn) / players
        assert all(abs(won - share) <= 6 * sqrt(share) for won in seen.wins)
        again = playouts(EKKO.new({"players": players}, 3), games, 11, threads=2)
        assert (again.wins, again.decisions) == (seen.wins, seen.decisions)
