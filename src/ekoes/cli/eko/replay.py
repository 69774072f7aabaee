"""``ekoes eko replay``: check a game record and print where it leads."""

from __future__ import annotations

from ekoes.cli.shared.replay import command_for

__all__ = ["command"]

command = command_for("eko")
