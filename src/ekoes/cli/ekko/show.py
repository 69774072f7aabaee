"""``ekoes ekko show``: a position as cards and hands in the terminal."""

from __future__ import annotations

from ekoes.cli.shared.show import command_for

__all__ = ["command"]

command = command_for("ekko")
