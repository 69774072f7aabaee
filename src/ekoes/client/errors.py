"""What can go wrong between a client and a server."""

from __future__ import annotations

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json

LOST = "connection/lost"


class RefusedError(EkoesError):
    """The server refused a request; ``code`` says why.

    retry_after: seconds until the request may be repeated. scope: what the token would have to allow.
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message, code=code)
        self.retry_after: int | None = None
        self.scope: str | None = None


class ConnectionFailedError(EkoesError):
    """The server can't be reached (``LOST``), or has closed the connection for good (any other code)."""

    def __init__(self, message: str, *, code: str = LOST) -> None:
        super().__init__(message, code=code)


def refusal_from(answer: Json) -> RefusedError:
    """Return the error for a refusal sent by a server."""
    error = RefusedError(str(answer.get("message", "")), code=str(answer.get("code", "error")))
    error.rule, error.key = answer.get("rule"), answer.get("field")  # the message names them already
    error.retry_after, error.scope = answer.get("retry_after"), answer.get("scope")
    return error
