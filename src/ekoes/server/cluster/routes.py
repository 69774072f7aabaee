"""What has one owner: which requests are for it, by their address alone."""

from __future__ import annotations

__all__ = ["MEETING", "owned_by_one"]

MEETING = ":meeting"
"""The lobby, with all that brings people together there: of all processes one has it."""


def owned_by_one(path: str) -> str | None:
    """Return the name of what a request is for, None if any process can answer it."""
    match path.split("/")[1:]:
        case ["api", "tables" | "games", table_id, *_] | ["t", table_id, *_] if table_id.isalnum():
            return table_id[:40]
        case ["api", "lobby" | "challenges" | "tournaments", *_] | ["api", "bot", "stream"]:
            return MEETING
    return None
