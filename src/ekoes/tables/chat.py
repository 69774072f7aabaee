"""Chat messages of a table: who may write, and who may read them."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from ekoes.tables.orders import Key, Number, SeatNumber, Strict, is_joiner, is_seen
from ekoes.tables.table import Table

LONGEST_LINE = 300
"""The most characters of a message."""

Room = Literal["all", "players", "watchers"]
Phrase = Literal["hello", "luck", "well-played", "moment", "thanks", "sorry", "again"]
"""The keys of phrases, which each reader sees in their own language."""
Reason = Literal["insult", "spam", "cheating", "name", "other"]
"""The reasons for a report."""

_MARKS = 4
"""Combining marks on one letter: more than any script needs, too few to cover the lines above."""
_HEAPED = re.compile(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")


def read_line(text: str) -> str:
    """Return a chat message as it is stored: on one line, without invisible or bidirectional characters.

    Raises: ValueError if nothing is left.
    """
    spaced = "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))
    shown = "".join(char for char in spaced if char.isprintable() or is_joiner(char))
    line = " ".join(_HEAPED.sub(lambda found: found[0][:_MARKS], shown).split())
    if not any(map(is_seen, line)):
        raise ValueError("must have a visible character")
    return line


class Listen(Strict):
    """Receive the chat of the table, earlier messages included; on false: stop."""

    type: Literal["chat"] = "chat"
    key: Key
    on: bool = True


class Say(Strict):
    """Send a chat message: text, or a phrase that each reader sees in their own language."""

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
    """Hide the messages of one user from the sender of this order.

    The user is named by a seat, or by a message that they wrote. muted: false shows their messages again;
    without a seat and a message it shows those of all users again.
    """

    type: Literal["mute"] = "mute"
    key: Key
    seat: SeatNumber | None = None
    line: Number | None = None
    muted: bool = True


def room_of(table: Table, user: str) -> Room:
    """Return the room in which a user's messages are published now.

    While a game is in progress spectators could give its players information.
    """
    if not table.is_started or table.outcome is not None:
        return "all"
    return "players" if table.seats_of(user) else "watchers"


def rooms_heard(table: Table, user: str) -> frozenset[Room]:
    """Return the rooms whose messages a user can read now."""
    own: Room = "players" if table.seats_of(user) else "watchers"
    return frozenset({"all", own} if table.outcome is None else {"all", own, "watchers"})
