"""The engine protocol, version 1, as both sides of it know it (docs/reference/engine.md)."""

from __future__ import annotations

__all__ = ["BUDGETS", "DEFAULT_MEMORY", "GRACE", "PROTOCOL", "VIEW_KEYS"]

PROTOCOL = 1
"""The version that is spoken here."""

BUDGETS = ("time", "iterations", "depth")
"""The limits of which a request has at least one."""

VIEW_KEYS = ("view", "seat", "seen")
"""What stands in place of a position where something is hidden."""

DEFAULT_MEMORY = 256
"""MiB that a program may take if nothing is said."""

GRACE = 0.5
"""Seconds beyond its time after which a program that is silent has lost the game."""
