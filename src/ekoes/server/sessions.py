"""Browser sessions: a random id in a signed cookie, which keeps a seat to its browser."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from itsdangerous import BadSignature, URLSafeSerializer

from ekoes.errors import StorageError

__all__ = ["COOKIE", "Sessions", "signing_key"]

COOKIE = "ekoes"
_ONE_YEAR = 365 * 24 * 60 * 60
_KEY_BYTES = 32
_ID_BYTES = 16


class Sessions:
    """Gives browsers their session and knows them again."""

    def __init__(self, key: bytes) -> None:
        """Sign with a key; cookies signed with another one are strangers'."""
        self._serializer = URLSafeSerializer(key, salt="ekoes.session")

    def read(self, cookie: str | None) -> str | None:
        """Return the session of a cookie, None if there is none or it is not of our making."""
        if not cookie:
            return None
        try:
            value = self._serializer.loads(cookie)
        except BadSignature:
            return None
        return value if isinstance(value, str) else None

    def fresh(self) -> str:
        """Return a session that nobody has."""
        return secrets.token_urlsafe(_ID_BYTES)

    def header(self, session: str, *, is_secure: bool) -> str:
        """Return the value of the ``Set-Cookie`` header that gives a browser its session."""
        value = self._serializer.dumps(session)
        text = value if isinstance(value, str) else value.decode()
        cookie = f"{COOKIE}={text}; Path=/; Max-Age={_ONE_YEAR}; HttpOnly; SameSite=Lax"
        return f"{cookie}; Secure" if is_secure else cookie


def signing_key(path: Path) -> bytes:
    """Return the key kept in a file that only its owner can read, made on first use.

    Raises: StorageError if it can't be read or made.
    """
    try:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            key = path.read_bytes()
        else:
            key = secrets.token_bytes(_KEY_BYTES)
            with os.fdopen(descriptor, "wb") as file:
                file.write(key)
    except OSError as error:
        raise StorageError(f"can't use the key in {path}: {error.strerror}", code="storage/key") from error
    if len(key) < _KEY_BYTES:
        message = f"the key in {path} is damaged; without that file a new one is made, and seats are lost"
        raise StorageError(message, code="storage/key")
    return key
