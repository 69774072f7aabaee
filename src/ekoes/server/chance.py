"""Chance that nobody has chosen and no seed tells: the system's own."""

from __future__ import annotations

import secrets

from ekoes.games.chance import Chance
from ekoes.match.plan import LARGEST_SEED

__all__ = ["SecretChance", "fresh_seed"]


def fresh_seed() -> int:
    """Return a seed that nobody has chosen."""
    return secrets.randbelow(min(2**31, LARGEST_SEED))


class SecretChance(Chance):
    """Chance that no seed tells: the system's own (K6.0)."""

    def __init__(self) -> None:
        """Need no seed."""
        super().__init__(0)

    def bits(self) -> int:
        """Return 64 random bits."""
        return secrets.randbits(64)
