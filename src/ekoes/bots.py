"""Bots: each chooses a legal action from what its seat sees; requests to them; searches of positions.

A request has what a seat sees, and a random seed derived from the table's secret. A search reports the best
variations and the chances to win.

A bot of another package is an entry point of the group ``ekoes.bots``, named after its game::

    [project.entry-points."ekoes.bots"]
    "GAME.NAME" = "module:BOT"
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from importlib.metadata import entry_points
from time import monotonic
from types import MappingProxyType
from typing import Any, Protocol, cast

from typing_extensions import TypeVar

from ekoes.errors import NotationError, PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Answer, Game, Json, Position
from ekoes.games.api.parts import RANDOM, Chooser
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.table import Variation

GROUP = "ekoes.bots"


A = TypeVar("A", default=Any)
A_co = TypeVar("A_co", covariant=True, default=Any)
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)
S_contra = TypeVar("S_contra", contravariant=True, default=Any)


class Bot(Chooser[S_contra, A_co], Protocol[S_contra, A_co]):
    """A stateless player: one instance can play at many tables.

    A bot that respects limits also has ``think``, with the arguments of ``choose`` and the fields of
    ``Thought`` as keywords. One that can use what it found at an earlier decision also has ``seated``, which
    returns a bot for one seat of one game. If that has ``ponder(seconds)``, it may be called repeatedly
    while the others decide; it returns whether another call would help.
    """

    @property
    def name(self) -> str:
        """One of ``bots(game)``."""


@dataclass(frozen=True, slots=True)
class Thought:
    """The limits of a decision, and earlier positions.

    seconds, iterations: the first limit reached counts; None and None: the bot's own. seen: the positions at
    the start of each turn so far, as the repetition rule compares them. threads: how many may think at once.
    """

    seconds: float | None = None
    iterations: int | None = None
    seen: Iterable[bytes] = ()
    threads: int = 1


def decide(player: Chooser[S, A], sight: S, seat: int, chance: Chance, thought: Thought) -> A:
    """Return the choice of a bot, within limits if it supports them."""
    think = getattr(player, "think", None)
    if think is None:
        return player.choose(sight, seat, chance)
    action: A = think(
        sight,
        seat,
        chance,
        seconds=thought.seconds,
        iterations=thought.iterations,
        seen=thought.seen,
        threads=thought.threads,
    )
    return action


C = TypeVar("C", bound=Chooser)


def seated(player: C) -> C:
    """Return a bot for one seat of one game, by one thread at a time: it may use what it found before.

    It is only a cache: to ask another one instead costs strength, not correctness.
    """
    make = getattr(player, "seated", None)
    return player if make is None else cast("C", make())


def bots(game: str) -> tuple[str, ...]:
    """Return the names of the bots of a game, weakest first, and then those of other packages.

    Raises: NotationError naming the known games.
    """
    return (*game_of(game).parts.bots, *_others(game))


def is_bot(game: str, name: str) -> bool:
    """Return whether a game has a bot of a name."""
    return name in game_of(game).parts.bots or name in _others(game)


@cache
def _others(game: str) -> dict[str, str]:
    """Return the bots of other packages for a game: name -> place."""
    own, found = game_of(game).parts.bots, {}
    for each in entry_points(group=GROUP):
        played, _, name = each.name.partition(".")
        if played == game and name not in own:
            found[name] = each.value
    return found


def stand_in(game: str) -> str:
    """Return the default bot of a game, which also replaces a player who has left."""
    return game_of(game).parts.stand_in


def bot(game: str, name: str) -> Bot:
    """Return a game's bot of a name. Raises NotationError naming the known ones."""
    # its own first: searching the entry points takes long
    where = game_of(game).parts.bots.get(name) or _others(game).get(name)
    if where is None:
        raise NotationError(f"no bot is called {name!r:.40}; there are: {', '.join(bots(game))}", key="bot")
    return cast("Bot", load(where))


def chooser(game: str, player: object) -> Chooser:
    """Return a player: a bot of this name, or what it is if it chooses. Raises NotationError."""
    if isinstance(player, str):
        return bot(game, player)
    if not hasattr(player, "choose"):
        what = type(player).__name__
        raise NotationError(f"is a name or an object with choose(sight, seat, chance), not {what}", key="bot")
    return cast("Chooser", player)


LEVELS = MappingProxyType(
    {
        "beginner": "misses most of its chances",
        "learner": "misses many of its chances",
        "casual": "misses things and does not look ahead",
        "skilled": "sees nearly every move",
        "strong": "looks ahead and allows for what it cannot see",
        "expert": "looks far ahead",
        "master": "looks furthest ahead and forgets nothing",
    }
)
"""Name -> description for players, weakest first; the page translates it."""


def levels(game: str) -> tuple[str, ...]:
    """Return the levels that a game has, weakest first. Raises NotationError naming the known games."""
    return tuple(name for name in bots(game) if name in LEVELS)


_FIRST_DECISIONS = 4
"""Enough decisions to reach the first turn from the set-up."""


def begin_game(name: str, player: str) -> None:
    """Let a bot play the first decisions of a game with minimal search."""
    game, playing = game_of(name), seated(bot(name, player))
    position, chance = game.new({"players": game.players.start}, seed=1), Chance(1)
    for _ in range(_FIRST_DECISIONS):
        (seat,) = position.actors()
        if seat == CHANCE:
            position = position.play(seat, position.chance_action(chance))
        else:
            action = decide(playing, position.sight(seat), seat, chance, Thought(iterations=1))
            position = position.play(seat, action)


class Hidden(Protocol[S_co]):
    """Reads views, for games with hidden information (``Parts.hidden``)."""

    def sight_from_view(self, value: object, seat: int) -> S_co:
        """Return ``Position.sight(seat)`` from the JSON of ``Position.view(seat)``, of a seat to move.

        Raises: PositionError naming rule and key.
        """

    def decisions_seen(self, decisions: Sequence[tuple[int, Any]], seat: int) -> list[Json]:
        """Return the relevant decisions as a seat saw them. decisions: (seat, action)."""


def sight_from_view(game: Game, value: object, seat: int) -> object:
    """Read the view of a seat to move. Raises PositionError naming rule and key."""
    if game.parts.hidden is not None:
        return cast("Hidden[object]", load(game.parts.hidden)).sight_from_view(value, seat)
    position = game.from_json(value)
    return position.sight(asked_seat(position, seat))


def decisions_seen(game: Game, decisions: Sequence[tuple[int, Any]], seat: int) -> list[Json]:
    """Return decisions as a seat saw them, as ``{"seat", "action"}``. decisions: (seat, action), in order."""
    if game.parts.hidden is not None:
        return cast("Hidden[object]", load(game.parts.hidden)).decisions_seen(decisions, seat)
    return [{"seat": actor, "action": game.action_to_json(action)} for actor, action in decisions]


def asked_seat(position: Position, seat: int | None = None) -> int:
    """Return a seat to move, by default the first. Raises PositionError if the seat is not to move."""
    asked = [actor for actor in position.actors() if actor != CHANCE]
    if not asked:
        raise PositionError("no player is to move", key="position")
    if seat is None:
        return asked[0]
    if seat not in asked:
        raise PositionError(f"player {seat} is not to move", key="seat")
    return seat


class Search(Protocol):
    """A search of one position, provided by a game (``Parts.analysis``); readable from any thread.

    One that can go on in another position also has ``move_to``, with that position and the ``seen`` of
    ``begin_search``; it keeps what it can use there.
    """

    def run(
        self, seconds: float | None, iterations: int | None, threads: int = 1, turns: int | None = None
    ) -> None:
        """Search until a limit, a proof or a stop; blocks, but releases the GIL.

        threads: at most. turns: to look ahead.
        """

    def stop(self) -> None:
        """Stop the search; thread-safe."""

    @property
    def value(self) -> tuple[float, ...]: ...  # noqa: D102
    @property
    def iterations(self) -> int: ...  # noqa: D102
    @property
    def depth(self) -> int: ...  # noqa: D102

    def lines(self, count: int) -> Sequence[Variation]:
        """Return the best variations, the best first."""


@dataclass(frozen=True, slots=True)
class Info:
    """The state of a search. value: the chance of each player to win. seconds: since its start."""

    value: tuple[float, ...]
    iterations: int
    depth: int
    lines: Sequence[Variation]
    seconds: float

    def to_json(self, position: Position) -> Json:
        """Return the JSON of the engine protocol."""
        game = position.game
        return {
            "value": list(self.value),
            "iterations": self.iterations,
            "depth": self.depth,
            "lines": [
                {
                    "value": list(line.value),
                    "actions": [game.action_to_json(action) for action in line.actions],
                    "iterations": line.iterations,
                }
                | ({"proven": True} if line.proven else {})
                for line in self.lines
            ],
        }


def begin_search(game: Game, position: Position, seen: Iterable[bytes], memory: int) -> Search:
    """Return a search that is not running yet. Raises NotationError if the game has no search."""
    if game.parts.analysis is None:
        raise NotationError(f"positions of {game.name} are not analysed")
    return cast("Search", load(game.parts.analysis)(position, seen, memory))


class KeptSearch:
    """The latest search, which the next one may go on with; a cache: without it a search is only weaker."""

    def __init__(self) -> None:
        self._search: Search | None = None
        self._key: object = None

    def next(
        self, key: object, position: object, seen: Iterable[bytes], begin: Callable[[], Search]
    ) -> Search:
        """Return a search of a position, not running yet: the latest one if it has this key, else a new one.

        key: equal for searches of one kind, in one memory, for one user. begin: called for a new one, after
        the latest has been freed.
        """
        search, self._search = self._search, None
        move_to = getattr(search, "move_to", None) if key == self._key else None
        if search is None or move_to is None:
            search = None
            search = begin()
        else:
            move_to(position, seen)
        self._search, self._key = search, key
        return search

    def drop(self) -> None:
        """Free the latest search."""
        self._search = None


def info_of(search: Search, lines: int, begun: float) -> Info:
    """Return the state of a search. begun: its start, by ``monotonic``."""
    found = search.lines(lines)  # first: it waits for the first iteration, before which nothing has a value
    seconds = monotonic() - begun
    return Info(search.value, search.iterations, search.depth, found, seconds)


def watch(
    search: Search,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    lines: int = 1,
    every: float = 0.25,
    threads: int = 1,
) -> Generator[Info]:
    """Run a search in a thread, and yield its state at intervals and at its end; closing stops it.

    seconds, iterations: the first limit reached counts; None and None: until closed. every: seconds. threads:
    the most that the search may use.
    """
    begun = monotonic()
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(search.run, seconds, iterations, threads)
        try:
            while wait({work}, every).not_done:
                yield info_of(search, lines, begun)
        finally:
            search.stop()
        work.result()
    yield info_of(search, lines, begun)


_BYTES = 32


@dataclass(frozen=True, slots=True)
class Secret:
    """The key from which the random seed of each request to a bot is derived.

    It is not part of the table, so no view can leak it. Seeds of earlier requests reveal nothing about later
    ones (BLAKE2b as a keyed hash).
    """

    key: bytes = field(repr=False)

    @classmethod
    def read(cls, text: str) -> Secret:
        """Read what ``text`` returned."""
        return cls(bytes.fromhex(text))

    @property
    def text(self) -> str:
        """The secret as it is stored."""
        return self.key.hex()

    def seed(self, about: str) -> int:
        """Return a seed of 64 bits; equal requests have equal seeds."""
        return int.from_bytes(blake2b(about.encode(), key=self.key, digest_size=8).digest())


def fresh_secret() -> Secret:
    """Return a random secret of 256 bits."""
    return Secret(secrets.token_bytes(_BYTES))


DECISION = "decision"
"""The request of turn tables; real-time games define their own."""

_LOG = logging.getLogger("ekoes.bots")

_UNHURRIED = 1000
"""The default delay of a bot at a race table, in milliseconds."""


@dataclass(frozen=True, slots=True)
class BotRequest:
    """A request to a bot; picklable.

    key: equal for equal requests, so that none is answered twice. asks: the kind of request. sight:
    ``Position.sight(seat)``. seen: the positions at the start of each turn, as the rule of repetition
    compares them. chance: the bot's random seed. version: the table's.
    """

    key: str
    version: int
    game: str
    bot: str
    seat: int
    asks: str
    sight: Any
    chance: int = field(repr=False)
    seen: tuple[bytes, ...] = ()


def answer_to(request: BotRequest, player: Bot | None = None, threads: int = 1) -> Answer:
    """Return the bot's answer; blocks. Raises EkoesError.

    player: the bot, ``seated`` there; by default one that has kept nothing, whose answers to equal requests
    are equal. threads: how many may think at once.
    """
    player, game = player or bot(request.game, request.bot), game_of(request.game)
    chance = Chance(request.chance)
    if request.asks == DECISION:
        thought = Thought(seen=request.seen, threads=threads)
        action = decide(player, request.sight, request.seat, chance, thought)
        return Answer(game.action_to_json(action), _UNHURRIED)
    plan = getattr(player, "plan", None)
    if plan is not None:
        planned: Answer = plan(request.sight, request.seat, request.asks, chance)
        return planned
    action = load(game.parts.presenter).answer(player, request.sight, request.seat, request.asks, chance)
    return Answer(action, _UNHURRIED)


def makeshift(request: BotRequest) -> Answer:
    """Return an answer in place of a bot that failed, so that the game continues.

    It is any legal action if nothing is hidden, else the weakest bot's answer. An empty action leaves the
    choice to the table.
    """
    try:
        if hasattr(request.sight, "legal"):
            action = RANDOM.choose(request.sight, request.seat, Chance(request.chance))
            return Answer(game_of(request.game).action_to_json(action), _UNHURRIED)
        weakest = bots(request.game)[0]
        if request.bot != weakest:
            return answer_to(replace(request, bot=weakest))
    except Exception:  # noqa: BLE001 - a bot may fail in any way
        _LOG.exception("%s: no default answer for the bot %s", request.game, request.bot)
    return Answer({}, _UNHURRIED)
