"""What a page makes of a position of Ekö: the legal actions in the interchange form, and what they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import action_to_json
from ekoes.games.eko.presenter import effect_of

Json = dict[str, Any]


def offered(position: Mapping[str, Any], seat: int) -> list[Json]:
    """Return each legal action of a seat with its ``effect``. position: in the interchange form."""
    read = EKO.from_json(position)
    return [
        {"action": action_to_json(action), "effect": effect_of(read, action)} for action in read.legal(seat)
    ]
