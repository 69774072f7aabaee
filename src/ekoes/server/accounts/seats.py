"""Moves seats to another device or from a guest to an account, with signed passes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from itsdangerous import BadSignature, URLSafeSerializer

from ekoes.errors import AccountError, EkoesError
from ekoes.server.ops.clock import Clock
from ekoes.server.runtime.hub import Hub
from ekoes.storage.accounts import Place
from ekoes.tables.orders import Rename, Resign, Stand

LASTS = timedelta(minutes=10)


class Pass(NamedTuple):
    """A seat and the user who gives it away."""

    table_id: str
    seat: int
    giver: str


class Passes:
    """Signs passes and reads them. A pass names the giver, so it is void once the seat has moved."""

    def __init__(self, *keys: bytes) -> None:
        """Sign with the last key, and accept the signatures of all."""
        self._serializer = URLSafeSerializer(list(keys), salt="ekoes.seat")

    def write(self, given: Pass, at: datetime) -> str:
        """Return a pass that is valid from now on."""
        text: str | bytes = self._serializer.dumps([*given, int((at + LASTS).timestamp())])
        return text if isinstance(text, str) else text.decode()

    def read(self, text: str, at: datetime) -> Pass:
        """Read a pass. Raises AccountError if its signature is wrong or it has expired."""
        try:
            *given, ends = self._serializer.loads(text)
        except BadSignature:
            raise AccountError("Not a valid seat pass", code="account/no-pass", key="pass") from None
        if at.timestamp() >= ends:
            raise AccountError("This seat pass has expired", code="account/old-pass", key="pass")
        return Pass(*given)


class Seats:
    """Moves seats from one user to another."""

    def __init__(self, hub: Hub, passes: Passes, clock: Clock) -> None:
        self._hub = hub
        self._passes = passes
        self._clock = clock

    async def give_pass(self, holder: str, table_id: str, seat: int) -> tuple[str, int]:
        """Return a pass for a seat of a user, and its lifetime in seconds. Raises EkoesError."""
        async with self._hub.table(table_id) as live:
            if not live.table.is_held_by(holder, seat):
                raise AccountError("This seat is not yours", code="account/not-your-seat", key="seat")
        text = self._passes.write(Pass(table_id, seat, holder), self._clock.now())
        return text, int(LASTS.total_seconds())

    async def use_pass(self, holder: str, text: str) -> Pass:
        """Move the seat of a pass to a user. Raises EkoesError if it can't be moved."""
        given = self._passes.read(text, self._clock.now())
        async with self._hub.table(given.table_id) as live:
            await live.hand_over(given.seat, given.giver, holder)
        return given

    async def move(self, place: Place, giver: str, holder: str) -> None:
        """Move a seat if its table allows it: with hidden hands, a user has only one seat."""
        try:
            async with self._hub.table(place.table_id) as live:
                await live.hand_over(place.seat, giver, holder)
        except EkoesError:
            return

    async def leave(self, place: Place, holder: str) -> None:
        """Remove the name from a seat, and resign or stand up for its user."""
        async with self._hub.table(place.table_id) as live:
            seat, key = place.seat, f"leave-{place.seat}"
            await live.submit(Rename(key=f"{key}-name", seat=seat, name=""), holder)
            table = live.table
            leaving = Resign(key=key, version=table.version, seat=seat) if table.is_started else None
            try:
                await live.submit(leaving or Stand(key=key, seat=seat), holder)
            except EkoesError:
                return  # the game is over, or the host can't leave this seat

    def forget_talk(self, holder: str) -> None:
        """Remove the name of a user from the chat."""
        self._hub.forget_talk(holder)

    async def record(self, table_id: str) -> str:
        """Return the record of a table. Raises TableError while it may not be seen."""
        async with self._hub.table(table_id) as live:
            return await live.record()
