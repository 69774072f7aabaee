"""Browser sessions: a random id in a signed cookie, which keeps a seat to its browser."""

from __future__ import annotations

import secrets

from itsdangerous import BadSignature, URLSafeSerializer

__all__ = ["COOKIE", "SECURE_COOKIE", "Sessions"]

COOKIE = "ekoes"
SECURE_COOKIE = "__Host-ekoes"
"""Its name where the page comes by HTTPS: no other host and no page without it can set one of that name."""
_ONE_YEAR = 365 * 24 * 60 * 60
_SALT = "ekoes.session"
_ID_BYTES = 16


class Sessions:
    """Gives browsers their session and knows them again."""

    def __init__(self, *keys: bytes) -> None:
        """Sign with the last of some keys; cookies signed with none of them are strangers'."""
        self._serializer = URLSafeSerializer(list(keys), salt=_SALT)
        self._newest = URLSafeSerializer(keys[-1], salt=_SALT)

    def read(self, cookie: str | None) -> str | None:
        """Return the session of a cookie, None if there is none or it is not of our making."""
        if not cookie:
            return None
        try:
            value = self._serializer.loads(cookie)
        except BadSignature:
            return None
        return value if isinstance(value, str) else None

    def is_signed_anew(self, cookie: str) -> bool:
        """Tell whether the newest key has signed a cookie of ours."""
        try:
            self._newest.loads(cookie)
        except BadSignature:
            return False
        return True

    def fresh(self) -> str:
        """Return a session that nobody has."""
        return secrets.token_urlsafe(_ID_BYTES)

    def header(self, session: str, *, is_secure: bool) -> str:
        """Return the value of the ``Set-Cookie`` header that gives a browser its session."""
        value = self._serializer.dumps(session)
        text = value if isinstance(value, str) else value.decode()
        cookie = f"{text}; Path=/; Max-Age={_ONE_YEAR}; HttpOnly; SameSite=Lax"
        return f"{SECURE_COOKIE}={cookie}; Secure" if is_secure else f"{COOKIE}={cookie}"
