"""K6.4, K7.6: what a table tells beyond itself differs in nothing where tables differ in hidden things alone.

As in ``test_hidden``, whose games are played here too: the lobby, notices, links and pictures, the delayed
show for those without a seat, and the log.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ekoes.match.race import kind
from ekoes.match.race.state import RaceTable
from ekoes.match.standing import standing
from ekoes.match.state import Table
from ekoes.server.archive.heads import headed
from ekoes.server.archive.pictures import drawn
from ekoes.server.gallery import Gallery
from ekoes.server.lobby.entries import own_entry, public_entry
from ekoes.server.messages import encode
from ekoes.server.push.notices import awaited
from tests.unit.match.racing import NOW
from tests.unit.server.hub_room import Clock, Viewer, run, settled
from tests.unit.server.test_hidden import Cards, Game, is_same_game, other_decks, played

GAMES = 3
DELAY = 30


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
    return [*told, *(shown_later(game, deck) if eye is None else ()), *log.messages]


def elsewhere(table: RaceTable, holder: str) -> Iterator[str]:
    clock = Clock()
    yield encode(public_entry(table, 0))
    yield encode(own_entry(table, holder, 0))
    yield f"{standing(table, holder)} {standing(table, 'nobody')} {sorted(awaited(table))}"
    yield headed("<title>Ekoes</title>", table, "http://here/t/t", "http://here/picture", listed=False)
    yield drawn(table, clock)
    yield f"{kind.strikes_at(table)} {kind.is_busy(table)}"


def shown_later(game: Game, deck: Cards) -> list[str]:
    """Return what a real gallery sends to somebody without a seat, with the moments at which it does."""

    async def show() -> list[str]:
        clock, viewer = Clock(), Viewer("nobody")
        moments: list[str] = []

        def note(_before: Table, _after: Table) -> None:
            moments.append(f"{clock.now()}")

        gallery = Gallery("t", clock, note)
        first = replace(game.table(), delay=DELAY)
        gallery.begin(first, ())
        gallery.audience.join(viewer, first, ())
        for table, at in game.steps(deck):
            await clock.forward(max(0, int((at - clock.now()).total_seconds() * 1000)))
            gallery.follow(replace(table, delay=DELAY), at)
        await clock.forward(2000 * DELAY)
        await settled()
        await gallery.stop()
        return [*viewer.texts, *moments]

    told = run(show())
    assert len(told) > 2
    assert all(str(NOW.year) in text or text.startswith("{") for text in told)
    return told
