"""The settings of a table: seats, options and time control, and what its players agree on.

Players vote on proposals: a draw, a takeback, a pause …
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, cycle
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator, ConfigDict, Field, PlainSerializer, TypeAdapter, model_validator

from ekoes.games.api.contract import Json
from ekoes.games.api.values import Sorted, Stamp, changed
from ekoes.tables.orders import MAX_PLAYERS, Name, Strict, What

COLOUR_NAMES = ("Indigo", "Vermilion", "Sky blue", "Ivory", "Green", "Yellow", "Magenta", "Graphite")
"""Colours by number, no more in a game than it has players; the page defines their look."""
COLOURS = len(COLOUR_NAMES)

SeatKind = Literal["here", "open", "bot"]


class SeatPlan(Strict):
    """A seat as the creator of a table asks for it. bot: for kind ``bot`` alone, default the stand-in."""

    kind: SeatKind
    bot: Annotated[str, Field(max_length=40)] | None = None
    name: Name | None = None
    colour: Annotated[int, Field(ge=0, lt=COLOURS)] | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. session: the browser session that holds it; None for a free open seat and for bots."""

    kind: SeatKind
    name: str
    colour: int
    bot: str | None = None
    session: str | None = None

    @property
    def is_taken(self) -> bool:
        """Whether a player or a bot decides for this seat."""
        return self.kind == "bot" or self.session is not None

    @property
    def shown_name(self) -> str:
        """The name, else that of the bot or the colour."""
        return self.name or (self.bot.capitalize() if self.bot else COLOUR_NAMES[self.colour])


def seats_from_plans(
    plans: tuple[SeatPlan, ...], session: str, stand_in: str, colours: int
) -> tuple[Seat, ...]:
    """Return the seats of a new table; ``here`` seats belong to the creator's session.

    stand_in: the default bot. colours: how many the game has. Seats without a colour get the lowest free
    ones, in order; if there are too many seats for any game, colours repeat.
    """
    taken = {plan.colour for plan in plans}
    free = chain((colour for colour in range(colours) if colour not in taken), cycle(range(colours)))
    return tuple(
        Seat(
            kind=plan.kind,
            name=plan.name or "",
            colour=next(free) if plan.colour is None else plan.colour,
            bot=plan.bot or stand_in if plan.kind == "bot" else None,
            session=session if plan.kind == "here" else None,
        )
        for plan in plans
    )


LEAST_TO_GO_ON = 5
"""The smallest increment in seconds if late turns are passed: a late player needs time for the next turn."""

TimeUp = Literal["lose", "bot", "pass"]


class ClockPlan(Strict):
    """A clock: seconds for the game plus an increment for each turn, or days for each turn.

    up: what happens when a player's time is up. ``lose``: they lose, as by resigning; ``bot``: a bot plays
    on for them; ``pass``: their turn is passed.
    """

    base: Annotated[int, Field(ge=0, le=4 * 3600)] | None = None
    increment: Annotated[int, Field(ge=0, le=600)] | None = None
    days: Annotated[int, Field(ge=1, le=14)] | None = None
    up: TimeUp = "lose"

    @model_validator(mode="after")
    def _is_one_of_the_two(self) -> ClockPlan:
        if (self.days is None) != (self.base is not None and self.increment is not None):
            raise ValueError("has either base and increment, or days")
        if self.days is not None and (self.base is not None or self.increment is not None):
            raise ValueError("days go with neither base nor increment")
        if self.days is None and not self.base and not self.increment:
            raise ValueError("needs some time")
        if self.up == "pass" and self.days is None and (self.increment or 0) < LEAST_TO_GO_ON:
            raise ValueError(f"turns can be passed where each brings {LEAST_TO_GO_ON} seconds or more")
        return self


def clock_json(plan: ClockPlan) -> Json:
    """Return a clock as JSON."""
    return plan.model_dump(exclude_none=True)


def clock_text(plan: ClockPlan) -> str:
    """Return a clock in the notation of records: ``300+10 lose``, ``3d pass``."""
    time = f"{plan.base}+{plan.increment}" if plan.days is None else f"{plan.days}d"
    return f"{time} {plan.up}"


LARGEST_SEED = 2**53 - 1
"""The largest seed: the largest integer that JavaScript represents exactly."""


class TableOptions(Strict):
    """The options of a table: these keys are the table's, all others the game's.

    absence: minutes after which others need not wait for an absent player, 0: they have to; None: as usual.
    back: minutes in which a player who returns gets their seat back from a bot. take_back: whether all may
    agree to take a turn back; None: at tables with people that are not rated.
    """

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = None
    turn_limit: Annotated[int, Field(ge=1, le=10_000)] | None = None
    clock: ClockPlan | None = None
    rated: bool = False
    absence: Annotated[int, Field(ge=0, le=60)] | None = None
    back: Annotated[int, Field(ge=0, le=24 * 60)] = 30
    take_back: bool | None = None

    def of_game(self) -> Json:
        """Return the options of the game."""
        return dict(self.model_extra or {})


class TablePlan(Strict):
    """The settings of a table, as its creator chose them.

    chat: whether the table has a chat. public: it is listed in the lobby, and anyone may sit down or watch.
    gives_part: the creator's browser adds a part to the seed, and others may.
    """

    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    seats: Annotated[list[SeatPlan], Field(min_length=1, max_length=MAX_PLAYERS)]
    chat: bool = True
    public: bool = False
    gives_part: bool = False


COUNTDOWN = timedelta(seconds=3)
"""The countdown after a pause before the game resumes."""
_MICROSECOND = timedelta(microseconds=1)
Microseconds = Annotated[
    timedelta,
    PlainSerializer(lambda length: length // _MICROSECOND),
    BeforeValidator(lambda number: number * _MICROSECOND),
]
"""A length of time that is stored as a whole number."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal by one seat to all others.

    number: counted per table. about: the absent player's seat. days: per turn, for ``adjourn``.
    agreed: the seats in favour. until: when it expires; None: with the next decision.
    """

    number: int
    what: What
    by: int
    agreed: Sorted[int]
    about: int | None = None
    days: int | None = None
    until: Stamp | None = None

    def to_json(self) -> Json:
        """Return the proposal as JSON, without fields that are None."""
        value: Json = _PROPOSAL.dump_python(self, mode="json", exclude_defaults=True)
        return value


class Substitute(NamedTuple):
    """A bot that plays for an absent player, who may return until a moment. kind: of the player's seat."""

    seat: int
    kind: Literal["here", "open"]
    user: str
    until: Stamp


class AgreedPause(NamedTuple):
    """A pause. until: when the game resumes; None: not decided yet."""

    since: Stamp
    until: Stamp | None = None

    def holds(self, at: datetime) -> bool:
        """Return whether the game is still paused at a moment after ``since``."""
        return self.until is None or at < self.until


@dataclass(frozen=True, slots=True)
class Agreements:
    """The settings of a table for agreements, and their state.

    absence: minutes after which a disconnected player counts as absent; 0: never. back: minutes in which a
    player can take a seat back from a substitute. take_back: whether takebacks are possible. count: of
    proposals so far. open: the proposal being voted on. absent: seats of absent players. paused_for: the
    total of all pauses, which do not count as time of the game.
    """

    absence: int = 0
    back: int = 0
    take_back: bool = False
    count: int = 0
    open: Proposal | None = None
    absent: Sorted[int] = frozenset()
    substitutes: tuple[Substitute, ...] = ()
    pause: AgreedPause | None = None
    paused_for: Microseconds = timedelta()

    @property
    def settings(self) -> Agreements:
        """The same settings without any state, for a new table."""
        return Agreements(self.absence, self.back, take_back=self.take_back)

    def open_at(self, at: datetime) -> Proposal | None:
        """Return the proposal that can be voted on at a given time."""
        is_over = self.open is None or (self.open.until is not None and self.open.until < at)
        return None if is_over else self.open

    def substitute_for(self, seat: int, user: str | None, at: datetime) -> Substitute | None:
        """Return the substitute from whom a user can take a seat back at a given time."""
        for one in self.substitutes:
            if one.seat == seat and one.user == user and at <= one.until:
                return one
        return None

    @property
    def is_paused(self) -> bool:
        """Whether the game is paused, with no end decided."""
        return self.pause is not None and self.pause.until is None

    @property
    def paused_until(self) -> datetime | None:
        """The end of the pause; None if it is not decided, or there is no pause."""
        return None if self.pause is None else self.pause.until

    def game_time(self, at: datetime) -> datetime:
        """Return a moment without the pauses before it, by which clocks run."""
        if self.pause is not None:
            at = self.pause.since if self.pause.until is None else max(at, self.pause.until)
        return at - self.paused_for

    def wall_time(self, time: datetime) -> datetime | None:
        """Return the inverse of ``game_time``; None during a pause with no end decided."""
        return None if self.is_paused else time + self.paused_for

    def with_pause(self, at: datetime) -> Agreements:
        """Return the agreements with a pause from a moment on."""
        before = self.paused_until
        return changed(self, pause=AgreedPause(at if before is None else max(at, before)))

    def ending_pause(self, at: datetime) -> Agreements:
        """Return the agreements with the pause ending after a countdown. Called only if ``is_paused``."""
        since, until = (self.pause.since if self.pause else at), at + COUNTDOWN
        return changed(self, pause=AgreedPause(since, until), paused_for=self.paused_for + (until - since))


_PROPOSAL = TypeAdapter(Proposal)
NO_AGREEMENTS = Agreements()
