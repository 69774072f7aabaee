"""Openings: what was played in finished games at the moment of a table, with results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ekoes.games.api.contract import Action, Json
from ekoes.games.api.parts import WIN, OpeningEntry, Openings, Played, Score
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import part_of
from ekoes.records import Decision
from ekoes.tables.analysis_board import Variations
from ekoes.tables.table import Table
from ekoes.tables.turns.table import TurnTable

FEW = 10
"""Games on a board from which on those on other boards are not shown."""
MOST_MOVES = 8
MOST_DECISIONS = 6
"""Of one move that are described."""


def openings_of(game: str) -> Openings:
    """Return the openings of a game. Raises TableError if it has none."""
    part: Openings = part_of(game, "openings")
    return part


def opening_of(
    made: Table, log: Sequence[Any], winners: Collection[int]
) -> tuple[Sequence[OpeningEntry], list[int]]:
    """Return what was played in the opening of a game, and the places of the winners in the order of turns.

    made: the new table. log: its entries. winners: their seats. Raises EkoesError if the rules have changed.
    """
    if game_of(made.game).parts.openings is None:
        return (), []
    part, start = openings_of(made.game), made.position
    entries = part.entries(start, [Decision(entry.seat, entry.action) for entry in log])
    return entries, sorted(part.place(start, seat) for seat in winners)


def opening_json(table: TurnTable, games: Mapping[str, Played]) -> Json:
    """Return what was played at the moment of a table.

    games: of this server, by moment. ``{"is_opening", "games", "bots"}``: the two sources, null where nothing
    was played.
    """
    part, position = openings_of(table.game), table.position
    moments, bots = part.moments(position), part.self_play()
    seat = next(iter(position.actors()), 0)
    legal = [(action, part.gists(position, action)) for action in position.legal(seat)] if moments else []
    sources = {
        name: _source(table, part, legal, [known.get(moment) for moment in moments])
        for name, known in (("games", games), ("bots", bots.moments))
    }
    if sources["bots"] is not None:
        sources["bots"]["level"] = bots.level
    return {"is_opening": bool(moments), **sources}


def _source(
    table: TurnTable,
    part: Openings,
    legal: Sequence[tuple[Action, Sequence[str]]],
    known: Sequence[Played | None],
) -> Json | None:
    """Return what is known on this board, or on boards of its kind if that is little; None: nothing.

    legal: the decisions with their gists. known: what was played at each moment.
    """
    found = [(width, played) for width, played in enumerate(known) if played is not None]
    if not found:
        return None
    width, played = next((one for one in found if one[1].games >= FEW), found[-1])
    decisions: dict[str, list[Action]] = defaultdict(list)
    for action, gists in legal:
        if gists[width] in played.scores:
            decisions[gists[width]].append(action)
    order = sorted(decisions, key=lambda gist: (-played.scores[gist].games, gist))
    entries = Variations(table)
    return {
        "board": width == 0,
        "games": played.games,
        "moves": [
            {
                **_result(table.position, part, played.scores[gist]),
                "decisions": len(decisions[gist]),
                "entries": [entries.entries((action,))[0] for action in decisions[gist][:MOST_DECISIONS]],
            }
            for gist in order[:MOST_MOVES]
        ],
    }


def _result(position: Any, part: Openings, score: Score) -> Json:  # noqa: ANN401 - of the game
    """Return the results of a move. wins: by seat; score: of the mover; no winner counts for all alike."""
    (seat,), every = position.actors(), WIN * score.games
    wins = [score.wins[part.place(position, other)] / every for other in range(position.players)]
    own = wins[seat] + (1 - sum(wins)) / position.players
    return {"games": score.games, "wins": [round(one, 4) for one in wins], "score": round(own, 4)}
