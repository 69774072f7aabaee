"""Helpers for notations: a scanner of short texts, and readers for the tags of a record."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ekoes.errors import NotationError
from ekoes.games.api.reading import parse_json

_NUMBER = re.compile(r"[0-9]{1,2}(?![0-9])", re.ASCII)
_WORD = re.compile(r"[A-Za-z]+", re.ASCII)
_BLANKS = re.compile(r"\s*")
_LONGEST_TEXT = 1000
_LONGEST_QUOTE = 40


class Scanner:
    """Reads one text from left to right, skipping blanks; every failure names its character."""

    def __init__(self, text: str) -> None:
        """Start before the first part of the text. Raises NotationError if it is far too long."""
        if len(text) > _LONGEST_TEXT:
            raise NotationError(
                f"an action has at most {_LONGEST_TEXT} characters, this text has {len(text)}"
            )
        self.text = text
        self.at = 0
        self._skip_blanks()

    def _skip_blanks(self) -> None:
        match = _BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def sees(self, pattern: re.Pattern[str]) -> bool:
        """Return whether the next part matches a pattern."""
        return pattern.match(self.text, self.at) is not None

    def take(self, pattern: re.Pattern[str], expected: str) -> str:
        """Read the match of a pattern. Raises NotationError with what was expected."""
        match = pattern.match(self.text, self.at)
        if match is None:
            raise self.failure(expected)
        self.at = match.end()
        self._skip_blanks()
        return match[0]

    def accept(self, mark: str) -> bool:
        """Skip a mark if it comes next; return whether it did."""
        found = self.text[self.at : self.at + len(mark)].upper() == mark
        if found:
            self.at += len(mark)
            self._skip_blanks()
        return found

    def expect(self, mark: str, expected: str) -> None:
        """Skip a mark that must come next."""
        if not self.accept(mark):
            raise self.failure(expected)

    def number(self, expected: str) -> int:
        """Read a whole number of at most two digits."""
        return int(self.take(_NUMBER, f"{expected} (0 to 99)"))

    def word(self, words: tuple[str, ...], expected: str) -> str:
        """Read one of some words."""
        start = self.at
        word = self.take(_WORD, expected).lower()
        if word not in words:
            self.at = start
            raise self.failure(expected)
        return word

    def finish(self) -> None:
        """Fail unless the whole text has been read."""
        if self.at < len(self.text):
            raise self.failure("the end of the action")

    def failure(self, expected: str) -> NotationError:
        """Return the error with what was expected and what was found here."""
        rest = self.text[self.at :]
        quote = rest if len(rest) <= _LONGEST_QUOTE else rest[:_LONGEST_QUOTE] + "…"
        found = repr(quote) if rest else "nothing"
        return NotationError(f"character {self.at + 1}: expected {expected}, found {found}")


_WHOLE = re.compile(r"-?[0-9]{1,40}", re.ASCII)


def whole_tag(tags: Mapping[str, str], name: str) -> int:
    """Read a whole number. Raises NotationError naming the tag."""
    text = tags.get(name)
    if text is None:
        raise NotationError("missing", key=name)
    if _WHOLE.fullmatch(text) is None:
        raise NotationError(f"must be a whole number, not {text!r:.40}", key=name)
    return int(text)


def json_tag(tags: Mapping[str, str], name: str) -> object:
    """Read a JSON value. Raises NotationError naming the tag."""
    try:
        return parse_json(tags[name])
    except NotationError as error:
        raise NotationError(str(error), key=name) from error
