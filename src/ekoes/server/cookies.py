"""The session of a request: what a browser's cookie stands for, or a program's token."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import Response

from ekoes.server.journal import note_holder
from ekoes.server.sessions import COOKIE, SECURE_COOKIE, Sessions
from ekoes.server.settings import Settings
from ekoes.server.tokens import token_of
from ekoes.storage.people import People

__all__ = [
    "cookie_header",
    "credential_of",
    "fresh_credential",
    "give_session",
    "is_own_origin",
    "session_of",
]


def session_of(connection: HTTPConnection) -> str | None:
    """Return whoever asks, as seats know them; None: nobody of ours.

    Raises: AccountError where a program asks for what its token does not allow.
    """
    credential = credential_of(connection)
    people: People = connection.app.state.people
    holder = None if credential is None else people.holder(credential)
    if holder is not None and token_of(connection) is None:
        note_holder(connection, "guest" if holder == credential else "account")
    return holder


def credential_of(connection: HTTPConnection) -> str | None:
    """Return what the browser's cookie carries: a guest's id, or that of a signed-in device; or a token's.

    Raises: AccountError where a program asks for what its token does not allow.
    """
    token = token_of(connection)
    if token is not None:
        note_holder(connection, "program")
        return token.credential
    return _sessions(connection).read(_cookie(connection))


def fresh_credential(connection: HTTPConnection) -> str:
    """Return what the cookie of a new guest carries."""
    return _sessions(connection).fresh()


def give_session(connection: HTTPConnection, response: Response) -> str:
    """Return the browser's session; the response brings a fresh one if it has none.

    A cookie of the old name, or signed with an old key, is given anew.
    """
    session = session_of(connection)
    if session is None:
        session = _sessions(connection).fresh()
        response.headers.append("set-cookie", cookie_header(connection, session))
    elif (credential := _outdated(connection)) is not None:
        response.headers.append("set-cookie", cookie_header(connection, credential))
    return session


def cookie_header(connection: HTTPConnection, credential: str) -> str:
    """Return the ``Set-Cookie`` value that gives this browser what its cookie carries."""
    return _sessions(connection).header(credential, is_secure=_is_secure(connection))


def _is_secure(connection: HTTPConnection) -> bool:
    """Tell whether a request came by HTTPS, as the web server before this one says."""
    return connection.url.scheme in {"https", "wss"}


def _cookie(connection: HTTPConnection) -> str | None:
    """Return the browser's cookie; by HTTPS also one that was given before there was another name for it."""
    plain = connection.cookies.get(COOKIE)
    return connection.cookies.get(SECURE_COOKIE, plain) if _is_secure(connection) else plain


def _outdated(connection: HTTPConnection) -> str | None:
    """Return what a browser's cookie carries that has to be given anew; None: there is none such."""
    cookie = None if token_of(connection) is not None else _cookie(connection)
    if cookie is None:
        return None
    has_the_name = SECURE_COOKIE in connection.cookies or not _is_secure(connection)
    sessions = _sessions(connection)
    return None if has_the_name and sessions.is_signed_anew(cookie) else sessions.read(cookie)


def is_own_origin(connection: HTTPConnection, settings: Settings) -> bool:
    """Tell whether a request comes from our own page, from an allowed origin, or from no page at all.

    What brings a token was sent on purpose, by whomever.
    """
    if token_of(connection) is not None:
        return True
    origin = connection.headers.get("origin")
    if origin is None or origin in settings.origins:
        return True
    scheme, _, host = origin.partition("://")
    if _is_secure(connection) and scheme != "https":
        return False
    return bool(host) and host == connection.headers.get("host")


def _sessions(connection: HTTPConnection) -> Sessions:
    sessions: Sessions = connection.app.state.sessions
    return sessions
