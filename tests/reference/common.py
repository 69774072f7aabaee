"""What both references use: how they refuse, and copies of positions."""

from __future__ import annotations

import json
from typing import Any


class Refused(Exception):  # noqa: N818 - it is an answer, not a fault
    """A layout, position or action that breaks a rule; `rule` is its number."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule


def copied(position: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of a position that may be changed; by JSON, which is faster than copying objects."""
    copy: dict[str, Any] = json.loads(json.dumps(position))
    return copy
