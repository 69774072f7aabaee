"""A table that is shown later: whoever has no seat there is told nothing of the present, in any way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson
import pytest

from ekoes.errors import EkoesError, TableError
from ekoes.games.changing import changed
from ekoes.games.eko.game import EKO
from ekoes.match.new import new_table
from ekoes.match.orders import Rematch, Resign, Sit
from ekoes.match.seats import Seat
from ekoes.match.standing import standing
from ekoes.match.state import Table
from ekoes.match.talk import Say
from ekoes.server.archive.heads import headed
from ekoes.server.archive.pictures import drawn
from ekoes.server.live import LiveTable
from ekoes.server.lobby.lobby import Lobby
from ekoes.server.messages import Analyse
from ekoes.storage.store import Store
from tests.unit.match.racing import race_table
from tests.unit.server.hub_room import Room, Viewer, race, run, settled
from tests.unit.server.test_clock_hub import KEEP, act, turns
from tests.unit.server.test_lobby import Visitor
from tests.unit.server.test_race_hub import cards

DELAY = 60
WATCHER = "w"
SEATS = tuple(Seat("open", f"P{seat}", seat, session=f"p{seat}") for seat in range(2))

Work = Callable[[Room, LiveTable], Awaitable[None]]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'test.sqlite'}")


def board(seats: tuple[Seat, ...] = SEATS) -> Any:
    table = new_table("eko", {"players": 2}, 7, seats)
    return changed(table, public=True, delay=DELAY)


def hands() -> Any:
    return changed(race_table(SEATS, 0, calm=True, turn_clock=None), public=True, delay=DELAY)


async def nothing(room: Room, live: LiveTable) -> None:
    """Let the players sit there."""


async def moves(room: Room, live: LiveTable) -> None:
    for _ in range(6):
        await room.clock.forward(1000)
        await act(live, KEEP if live.table.length < 2 else _first_action(live))


async def ends(room: Room, live: LiveTable) -> None:
    """Play on, give up, talk about it, and agree on another game."""
    await moves(room, live)
    await room.clock.forward(1000)
    await live.take(Resign(key="r", version=live.table.version, seat=1), "p1")
    await live.chat.say(Say(key="gg", text="well played"), "p0")
    for seat in range(2):
        await live.take(Rematch(key=f"again-{seat}", seat=seat), f"p{seat}")
    await settled()


async def plays(room: Room, live: LiveTable) -> None:
    """Put a card down at a table of cards."""
    player = race(live).position.player or 0
    card = race(live).position.hands[player][0]
    await room.send(live, player, "play", card=card, on=race(live).position.top)


def _first_action(live: LiveTable) -> dict[str, Any]:
    table = turns(live)
    seat = table.asked[0]
    return EKO.action_to_json(table.position.legal(seat)[0])


async def told(room: Room, live: LiveTable, viewer: Viewer, visitor: Visitor) -> dict[str, Any]:
    """Return all that somebody without a seat can learn by now."""
    seen = live.seen_by(WATCHER)
    answers: dict[str, Any] = {
        "table": await live.table_text(WATCHER),
        "status": standing(seen, WATCHER),
        "picture": drawn(seen, room.clock),
        "link": headed("<title>Ekoes</title>", seen, "here", "picture", listed=False),
        "heard": list(viewer.texts),
        "lobby": orjson.dumps(visitor.told["tables"]),
    }
    for entries in range(12):
        answers[f"after {entries}"] = await answered(live.past_json(entries, WATCHER))
    wish = Analyse(key="a", after=None)
    answers["record"] = await answered(live.record(WATCHER))
    answers["analysis"] = await answered(live.analyse(wish, WATCHER, viewer, lambda _: None))
    return {name: str(answer).replace(live.id, "ID") for name, answer in answers.items()}


async def answered(question: Awaitable[Any]) -> str:
    try:
        return repr(await question)
    except EkoesError as error:
        return error.code


def watched(store: Store, table: Any, before: Work, then: Work, seconds: int) -> dict[str, Any]:
    """Return what a watcher knows so many seconds after something was done at a table."""

    async def serve() -> dict[str, Any]:
        room = Room(store, cards)
        lobby = Lobby(room.clock)
        room.hub.listeners.append(lobby.notice)
        table_id = await room.hub.create(table)
        with ExitStack() as here:
            for session in ("p0", WATCHER):
                here.enter_context(lobby.here(session))
            visitor = Visitor(WATCHER)
            lobby.join(visitor)
            here.callback(lobby.part, visitor)
            async with room.hub.table(table_id) as live:
                lobby.notice(table_id, live.table, live.seen_by(None))
                viewer = Viewer(WATCHER)
                await live.join(viewer)
                await live.chat.listen(viewer, on=True)
                await before(room, live)
                await room.clock.forward(1000 * (DELAY + 1))
                began = room.clock.now()
                await then(room, live)
                passed = int((room.clock.now() - began).total_seconds() * 1000)
                await room.clock.forward(seconds * 1000 - passed)
                known = await told(room, live, viewer, visitor)
        await lobby.stop()
        await room.hub.stop()
        return known

    return run(serve())


async def opening(room: Room, live: LiveTable) -> None:
    for _ in range(2):
        await act(live, KEEP)


async def begun(room: Room, live: LiveTable) -> None:
    await room.begin(live)


@pytest.mark.parametrize("then", [moves, ends])
def test_nothing_tells_of_the_present_of_a_board(store: Store, then: Work) -> None:
    calm = watched(store, board(), opening, nothing, DELAY - 1)
    assert watched(store, board(), opening, then, DELAY - 1) == calm
    assert watched(store, board(), opening, then, DELAY + 10) != calm


def test_nothing_tells_of_the_present_of_hands(store: Store) -> None:
    calm = watched(store, hands(), begun, nothing, 3)
    assert watched(store, hands(), begun, plays, 3) == calm


def test_players_see_the_present_and_others_the_end_when_its_delay_is_over(store: Store) -> None:
    async def serve() -> None:
        room = Room(store, cards)
        heard: list[tuple[bool, bool]] = []

        def hear(id_: str, _table: Table, shown: Table) -> None:
            heard.append((shown.outcome is not None, store.results.of_table(id_) is not None))

        room.hub.listeners.append(hear)
        table_id = await room.hub.create(board())
        async with room.hub.table(table_id) as live:
            player, watcher = Viewer("p0"), Viewer(WATCHER)
            for viewer in (player, watcher):
                await live.join(viewer)
            await opening(room, live)
            assert (player.state["position"], len(watcher.texts)) == (live.table.position.view(None), 1)  # type: ignore[attr-defined]
            await live.take(Resign(key="r", version=live.table.version, seat=1), "p1")
            assert player.state["outcome"]
            assert store.results.of_table(table_id) is None
            with pytest.raises(TableError) as refused:
                await live.record(WATCHER)
            assert refused.value.code == "table/delayed"
            assert await live.record("p0")
            await room.clock.forward(DELAY * 1000 - 1)
            assert watcher.state["outcome"] is None
            await room.clock.forward(1)
            await settled()
            assert watcher.state["outcome"] == player.state["outcome"]
            assert len(watcher.messages) == 1 + live.table.version, "one after the other"
            assert await live.record(WATCHER) == await live.record("p0")
            assert store.results.of_table(table_id) is not None
            assert store.archive.knows(table_id)
            assert heard[-1] == (True, True), "whoever goes on from results is told when they are there"
            assert (False, True) not in heard
        await room.hub.stop()

    run(serve())


def test_delay_outlasts_the_server(store: Store) -> None:
    async def play(room: Room) -> tuple[str, str]:
        table_id = await room.hub.create(board())
        async with room.hub.table(table_id) as live:
            await opening(room, live)
            await room.clock.forward(30_000)
            known = await live.table_text(WATCHER)
            await live.take(Resign(key="r", version=live.table.version, seat=1), "p1")
        await room.hub.stop()
        return table_id, known

    async def serve() -> None:
        first = Room(store, cards)
        table_id, known = await play(first)
        again = Room(store, cards)
        again.clock.set(first.clock.now())
        await again.hub.start()
        async with again.hub.table(table_id) as live:
            assert await live.table_text(WATCHER) == known
            assert store.results.of_table(table_id) is None
            await again.clock.forward(30_000)
            assert live.seen_by(WATCHER).length == live.table.length
            assert live.seen_by(WATCHER).outcome is None
        await again.clock.forward(30_001)
        await settled()
        assert store.results.of_table(table_id) is not None
        assert store.untold() == []
        await again.hub.stop()

    run(serve())


def test_who_sits_down_sees_the_present_from_then_on(store: Store) -> None:
    async def serve() -> None:
        room = Room(store, cards)
        seats = (Seat("here", "P0", 0, session="p0"), Seat("open", "", 1))
        table_id = await room.hub.create(board(seats))
        async with room.hub.table(table_id) as live:
            viewer = Viewer("p1")
            await live.join(viewer)
            await live.take(Sit(key="s", seat=1, name="P1"), "p1")
            assert viewer.messages[-1]["type"] == "table"
            assert viewer.messages[-1]["seats"][1]["yours"]
            await act(live, KEEP)
            assert viewer.state["position"] == turns(live).position.view(None)
        await room.hub.stop()

    run(serve())
