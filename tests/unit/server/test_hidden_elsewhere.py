"""K6.4, K7.6: what a table tells beyond itself differs in nothing where tables differ in hidden things alone.

As in ``test_hidden``, whose games are played here too: the lobby, notices, links and pictures, and
the log.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator

import pytest

from ekoes.protocol.incoming import encode
from ekoes.server.http.page import headed
from ekoes.server.pictures.pictures import drawn
from ekoes.server.push import awaited
from ekoes.server.runtime.viewers import own_entry, public_entry
from ekoes.tables.race import RaceTable
from tests.unit.server.hub_room import Clock
from tests.unit.server.test_hidden import Cards, Game, is_same_game, other_decks, played

GAMES = 3


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize("players", [2, 4])
def test_k6_4_what_a_table_tells_elsewhere_is_the_same_for_hidden_cards_that_differ(
    players: int, calm: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    compared = 0
    for seed in range(GAMES):
        game = played(seed, players, calm=calm)
        for eye in (None, *range(players)):
            decks = other_decks(game, eye, random.Random(seed))
            other = next((deck for deck in decks if is_same_game(game, deck)), None)
            if other is not None:
                told = [everything(game, deck, eye, caplog) for deck in (other, game.decks[-1])]
                assert told[0] == told[1]
                compared += 1
    assert compared > GAMES


def everything(game: Game, deck: Cards, eye: int | None, log: pytest.LogCaptureFixture) -> list[str]:
    """Return all that is told elsewhere of a game, step by step."""
    log.clear()
    tables = [table for table, _ in game.steps(deck)]
    told = [text for table in tables for text in elsewhere(table, f"p{eye}")]
    return [*told, *log.messages]


def elsewhere(table: RaceTable, user: str) -> Iterator[str]:
    clock = Clock()
    yield encode(public_entry(table, 0))
    yield encode(own_entry(table, user, 0))
    yield f"{table.status(user)} {table.status('nobody')} {sorted(awaited(table))}"
    yield headed("<title>Ekoes</title>", table, "http://here/t/t", "http://here/picture", listed=False)
    yield drawn(table, clock)
    yield f"{table.deadline} {table.is_busy}"
