"""Seats that change hands: to another device, from a guest to the account it has become, or to nobody."""

from __future__ import annotations

from ekoes.errors import AccountError, EkoesError
from ekoes.match.orders import Rename, Resign, Stand
from ekoes.server.clock import Clock
from ekoes.server.hub import Hub
from ekoes.server.people.passes import LASTS, Pass, Passes
from ekoes.storage.people import Place

__all__ = ["Seats"]


class Seats:
    """Moves seats, whatever is played there."""

    def __init__(self, hub: Hub, passes: Passes, clock: Clock) -> None:
        """Move seats at the tables of a hub."""
        self._hub = hub
        self._passes = passes
        self._clock = clock

    async def give_pass(self, holder: str, table_id: str, seat: int) -> tuple[str, int]:
        """Return a pass for a seat of a holder, and how many seconds it lasts. Raises EkoesError."""
        async with self._hub.table(table_id) as live:
            if not live.table.is_held_by(holder, seat):
                raise AccountError("this seat is not yours", code="account/not-your-seat", key="seat")
        text = self._passes.write(Pass(table_id, seat, holder), self._clock.now())
        return text, int(LASTS.total_seconds())

    async def use_pass(self, holder: str, text: str) -> Pass:
        """Give a holder the seat of a pass. Raises EkoesError if it can't be had."""
        given = self._passes.read(text, self._clock.now())
        async with self._hub.table(given.table_id) as live:
            await live.hand_over(given.seat, given.giver, holder)
        return given

    async def move(self, place: Place, giver: str, holder: str) -> None:
        """Move a seat if its table allows that: where hands are hidden nobody has two."""
        try:
            async with self._hub.table(place.table_id) as live:
                await live.hand_over(place.seat, giver, holder)
        except EkoesError:
            return

    async def leave(self, place: Place, holder: str) -> None:
        """Take a name from a seat, and its holder out of what still goes on there."""
        async with self._hub.table(place.table_id) as live:
            seat, key = place.seat, f"leave-{place.seat}"
            await live.take(Rename(key=f"{key}-name", seat=seat, name=""), holder)
            table = live.table
            leaving = Resign(key=key, version=table.version, seat=seat) if table.is_started else None
            try:
                await live.take(leaving or Stand(key=key, seat=seat), holder)
            except EkoesError:
                return  # the game is over, or the seat is one that its maker can't leave

    def forget_talk(self, holder: str) -> None:
        """Take a name from all that its holder has said."""
        self._hub.forget_talk(holder)

    async def record(self, table_id: str, holder: str) -> str:
        """Return the record of a table. Raises TableError while its holder may not see it."""
        async with self._hub.table(table_id) as live:
            return await live.record(holder)
