"""The game of Ekö: set-up, JSON of positions and actions, its parts; perft and random playouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType

import numpy as np

from ekoes.games.api.chance import Playouts, play_batches
from ekoes.games.api.contract import Parts, TableEnds
from ekoes.games.eko.position.action import Action, action_from_json, action_to_json
from ekoes.games.eko.position.layout import THREAD
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.position_reader import position_from_json, position_from_state
from ekoes.games.eko.position.setup import set_up
from ekoes.games.eko.rules.entry_points import perft_leaves, play_out
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS, STATE


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
        notation="ekoes.games.eko.position.action",
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
        playouts="ekoes.games.eko.game",
        perft="ekoes.games.eko.game",
        warm="ekoes.games.eko.presenter",
        teaching="ekoes.games.eko.teaching:TEACHING",
        analysis="ekoes.games.eko.bots.search:Search",
        review="ekoes.games.eko.review:REVIEW",
        puzzles="ekoes.games.eko.puzzles",
        has_editor=True,
        boards="ekoes.games.eko.fairness",
        openings="ekoes.games.eko.openings",
    )

    new = staticmethod(set_up)
    from_json = staticmethod(position_from_json)
    from_state = staticmethod(position_from_state)
    parse_action = staticmethod(action_from_json)
    action_to_json = staticmethod(action_to_json)


EKO = Eko()


def perft(position: EkoPosition, depth: int) -> int:
    """Return the number of decision sequences of a given length; a game that ends earlier counts as one.

    depth: 0 or more. The last level is counted in bulk.
    """
    if depth <= 0:
        return 1
    layout = position.layout
    return int(perft_leaves(layout.record, position.states, THREAD.work, depth))


def perft_divide(position: EkoPosition, depth: int) -> Iterator[tuple[Action, int]]:
    """Yield each first action and the number of sequences of a length (1 or more) that begin with it."""
    for action, code in zip(position.legal(), position.codes.tolist(), strict=True):
        yield action, perft(position.play_code(code), depth - 1)


TURN_LIMIT = 400
"""The turn limit of simulations (E11.5)."""


def playouts(
    position: EkoPosition,
    count: int,
    seed: int,
    *,
    threads: int = 1,
    turn_limit: int = TURN_LIMIT,
    progress: Callable[[int], None] | None = None,
) -> Playouts:
    """Play random games from a position to their end, each decision drawn uniformly. Rule: E11.5.

    The games depend only on the seed, not on the number of threads. progress: called with the number of
    finished games, from any thread.
    """

    def play_batch(seeds: np.ndarray, wins: np.ndarray) -> int:
        layout, scratch = position.layout, np.zeros(1, STATE)
        return int(play_out(layout.record, position.states, scratch, THREAD.work, seeds, turn_limit, wins))

    return play_batches(play_batch, MOST_PLAYERS, position.players, count, seed, threads, progress)
