"""Write games of Ekö for the tests of the page's rules: ``python -m tools.engine_games``.

Python plays them, at random and by the golden records; the page has to play them too and to see the same in
each position. Each game has its first position, the number of its decisions, and a hash of all that was seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from ekoes.games.api.contract import Json
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import Action, action_from_json, action_to_json
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.tiles import VARIANTS, default_tileset
from ekoes.games.eko.presenter import PRESENTER
from ekoes.records import read_record

_ROOT = Path(__file__).parents[1]
FILE = _ROOT / "web" / "src" / "engine" / "eko" / "games.json"
RECORDS = _ROOT / "tests" / "golden" / "games"
MOST_DECISIONS = 200
_TRIED = 12
_MIXED = ("to", "zones", "site", "kind", "space", "count")
_SEED, _FACTOR, _STEP, _MODULUS = 1, 1664525, 1013904223, 1 << 32
"""A linear congruential generator (Numerical Recipes), which TypeScript repeats with doubles."""


def plans() -> Iterator[dict[str, Any]]:
    """Yield the options of each game."""
    own = default_tileset().to_json()
    own["tiles"]["X"] = {"terrain": "t", "cells": [[0, 0]], "copies": 6, "variant": "wind"}
    for players in (2, 3, 4):
        yield {"players": players}
        yield {"players": players, "variants": VARIANTS}
        yield {"players": players, "variants": VARIANTS, "setup": "draft"}
    yield {"players": 3, "variants": VARIANTS, "tileset": own}


def compact(value: object) -> str:
    """Write JSON as JavaScript does."""
    return json.dumps(value, separators=(",", ":"))


def play(position: EkoPosition, decisions: Sequence[Action] | None = None) -> tuple[int, str]:
    """Play decisions, by default random ones. Returns: how many, and the hash."""
    seen = sha256(compact(PRESENTER.board(position)).encode())
    most = MOST_DECISIONS if decisions is None else len(decisions)
    number, tried = _SEED, list[Json]()
    for count in range(most + 1):
        seen.update(position.states.tobytes())
        actions = position.legal()
        outcome = position.outcome()
        result = outcome and [outcome.winners, outcome.reason, outcome.rule]
        listed = list(map(action_to_json, actions))
        players = PRESENTER.players(position)
        seen.update(compact([position.to_json(), position.actors(), listed, players, result]).encode())
        seen.update(compact(refusals(position, tried)).encode())
        if not actions or count == most:
            break
        number = (number * _FACTOR + _STEP) % _MODULUS
        action = actions[number * len(actions) // _MODULUS] if decisions is None else decisions[count]
        tried += wrong(action_to_json(action), tried)
        after = position.play(position.actors()[0], action)
        told = PRESENTER.describe(position, action, after)
        seen.update(compact(dict(sorted(told.items()))).encode())
        position = after
    return count, seen.hexdigest()[:16]


def wrong(action: Json, tried: list[Json]) -> list[Json]:
    """Return a decision that has been played, and a mixture of it and another one of its type."""
    other = next((one for one in reversed(tried) if one["type"] == action["type"]), {})
    return [action, action | {key: other[key] for key in _MIXED if key in other}]


def refusals(position: EkoPosition, tried: list[Json]) -> list[list[str] | None]:
    """Return why the latest of these decisions are not legal, for the seat to move and for the next one."""
    seat = (*position.actors(), 0)[0]
    found = [position.why_not(seat, action_from_json(action)) for action in tried[-_TRIED:]]
    if tried:
        found.append(position.why_not((seat + 1) % position.players, action_from_json(tried[-1])))
    return [None if one is None else [one.code, one.rule] for one in found]


def games() -> str:
    """Return the content of the file."""
    lines = []
    for seed, options in enumerate(plans()):
        position: Any = EKO.new(options, seed)
        decisions, seen = play(position)
        lines.append(
            {"name": f"random {seed}", "start": position.to_json(), "decisions": decisions, "hash": seen}
        )
    for path in sorted(RECORDS.glob("*.txt")):
        record = read_record(path.read_text("utf-8"))
        position = record.start
        decisions, seen = play(position, [decision.action for decision in record.decisions])
        lines.append({"name": path.name, "start": position.to_json(), "decisions": decisions, "hash": seen})
    return "[\n" + ",\n".join(map(compact, lines)) + "\n]\n"


def main() -> None:
    """Write the file."""
    FILE.write_text(games(), encoding="utf-8")


if __name__ == "__main__":
    main()
