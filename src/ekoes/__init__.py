"""Ekoes: the board game Ekö as a rules engine, a page to play on, a command line and a library."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
