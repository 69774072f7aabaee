"""Session cookies: signing, reading and renewing them."""

from __future__ import annotations

import secrets

from itsdangerous import BadSignature, URLSafeSerializer

COOKIE = "ekoes"
SECURE_COOKIE = "__Host-ekoes"
"""The name over HTTPS: no other host and no plain HTTP page can set a cookie of that name."""
_ONE_YEAR = 365 * 24 * 60 * 60
_SALT = "ekoes.session"


class Sessions:
    """Creates session cookies and reads them."""

    def __init__(self, *keys: bytes) -> None:
        """Sign with the last key, and accept the signatures of all."""
        self._serializer = URLSafeSerializer(list(keys), salt=_SALT)
        self._newest = URLSafeSerializer(keys[-1], salt=_SALT)

    def read(self, cookie: str | None) -> str | None:
        """Return the session of a cookie, None if there is none or its signature is wrong."""
        if not cookie:
            return None
        try:
            value = self._serializer.loads(cookie)
        except BadSignature:
            return None
        return value if isinstance(value, str) else None

    def is_signed_anew(self, cookie: str) -> bool:
        """Return whether a cookie is signed with the newest key."""
        try:
            self._newest.loads(cookie)
        except BadSignature:
            return False
        return True

    def fresh(self) -> str:
        """Return a new session."""
        return secrets.token_urlsafe(16)

    def header(self, session: str, *, is_secure: bool) -> str:
        """Return the value of the ``Set-Cookie`` header for a session."""
        value = self._serializer.dumps(session)
        text = value if isinstance(value, str) else value.decode()
        cookie = f"{text}; Path=/; Max-Age={_ONE_YEAR}; HttpOnly; SameSite=Lax"
        return f"{SECURE_COOKIE}={cookie}; Secure" if is_secure else f"{COOKIE}={cookie}"
