"""What may stand at a seat as a name: one line in any script, with something in it that can be seen."""

from __future__ import annotations

import unicodedata

__all__ = ["LONGEST_NAME", "is_joiner", "is_seen", "read_name"]

LONGEST_NAME = 40

_JOINERS = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
"""Persian words and scripts of India are written with them, and emoji are put together by them."""

_TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))
"""They spell which flag an emoji is."""

_BLANK_LETTERS = frozenset(
    "\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}"
    "\N{BRAILLE PATTERN BLANK}\N{MUSICAL SYMBOL NULL NOTEHEAD}"
)
"""Letters and signs by their kind that nobody sees."""

_SEEN = frozenset("LNPS")
"""Letters, numbers, punctuation, symbols; marks are seen on others alone."""


def read_name(text: str) -> str:
    """Return a name without the blanks around it, empty if nothing in it can be seen.

    Raises: ValueError if it has more than one line, or characters that are none.
    """
    if not all(char.isprintable() or is_joiner(char) for char in text):
        raise ValueError("must be one line of printable characters")
    return text.strip() if any(map(is_seen, text)) else ""


def is_joiner(char: str) -> bool:
    """Tell whether a character is not seen itself and yet needed by those beside it."""
    return char in _JOINERS or char in _TAGS


def is_seen(char: str) -> bool:
    """Tell whether a character leaves a trace on its own."""
    return unicodedata.category(char)[0] in _SEEN and char not in _BLANK_LETTERS
