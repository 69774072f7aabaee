"""What the record of a live table holds beside the decisions of the game (K7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ekoes.errors import NotationError
from ekoes.games.recording import read_seconds, seconds_text

__all__ = [
    "LIVE_TAGS",
    "Claim",
    "Late",
    "LiveTable",
    "Ready",
    "Remark",
    "Resign",
]

LIVE_TAGS = ("Live", "Misplays", "Reaction", "TurnClock", "Calm", "Window", "Hints")
"""The tags that hold a table's options, in the order in which they are written."""


@dataclass(frozen=True, slots=True)
class Late:
    """A card that came too late and went back to the hand (K3.5, K7.2); card None: a draw came too late."""

    card: int | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A mirror whose player has still to choose its effect, or whose window is still open (K3.2)."""

    card: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A player has seen their hand (K1.3)."""


@dataclass(frozen=True, slots=True)
class Resign:
    """A player leaves the game: a bot takes the seat, or the only other player wins."""


Remark = Late | Claim | Ready | Resign
"""What was sent to a table and left the position as it was; ``Pass`` of a live table is another."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """The options of a live table that judge its intents; times in milliseconds.

    misplays: K4.3. reaction: K5.1. turn_clock: K7.5, None: no clock. calm: claims are judged
    together after a window; window: how long it is, None: until everybody has decided.
    """

    misplays: bool = True
    reaction: int = 3000
    turn_clock: int | None = None
    calm: bool = False
    window: int | None = None
    hints: bool = False

    def tags(self) -> dict[str, str]:
        """Write the options as tags."""
        tags = {"Live": "yes", "Misplays": _word(self.misplays), "Reaction": seconds_text(self.reaction)}
        if self.turn_clock is not None:
            tags["TurnClock"] = seconds_text(self.turn_clock)
        if self.calm:
            tags["Calm"] = "yes"
        if self.window is not None:
            tags["Window"] = seconds_text(self.window)
        if self.hints:
            tags["Hints"] = "yes"
        return tags

    @classmethod
    def from_tags(cls, tags: Mapping[str, str]) -> LiveTable | None:
        """Read the options, the inverse of ``tags``; None if the tags tell of no live table.

        Raises NotationError naming the tag.
        """
        if not _yes(tags, "Live", default=False):
            return None
        reaction = _milliseconds(tags, "Reaction")
        return cls(
            misplays=_yes(tags, "Misplays", default=True),
            reaction=cls().reaction if reaction is None else reaction,
            turn_clock=_milliseconds(tags, "TurnClock"),
            calm=_yes(tags, "Calm", default=False),
            window=_milliseconds(tags, "Window"),
            hints=_yes(tags, "Hints", default=False),
        )


def _word(said: bool) -> str:  # noqa: FBT001 - the value of a tag
    return "yes" if said else "no"


def _yes(tags: Mapping[str, str], name: str, *, default: bool) -> bool:
    text = tags.get(name, _word(default))
    if text not in {"yes", "no"}:
        raise NotationError(f"must be yes or no, not {text!r:.40}", key=name)
    return text == "yes"


def _milliseconds(tags: Mapping[str, str], name: str) -> int | None:
    if name not in tags:
        return None
    milliseconds = read_seconds(tags[name])
    if milliseconds is None:
        raise NotationError(f"must be a number of seconds, not {tags[name]!r:.40}", key=name)
    return milliseconds
