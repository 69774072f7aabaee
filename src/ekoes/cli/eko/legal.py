"""``ekoes eko legal``: the legal actions of a position."""

from __future__ import annotations

from ekoes.cli.shared.legal import command_for

__all__ = ["command"]

command = command_for("eko")
