"""How a game record writes the beginning of a game of EKKO: as tags that people can read.

``Players`` and ``Target`` are the options (K1.1, K5.6), ``Dealer`` is the first dealer (K1.3); without it
``Seed`` tells who that is. ``Live`` is ``yes`` for the game of a live table (K7). A game that begins
anywhere else has it in ``Position`` as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from ekoes.errors import EkoesError, NotationError
from ekoes.games.contract import Json, Position
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.rules.record import DEFAULT_TARGET
from ekoes.games.tags import json_tag, whole_tag

__all__ = ["OPENING_TAGS", "as_live", "opening_from_tags", "opening_tags"]

OPENING_TAGS = ("Players", "Target", "Dealer", "Position")
_TAG_OF_KEY = {"players": "Players", "target": "Target", "turn.dealer": "Dealer"}


def opening_tags(position: Position) -> dict[str, str]:
    """Write the first position of a game as tags; whether it is live is the table's to say."""
    value = position.to_json()
    tags = {
        "Players": str(value["players"]),
        "Target": str(value["target"]),
        "Dealer": str(value["turn"]["dealer"]),
    }
    if _first_position(tags) == value:
        return tags
    return {"Position": json.dumps(value, separators=(",", ":"))}


def opening_from_tags(tags: Mapping[str, str]) -> EkkoPosition:
    """Read the first position of a game from its tags, the inverse of ``opening_tags``.

    Raises NotationError or PositionError that names the tag or the key at fault.
    """
    position = _read(tags)
    return as_live(position) if tags.get("Live") == "yes" else position


def as_live(position: EkkoPosition) -> EkkoPosition:
    """Return the same position at a live table, where nobody is asked for a mirror (K7.1)."""
    states = position.states.copy()
    states["live"] = 1
    return EkkoPosition(states)


def _read(tags: Mapping[str, str]) -> EkkoPosition:
    if "Position" in tags:
        return EKKO.from_json(json_tag(tags, "Position"))
    if "Dealer" not in tags:
        tags = {**tags, "Dealer": _drawn_dealer(tags)}
    try:
        return EKKO.from_json(_first_position(tags))
    except EkoesError as error:
        tag = _TAG_OF_KEY.get(error.key or "", error.key)
        raise NotationError(error.message, rule=error.rule, key=tag) from error


def _drawn_dealer(tags: Mapping[str, str]) -> str:
    """Return the first dealer as the seed gives it (K1.3)."""
    options = {"players": whole_tag(tags, "Players")}
    try:
        return str(EKKO.new(options, whole_tag(tags, "Seed")).dealer)
    except EkoesError as error:
        raise NotationError(error.message, key="Players") from error


def _first_position(tags: Mapping[str, str]) -> Json:
    """Return the JSON of the position before the first deal."""
    players = whole_tag(tags, "Players")
    value: Json = {"game": "ekko", "version": 1, "players": players}
    value["target"] = whole_tag({"Target": str(DEFAULT_TARGET), **tags}, "Target")
    few = min(max(players, 0), 10)  # a wrong number of players is refused as such, however large it is
    value |= {"pile": [], "zone": [], "hands": [[] for _ in range(few)], "aside": [[] for _ in range(few)]}
    value["scores"] = [0] * few
    value["turn"] = {"round": 1, "dealer": whole_tag(tags, "Dealer"), "phase": "deal"}
    return value
