"""Plays with an external engine at the tables of a server."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Protocol, TypeVar, cast

from ekoes.arena.players import ForfeitError, Limit, Program, check_action
from ekoes.client.client import LOST, Client, ConnectionFailedError, RefusedError, Table, View
from ekoes.errors import EkoesError, NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Chooser
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load

S = TypeVar("S")


class Afar(Protocol[S]):
    """The part of a game that lets external engines play it at race tables (``Parts.afar``)."""

    def greeting(self, state: Json, seat: int) -> Json | None:
        """Return the intent that a seat sends unprompted, or None."""

    def asked(self, state: Json, options: Json, seat: int) -> Iterator[tuple[str, str]]:
        """Yield what a seat has to decide, each with a key that identifies the decision."""

    def sight(self, state: Json, seat: int) -> S:
        """Return what a seat sees, as ``Position.sight(seat)`` does."""

    def answer(self, player: Chooser[S], sight: S, seat: int, asks: str, chance: Chance) -> Json | None:
        """Return the intent of a player in a decision, or None."""


def afar_of(game: str) -> Afar[Any] | None:
    """Return this part of a game; None if it is played in turns."""
    part = game_of(game).parts.afar
    return None if part is None else cast("Afar[Any]", load(part))


_PART = 30
"""The fraction of the remaining clock time that one decision may take, as a divisor."""
_SEEDS = 2**53
_ATTEMPTS = 3
"""How often the engine is asked for one decision before its seat resigns."""
_PAUSE, _LONGEST_PAUSE = 1.0, 15.0
"""Seconds before a game is taken up again after a failure: at first, and at most."""


class Bridge:
    """Plays with one engine at all tables of an account, one request at a time.

    Each game is on its own: whatever fails in one, the others go on. An engine that has failed is started and
    asked again; where it can't decide, its seat resigns. A game goes on once its server answers again.
    """

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

        seconds: per decision, at most. games: those that it plays; None: all games of the engine.
        report: receives a line of progress.
        """
        self._client = client
        self._program = program
        self._seconds = seconds
        self._games = games or program.hello["games"]
        self._report = report
        self._engine_lock = asyncio.Lock()
        self._playing: set[str] = set()

    async def run(self) -> None:
        """Play at all tables of the account and accept challenges, without end. Raises EkoesError."""
        for game in self._games:
            self._program.ready(game)
        try:
            async with asyncio.TaskGroup() as tasks:
                async for event in self._client.events():
                    await self._handle(event, tasks)
        except* EkoesError as errors:
            raise errors.exceptions[0] from None

    async def _handle(self, event: Json, tasks: asyncio.TaskGroup) -> None:
        match event:
            case {"type": "challenge", "challenge": challenge}:
                await self._answer(challenge)
            case {"type": "started", "table": str(table), "game": game}:
                if game in self._games and table not in self._playing:
                    self._playing.add(table)
                    tasks.create_task(self._play(table))
            case {"type": "over", "table": table}:
                self._playing.discard(table)

    async def _play(self, table_id: str) -> None:
        """Play a game to its end, taking it up again after failures that may pass."""
        self._report(f"plays at {table_id}")
        pause = _PAUSE
        while table_id in self._playing:
            begun = monotonic()
            try:
                return await self._follow(table_id)
            except EkoesError as error:
                self._report(f"{table_id}: {error}")
                if isinstance(error, ConnectionFailedError) and error.code != LOST:
                    self._playing.discard(table_id)
                pause = _PAUSE if monotonic() - begun > _LONGEST_PAUSE else min(2 * pause, _LONGEST_PAUSE)
                await asyncio.sleep(max(pause, getattr(error, "retry_after", None) or 0))
        return None

    async def _follow(self, table_id: str) -> None:
        """Play a game to its end. Raises EkoesError."""
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
        answer = self._client.accept if challenge["game"] in self._games else self._client.decline
        try:
            await answer(challenge["id"])
        except EkoesError as error:
            self._report(f"challenge by {challenge['by']}: {error}")

    async def _decide(self, table: Table, seat: int, decide: Callable[[], Awaitable[None]]) -> None:
        """Make a decision; resign if the engine fails each time that it is asked. Raises EkoesError."""
        for _ in range(_ATTEMPTS):
            try:
                return await decide()
            except (ForfeitError, NotationError) as error:
                self._report(f"{table.view.id}: the engine fails: {error}")
        self._report(f"{table.view.id}: seat {seat} resigns")
        await table.resign(seat)
        return None

    # ------------------------------------------------------------ games of turns

    async def _play_turns(self, table: Table) -> None:
        """Decide for the first of its seats that has to."""
        first = (await self._client.past(table.view.id, 0))["position"]
        async for view in table:
            for seat in view.asked[:1]:
                await self._decide(table, seat, partial(self._turn, table, view, seat, first))

    async def _turn(self, table: Table, view: View, seat: int, first: Json) -> None:
        """Ask the engine about a decision and play it. Raises EkoesError."""
        actions = [entry["action"] for entry in view.log]
        what = {"position": first, "actions": actions, "seat": seat}
        async with self._engine_lock:
            action = await asyncio.to_thread(self._program.ask, view.game, what, self._limit(view, seat))
        check_action(view.position, seat, action)
        try:
            await table.act(seat, action, version=view.version)
        except RefusedError as error:
            if table.view.version == view.version:
                raise
            self._report(f"{view.id}: refused: {error}")

    def _limit(self, view: View, seat: int) -> Limit:
        """Return the limit of a decision: at most a fraction of the remaining clock time."""
        left = view.state.get("left")
        most = None if not left or left[seat] is None else left[seat] / 1000 / _PART
        seconds = self._seconds if most is None else max(0.05, min(self._seconds, most))
        return _limit(seconds)

    # ------------------------------------------------------------ races

    async def _play_race(self, table: Table, afar: Afar[Any]) -> None:
        """Answer each decision of its seats once."""
        answered: set[str] = set()
        async for view in table:
            for seat in view.own if view.is_started and not view.is_over else ():
                if (greeting := afar.greeting(view.state, seat)) is not None:
                    with suppress(RefusedError):  # the table has not waited
                        await table.intend(seat, greeting)
                for key in _questions(afar, view, seat):
                    if f"{seat} {key}" not in answered:
                        answered.add(f"{seat} {key}")
                        await self._decide(table, seat, partial(self._intend, table, afar, seat, key))

    async def _intend(self, table: Table, afar: Afar[Any], seat: int, key: str) -> None:
        """Ask the engine about a decision, if it is still asked, and send its intent. Raises EkoesError."""
        asks = _questions(afar, table.view, seat).get(key)
        if asks is None:
            return
        player = _EnginePlayer(self._program, table.view.game, self._seconds)
        sight, chance = afar.sight(table.view.state, seat), Chance(secrets.randbelow(_SEEDS))
        async with self._engine_lock:
            intent = await asyncio.to_thread(afar.answer, player, sight, seat, asks, chance)
        if intent is None:
            return
        try:
            await table.intend(seat, intent)
        except RefusedError as error:
            if key not in _questions(afar, table.view, seat):  # another player was quicker
                self._report(f"{table.view.id}: refused: {error}")
            elif error.rule is None:
                raise
            else:
                raise ForfeitError("illegal", str(error)) from error


def _questions(afar: Afar[Any], view: View, seat: int) -> dict[str, str]:
    """Return what a seat is asked now, by the keys of the decisions."""
    asked = () if view.is_over else afar.asked(view.state, view.table["options"], seat)
    return {key: asks for asks, key in asked}


@dataclass(frozen=True, slots=True)
class _EnginePlayer:
    """The engine as a bot, which chooses from what its seat sees."""

    program: Program
    game: str
    seconds: float

    def choose(self, sight: Any, seat: int, _chance: Chance) -> object:  # noqa: ANN401 - each game has its own
        """Return the choice of the engine; blocks. Raises EkoesError."""
        what = {"view": sight.view(seat), "seat": seat, "seen": []}
        return game_of(self.game).parse_action(self.program.ask(self.game, what, _limit(self.seconds)))


def _limit(seconds: float) -> Limit:
    return Limit(seconds=seconds, seed=secrets.randbelow(_SEEDS))


def _result(view: View) -> str:
    if not view.winners:
        return "no winner"
    return "won" if set(view.winners) & set(view.own) else "lost"
