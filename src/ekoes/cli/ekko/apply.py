"""``ekoes ekko apply``: a position after some actions."""

from __future__ import annotations

from ekoes.cli.shared.apply import command_for

__all__ = ["command"]

command = command_for("ekko")
