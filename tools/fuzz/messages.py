"""Messages as pages send them, and the ways in which they are spoiled before they are sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ekoes.games.api.chance import Chance

Json = dict[str, Any]

_VERSIONED: Json = {"version": 0, "seat": 0}
TABLE: tuple[Json, ...] = (
    {"type": "act", **_VERSIONED, "action": {"type": "swap"}, "hold": False},
    {"type": "act", **_VERSIONED, "action": {"type": "move", "from": "0,0", "to": "0,1"}},
    {"type": "undo", **_VERSIONED},
    {"type": "end_turn", **_VERSIONED},
    {"type": "resign", **_VERSIONED},
    {"type": "abort", "seat": 0},
    {"type": "berserk", "seat": 0},
    {"type": "draw", **_VERSIONED, "offer": True},
    {"type": "edit_conditional_moves", **_VERSIONED, "add": [{"seat": 0, "action": {"type": "swap"}}]},
    {"type": "edit_conditional_moves", **_VERSIONED, "drop": 0},
    {"type": "intent", "seat": 0, "action": {"type": "ready", "round": 1}},
    {"type": "intent", "seat": 0, "action": {"type": "play", "card": 42, "on": 37}},
    {"type": "intent", "seat": 0, "action": {"type": "effect", "effect": "discard", "aside": 12}},
    {"type": "sit", "seat": 1, "name": "Ada"},
    {"type": "give_part", "seat": 0, "part": "5" * 32},
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
    {"type": "table"},
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


_DEEP: Any = json.loads("[" * 300 + "]" * 300)
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 7, 8, 2**31, 2**63, 2**64, -(2**70), 10**400, 1e308),
    *(float("nan"), float("inf"), -float("inf")),
    *(
        "",
        " ",
        "0",
        "\x00",
        "\ud800",
        "\udfff\ud800",
        "\u202e",
        "é" * 40,
        "x" * 65,
        "x" * 5000,
        "' OR 1=1 --",
    ),
    *([], {}, [[]], {"": {}}, [None] * 1000, {"type": "act"}, _DEEP, {"\ud800": "\x00"}),
)


def spoiled(message: Json, chance: Chance) -> str | bytes:
    """Return a message as it might come from an attacker; bytes: not as text."""
    way = chance.choice(_WAYS)
    return way(message, chance)


def _as_it_is(message: Json, chance: Chance) -> str:
    """Change numbers alone: what may well be an order."""
    changed = {key: chance.below(9) if isinstance(value, int) else value for key, value in message.items()}
    return json.dumps(changed)


def _with_a_value(message: Json, chance: Chance) -> str:
    changed = json.loads(json.dumps(message))
    place: Any = changed
    key: Any = chance.choice(list(changed))
    while isinstance(place[key], dict) and place[key] and chance.below(3):
        place = place[key]
        key = chance.choice(list(place))
    place[key] = chance.choice(_VALUES)
    return json.dumps(changed)


def _without_a_key(message: Json, chance: Chance) -> str:
    left_out = chance.choice(list(message))
    return json.dumps({key: value for key, value in message.items() if key != left_out})


def _with_a_key(message: Json, chance: Chance) -> str:
    key = chance.choice(["more", "", "type ", "__class__", "\ud800", "session", "number"])
    return json.dumps({**message, key: chance.choice(_VALUES)})


def _with_a_key_twice(message: Json, chance: Chance) -> str:
    again = chance.choice(list(message))
    return f"{json.dumps(message)[:-1]}, {json.dumps(again)}: {json.dumps(chance.choice(_VALUES))}}}"


def _cut_off(message: Json, chance: Chance) -> str:
    text = json.dumps(message)
    return text[: chance.below(len(text))]


def _with_other_bytes(message: Json, chance: Chance) -> str:
    text = list(json.dumps(message))
    for _ in range(1 + chance.below(4)):
        text[chance.below(len(text))] = chance.choice('{}[]",:\\u0eE+-.\x00\x1fé\U0001f600')
    return "".join(text)


def _nested(message: Json, chance: Chance) -> str:
    opened, closed = chance.choice([("[", "]"), ('{"a":', "}")])
    depth = 1 + chance.below(9000)
    return json.dumps({**message, "action": "@"}).replace('"@"', opened * depth + "1" + closed * depth)


def _too_large(message: Json, chance: Chance) -> str:
    return json.dumps({**message, "key": "k" * (60_000 + chance.below(20_000))})


def _no_text(message: Json, chance: Chance) -> bytes:
    return json.dumps(message).encode()[: 1 + chance.below(40)]


_WAYS: tuple[Callable[[Json, Chance], str | bytes], ...] = (
    *(_as_it_is,) * 4,
    *(_with_a_value,) * 8,
    *(_with_a_key_twice, _with_a_key, _without_a_key, _cut_off, _with_other_bytes) * 2,
    *(_nested, _too_large, _no_text),
)
"""Each is as likely as it is often here."""
