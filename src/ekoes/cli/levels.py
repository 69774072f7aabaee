"""``ekoes levels``: how strong the bots are, in words."""

from __future__ import annotations

from ekoes.cli.console import emit, write_json

__all__ = ["command"]


def command() -> None:
    """Print the levels of the bots, weakest first, and in which games there are bots of it."""
    from ekoes.bots.levels import LEVELS, levels
    from ekoes.games.registry import games

    emit(
        write_json(
            {"level": name, "description": text, "games": [game for game in games() if name in levels(game)]}
        )
        for name, text in LEVELS.items()
    )
