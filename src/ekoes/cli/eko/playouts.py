"""``ekoes eko playouts``: random games from a position to their end."""

from __future__ import annotations

from ekoes.cli.shared.playouts import command_for

__all__ = ["command"]

command = command_for("eko")
