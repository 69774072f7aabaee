"""A program of the engine protocol at the tables of a server: it is asked, and its answers are sent."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ekoes.arena.choice import Limit
from ekoes.arena.program import Program
from ekoes.client.afar import Afar, afar_of
from ekoes.client.client import Client
from ekoes.client.failures import RefusedError
from ekoes.client.table import Table
from ekoes.client.view import View
from ekoes.errors import EkoesError
from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.games.registry import game as game_of

__all__ = ["Bridge", "Terms"]

_PART = 30
"""Of the time that a clock has left, what one decision may take."""
_SEEDS = 2**53


@dataclass(frozen=True, slots=True)
class Terms:
    """How a bridge plays. seconds: for a decision, at most.

    games: those to which it may be challenged; None: all that the program plays.
    """

    seconds: float = 1.0
    games: Sequence[str] | None = None


class Bridge:
    """Seats one program at all tables of an account. It is asked one thing after the other."""

    def __init__(
        self, client: Client, program: Program, terms: Terms, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        """Begin without a table. tell: hears what is done, in a line each."""
        self._client = client
        self._program = program
        self._terms = terms
        self._tell = tell
        self._at_work = asyncio.Lock()
        self._playing: set[str] = set()

    async def run(self) -> None:
        """Play wherever the account has a seat, and accept challenges, for ever. Raises EkoesError."""
        try:
            async with asyncio.TaskGroup() as tasks:
                async for event in self._client.events():
                    await self._hear(event, tasks)
        except* EkoesError as errors:
            raise errors.exceptions[0] from None

    async def _hear(self, event: Json, tasks: asyncio.TaskGroup) -> None:
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
        """Play at a table to its end. Raises EkoesError."""
        self._tell(f"plays at {table_id}")
        async with self._client.table(table_id) as table:
            afar = afar_of(table.view.game)
            if afar is None:
                await self._play_turns(table)
            else:
                await self._play_race(table, afar)
            self._tell(f"{table_id} is over: {_came_to(table.view)}")

    async def _answer(self, challenge: Json) -> None:
        """Accept a challenge, or decline what the program does not play."""
        if challenge["yours"] or all(seat["accepted"] for seat in challenge["seats"] if seat["yours"]):
            return
        games = self._terms.games or self._program.hello["games"]
        does_play = challenge["game"] in games
        answer = self._client.accept if does_play else self._client.decline
        try:
            await answer(challenge["id"])
        except RefusedError as error:
            self._tell(f"a challenge by {challenge['by']}: {error}")

    # ------------------------------------------------------------ one after the other

    async def _play_turns(self, table: Table) -> None:
        """Decide whenever one of its seats is asked."""
        first = (await self._client.past(table.view.id, 0))["position"]
        async for view in table:
            for seat in view.asked[:1]:
                actions = [entry["action"] for entry in view.log]
                what = {"position": first, "actions": actions, "seat": seat}
                action = await self._wish(view.game, what, self._limit(view, seat))
                await self._try(table.act(seat, action, version=view.version))

    def _limit(self, view: View, seat: int) -> Limit:
        """Return how long a decision may take: no more than a part of what the clock has left."""
        left = view.state.get("left")
        most = None if not left or left[seat] is None else left[seat] / 1000 / _PART
        seconds = self._terms.seconds if most is None else max(0.05, min(self._terms.seconds, most))
        return Limit(seconds=seconds, seed=secrets.randbelow(_SEEDS))

    # ------------------------------------------------------------ as quick as one can

    async def _play_race(self, table: Table, afar: Afar) -> None:
        """Answer what each of its seats is asked, each thing once."""
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
        """Do what the program wants about what is asked; nothing where it wants nothing."""
        player, chance = _Asked(self, view.game), Chance(secrets.randbelow(_SEEDS))
        sight = afar.sight(view.state, seat)
        async with self._at_work:
            intent = await asyncio.to_thread(afar.answer, player, sight, seat, asks, chance)
        if intent is not None:
            await self._try(table.intend(seat, intent))

    # ------------------------------------------------------------ the program

    async def _wish(self, game: str, what: Json, limit: Limit) -> Json:
        async with self._at_work:
            return await asyncio.to_thread(self._program.wish, game, what, limit)

    def wish_by_view(self, game: str, view: Json, seat: int) -> Any:  # noqa: ANN401 - an action of the game
        """Return what the program would do at what a seat sees; blocks. Raises EkoesError."""
        limit = Limit(seconds=self._terms.seconds, seed=secrets.randbelow(_SEEDS))
        action = self._program.wish(game, {"view": view, "seat": seat, "seen": []}, limit)
        return game_of(game).parse_action(action)

    async def _try(self, doing: Any) -> None:  # noqa: ANN401 - a coroutine
        """Do something that the table may refuse: somebody else was quicker, or the rules do not allow it."""
        try:
            await doing
        except RefusedError as error:
            self._tell(f"refused: {error}")


class _Asked:
    """The program as a bot of this house: it chooses by what a seat sees."""

    def __init__(self, bridge: Bridge, game: str) -> None:
        self._bridge = bridge
        self._game = game

    def choose(self, sight: Any, seat: int, _chance: Chance) -> Any:  # noqa: ANN401
        """Return what the program would do."""
        return self._bridge.wish_by_view(self._game, sight.view(seat), seat)


def _came_to(view: View) -> str:
    if not view.winners:
        return "nobody has won"
    return "won" if set(view.winners) & set(view.own) else "lost"
