"""Passwords and recovery codes: how they are made, and what is kept of them."""

from __future__ import annotations

import re
import secrets
from hashlib import sha256

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from ekoes.errors import AccountError

__all__ = ["LONGEST_PASSWORD", "fresh_codes", "hashed", "is_password", "read_code"]

LONGEST_PASSWORD = 200
_SHORTEST = 8
_CODES = 8
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_GROUPS, _GROUP = 4, 4

_HASHER = PasswordHasher()
"""Argon2id with the parameters of RFC 9106 for little memory."""
_NOBODYS = "$argon2id$v=19$m=65536,t=3,p=4$3RY5aeNWsGAZ14F+gHbNgA$xQmhdwHL1oUPknz/gvJpwh3jLX6ZljrIQqgCR0h1rWY"
"""What would be kept of a password if somebody had it: made once, as making it takes a tenth of a second."""


def hashed(password: str, name: str) -> str:
    """Return what is kept of a password; takes some tens of milliseconds. Raises AccountError."""
    if len(password) < _SHORTEST:
        message = f"a password has at least {_SHORTEST} characters"
        raise AccountError(message, code="account/weak-password", key="password")
    if password.casefold() == name.casefold() or len(set(password)) < _SHORTEST // 2:
        message = "this password would be guessed at once"
        raise AccountError(message, code="account/weak-password", key="password")
    return _HASHER.hash(password)


def is_password(kept: str | None, password: str) -> bool:
    """Tell whether a password is the one that is kept; None: nobody's, which takes as long to find out."""
    try:
        is_right = _HASHER.verify(_NOBODYS if kept is None else kept, password)
    except VerificationError:
        return False
    return is_right and kept is not None


def fresh_codes() -> list[str]:
    """Return recovery codes of some 79 bits each, to be shown once."""
    return ["-".join(_some() for _ in range(_GROUPS)) for _ in range(_CODES)]


def read_code(text: str) -> str:
    """Return what is kept of a recovery code, however it was typed. Guessing takes too long for any salt."""
    return sha256(re.sub(r"[^a-z0-9]", "", text.lower()).encode()).hexdigest()


def _some() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_GROUP))
