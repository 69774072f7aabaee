"""EKKO's engine against the reference: whole games and synthetic positions, in sequence and live."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ekoes.games.ekko.game import EKKO
from tests.differential.compare import text, times
from tests.differential.ekko_compare import compare, compare_legal, compare_live, engine_reads
from tests.reference import ekko as reference
from tests.reference.ekko.generate import random_game, random_live_game, shuffled, synthetic, undealt
from tests.reference.ekko.view import who_drew

PLAYERS = range(2, 9)

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


@pytest.mark.parametrize("players", PLAYERS)
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


@pytest.mark.parametrize("players", PLAYERS)
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


@pytest.mark.parametrize("players", PLAYERS)
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
