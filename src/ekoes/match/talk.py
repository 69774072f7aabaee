"""What may be said at a table, and who hears it.

Players talk among themselves and so do those who watch, for as long as the game runs; before and after it
all talk together. What watchers said meanwhile is shown to the players when it is over.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from ekoes.match.names import is_joiner, is_seen
from ekoes.match.orders import Key, Number, SeatNumber, Strict
from ekoes.match.seats import session_seats
from ekoes.match.state import Table

__all__ = [
    "LONGEST_LINE",
    "PHRASES",
    "REASONS",
    "Listen",
    "Mute",
    "Phrase",
    "Reason",
    "Room",
    "Say",
    "read_line",
    "room_of",
    "rooms_heard",
]

LONGEST_LINE = 300
"""Characters of a line."""
PHRASES = ("hello", "luck", "well-played", "moment", "thanks", "sorry", "again")
"""What is sent as a word and shown to each reader in their own language."""
REASONS = ("insult", "spam", "cheating", "name", "other")
"""Why somebody may be reported."""

Room = Literal["all", "players", "watchers"]
Phrase = Literal["hello", "luck", "well-played", "moment", "thanks", "sorry", "again"]
Reason = Literal["insult", "spam", "cheating", "name", "other"]

_MARKS = 4
"""On one letter: more than any script needs, and less than what covers the lines above."""
_HEAPED = re.compile(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")


def read_line(text: str) -> str:
    """Return a line as it is kept: one line, without what is not seen or turns the words around it.

    Raises: ValueError if nothing is left of it.
    """
    spaced = "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))
    shown = "".join(char for char in spaced if char.isprintable() or is_joiner(char))
    line = " ".join(_HEAPED.sub(lambda found: found[0][:_MARKS], shown).split())
    if not any(map(is_seen, line)):
        raise ValueError("must have something in it that can be seen")
    return line


class Listen(Strict):
    """Hear what is said here from now on, and what was; on false: no more."""

    type: Literal["chat"] = "chat"
    key: Key
    on: bool = True


class Say(Strict):
    """Say a line in one's own words, or a phrase that everybody reads in their language."""

    type: Literal["say"] = "say"
    key: Key
    text: Annotated[str, Field(max_length=LONGEST_LINE), AfterValidator(read_line)] | None = None
    phrase: Phrase | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Say:
        if (self.text is None) == (self.phrase is None):
            raise ValueError("must have a text or a phrase")
        return self


class Mute(Strict):
    """Hide what somebody says here, for oneself: who has a seat, or who said a line.

    muted false hears them again; who names nobody hears everybody again.
    """

    type: Literal["mute"] = "mute"
    key: Key
    seat: SeatNumber | None = None
    line: Number | None = None
    muted: bool = True


def room_of(table: Table, holder: str) -> Room:
    """Return where somebody is heard who says something now."""
    if not _runs(table):
        return "all"
    return "players" if session_seats(table.seats, holder) else "watchers"


def rooms_heard(table: Table, holder: str) -> frozenset[Room]:
    """Return whose lines somebody hears now."""
    own: Room = "players" if session_seats(table.seats, holder) else "watchers"
    return frozenset({"all", own} if table.outcome is None else {"all", own, "watchers"})


def _runs(table: Table) -> bool:
    """Tell whether there is something that players could be told."""
    return table.is_started and table.outcome is None
