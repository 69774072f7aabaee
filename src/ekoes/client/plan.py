"""Seats of a new table, as whoever makes it asks for them."""

from __future__ import annotations

from ekoes.games.contract import Json

__all__ = ["account_seat", "bot_seat", "open_seat", "own_seat"]


def own_seat(name: str | None = None) -> Json:
    """Return a seat of one's own."""
    return {"kind": "here"} | ({} if name is None else {"name": name})


def open_seat() -> Json:
    """Return a seat for whoever comes first."""
    return {"kind": "open"}


def bot_seat(level: str | None = None) -> Json:
    """Return a seat of one of the server's bots; None: the game's usual one."""
    return {"kind": "bot"} | ({} if level is None else {"bot": level})


def account_seat(name: str) -> Json:
    """Return a seat for somebody who is asked by name; of a challenge alone."""
    return {"kind": "account", "account": name}
