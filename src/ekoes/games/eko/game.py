"""The game of Ekö: how positions begin, and how they and their actions are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ekoes.games.contract import Json
from ekoes.games.eko.action import Action, action_from_json, action_to_json
from ekoes.games.eko.position_reader import position_from_json
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS
from ekoes.games.eko.setup import set_up

if TYPE_CHECKING:
    from ekoes.games.eko.position import EkoPosition

__all__ = ["EKO", "Eko"]


class Eko:
    """The board game Ekö, for 2 to 4. Rules: docs/rules."""

    name = "eko"
    players = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)

    def new(self, options: Mapping[str, Any], seed: int) -> EkoPosition:
        """Return the first position; equal options and seed give equal positions. Rule: E3."""
        return set_up(options, seed)

    def from_json(self, value: object) -> EkoPosition:
        """Read a position. Raises PositionError, LayoutError or NotationError naming rule and key."""
        return position_from_json(value)

    def parse_action(self, value: object) -> Action:
        """Read an action from JSON. Raises NotationError naming the key."""
        return action_from_json(value)

    def action_to_json(self, action: Action) -> Json:
        """Write an action as JSON."""
        return action_to_json(action)


EKO = Eko()
