"""Messages as pages send them, one of each kind at least: what is spoiled before it is sent."""

from __future__ import annotations

from typing import Any

__all__ = ["LOBBY", "TABLE"]

Json = dict[str, Any]

_VERSIONED: Json = {"version": 0, "seat": 0}
TABLE: tuple[Json, ...] = (
    {"type": "act", **_VERSIONED, "action": {"type": "swap"}, "hold": False},
    {"type": "act", **_VERSIONED, "action": {"type": "move", "from": "0,0", "to": "0,1"}},
    {"type": "undo", **_VERSIONED},
    {"type": "end_turn", **_VERSIONED},
    {"type": "resign", **_VERSIONED},
    {"type": "draw", **_VERSIONED, "offer": True},
    {"type": "foresee", **_VERSIONED, "add": [{"seat": 0, "action": {"type": "swap"}}]},
    {"type": "foresee", **_VERSIONED, "drop": 0},
    {"type": "intent", "seat": 0, "action": {"type": "ready", "round": 1}},
    {"type": "intent", "seat": 0, "action": {"type": "play", "card": 42, "on": 37}},
    {"type": "intent", "seat": 0, "action": {"type": "effect", "effect": "discard", "aside": 12}},
    {"type": "sit", "seat": 1, "name": "Ada"},
    {"type": "stand", "seat": 1},
    {"type": "rename", "seat": 0, "name": "Bo"},
    {"type": "pace", "milliseconds": 100},
    {"type": "pause", "paused": True},
    {"type": "fill", "seat": 0, "free": "bot"},
    {"type": "rematch", "seat": 0, "absent": {"1": "bot"}},
    {"type": "propose", "seat": 0, "what": "adjourn", "days": 3},
    {"type": "propose", "seat": 0, "what": "bot", "about": 1},
    {"type": "vote", "seat": 0, "number": 1, "agree": False},
    {"type": "go_on", "seat": 0},
    {"type": "why", "seat": 0, "action": {"type": "move", "from": "0,0", "to": "0,1"}},
    {"type": "ways", "of": 0},
    {"type": "ways", "of": [["0,0"], {"a": 1}]},
    {"type": "table"},
    {"type": "analyse", "after": 0, "seconds": 0.1, "lines": 1},
    {"type": "stop"},
    {"type": "chat", "on": True},
    {"type": "say", "text": "Well played"},
    {"type": "say", "phrase": "hello"},
    {"type": "mute", "seat": 1, "muted": True},
)
LOBBY: tuple[Json, ...] = (
    {"type": "hello", "name": "Ada"},
    {"type": "seek", "game": "eko", "options": {"players": 2, "turn_limit": 99}},
    {"type": "seek", "game": "ekko", "options": {"players": 3}, "bots": {"bot": "random", "after": 60}},
    {"type": "unseek"},
)
