"""The game of Ekö: set-up, JSON of positions and actions, and its parts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ekoes.games.api.contract import Json, Parts, TableEnds
from ekoes.games.eko.position.action import Action, action_from_json, action_to_json
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.position_reader import position_from_json, position_from_state
from ekoes.games.eko.position.setup import set_up
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS


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
        book="ekoes.games.eko.notation",
        notation="ekoes.games.eko.notation",
        bots=MappingProxyType(
            {
                "random": "ekoes.games.random_bot:RANDOM",
                "beginner": "ekoes.games.eko.bots.levels:BEGINNER",
                "learner": "ekoes.games.eko.bots.levels:LEARNER",
                "greedy": "ekoes.games.eko.bots.one_turn:GREEDY",
                "casual": "ekoes.games.eko.bots.levels:CASUAL",
                "skilled": "ekoes.games.eko.bots.levels:SKILLED",
                "strong": "ekoes.games.eko.bots.levels:STRONG",
                "expert": "ekoes.games.eko.bots.levels:EXPERT",
                "master": "ekoes.games.eko.bots.levels:MASTER",
            }
        ),
        stand_in="greedy",
        show="ekoes.games.eko.art.show",
        picture="ekoes.games.eko.art.svg:PREVIEW",
        playouts="ekoes.games.eko.engine",
        perft="ekoes.games.eko.engine",
        warm="ekoes.games.eko.engine",
        teaching="ekoes.games.eko.teaching:TEACHING",
        advice="ekoes.games.eko.teaching:ADVICE",
        analysis="ekoes.games.eko.bots.search:Search",
        review="ekoes.games.eko.review:REVIEW",
        puzzles="ekoes.games.eko.puzzles",
        editor="ekoes.games.eko.editor:EDITOR",
        boards="ekoes.games.eko.fairness",
        openings="ekoes.games.eko.openings",
    )

    def new(self, options: Mapping[str, Any], seed: int) -> EkoPosition:
        """Return the first position; equal options and seed give equal positions. Rule: E3."""
        return set_up(options, seed)

    def from_json(self, value: object) -> EkoPosition:
        """Read a position. Raises PositionError, LayoutError or NotationError naming rule and key."""
        return position_from_json(value)

    def from_state(self, value: Json) -> EkoPosition:
        """Read the JSON that ``EkoPosition.to_state`` returns: the interchange form."""
        return position_from_state(value)

    def parse_action(self, value: object) -> Action:
        """Read an action from JSON. Raises NotationError naming the key."""
        return action_from_json(value)

    def action_to_json(self, action: Action) -> Json:
        """Write an action as JSON."""
        return action_to_json(action)


EKO = Eko()
