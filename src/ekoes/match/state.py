"""What every table is, whatever is played at it: a frozen value.

Judges, presenters, bots and records import the value and return new ones; ``ekoes.match.submit``
judges one order and returns the table after it. The old one stays as it is, so an order can be
stored before anybody sees what it did.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from ekoes.games.changing import Finding, changed
from ekoes.games.contract import Json, Outcome
from ekoes.games.recording import moment_text
from ekoes.match.clock_plan import ClockPlan
from ekoes.match.orders import AnyOrder, Instead
from ekoes.match.proposal import PLAIN, Consent
from ekoes.match.seats import Seat, seats_json

__all__ = [
    "DEFAULT_PACE",
    "Instead",
    "Move",
    "Table",
    "delay_json",
    "outcome_json",
    "rated_json",
    "rematch_json",
    "seats_of",
    "shortened",
    "with_seat",
]

DEFAULT_PACE = 700
"""Milliseconds before a bot's decision, at a new table of turns; elsewhere the measure of its delays."""


@dataclass(frozen=True, slots=True)
class Move:
    """What happens next at a table by itself, and when; order: a bot's, None where the clock strikes.

    instead: stands in for an order that the table refuses.
    """

    at: datetime
    order: AnyOrder | None = None
    instead: AnyOrder | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Finding):
    """A game as it is played by the people and bots at it.

    options: all of them, as JSON. seed: of the first position. rated: its outcome counts for the ratings
    of those who play, who have accounts (``ekoes.match.rated``). left: who has left such a game to a bot,
    seat and holder, the first one first. version: counts the orders that changed
    the game. pace: milliseconds; wishes: the paces that people would like better, by seat. paused:
    its bots rest. chat: people may talk here. public: everybody is told of it; else whoever has its link.
    delay: the seconds by which those see it later who have no seat here.
    agreed: the seats that want a rematch; absent: those that it does without, and what becomes of them;
    rematch: the table of it. log_start: how many entries of its log came before those that are here; a
    table that was opened again knows its log from then on. clock: how much time people have; None: no end
    of it, or as the game has it. consent: what the people here have agreed to, or are asked for.
    """

    game: str
    options: Json
    seed: int
    seats: tuple[Seat, ...]
    turn_limit: int | None = None
    rated: bool = False
    left: tuple[tuple[int, str], ...] = ()
    version: int = 0
    outcome: Outcome | None = None
    pace: int = DEFAULT_PACE
    wishes: frozenset[tuple[int, int]] = frozenset()
    paused: bool = False
    chat: bool = True
    public: bool = False
    delay: int = 0
    agreed: frozenset[int] = frozenset()
    absent: frozenset[tuple[int, Instead]] = frozenset()
    rematch: str | None = None
    log: tuple[Any, ...] = ()
    log_start: int = 0
    clock: ClockPlan | None = None
    consent: Consent = PLAIN

    def rests(self, at: datetime) -> bool:
        """Tell whether nothing happens here by itself at a moment."""
        return self.paused or self.consent.rests(at)

    @property
    def length(self) -> int:
        """The number of entries in the whole log."""
        return self.log_start + len(self.log)

    @cached_property
    def is_started(self) -> bool:
        """Whether every seat is taken."""
        return False not in [seat.is_taken for seat in self.seats]

    @cached_property
    def people(self) -> frozenset[int]:
        """The seats that persons hold or may take."""
        return frozenset(number for number, seat in enumerate(self.seats) if seat.kind != "bot")

    @property
    def host(self) -> str | None:
        """Who begins where seats stay free: the maker, else whoever holds the first seat; None: nobody."""
        held = sorted((seat for seat in self.seats if seat.session), key=lambda seat: seat.kind != "here")
        return held[0].session if held else None

    def has_others(self, session: str) -> bool:
        """Whether anybody else than a session plays here, or may sit down."""
        return any(self.seats[seat].session != session for seat in self.people)

    @property
    def wants_rematch(self) -> bool:
        """Whether everybody who is not absent agreed to a rematch that has no table yet."""
        asked = self.people - dict(self.absent).keys()
        return bool(asked) and self.agreed >= asked and self.rematch is None

    def is_held_by(self, session: str | None, seat: int) -> bool:
        """Tell whether a session (None: the program itself, for bots) decides for a seat."""
        if seat >= len(self.seats):
            return False
        chair = self.seats[seat]
        return chair.kind == "bot" if session is None else chair.session == session


T = TypeVar("T", bound=Table)


def with_seat(table: T, seat: int, **changes: Any) -> T:  # noqa: ANN401 - fields of Seat
    """Return the table with one seat changed."""
    chair: Seat = changed(table.seats[seat], **changes)
    return changed(table, seats=(*table.seats[:seat], chair, *table.seats[seat + 1 :]))


def shortened(table: T, entries: int) -> T:
    """Return the table without the log but for its last entries, once it holds more than twice as many."""
    surplus = len(table.log) - entries
    if surplus <= entries:
        return table
    return changed(table, log=table.log[surplus:], log_start=table.log_start + surplus)


def seats_of(table: Table, session: str, online: Collection[str]) -> list[Json]:
    """Describe the seats to one session. online: the sessions that are connected."""
    told = seats_json(table.seats, session, online)
    for lent in table.consent.lent:
        if lent.holder == session:
            told[lent.seat]["kept"] = moment_text(lent.until)
    return told


def outcome_json(outcome: Outcome | None) -> Json | None:
    """Write how a game ended."""
    if outcome is None:
        return None
    return {"winners": list(outcome.winners), "reason": outcome.reason, "rule": outcome.rule}


def rated_json(table: Table) -> Json:
    """Tell that the outcome counts for ratings; nothing where it does not."""
    return {"rated": True} if table.rated else {}


def delay_json(table: Table) -> Json:
    """Tell how much later those see the table who have no seat there; nothing where they do not."""
    return {"delay": table.delay} if table.delay else {}


def rematch_json(table: Table) -> Json:
    """Tell who wants a rematch, what becomes of the seats of who has gone, and where it is."""
    absent = {str(seat): instead for seat, instead in sorted(table.absent)}
    told = {"agreed": sorted(table.agreed), "table": table.rematch}
    return told | {"absent": absent} if absent else told
