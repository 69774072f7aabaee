"""K6.4, K7.6: two servers that differ only in hidden cards send a viewer the same on every channel.

Both are whole servers with a clock that the test moves. The same is done at the same moments; then all
messages (their bytes and their number) and all answers are compared: sockets at the table and in the lobby,
answers that go on for programs, every route that tells of a table, pictures, links, files of records, and
the export of an account. What is told to whoever runs the server is compared too: log, measures, spans;
other processes are told of a table by its name alone.

The worlds differ in hidden cards (``test_hidden`` has the games).
"""

from __future__ import annotations

import logging
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ekoes.server.cluster.routing import LOBBY
from tests.kit.tables import Dealing
from tests.server.worlds import TABLE, Line, Reader, Visitor, World, world
from tests.unit.server.hub_room import run
from tests.unit.server.test_hidden import Cards, Game, is_same_game, other_decks, played, who_may_mirror

BETWEEN = 6
"""Orders after which all routes are asked again."""
WAYS = [
    *(f"/api/tables/{TABLE}{way}" for way in ("", "/status", "/record", "/chat")),
    *(f"/api/tables/{TABLE}{way}" for way in ("/result", "/tournament", "/review")),
    *(f"/api/tables/{TABLE}/picture.{kind}" for kind in ("png", "svg")),
    *(f"/api/tables/{TABLE}/positions/{number}" for number in (0, 1, 5, 9, 12, 20)),
    *(f"/t/{TABLE}", f"/games/{TABLE}", f"/api/games/{TABLE}"),
    *("/api/archive", "/api/archive/records", "/api/ratings", "/api/ratings/eko/2/live"),
    *("/api/account", "/api/account/tables", "/api/profile?name=Ada", "/api/profile/games?name=Ada"),
    *("/api/profile/curve/eko/2/live?name=Ada", "/healthz", "/readyz", "/api/meta"),
]
"""All that may be asked of a server where there is a table."""


class Eye:
    """A user with an account who reads everything there is."""

    def __init__(self, visitor: Visitor, ears: list[Line | Reader]) -> None:
        self.visitor = visitor
        self.ears = ears
        self.asked: list[str] = []

    @classmethod
    async def of(cls, world: World, user: str) -> Eye:
        """Connect a viewer: by sockets to table and lobby, and with a program."""
        visitor = await world.visitor(user, "The eye")
        table, lobby = await visitor.line(), await visitor.line("/api/lobby/socket")
        stranger = await (await world.visitor("stranger")).line("/api/lobby/socket")
        readers = [
            await visitor.reader(f"/api/tables/{TABLE}/stream", "table:read"),
            await visitor.reader("/api/bot/stream", "table:read", "account:read", "challenge"),
        ]
        return cls(visitor, [table, lobby, stranger, *readers])

    async def look(self) -> None:
        """Ask for all there is, and listen."""
        for way in WAYS:
            self.asked.append(f"{way} {await self.visitor.get(way)}")
        again = await self.visitor.line()
        await again.hear()
        self.asked += again.messages
        for ear in self.ears:
            await ear.hear()

    async def pry(self) -> None:
        """Ask for what is not theirs, in all sorts of ways."""
        line = self.ears[0]
        assert isinstance(line, Line)
        for version in (0, 3):
            for kind in ("act", "end_turn", "undo", "resign", "draw"):
                about = {"seat": 0, "version": version} | MORE.get(kind, {})
                await line.ask(kind, key=f"pry-{kind}-{version}-{len(self.asked)}", **about)
            way = f"/api/tables/{TABLE}/orders"
            body = {"type": "resign", "key": f"pry-{version}", "seat": 0, "version": version}
            self.asked.append(await self.visitor.post(way, **body))
        for kind, about in QUESTIONS.items():
            await line.ask(kind, key=f"pry-{kind}-{len(self.asked)}", **about)

    def received(self) -> list[str]:
        """Return all that was received, with its number."""
        numbers = [f"{len(ear.messages)} messages" for ear in self.ears]
        return [*self.asked, *numbers, *(text for ear in self.ears for text in ear.messages)]


MORE: dict[str, dict[str, Any]] = {
    "act": {"action": {"type": "pass"}, "hold": False},
    "draw": {"offer": True},
}
QUESTIONS: dict[str, dict[str, Any]] = {
    "table": {},
    "edit_conditional_moves": {"version": 0, "decisions": []},
    "chat": {"on": True},
}


@pytest.mark.parametrize(
    ("eye", "calm"),
    [
        pytest.param(0, False, marks=pytest.mark.long),
        (1, True),
        pytest.param(None, True, marks=pytest.mark.long),
        pytest.param(None, False, marks=pytest.mark.long),
    ],
)
def test_k6_4_hidden_cards_change_nothing_on_any_channel(
    eye: int | None, *, calm: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "ekoes")
    game, other = _deals(eye, calm=calm)
    messages = [
        run(_shown(tmp_path / str(number), game, deck, eye, caplog))
        for number, deck in enumerate((game.decks[-1], other))
    ]
    assert len(messages[0]) > 200
    _same(*messages)


def _deals(eye: int | None, *, calm: bool) -> tuple[Game, Cards]:
    """Return a game, and another last deck: others hold the mirrors, and a viewer can't know of it."""
    for seed in range(100):
        game = played(seed, 3, calm=calm)
        for other in other_decks(game, eye, random.Random(seed)):
            if is_same_game(game, other) and who_may_mirror(game, other) != who_may_mirror(
                game, game.decks[-1]
            ):
                return game, other
    raise AssertionError("no two such deals were found")


async def _shown(
    folder: Path,
    game: Game,
    deck: Cards,
    eye: int | None,
    log: pytest.LogCaptureFixture,
) -> list[str]:
    """Return all that a server sends of a game."""
    log.clear()
    decks = iter((*game.decks[:-1], deck))
    async with world(folder, Dealing(lambda: next(decks))) as there:
        await there.make(replace(game.table(), public=True))
        looks = await Eye.of(there, "nobody" if eye is None else f"p{eye}")
        lines = [
            await (await there.visitor(f"p{seat}")).line() for seat in range(game.players) if seat != eye
        ]
        if eye is not None:
            lines.insert(eye, looks.ears[0])  # type: ignore[arg-type]
        for number, (order, at) in enumerate(game.given):
            await there.clock.forward(int((at - there.clock.now()).total_seconds() * 1000))
            await lines[order.seat].ask("intent", key=order.key, seat=order.seat, action=order.action)
            if number % BETWEEN == 0:
                await looks.look()
        if eye is None:
            await looks.pry()
        await there.clock.forward(60_000)
        await looks.look()
        looks.asked.append(await looks.visitor.get("/api/account/export"))
        others = await there.sent_to_others()
        assert others == {f'{LOBBY} tables ["{TABLE}"]'}, "other processes are told names alone"
        return [*looks.received(), *there.log_metrics_and_spans(log.records)]


def _same(one: list[str], other: list[str]) -> None:
    """Check that two worlds have sent the same, and name the first difference."""
    for first, second in zip(one, other, strict=False):
        assert first == second
    assert len(one) == len(other)
