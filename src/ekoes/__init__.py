"""Ekoes, a home of the games Ekö and EKKO: rules, a page to play on, bots, a command line and a library.

``ekoes.eko.Game`` and ``ekoes.ekko.Game`` are loaded on first use: the command line needs neither.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from ekoes import ekko, eko

__all__ = ["__version__", "ekko", "eko"]

__version__ = "0.1.0"


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> ModuleType:
    if name in {"eko", "ekko"}:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
