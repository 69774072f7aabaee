"""What can go wrong between a client and a server."""

from __future__ import annotations

from ekoes.errors import EkoesError
from ekoes.games.contract import Json

__all__ = ["LOST", "LineError", "RefusedError", "refused"]


LOST = "line/lost"


class RefusedError(EkoesError):
    """The server does not do what it was asked; ``code`` says why.

    retry_after: seconds until it may be asked again. scope: what the token would have to allow.
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message, code=code)
        self.retry_after: int | None = None
        self.scope: str | None = None


class LineError(EkoesError):
    """The server can't be reached (``LOST``), or has closed the line for good, for another reason."""

    def __init__(self, message: str, *, code: str = LOST) -> None:
        super().__init__(message, code=code)


def refused(answer: Json) -> RefusedError:
    """Return the refusal that a server has sent."""
    error = RefusedError(str(answer.get("message", "")), code=str(answer.get("code", "error")))
    error.rule, error.key = answer.get("rule"), answer.get("field")  # its sentence names them already
    error.retry_after, error.scope = answer.get("retry_after"), answer.get("scope")
    return error
