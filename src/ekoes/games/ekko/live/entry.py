"""What a live table remembers: entries of its log, open mirrors, receipts, rounds. Rule: K7."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ekoes.games.ekko.action import Action
from ekoes.games.ekko.live.kept import Kept
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.remarks import Remark
from ekoes.games.recording import milliseconds_between

__all__ = ["Entry", "First", "Loser", "Moment", "OpenMirror", "Receipt", "Round", "Stage", "Verdict"]


class Stage(StrEnum):
    """What a table waits for."""

    WAITING = "waiting"
    LOOK = "look"
    RACE = "race"
    WINDOW = "window"
    EFFECT = "effect"
    LEAVING = "leaving"
    OVER = "over"


class Verdict(StrEnum):
    """What came of something that was sent; what is refused stands in no log."""

    DEAL = "deal"
    PLAY = "play"
    CLAIM = "claim"
    MIRROR = "mirror"
    DRAW = "draw"
    MISPLAY = "misplay"
    LATE = "late"
    PASS = "pass"  # noqa: S105 - a player lets something pass
    CLOSE = "close"
    RESIGN = "resign"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log. round: its number; position: the one after it, None where a store kept the rest.

    on: the top card that its player saw (K7.2). behind: of a late one, by how many milliseconds
    something else was quicker. draws: who drew how many cards through it. by_clock: whether the clock
    decided for the player (K7.5).
    """

    round: int
    seat: int
    action: Action | Remark
    verdict: Verdict
    at: datetime
    position: EkkoPosition | None
    on: int | None = None
    behind: int | None = None
    draws: tuple[tuple[int, int], ...] = ()
    by_clock: bool = False


@dataclass(frozen=True, slots=True)
class Moment(Kept):
    """When something came about; number: that of the entry, by which bots draw their chance."""

    number: int
    at: datetime


@dataclass(frozen=True, slots=True)
class OpenMirror(Kept):
    """A mirror that was claimed and not played yet: its effect or its window is open (K3.2)."""

    seat: int
    card: int
    on: int
    at: datetime
    effect: str | None = None
    aside: int | None = None


@dataclass(frozen=True, slots=True)
class First(Kept):
    """The card that was first on a top card (K7.1). at: when it came, of a mirror when it was claimed.

    by_clock: whether the clock put it for its player (K7.5).
    """

    on: int
    seat: int
    card: int
    at: datetime
    is_mirror: bool
    by_clock: bool = False

    def behind(self, begin: datetime, at: datetime) -> int:
        """Return by how many milliseconds something came later, as the record counts them."""
        return milliseconds_between(begin, at) - milliseconds_between(begin, self.at)


@dataclass(frozen=True, slots=True)
class Loser:
    """What came too late. card: None for a draw. behind: milliseconds after the card that was first."""

    seat: int
    card: int | None
    behind: int


@dataclass(frozen=True, slots=True)
class Receipt(Kept):
    """Who was first, and whose cards came too late. number: of the latest entry of this race."""

    number: int
    first: First
    losers: tuple[Loser, ...] = ()


@dataclass(frozen=True, slots=True)
class Round(Kept):
    """How a round ended. Rule: K5. by: who ended it, None if the pile was empty.

    hands: what was left in them, where the table has agreed to open hands after each round.
    """

    dealer: int
    points: tuple[int, ...]
    sizes: tuple[int, ...]
    totals: tuple[int, ...]
    reason: str
    by: int | None
    hands: tuple[tuple[int, ...], ...] = ()
