"""The session of a request."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import Response

from ekoes.server.sessions import COOKIE, Sessions
from ekoes.server.settings import Settings

__all__ = ["cookie_header", "give_session", "is_own_origin", "session_of"]


def session_of(connection: HTTPConnection) -> str | None:
    """Return the session that the browser's cookie names, None if it has none of ours."""
    return _sessions(connection).read(connection.cookies.get(COOKIE))


def give_session(connection: HTTPConnection, response: Response) -> str:
    """Return the browser's session; the response brings a fresh one if it has none."""
    session = session_of(connection)
    if session is None:
        session = _sessions(connection).fresh()
        response.headers.append("set-cookie", cookie_header(connection, session))
    return session


def cookie_header(connection: HTTPConnection, session: str) -> str:
    """Return the ``Set-Cookie`` value that gives this browser a session."""
    return _sessions(connection).header(session, is_secure=connection.url.scheme in {"https", "wss"})


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
