"""Who has not been heard for so long that they must be gone."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["Watch"]


class Watch:
    """Listens to the beats of others, by its own clock. Who did not listen itself accuses nobody of silence.

    patience: seconds of silence. gap: seconds between two looks after which it has not listened.
    """

    def __init__(self, patience: float, gap: float) -> None:
        """Begin without having heard anybody."""
        self._patience = patience
        self._gap = gap
        self._looked = float("-inf")
        self._heard: dict[str, tuple[int, float]] = {}

    def silent(self, beats: Mapping[str, int], now: float) -> list[str]:
        """Take a look. beats: as often as each was heard by now; now: seconds, by a clock that runs evenly.

        Returns: who was silent for too long.
        """
        known = self._heard if now - self._looked <= self._gap else {}
        self._looked = now
        self._heard = {
            name: known[name] if name in known and known[name][0] == number else (number, now)
            for name, number in beats.items()
        }
        return [name for name, (_, since) in self._heard.items() if now - since >= self._patience]
