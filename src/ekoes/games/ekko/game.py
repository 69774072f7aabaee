"""The game of EKKO: how positions begin, and how they and their actions are written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ekoes.games.contract import Json, Parts, TableEnds
from ekoes.games.ekko.action import Action, action_from_json, action_to_json
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.position_reader import position_from_json, position_from_state
from ekoes.games.ekko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS
from ekoes.games.ekko.setup import set_up

__all__ = ["EKKO", "Ekko"]


def _homes(*names: str) -> Mapping[str, str]:
    """Return where players lie, by name."""
    return MappingProxyType({name: f"ekoes.games.ekko.bots.player:{name.upper()}" for name in names})


class Ekko:
    """The card game EKKO, for 2 to 8. Rules: docs/rules."""

    name = "ekko"
    title = "EKKO, the card game"
    rules_version = "2"
    table_ends = TableEnds(resignation="K5.6", agreement="K5.6")
    parts = Parts(
        table="race",
        presenter="ekoes.games.ekko.presenter:PRESENTER",
        book="ekoes.games.ekko.book",
        notation="ekoes.games.ekko.notation",
        bots=_homes("random", "beginner", "casual", "skilled", "strong", "master"),
        former_bots=_homes("novice", "regular", "expert"),
        stand_in="skilled",
        hidden="ekoes.games.ekko.hidden",
        afar="ekoes.games.ekko.afar",
        show="ekoes.games.ekko.show",
        picture="ekoes.games.ekko.preview:PREVIEW",
        playouts="ekoes.games.ekko.playouts",
        warm="ekoes.games.ekko.warm",
        teaching="ekoes.games.ekko.teaching:TEACHING",
        advice="ekoes.games.ekko.advice:ADVICE",
        commands=MappingProxyType(
            {word: f"ekoes.cli.ekko.{word}" for word in ("new", "races", "match", "strength")}
        ),
    )
    players = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)

    def new(self, options: Mapping[str, Any], seed: int) -> EkkoPosition:
        """Return the first position, before the first deal. Rule: K1."""
        return EkkoPosition(set_up(options, seed))

    def from_json(self, value: object) -> EkkoPosition:
        """Read a position. Raises PositionError or NotationError naming rule and key."""
        return position_from_json(value)

    def from_state(self, value: Json) -> EkkoPosition:
        """Read what a table kept."""
        return position_from_state(value)

    def parse_action(self, value: object) -> Action:
        """Read an action from JSON. Raises NotationError naming the key."""
        return action_from_json(value)

    def action_to_json(self, action: Action) -> Json:
        """Write an action as JSON."""
        return action_to_json(action)


EKKO = Ekko()
