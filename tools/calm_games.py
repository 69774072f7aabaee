"""Write calm tables and decisions of bots of EKKO for the tests of the page: ``python -m tools.calm_games``.

Python plays calm tables at random, wrong cards among them; the page has to show the same after each decision,
and to refuse the same by the same rule. In some positions bots decide, and decisions are valued, for a given
random word.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import numpy as np

from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.api.values import plain_json
from ekoes.games.ekko.bots.levels import LEVELS, RANDOM_DECISIONS, Seen, seen_by
from ekoes.games.ekko.bots.search import SCRATCH, win_shares
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live import views
from ekoes.games.ekko.live.state import Entry, LiveState
from ekoes.games.ekko.position.action import action_to_json, decode, format_action
from ekoes.games.ekko.presenter import PRESENTER
from ekoes.games.ekko.review import sampled_values
from ekoes.games.ekko.rules.record import CARDS, MOST_PLAYERS, STATE
from tools.engine_games import EKKO_RECORDS, compact

TABLES = EKKO_RECORDS.with_name("tables.json")
DECISIONS = EKKO_RECORDS.with_name("decisions.json")
_OPTIONS: tuple[Json, ...] = (
    {"players": 2, "target": 40},
    {"players": 4, "target": 25, "hints": True, "open_hands": True},
    {"players": 8, "target": 25},
)
_MOST = 320
"""Decisions of a table."""
_AT = datetime(2000, 1, 1, tzinfo=UTC)
_OF_STATE = ("position", "stage", "ready", "decided", "claim", "rounds")
_OF_ENTRY = ("round", "seat", "verdict", "on", "draws")
_LATEST = 8
"""Entries of the log that are compared."""
_DEALS, _GAMES = 100, 25
"""Deals of a sample, and those of them that are played to the end of the game, as in values.ts."""
_FIRM = 70
"""Percentage of mirrors that their holders play in a window."""


def tables() -> str:
    """Return the content of the file of tables."""
    return "[\n" + ",\n".join(compact(table(seed, each)) for seed, each in enumerate(_OPTIONS)) + "\n]\n"


def table(seed: int, options: Json) -> Json:
    """Play a table. Returns: its start, and its decisions, each with a hash of what is seen, or a rule."""
    chance = Chance(seed)
    calm = {"calm": True, "misplays": False, "turn_clock": None, "window": None}
    settings = PRESENTER.settings({**options, **calm})
    state = PRESENTER.begin(settings, seed, frozenset(range(options["players"])))
    log, steps = list[Entry](), list[object]()
    start = state.position.to_json()
    while len(steps) < _MOST and state.outcome is None:
        seat, intent = _intent(state, chance)
        try:
            state = _after(state, seat, intent)
            state, entries = state.taken()
            log += entries
            found = digest(state, log)
        except EkoesError as error:
            found = error.rule or ""
        steps.append(
            [seat, {key: value for key, value in intent.items() if key not in {"on", "round"}}, found]
        )
    return {"start": start, "options": options, "steps": steps}


def _after(state: LiveState, seat: int, intent: Json) -> LiveState:
    if seat == CHANCE:
        return PRESENTER.deal(state, EKKO.parse_action(intent), _AT)
    return PRESENTER.judge(state, seat, intent, _AT)


def _intent(state: LiveState, chance: Chance) -> tuple[int, Json]:
    """Return what a seat, or chance, tries next."""
    if state.needs_deal:
        return CHANCE, action_to_json(state.position.chance_action(chance))
    seats = [seat for seat in range(state.position.players) if views.actions(state, seat)]
    holder = state.position.mirror_holder
    seat = holder if state.has_window and holder in seats else chance.choice(seats)
    intents = views.actions(state, seat)
    mirrors = [one for one in intents if one.get("card") == state.position.mirror]
    if mirrors and state.has_window and chance.below(100) < _FIRM:
        intents = mirrors
    elif state.has_window and chance.below(100) < _FIRM:
        intents = intents[-1:]
    return seat, chance.choice(intents)


def digest(state: LiveState, log: list[Entry]) -> str:
    """Return a hash of what the players see."""
    shared = PRESENTER.shared_state(state, _AT)
    own = PRESENTER.own_state(state, range(state.position.players))
    outcome = state.outcome and plain_json(state.outcome)
    seen = (
        {name: shared[name] for name in _OF_STATE}
        | own
        | {"outcome": outcome, "log": list(_entries(log[-_LATEST:]))}
    )
    return sha256(json.dumps(seen, separators=(",", ":"), sort_keys=True).encode()).hexdigest()[:8]


def _entries(log: list[Entry]) -> Iterator[Json]:
    for entry in map(views.public_entry, log):
        action = {key: value for key, value in entry["action"].items() if key != "on"}
        yield {name: entry[name] for name in _OF_ENTRY if name in entry} | {"action": action}


def decisions() -> str:
    """Return the content of the file of decisions."""
    lines = list[str]()
    for players in (2, 4, 8):
        for phase in ("play", "mirror"):
            position = _position(players, phase)
            (seat,) = position.actors()
            view = position.view(seat)
            word = Chance(players).bits()
            found = {
                name: action_to_json(decode(level.decide(seen_by(seat, view), Chance(players))))
                for name, level in LEVELS.items()
            }
            line = {
                "position": position.to_json(draws=True),
                "seat": seat,
                "view": view,
                "word": str(word),
                "bots": found,
                "values": _values(seen_by(seat, view), word),
            }
            lines.append(compact(line))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _values(seen: Seen, word: int) -> Json:
    """Return a sample of the decisions' values, in points by notation, and of the players' chances."""
    stream, order = np.array([word | 1], np.uint64), np.arange(1, CARDS + 1, dtype=np.uint8)
    codes, values = sampled_values(seen, _DEALS, stream)
    points = values.mean(axis=0)
    best, shares, scratch = codes[int(points.argmax())], np.zeros((2, MOST_PLAYERS)), np.zeros(SCRATCH, STATE)
    win_shares(seen.states, scratch, seen.hidden(), best, _GAMES, RANDOM_DECISIONS, order, stream, *shares)
    players = seen.view["players"]
    return {
        "points": {
            format_action(decode(code)): round(value, 9) for code, value in zip(codes, points, strict=True)
        },
        "round": [round(share / _GAMES, 9) for share in shares[0, :players]],
        "game": [round(share / _GAMES, 9) for share in shares[1, :players]],
    }


def _position(players: int, phase: str) -> Any:  # noqa: ANN401 - positions have no public type
    """Return a position late in a round in which a seat has a choice."""
    chance, position = Chance(players), EKKO.new({"players": players}, players)
    while True:
        (seat,) = position.actors()
        legal = position.legal()
        is_late = len(position.zone) > 2 * players and position.plain.numbers.n_drew > players
        if is_late and len(legal) > 2 and position.to_json()["turn"]["phase"] == phase:
            return position
        action = position.chance_action(chance) if seat == CHANCE else chance.choice(legal)
        position = position.play(seat, action)


def main() -> None:
    """Write the files."""
    TABLES.write_text(tables(), encoding="utf-8")
    DECISIONS.write_text(decisions(), encoding="utf-8")


if __name__ == "__main__":
    main()
