"""Who sits down in the arena: bots of this house, and whatever else can be asked and answers."""

from __future__ import annotations

from time import perf_counter
from typing import Protocol, Self

from ekoes.arena.choice import Choice, Limit, Past
from ekoes.bots import Bot, Thought, decide
from ekoes.games.chance import Chance
from ekoes.games.contract import Position

__all__ = ["BotPlayer", "Player"]


class Player(Protocol):
    """Somebody who plays one game after the other; opened before the first, closed after the last."""

    def __enter__(self) -> Self:
        """Get ready. Raises ForfeitError if that can't be."""

    def __exit__(self, *_: object) -> None:
        """Go away; nothing is left behind."""

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:
        """Choose a legal action for a seat that is asked. Raises ForfeitError.

        position: complete, and so is what led to it, past; of a player that is not trusted, what its seat
        may see is passed on and no more.
        """


class BotPlayer:
    """A bot of this house. It keeps limits if it knows any, and gets ``Position.sight`` alone."""

    def __init__(self, bot: Bot) -> None:
        """Take a bot, which may sit elsewhere too."""
        self.bot = bot

    def __enter__(self) -> Self:
        """Nothing has to be made ready."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left behind."""

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:
        """Ask the bot; its chance comes from the limit's seed."""
        begun = perf_counter()
        thought = Thought(limit.seconds, limit.iterations, () if past is None else past.seen)
        action = decide(self.bot, position.sight(seat), seat, Chance(limit.seed), thought)
        return Choice(action, perf_counter() - begun)
