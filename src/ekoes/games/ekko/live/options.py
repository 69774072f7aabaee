"""What a live table can be set to, as its creator says it (JSON) and as its record does (tags)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ekoes.errors import NotationError, TableError
from ekoes.games.contract import Json
from ekoes.games.ekko.live.kept import Kept
from ekoes.games.reading import read_options
from ekoes.games.recording import read_seconds, seconds_text

__all__ = ["LIVE_TAGS", "LiveForm", "LiveOptions"]

LIVE_TAGS = ("Live", "Misplays", "Reaction", "TurnClock", "Calm", "Window", "Hints", "OpenHands")
"""The tags that hold a table's options, in the order in which they are written."""

_TIMES = ("reaction", "turn_clock", "window")
_SECOND = 1000


class LiveForm(BaseModel):
    """The options as the creator of a table may choose them: times are whole seconds; None: no clock."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    misplays: bool = True
    reaction: Annotated[int, Field(ge=1, le=10)] = 3
    turn_clock: Annotated[int, Field(ge=5, le=600)] | None = 30
    calm: bool = False
    window: Annotated[int, Field(ge=2, le=120)] | None = 6
    hints: bool = False
    open_hands: bool = False


@dataclass(frozen=True, slots=True)
class LiveOptions(Kept):
    """The options of a live table. Times are milliseconds; None: no clock.

    misplays: whether a wrong card costs one (K4.3). reaction: the time in which a last card may be
    mirrored (K5.1). turn_clock: K7.5. calm: everybody gets the same window to claim a mirror after
    each card, then claims are judged together; window: how long that is, None: until all have
    decided. hints: the playable cards are shown. open_hands: after each round everybody sees what was left.
    """

    misplays: bool = True
    reaction: int = 3000
    turn_clock: int | None = None
    calm: bool = False
    window: int | None = None
    hints: bool = False
    open_hands: bool = False

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> LiveOptions:
        """Check what the creator of a table chose. Raises PositionError naming the key."""
        chosen = read_options(LiveForm, options).model_dump()
        return cls(**chosen | {key: chosen[key] and chosen[key] * _SECOND for key in _TIMES})

    def to_json(self) -> Json:
        """Write the options of a table, the inverse of ``read``."""
        value = asdict(self)
        if not self.open_hands:
            del value["open_hands"]
        return value | {key: value[key] and value[key] // _SECOND for key in _TIMES}

    def at_one_browser(self) -> LiveOptions:
        """Return the options where several players share a browser: no clock runs.

        Raises: TableError without the calm mode: each would see the other's hand.
        """
        if not self.calm:
            message = "several players at one browser need the calm mode"
            raise TableError(message, code="table/hot-seat", key="calm")
        return replace(self, turn_clock=None, window=None)

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
        if self.open_hands:
            tags["OpenHands"] = "yes"
        return tags

    @classmethod
    def from_tags(cls, tags: Mapping[str, str]) -> LiveOptions | None:
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
            open_hands=_yes(tags, "OpenHands", default=False),
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
    if not milliseconds:
        raise NotationError(f"must be a number of seconds above 0, not {tags[name]!r:.40}", key=name)
    return milliseconds
