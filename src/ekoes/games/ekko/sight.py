"""What one seat sees of EKKO, without the position that it is seen of (K6.4)."""

from __future__ import annotations

from dataclasses import dataclass

from ekoes.games.contract import Json

__all__ = ["Sight"]


@dataclass(frozen=True, slots=True)
class Sight:
    """The view of a seat, for players that are asked elsewhere: no hidden card goes there."""

    seat: int
    seen: Json

    def view(self, eye: int) -> Json:
        """Return what the seat sees. Raises ValueError for any other seat."""
        if eye != self.seat:
            raise ValueError(f"this is what seat {self.seat} sees, not seat {eye}")
        return self.seen
