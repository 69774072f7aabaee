"""The game of EKKO: set-up, JSON of positions and actions, its parts, and random games in bulk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from ekoes.games.api.chance import Playouts, play_batches
from ekoes.games.api.contract import Parts, TableEnds
from ekoes.games.ekko.position.action import action_from_json, action_to_json
from ekoes.games.ekko.position.position import EkkoPosition, set_up
from ekoes.games.ekko.position.position_reader import position_from_json, position_from_state
from ekoes.games.ekko.rules.decisions import play_out
from ekoes.games.ekko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS, STATE


def _bots(*names: str) -> Mapping[str, str]:
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
        notation="ekoes.games.ekko.position.action",
        bots=_bots("random", "beginner", "casual", "skilled", "strong", "master"),
        stand_in="skilled",
        hidden="ekoes.games.ekko.position.position_reader",
        afar="ekoes.games.ekko.bots.player",
        picture="ekoes.games.ekko.picture:PREVIEW",
        playouts="ekoes.games.ekko.game",
        warm="ekoes.games.ekko.sequence",
        teaching="ekoes.games.ekko.teaching:TEACHING",
        sequence="ekoes.games.ekko.sequence:SEQUENCE",
        review="ekoes.games.ekko.review:REVIEW",
        has_exercises=True,
    )
    players = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)

    new = staticmethod(set_up)
    from_json = staticmethod(position_from_json)
    from_state = staticmethod(position_from_state)
    parse_action = staticmethod(action_from_json)
    action_to_json = staticmethod(action_to_json)


EKKO = Ekko()


def playouts(
    position: EkkoPosition,
    count: int,
    seed: int,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Playouts:
    """Play random games from a position to their end, each decision drawn uniformly. Rule: K6.

    The games depend only on the seed, not on the number of threads. Wins are not shared; ties count as drawn
    (K5.6). progress: called with the number of finished games.
    """

    def play_batch(seeds: np.ndarray, wins: np.ndarray) -> int:
        return int(play_out(position.states, np.zeros(1, STATE), seeds, wins))

    return play_batches(play_batch, MOST_PLAYERS, position.players, count, seed, threads, progress)
