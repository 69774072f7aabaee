"""``ekoes eko show``: a position as a board in the terminal."""

from __future__ import annotations

from ekoes.cli.shared.show import command_for

__all__ = ["command"]

command = command_for("eko")
