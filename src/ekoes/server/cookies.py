"""The session of a request."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import Response

from ekoes.server.sessions import COOKIE, Sessions
from ekoes.server.settings import Settings
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
    """Return whoever the browser's cookie stands for, as seats know them; None: nobody of ours."""
    credential = credential_of(connection)
    people: People = connection.app.state.people
    return None if credential is None else people.holder(credential)


def credential_of(connection: HTTPConnection) -> str | None:
    """Return what the browser's cookie carries: a guest's id, or that of a signed-in device."""
    return _sessions(connection).read(connection.cookies.get(COOKIE))


def fresh_credential(connection: HTTPConnection) -> str:
    """Return what the cookie of a new guest carries."""
    return _sessions(connection).fresh()


def give_session(connection: HTTPConnection, response: Response) -> str:
    """Return the browser's session; the response brings a fresh one if it has none."""
    session = session_of(connection)
    if session is None:
        session = _sessions(connection).fresh()
        response.headers.append("set-cookie", cookie_header(connection, session))
    return session


def cookie_header(connection: HTTPConnection, credential: str) -> str:
    """Return the ``Set-Cookie`` value that gives this browser what its cookie carries."""
    return _sessions(connection).header(credential, is_secure=connection.url.scheme in {"https", "wss"})


def is_own_origin(connection: HTTPConnection, settings: Settings) -> bool:
    """Tell whether a request comes from our own page, from an allowed origin, or from no page at all."""
    origin = connection.headers.get("origin")
    if origin is None or origin in settings.origins:
        return True
    host = connection.headers.get("host")
    return bool(host) and origin.partition("://")[2] == host


def _sessions(connection: HTTPConnection) -> Sessions:
    sessions: Sessions = connection.app.state.sessions
    return sessions
