"""What people at a table have agreed to or are asked for, as values: a proposal, seats kept by bots, a rest.

The game has a time of its own, which stands while the table rests: its clocks and its judge know no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from ekoes.games.changing import changed
from ekoes.games.contract import Json

__all__ = ["COUNTDOWN", "PLAIN", "Consent", "Lent", "Proposal", "Rest", "What", "consent_from_json"]

What = Literal["bot", "draw", "take_back", "pause", "adjourn", "hands"]
"""What can be proposed: a bot at an absent player's seat, or the end as a draw; the asker's last turn back;
a rest; going on by correspondence; open hands after each round."""

COUNTDOWN = timedelta(seconds=3)
"""How long before its end a rest is announced to be over."""
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a seat has asked all others for. number: the table's proposals are counted.

    about: whose seat it is about. days: of a game by correspondence. agreed: the seats that want it.
    until: nobody answers it later; None: the next decision ends it.
    """

    number: int
    what: What
    by: int
    agreed: frozenset[int]
    about: int | None = None
    days: int | None = None
    until: datetime | None = None

    def to_json(self) -> Json:
        """Write the proposal, what it says where it says anything."""
        value = {"number": self.number, "what": self.what, "by": self.by, "agreed": sorted(self.agreed)}
        until = None if self.until is None else self.until.isoformat()
        more = {"about": self.about, "days": self.days, "until": until}
        return value | {key: said for key, said in more.items() if said is not None}


@dataclass(frozen=True, slots=True)
class Lent:
    """A seat that a bot keeps for somebody. kind: of their seat. until: the bot stays from then on."""

    seat: int
    kind: Literal["here", "open"]
    holder: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Rest:
    """A pause. until: when the game goes on, None: nobody has said so."""

    since: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Consent:
    """What a table is set to, and what its people have agreed to.

    absence: minutes after which nobody waits for a player any more; 0: everybody does. back: minutes in which
    who comes back has their seat again. take_back: whether turns may be taken back. count: of proposals so
    far; open: the one that is not decided. away: the seats that are absent. stood: how long the game has
    stood in rests.
    """

    absence: int = 0
    back: int = 0
    take_back: bool = False
    count: int = 0
    open: Proposal | None = None
    away: frozenset[int] = frozenset()
    lent: tuple[Lent, ...] = ()
    rest: Rest | None = None
    stood: timedelta = timedelta()

    @property
    def set_alike(self) -> Consent:
        """Another table's that is set to the same."""
        return Consent(self.absence, self.back, take_back=self.take_back)

    def asks(self, at: datetime) -> Proposal | None:
        """Return what can be answered at a moment."""
        is_over = self.open is None or (self.open.until is not None and self.open.until < at)
        return None if is_over else self.open

    def lent_to(self, seat: int, holder: str | None, at: datetime) -> Lent | None:
        """Return what a bot keeps at a seat for somebody who comes back at a moment."""
        found = (
            lent for lent in self.lent if (lent.seat, lent.holder) == (seat, holder) and at <= lent.until
        )
        return next(found, None)

    @property
    def rests_until(self) -> datetime | None:
        """When the rest is over; None where nobody has said so, or there is none."""
        return None if self.rest is None else self.rest.until

    def rests(self, at: datetime) -> bool:
        """Tell whether nothing may happen at a moment."""
        return self.rest is not None and (self.rest.until is None or at < self.rest.until)

    def time(self, at: datetime) -> datetime:
        """Return a moment as the game has it."""
        if self.rest is not None:
            at = self.rest.since if self.rest.until is None else max(at, self.rest.until)
        return at - self.stood

    def moment(self, time: datetime) -> datetime | None:
        """Return when a time of the game comes, the inverse of ``time``; None: not before the rest ends."""
        return None if self.is_at_rest else time + self.stood

    @property
    def is_at_rest(self) -> bool:
        """Whether the game rests, and nobody has said when it goes on."""
        return self.rest is not None and self.rest.until is None

    def resting(self, at: datetime) -> Consent:
        """Return it with a rest from a moment on."""
        before = self.rests_until
        return changed(self, rest=Rest(at if before is None else max(at, before)))

    def going_on(self, at: datetime) -> Consent:
        """Return it with the rest about to end. Called only in a rest whose end nobody knows."""
        since, until = (self.rest.since if self.rest else at), at + COUNTDOWN
        return changed(self, rest=Rest(since, until), stood=self.stood + (until - since))

    def to_json(self) -> Json:
        """Write it as a store keeps it, only what is not plain."""
        value: Json = {
            "absence": self.absence,
            "back": self.back,
            "take_back": self.take_back,
            "count": self.count,
            "open": self.open and self.open.to_json(),
            "away": sorted(self.away),
            "lent": [[one.seat, one.kind, one.holder, one.until.isoformat()] for one in self.lent],
            "rest": self.rest
            and [self.rest.since.isoformat(), self.rest.until and self.rest.until.isoformat()],
            "stood": self.stood // _MICROSECOND,
        }
        return {key: kept for key, kept in value.items() if kept}


PLAIN = Consent()
"""Nothing is set, nothing agreed."""


def consent_from_json(value: Json) -> Consent:
    """Read what ``Consent.to_json`` wrote."""
    lent = value.get("lent", ())
    return Consent(
        absence=value.get("absence", 0),
        back=value.get("back", 0),
        take_back=value.get("take_back", False),
        count=value.get("count", 0),
        open=_proposal(value["open"]) if "open" in value else None,
        away=frozenset(value.get("away", ())),
        lent=tuple(Lent(seat, kind, who, datetime.fromisoformat(until)) for seat, kind, who, until in lent),
        rest=_rest(*value["rest"]) if "rest" in value else None,
        stood=value.get("stood", 0) * _MICROSECOND,
    )


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _rest(since: str, until: str | None) -> Rest:
    return Rest(datetime.fromisoformat(since), _moment(until))


def _proposal(value: Json) -> Proposal:
    return Proposal(**value | {"agreed": frozenset(value["agreed"]), "until": _moment(value.get("until"))})
