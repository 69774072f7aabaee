"""Positions of one's own."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["copied"]


def copied(position: dict[str, Any]) -> dict[str, Any]:
    """The same position, to be changed: it is JSON, which is copied sooner than objects are."""
    again: dict[str, Any] = json.loads(json.dumps(position))
    return again
