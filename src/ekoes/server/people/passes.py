"""A pass lets another device take a seat: a signed text, good for some minutes and for one move."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from itsdangerous import BadSignature, URLSafeSerializer

from ekoes.errors import AccountError

__all__ = ["LASTS", "Pass", "Passes"]

LASTS = timedelta(minutes=10)


class Pass(NamedTuple):
    """Who gives which seat."""

    table_id: str
    seat: int
    giver: str


class Passes:
    """Writes passes and reads them. A pass holds who gives: once the seat has moved it opens nothing."""

    def __init__(self, *keys: bytes) -> None:
        """Sign with the last of some keys."""
        self._serializer = URLSafeSerializer(list(keys), salt="ekoes.seat")

    def write(self, given: Pass, at: datetime) -> str:
        """Write a pass that begins now."""
        text: str | bytes = self._serializer.dumps([*given, int((at + LASTS).timestamp())])
        return text if isinstance(text, str) else text.decode()

    def read(self, text: str, at: datetime) -> Pass:
        """Read a pass. Raises AccountError if it is none of ours or has run out."""
        try:
            *given, ends = self._serializer.loads(text)
        except BadSignature:
            raise AccountError("this is no pass of ours", code="account/no-pass", key="pass") from None
        if at.timestamp() >= ends:
            raise AccountError("this pass has run out", code="account/old-pass", key="pass")
        return Pass(*given)
