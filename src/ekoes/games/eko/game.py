"""The game of Ekö: set-up, JSON of positions and actions, and its parts."""

from __future__ import annotations

from types import MappingProxyType

from ekoes.games.api.contract import Parts, TableEnds
from ekoes.games.eko.position.action import action_from_json, action_to_json
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
                "random": "ekoes.games.api.parts:RANDOM",
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
        show="ekoes.games.eko.show",
        picture="ekoes.games.eko.svg:PREVIEW",
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

    new = staticmethod(set_up)
    from_json = staticmethod(position_from_json)
    from_state = staticmethod(position_from_state)
    parse_action = staticmethod(action_from_json)
    action_to_json = staticmethod(action_to_json)


EKO = Eko()
