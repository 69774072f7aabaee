"""From the entrants of a plan to players that can be asked."""

from __future__ import annotations

from typing import cast

from ekoes.arena.plan import Entrant
from ekoes.arena.players import BotPlayer, Player
from ekoes.bots import Bot, bot
from ekoes.errors import NotationError

__all__ = ["bot_of", "player_of"]


def bot_of(game: str, entrant: Entrant) -> Bot:
    """Return the bot of an entrant, with its settings. Raises NotationError naming the key."""
    found = bot(game, entrant.bot or "")
    if not entrant.settings:
        return found
    with_settings = getattr(found, "with_settings", None)
    if with_settings is None:
        raise NotationError(f"{found.name} takes no settings", key=next(iter(entrant.settings)))
    return cast("Bot", with_settings(entrant.settings))


def player_of(game: str, entrant: Entrant) -> Player:
    """Return the player of an entrant, not yet opened."""
    if entrant.program is None:
        return BotPlayer(bot_of(game, entrant))
    from ekoes.arena.program import Program, Terms

    return Program(entrant.program, Terms(level=entrant.level, memory=entrant.memory))
