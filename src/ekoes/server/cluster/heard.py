"""Which words of others were heard."""

from __future__ import annotations

__all__ = ["Heard"]

_WINDOW = 1024
"""So many words of somebody may overtake another one; what comes later than that is not heard any more."""


class Heard:
    """Remembers the numbers of words, so that a word that comes twice, or is played again, is done once.

    Source: RFC 4303, 3.4.3 (the window of IPsec against replays).
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._windows: dict[str, tuple[int, int]] = {}
        """Who said them -> the highest number, and which of those below it were heard: a bit for each."""

    def has(self, by: str, number: int) -> bool:
        """Tell whether a word was heard, or is too old to know."""
        newest, bits = self._windows.get(by, (-1, 0))
        age = newest - number
        return age >= _WINDOW or (age >= 0 and bool(bits >> age & 1))

    def note(self, by: str, number: int) -> None:
        """Note that a word was heard, which ``has`` not yet."""
        newest, bits = self._windows.get(by, (-1, 0))
        if number > newest:
            shifted = bits << min(number - newest, _WINDOW)
            self._windows[by] = number, (shifted | 1) & ((1 << _WINDOW) - 1)
        else:
            self._windows[by] = newest, bits | 1 << (newest - number)
