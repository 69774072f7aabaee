"""Bots: each chooses a legal action from what its seat sees; and what a program at a seat receives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol, cast

from ekoes.errors import NotationError, PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Game, Json, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load

__all__ = [
    "LEVELS",
    "Bot",
    "Hidden",
    "Thought",
    "asked_seat",
    "begin_game",
    "bot",
    "bots",
    "decide",
    "decisions_seen",
    "is_bot",
    "levels",
    "seated",
    "sight_from_view",
    "stand_in",
]


class Bot(Protocol):
    """A stateless player: one instance can play at many tables.

    A bot that respects limits also has ``think``, with the arguments of ``choose`` and the fields of
    ``Thought`` as keywords. One that can use what it found at an earlier decision also has ``seated``, which
    returns a bot for one seat of one game. If that has ``ponder(seconds)``, it may be called repeatedly
    while the others decide; it returns whether another call would help.
    """

    @property
    def name(self) -> str:
        """One of ``bots(game)``."""

    def choose(self, position: Any, seat: int, chance: Chance) -> Any:  # noqa: ANN401
        """Return a legal action for a seat to move; the same chance gives the same one.

        position: ``Position.sight(seat)``, or the position itself.
        """


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


def decide(player: Bot, sight: Any, seat: int, chance: Chance, thought: Thought) -> Any:  # noqa: ANN401
    """Return the choice of a bot, within limits if it supports them."""
    think = getattr(player, "think", None)
    if think is None:
        return player.choose(sight, seat, chance)
    return think(
        sight,
        seat,
        chance,
        seconds=thought.seconds,
        iterations=thought.iterations,
        seen=thought.seen,
        threads=thought.threads,
    )


def seated(player: Bot) -> Bot:
    """Return a bot for one seat of one game, by one thread at a time: it may use what it found before.

    It is only a cache: to ask another one instead costs strength, not correctness.
    """
    make = getattr(player, "seated", None)
    return player if make is None else cast("Bot", make())


def bots(game: str) -> tuple[str, ...]:
    """Return the names of the bots of a game, weakest first.

    Raises: NotationError naming the known games.
    """
    return tuple(game_of(game).parts.bots)


def is_bot(game: str, name: str) -> bool:
    """Return whether a game has a bot of a name."""
    return name in game_of(game).parts.bots


def stand_in(game: str) -> str:
    """Return the default bot of a game, which also replaces a player who has left."""
    return game_of(game).parts.stand_in


def bot(game: str, name: str) -> Bot:
    """Return a game's bot of a name. Raises NotationError naming the known ones."""
    homes = game_of(game).parts.bots
    if name not in homes:
        raise NotationError(f"no bot is called {name!r:.40}; there are: {', '.join(bots(game))}", key="bot")
    return cast("Bot", load(homes[name]))


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


class Hidden(Protocol):
    """What a game with hidden information provides (``Parts.hidden``)."""

    def sight_from_view(self, value: object, seat: int) -> Any:  # noqa: ANN401
        """Return ``Position.sight(seat)`` from the JSON of ``Position.view(seat)``, of a seat to move.

        Raises: PositionError naming rule and key.
        """

    def decisions_seen(self, decisions: Sequence[tuple[int, Any]], seat: int) -> list[Json]:
        """Return the relevant decisions as a seat saw them. decisions: (seat, action)."""


def sight_from_view(game: Game, value: object, seat: int) -> Any:  # noqa: ANN401 - each game has its own
    """Read the view of a seat to move. Raises PositionError naming rule and key."""
    if game.parts.hidden is not None:
        return cast("Hidden", load(game.parts.hidden)).sight_from_view(value, seat)
    position = game.from_json(value)
    return position.sight(asked_seat(position, seat))


def decisions_seen(game: Game, decisions: Sequence[tuple[int, Any]], seat: int) -> list[Json]:
    """Return decisions as a seat saw them, as ``{"seat", "action"}``. decisions: (seat, action), in order."""
    if game.parts.hidden is not None:
        return cast("Hidden", load(game.parts.hidden)).decisions_seen(decisions, seat)
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
