"""Plays with an external engine at the tables of a server."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from ekoes.arena.players import Limit, Program
from ekoes.client.client import Client, RefusedError, Table, View
from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load


class Afar(Protocol):
    """What a game provides (``Parts.afar``) so that external engines can play it in races."""

    def greeting(self, state: Json, seat: int) -> Json | None:
        """Return the intent that a seat sends unprompted, or None."""

    def asked(self, state: Json, options: Json, seat: int) -> Iterator[tuple[str, str]]:
        """Yield what a seat has to decide, each with a key that identifies the decision."""

    def sight(self, state: Json, seat: int) -> Any:  # noqa: ANN401 - each game has its own
        """Return what a seat sees, as ``Position.sight(seat)`` does."""

    def answer(self, player: Any, sight: Any, seat: int, asks: str, chance: Chance) -> Json | None:  # noqa: ANN401
        """Return the intent of a player in a decision, or None."""


def afar_of(game: str) -> Afar | None:
    """Return this part of a game; None if it is played in turns."""
    part = game_of(game).parts.afar
    return None if part is None else cast("Afar", load(part))


_PART = 30
"""The fraction of the remaining clock time that one decision may take, as a divisor."""
_SEEDS = 2**53


class Bridge:
    """Plays with one engine at all tables of an account, one request at a time."""

    def __init__(
        self,
        client: Client,
        program: Program,
        seconds: float,
        games: Sequence[str] | None,
        *,
        report: Callable[[str], None],
    ) -> None:
        """Create a bridge without tables.

        seconds: per decision, at most. games: whose challenges it accepts; None: all games of the engine.
        report: receives a line of progress.
        """
        self._client = client
        self._program = program
        self._seconds = seconds
        self._games = games
        self._report = report
        self._engine_lock = asyncio.Lock()
        self._playing: set[str] = set()

    async def run(self) -> None:
        """Play at all tables of the account and accept challenges, without end. Raises EkoesError."""
        try:
            async with asyncio.TaskGroup() as tasks:
                async for event in self._client.events():
                    await self._handle(event, tasks)
        except* EkoesError as errors:
            raise errors.exceptions[0] from None

    async def _handle(self, event: Json, tasks: asyncio.TaskGroup) -> None:
        table = event.get("table")
        match event["type"]:
            case "challenge":
                await self._answer(event["challenge"])
            case "started" if table not in self._playing:
                self._playing.add(str(table))
                tasks.create_task(self.play(str(table)))
            case "over":
                self._playing.discard(str(table))

    async def play(self, table_id: str) -> None:
        """Play a game to its end. Raises EkoesError."""
        self._report(f"plays at {table_id}")
        async with self._client.table(table_id) as table:
            afar = afar_of(table.view.game)
            if afar is None:
                await self._play_turns(table)
            else:
                await self._play_race(table, afar)
            self._report(f"{table_id} is over: {_result(table.view)}")

    async def _answer(self, challenge: Json) -> None:
        """Accept a challenge, or decline one that the engine can't play."""
        if challenge["yours"] or all(seat["accepted"] for seat in challenge["seats"] if seat["yours"]):
            return
        games = self._games or self._program.hello["games"]
        does_play = challenge["game"] in games
        answer = self._client.accept if does_play else self._client.decline
        try:
            await answer(challenge["id"])
        except RefusedError as error:
            self._report(f"challenge by {challenge['by']}: {error}")

    # ------------------------------------------------------------ games of turns

    async def _play_turns(self, table: Table) -> None:
        """Decide for the first of its seats that has to."""
        first = (await self._client.past(table.view.id, 0))["position"]
        async for view in table:
            for seat in view.asked[:1]:
                actions = [entry["action"] for entry in view.log]
                what = {"position": first, "actions": actions, "seat": seat}
                action = await self._wish(view.game, what, self._limit(view, seat))
                await self._try(table.act(seat, action, version=view.version))

    def _limit(self, view: View, seat: int) -> Limit:
        """Return the limit of a decision: at most a fraction of the remaining clock time."""
        left = view.state.get("left")
        most = None if not left or left[seat] is None else left[seat] / 1000 / _PART
        seconds = self._seconds if most is None else max(0.05, min(self._seconds, most))
        return _limit(seconds)

    # ------------------------------------------------------------ races

    async def _play_race(self, table: Table, afar: Afar) -> None:
        """Answer each decision of its seats once."""
        answered: set[str] = set()
        async for view in table:
            for seat in view.own if view.is_started and not view.is_over else ():
                if (greeting := afar.greeting(view.state, seat)) is not None:
                    await self._try(table.intend(seat, greeting))
                for asks, key in afar.asked(view.state, view.table["options"], seat):
                    if f"{seat} {key}" not in answered:
                        answered.add(f"{seat} {key}")
                        await self._intend(table, afar, view, seat, asks)

    async def _intend(self, table: Table, afar: Afar, view: View, seat: int, asks: str) -> None:
        """Ask the engine about a decision and send its intent, if any."""
        player = _EnginePlayer(self._program, view.game, self._seconds)
        sight, chance = afar.sight(view.state, seat), Chance(secrets.randbelow(_SEEDS))
        async with self._engine_lock:
            intent = await asyncio.to_thread(afar.answer, player, sight, seat, asks, chance)
        if intent is not None:
            await self._try(table.intend(seat, intent))

    # ------------------------------------------------------------ the engine

    async def _wish(self, game: str, what: Json, limit: Limit) -> Json:
        async with self._engine_lock:
            return await asyncio.to_thread(self._program.wish, game, what, limit)

    async def _try(self, order: Any) -> None:  # noqa: ANN401 - a coroutine
        """Await an order that the table may refuse: another player was faster, or the rules forbid it."""
        try:
            await order
        except RefusedError as error:
            self._report(f"refused: {error}")


@dataclass(frozen=True, slots=True)
class _EnginePlayer:
    """The engine as a bot, which chooses from what its seat sees."""

    program: Program
    game: str
    seconds: float

    def choose(self, sight: Any, seat: int, _chance: Chance) -> Any:  # noqa: ANN401
        """Return the choice of the engine; blocks. Raises EkoesError."""
        what = {"view": sight.view(seat), "seat": seat, "seen": []}
        return game_of(self.game).parse_action(self.program.wish(self.game, what, _limit(self.seconds)))


def _limit(seconds: float) -> Limit:
    return Limit(seconds=seconds, seed=secrets.randbelow(_SEEDS))


def _result(view: View) -> str:
    if not view.winners:
        return "no winner"
    return "won" if set(view.winners) & set(view.own) else "lost"
