"""The game of Ekö: how positions begin, and how they and their actions are written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ekoes.games.contract import Json, Parts, TableEnds
from ekoes.games.eko.action import Action, action_from_json, action_to_json
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.position_reader import position_from_json, position_from_state
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS
from ekoes.games.eko.setup import set_up

__all__ = ["EKO", "Eko"]


class Eko:
    """The board game Ekö, for 2 to 4. Rules: docs/rules."""

    name = "eko"
    title = "Ekö, the board game"
    rules_version = "1"
    players = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
    table_ends = TableEnds(
        resignation="E11.5", time="E11.5", agreement="E11.5", repetition="E11.6", turn_limit="E11.5"
    )
    parts = Parts(
        table="turns",
        presenter="ekoes.games.eko.presenter:PRESENTER",
        book="ekoes.games.eko.book",
        notation="ekoes.games.eko.notation",
        bots=MappingProxyType(
            {
                "random": "ekoes.bots.random_bot:RANDOM",
                "beginner": "ekoes.games.eko.bots.beginner:BEGINNER",
                "casual": "ekoes.games.eko.bots.levels:CASUAL",
                "greedy": "ekoes.games.eko.bots.greedy:GREEDY",
                "skilled": "ekoes.games.eko.bots.levels:SKILLED",
                "strong": "ekoes.games.eko.bots.levels:STRONG",
                "master": "ekoes.games.eko.bots.levels:MASTER",
            }
        ),
        stand_in="greedy",
        show="ekoes.games.eko.show",
        picture="ekoes.games.eko.preview:PREVIEW",
        playouts="ekoes.games.eko.playouts",
        perft="ekoes.games.eko.perft",
        warm="ekoes.games.eko.warm",
        teaching="ekoes.games.eko.teaching:TEACHING",
        advice="ekoes.games.eko.advice:ADVICE",
        analysis="ekoes.games.eko.bots.search.think:Search",
        commands=MappingProxyType(
            {word: f"ekoes.cli.eko.{word}" for word in ("new", "perft", "svg", "match", "train", "analyse")}
        ),
    )

    def new(self, options: Mapping[str, Any], seed: int) -> EkoPosition:
        """Return the first position; equal options and seed give equal positions. Rule: E3."""
        return set_up(options, seed)

    def from_json(self, value: object) -> EkoPosition:
        """Read a position. Raises PositionError, LayoutError or NotationError naming rule and key."""
        return position_from_json(value)

    def from_state(self, value: Json) -> EkoPosition:
        """Read what a table kept: the interchange form says it all."""
        return position_from_state(value)

    def parse_action(self, value: object) -> Action:
        """Read an action from JSON. Raises NotationError naming the key."""
        return action_from_json(value)

    def action_to_json(self, action: Action) -> Json:
        """Write an action as JSON."""
        return action_to_json(action)


EKO = Eko()
