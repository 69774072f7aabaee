"""What this server is: its games with all that can be chosen, its limits, and the page's languages."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ekoes import __version__
from ekoes.bots import bots, stand_in
from ekoes.bots.levels import LEVELS, levels
from ekoes.games.about import fields_about
from ekoes.games.contract import Json
from ekoes.games.registry import games
from ekoes.match.kinds import kind_of
from ekoes.match.names import LONGEST_NAME
from ekoes.match.orders import MAX_PLAYERS, Pace
from ekoes.match.seats import COLOURS
from ekoes.match.state import DEFAULT_PACE
from ekoes.match.talk import LONGEST_LINE, PHRASES, REASONS
from ekoes.server.limits import LARGEST_MESSAGE

__all__ = ["about_server", "languages"]


@cache
def about_server() -> Json:
    """Describe the server to pages and programs."""
    return {
        "version": __version__,
        "limits": _limits(),
        "talk": {"line": LONGEST_LINE, "phrases": list(PHRASES), "reasons": list(REASONS)},
        "languages": languages(),
        "levels": dict(LEVELS),
        "games": [_about_game(name) for name in games()],
    }


def languages() -> list[Json]:
    """Return the languages of the page: tag (BCP 47), own name, direction."""
    text = files("ekoes").joinpath("languages.json").read_text("utf-8")
    value: list[Json] = json.loads(text)
    return value


def _about_game(name: str) -> Json:
    return {
        "name": name,
        **kind_of(name).about(name),
        "bots": list(bots(name)),
        "levels": list(levels(name)),
        "stand_in": stand_in(name),
    }


def _limits() -> Json:
    pace = fields_about(Pace)["milliseconds"] | {"default": DEFAULT_PACE}
    return {
        "name": LONGEST_NAME,
        "seats": MAX_PLAYERS,
        "colours": COLOURS,
        "pace": pace,
        "message": LARGEST_MESSAGE,
    }
