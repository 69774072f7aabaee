"""Names of tables and tournaments in addresses."""

from __future__ import annotations

import secrets

__all__ = ["fresh_id", "id_of"]

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_LENGTH = 12


def fresh_id() -> str:
    """Return an id that nobody can guess."""
    return id_of(secrets.randbits(64))


def id_of(number: int) -> str:
    """Return the id that a number of 64 bits stands for; the same for the same."""
    digits: list[str] = []
    for _ in range(_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(digits)
