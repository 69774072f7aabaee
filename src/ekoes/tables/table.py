"""`Table`: the frozen value of a game with its players, abstract over turn-based and real-time games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Annotated, Any, ClassVar, Generic, Literal, Self

from pydantic import Field, PlainSerializer
from typing_extensions import TypeVar

from ekoes.bots import BotRequest, Secret, stand_in
from ekoes.errors import PositionError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer, Json, Outcome, Position
from ekoes.games.api.reading import TEXTS, error_key, moment_text
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.table import Decision, fields_about
from ekoes.games.api.values import BRIEF, Finding, Sorted, StoredFields, changed
from ekoes.records import GameRecord, rules_text
from ekoes.tables.deals import Joint
from ekoes.tables.orders import Abort, AnyOrder, Deal, FirstOrder, Instead, Resign, What
from ekoes.tables.presenter import LogEntry, Presenter
from ekoes.tables.settings import (
    NO_AGREEMENTS,
    Agreements,
    ClockPlan,
    Proposal,
    Seat,
    TableOptions,
    TablePlan,
    clock_json,
)

DEFAULT_PACE = 700
"""Milliseconds before a bot's decision at a new turn table; at a race table other delays are scaled by it."""

ABORTED = "aborted"
"""The reason of an outcome that is no result."""
NO_SHOW = "no-show"
"""The reason of a win against a player of a tournament who has not come."""
_TO_COUNT = 2
"""Decisions of each player after which a rated game counts."""
MOST_ACTIONS = 1000
"""Legal actions of a seat that are listed, at most."""

Status = Literal["yours", "others", "waiting", "over"]
"""Whether the user has to decide, others have to, a seat is free, or the game is over."""

_VOTERS_WITHOUT_ABSENT = frozenset({"bot", "draw", "pause"})
"""Proposals on which absent players do not vote."""


APART = ("log", "log_start", "outcome")
"""Fields of a table that are stored in a way of their own."""
ALWAYS = ("turn_limit", "version", "pace", "agreed", "rematch")
"""Fields of a table that are stored even if they have their default."""

E = TypeVar("E", bound=LogEntry[Any], default=Any)
P = TypeVar("P", bound=Position, default=Any)


@dataclass(frozen=True, slots=True)
class Move:
    """The next order of a bot, and when it is due. instead: the order to submit if the table refuses it."""

    at: datetime
    order: AnyOrder | None = None
    instead: AnyOrder | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Finding, ABC, Generic[P, E]):
    """A game with its players: a frozen value; ``ekoes.tables.submit`` returns the next one.

    options: complete, as JSON. seed: of the first position. rated: the outcome counts for ratings once
    ``counts``. decided: the seats of each player's first two decisions in a rated game, in order, whoever
    made them; None: not rated. binding: the game is one of a tournament's, so its players neither abort,
    pause nor adjourn it, and it has no rematch; or it is an exhibition. left: seat and session of those who
    left a rated game to a bot, in order. version: counts the orders that changed the game. pace: of bots, in
    milliseconds; pace_votes: other paces players vote for, by seat. paused: bots don't move. chat: is on.
    public: listed in the lobby. agreed: the seats that want a rematch; absent: seats that it drops or gives
    to bots; rematch: id of its table. log_start: the number of log entries before ``log``, which are only in
    the store. clock: the time control, if any. imported: the game was played elsewhere, and its record came
    here when it was over. joint: the seed to which its players add parts; None: the server draws alone, or
    the creator has chosen the seed.
    """

    game: str
    options: Json
    seed: int
    seats: tuple[Seat, ...]
    turn_limit: int | None = None
    rated: bool = False
    decided: tuple[int, ...] | None = None
    binding: bool = False
    left: tuple[tuple[int, str], ...] = ()
    version: int = 0
    outcome: Outcome | None = None
    pace: int = DEFAULT_PACE
    pace_votes: Sorted[tuple[int, int]] = frozenset()
    paused: bool = False
    chat: bool = True
    public: bool = False
    agreed: Sorted[int] = frozenset()
    absent: Sorted[tuple[int, Instead]] = frozenset()
    rematch: str | None = None
    log: tuple[E, ...] = ()
    log_start: int = 0
    clock: Annotated[ClockPlan | None, PlainSerializer(clock_json), Field(alias="plan")] = None
    imported: bool = False
    agreements: Annotated[Agreements, BRIEF] = NO_AGREEMENTS
    joint: Annotated[Joint, BRIEF] | None = None

    # ------------------------------------------------------------ new tables

    unavailable: ClassVar[tuple[str, ...]] = ()
    """Options of ``TableOptions`` that this kind of table does not have."""

    @classmethod
    def about(cls, game: str) -> Json:
        """Describe the options of a table of a game."""
        value: Json = load(game_of(game).parts.presenter).about()
        return value | {"options": value["options"] | fields_about(TableOptions, besides=cls.unavailable)}

    @classmethod
    def check_plan(cls, plan: TablePlan) -> None:
        """Raise PositionError, naming the key, if a plan has an option that these tables don't have."""
        for key in cls.unavailable:
            if getattr(plan.options, key) is not None:
                raise PositionError("this game does not have this option", code="position/options", key=key)
        if plan.options.model_extra:
            known = {"players", *cls.about(plan.game)["options"]}
            for key in plan.options.model_extra.keys() - known:
                message = f"{TEXTS['extra_forbidden']}; allowed: {', '.join(sorted(known))}"
                raise PositionError(message, code="position/options", key=error_key([key]))

    @classmethod
    @abstractmethod
    def new(
        cls, game: str, options: Json, seed: int, seats: tuple[Seat, ...], turn_limit: int | None
    ) -> Self:
        """Return a table before its first decision. Raises EkoesError."""

    @abstractmethod
    def redrawn(self, seed: int) -> Self:
        """Return this table before its game with a first position drawn from another seed."""

    @abstractmethod
    def with_clock(self, clock: ClockPlan) -> Self:
        """Return this new table with a clock. Raises PositionError if the game has none of this kind."""

    def with_next_version(self, before: Self) -> Self:
        """Return this table with the version that follows an earlier table's."""
        return changed(self, version=before.version + 1)

    def with_agreements(self, agreements: Agreements) -> Self:
        """Return this new table with its settings for agreements."""
        return changed(self, agreements=agreements)

    def as_rated(self) -> Self:
        """Return this new table with a rated game."""
        return changed(self, rated=True, decided=())

    @property
    @abstractmethod
    def first_seat(self) -> int:
        """The seat that the seed of this new table has drawn to begin."""

    def turned(self, places: int) -> Self:
        """Return this new table with its players seated so many places further on."""
        return changed(self, seats=(*self.seats[-places:], *self.seats[:-places]))

    # ------------------------------------------------------------ state of the game

    @property
    @abstractmethod
    def position(self) -> P:
        """The position now."""

    def status(self, session: str) -> Status:
        """Return the status of the game for a session.

        A table that was replaced by a table without its free seats counts as over.
        """
        if self.outcome is not None or self.rematch is not None:
            return "over"
        if not self.is_started:
            return "waiting"
        return "others" if self.seats_of(session).isdisjoint(self.deciding()) else "yours"

    def has_won(self, session: str) -> bool | None:
        """Return whether a session has won; None if nobody has, or if it holds no seat or all of them."""
        held = self.seats_of(session)
        winners = self.outcome.winners if self.outcome is not None else ()
        if not winners or not held or len(held) == len(self.seats):
            return None
        return not held.isdisjoint(winners)

    def left_by(self, seat: int) -> Outcome:
        """Return the outcome as the only person resigns among several bots, which need not play on.

        By the rules the others play on, so its rule is empty and the record of the game stays open.
        """
        winners = tuple(other for other in range(len(self.seats)) if other != seat)
        return Outcome(winners, "resignation", "")

    def deciding(self) -> tuple[int, ...]:
        """Return the seats for which the game waits."""
        return tuple(self.position.actors())

    @property
    @abstractmethod
    def presenter(self) -> Presenter[Any]:
        """The presenter of the game."""

    def merits(self) -> Sequence[int]:
        """Return a score for each seat, for the ranks of those who didn't win: more is better."""
        return self.presenter.merits(self.position)

    @property
    def berserk(self) -> Collection[int]:
        """The seats that have given up half of their time in an arena."""
        return ()

    def with_berserk(self) -> Self:
        """Return this new table of an arena as one where each player may go berserk, if it has clocks."""
        return self

    @property
    @abstractmethod
    def tempo(self) -> str:
        """The kind of time control, in a word; each has its own ratings."""

    # ------------------------------------------------------------ rated games

    @property
    def counts(self) -> bool:
        """Whether the game is rated however it ends: all who stayed, and at least two, have decided twice."""
        if self.decided is None:
            return False
        twice = {seat for seat in self.decided if self.decided.count(seat) == _TO_COUNT}
        return len(twice) > 1 and self._stayed <= twice

    @property
    def _stayed(self) -> frozenset[int]:
        """The seats of players who have not left for good: a substitute's player may come back."""
        return self.people.union(one.seat for one in self.agreements.substitutes)

    @property
    def can_abort(self) -> bool:
        """Whether each player may end the game without a result."""
        return self.rated and self.is_started and self.outcome is None and not (self.binding or self.counts)

    @property
    @abstractmethod
    def awaited_first(self) -> int | None:
        """The seat whose player has a limited time for a first decision; None: no one has."""

    @property
    @abstractmethod
    def aborts_at(self) -> datetime | None:
        """When the game is aborted unless a player makes their first decision before; None: never."""

    def _abort(self, seat: int) -> Abort:
        """Return the order that aborts the game because a seat's first decision is missing."""
        return Abort(key=f"abort-{self.version}", seat=seat)

    @property
    def is_aborted(self) -> bool:
        """Whether the game was aborted."""
        return self.outcome is not None and self.outcome.reason == ABORTED

    def with_decision(self, seat: int) -> Self:
        """Return the table with a decision of a seat noted, as long as a rated game does not count yet.

        It may be the clock's or a substitute's: no player keeps a game from counting by not deciding.
        """
        decided = self.decided
        if decided is None or seat not in self._stayed or decided.count(seat) == _TO_COUNT:
            return self
        return changed(self, decided=(*decided, seat))

    def _abort_json(self) -> Json:
        """Return until when players may abort the game; empty if they may not."""
        if not self.can_abort:
            return {}
        at = self.aborts_at
        return {"abort": {"until": None if at is None else moment_text(at)}}

    # ------------------------------------------------------------ orders

    @abstractmethod
    def ended(self, outcome: Outcome, at: datetime) -> Self:
        """Return the table with its game ended by the players, not by the rules of play."""

    @abstractmethod
    def apply(self, order: AnyOrder, at: datetime) -> Self:
        """Return the table after an order of the game, whose sender was checked. Raises EkoesError."""

    def check_can_sit(self, session: str | None) -> None:
        """Raise TableError if a session can't take another seat."""

    def vacated(self, seat: int) -> Self:  # noqa: ARG002
        """Return the table without what the player leaving a seat has offered or prepared."""
        return self

    @abstractmethod
    def proposable(self) -> tuple[What, ...]:
        """Return what can be proposed now, besides takebacks and proposals about an absent player."""

    def check_takeback(self, seat: int) -> None:  # noqa: ARG002
        """Raise TableError if a seat's last turn can't be taken back."""
        raise TableError("this game has no takebacks", code="table/no-take-back")

    def timed_out_seats(self) -> Collection[int]:
        """Return the seats of players who have let their time run out turn after turn."""
        return ()

    def carry_out(self, proposal: Proposal, at: datetime) -> Self:
        """Return the table after a proposal that all agreed to, other than a bot in a seat."""
        if proposal.what == "pause":
            return changed(self, agreements=self.agreements.with_pause(at))
        if proposal.what == "draw":
            rule = game_of(self.game).table_ends.rules()["agreement"]
            return self.ended(Outcome((), "agreement", rule), at)
        return self

    @abstractmethod
    def with_other_player(self, seat: int, at: datetime) -> Self:
        """Return the table going on with a bot in a player's seat, or with the player back in it."""

    def resumed(self, at: datetime) -> Self:  # noqa: ARG002
        """Return the table after the server was down, or bots were paused."""
        return self

    # ------------------------------------------------------------ clocks, chance and bots

    @property
    @abstractmethod
    def is_busy(self) -> bool:
        """Whether something can happen without a player: a bot, a clock, chance."""

    @abstractmethod
    def automatic_order(self, at: datetime, chance: Chance) -> tuple[AnyOrder, datetime] | None:
        """Return an order that is due without a player, and its time: chance, a clock, a prepared move."""

    def _deal(self, chance: Chance) -> Deal:
        """Return the order of a chance decision that is due."""
        action = game_of(self.game).action_to_json(self.position.chance_action(chance))
        return Deal(key=f"deal-{self.version}", action=action)

    @property
    @abstractmethod
    def deadline(self) -> datetime | None:
        """When the first clock runs out; None if none runs."""

    @property
    def clock_since(self) -> datetime | None:
        """Since when a clock runs that does not stop when no one is connected."""
        return None

    def lag_order(self, seat: int, milliseconds: int) -> AnyOrder | None:  # noqa: ARG002
        """Return the order that sets a player's lag, if the table has to know it."""
        return None

    def vacation_order(self, seat: int, *, begins: bool) -> AnyOrder | None:  # noqa: ARG002
        """Return the order that begins or ends a player's vacation, if the table has to know it."""
        return None

    @abstractmethod
    def bot_requests(self, secret: Secret) -> Sequence[BotRequest]:
        """Return the requests to bots that are open now."""

    @abstractmethod
    def bot_move(self, request: BotRequest, answer: Answer, now: datetime) -> Move | None:
        """Return the order of a bot's answer and its time; None if it is no longer wanted.

        now: when the request was made.
        """

    # ------------------------------------------------------------ views

    @abstractmethod
    def options_json(self) -> Json:
        """Return the public options."""

    def board_json(self) -> Json:
        """Return what stays the same for the whole game."""
        return {}

    @abstractmethod
    def shared_state(self, now: datetime) -> Json:
        """Return the part of the state that everybody sees."""

    @abstractmethod
    def own_state(self, seats: Collection[int]) -> Json:
        """Return the part of the state that only the user of some seats sees."""

    @abstractmethod
    def actions_json(self, seats: Collection[int]) -> Json:
        """Return the legal actions of those of some seats that are to decide, at most MOST_ACTIONS each."""

    def conditional_moves_json(self, seats: Collection[int]) -> Json:  # noqa: ARG002
        """Return the conditional moves of the user of some seats, by seat."""
        return {}

    @abstractmethod
    def timed_keys(self) -> Collection[str]:
        """Return the keys of ``shared_state`` that depend on the time, and are sent with every update."""

    @abstractmethod
    def past_state(self, entries: int, then: Self) -> Json:
        """Return the state after some entries of the log.

        then: a table whose log holds the last of them with its position, or this one; for none of them,
        the new table.
        """

    def entry_and_position(self, entries: int, then: Self) -> tuple[E | None, P]:
        """Return the last of some entries of the log, None if there is none, and the position after it.

        then: as in ``past_state``. Raises TableError if there are fewer entries.
        """
        if entries > then.length:
            raise TableError(f"there have been {then.length} decisions", code="table/not-found")
        entry = then.log[entries - then.log_start - 1] if entries else None
        position = then.position if entry is None else entry.position
        if position is None:
            raise TableError("this position is not in memory", code="table/not-found")
        return entry, position

    @abstractmethod
    def entries_json(self, start: int = 0) -> list[Json]:
        """Return the log from an entry (log_start … length) on, without its hidden parts."""

    def unchanged_entries(self, before: Table) -> int:
        """Return how many entries of an earlier table's log are in this one, from the first on."""
        return min(before.length, self.length)

    @abstractmethod
    def record_text(self, made: Self, log: Sequence[E], rules: Sequence[str]) -> str:
        """Write the game as a record. Raises TableError while it may not be seen.

        made: the new table. log: all entries. rules: the versions that judged each of them.
        """

    def _record(
        self, made: Self, decisions: Iterable[Decision], log: Sequence[E], rules: Sequence[str]
    ) -> GameRecord:
        names = tuple(seat.name or seat.bot or "" for seat in self.seats)
        return GameRecord(
            game=self.game,
            start=made.position,
            decisions=tuple(decisions),
            outcome=self.outcome if self.outcome and self.outcome.rule else None,
            names=names if any(names) else (),
            date=log[0].at.date().isoformat() if log else None,
            rules=rules_text(rules) or game_of(self.game).rules_version,
        )

    # ------------------------------------------------------------ stored state

    @abstractmethod
    def to_state(self) -> Json:
        """Return the whole table as JSON, without its log; new fields only if set, for equal digests."""

    @classmethod
    @abstractmethod
    def from_state(cls, value: Json) -> Self:
        """Read what ``to_state`` wrote; the log is empty and begins where it ended. Raises EkoesError."""

    @classmethod
    @abstractmethod
    def entry_to_state(cls, game: str, entry: E) -> Json:
        """Return an entry of the log as JSON, including hidden parts, without its position."""

    @classmethod
    @abstractmethod
    def entry_from_state(cls, game: str, value: Json) -> E:
        """Read what ``entry_to_state`` wrote. Raises EkoesError."""

    def _common_state(self, fields: StoredFields) -> Json:
        return fields.write(self) | {"outcome": outcome_json(self.outcome), "length": self.length}

    @staticmethod
    def _common_fields(value: Json, fields: StoredFields) -> Json:
        outcome = outcome_from_json(value["outcome"])
        return fields.read(value) | {"outcome": outcome, "log_start": value["length"]}

    # ------------------------------------------------------------ seats

    @cached_property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return None not in [seat.session or seat.bot for seat in self.seats]

    @cached_property
    def is_started(self) -> bool:
        """Whether every seat is taken, and the first position drawn."""
        return self.is_full and (self.joint is None or self.joint.seed is not None)

    def check_started(self, order: AnyOrder | None = None) -> None:
        """Raise TableError before the game has started; players may resign as soon as every seat is taken."""
        if not (self.is_full if isinstance(order, Resign) else self.is_started):
            raise TableError("a seat is still free", code="table/not-started")

    @property
    def goes_on(self) -> bool:
        """Whether it is open or in play."""
        return self.outcome is None and self.rematch is None

    @property
    def is_in_play(self) -> bool:
        """Whether its game has begun and goes on."""
        return self.is_started and self.goes_on

    @property
    def is_drawn_now(self) -> bool:
        """Whether the first position is still to be drawn: all seats are taken, and parts may be awaited."""
        return self.is_full and not self.is_started and self.goes_on

    @property
    def awaits_parts(self) -> bool:
        """Whether a player who has not resigned is still to add a part to the seed."""
        return self.joint is not None and not self.joint.awaits.isdisjoint(self.people)

    @cached_property
    def people(self) -> frozenset[int]:
        """The seats that persons hold or may take."""
        return frozenset([number for number, seat in enumerate(self.seats) if seat.kind != "bot"])

    @property
    def is_exhibition(self) -> bool:
        """Whether bots play for viewers alone, who may neither pause the game nor set its pace."""
        return self.binding and not self.people

    @property
    def host(self) -> str | None:
        """The session that may start with free seats: the creator's, else that of the first taken seat."""
        held = sorted((seat for seat in self.seats if seat.session), key=lambda seat: seat.kind != "here")
        return held[0].session if held else None

    def session_of(self, order: FirstOrder) -> str | None:
        """Return who gives an order with which a game begins; None: the server, for bots and for chance."""
        return None if isinstance(order, Deal) else self.seats[order.seat].session

    def seats_of(self, session: str | None) -> frozenset[int]:
        """Return the seats that a session holds."""
        return frozenset([number for number, seat in enumerate(self.seats) if seat.session == session])

    def is_held_by(self, session: str | None, seat: int) -> bool:
        """Return whether a session (None: the server, for bots) decides for a seat."""
        if seat >= len(self.seats):
            return False
        held = self.seats[seat]
        return held.kind == "bot" if session is None else held.session == session

    def with_seat(self, seat: int, **changes: object) -> Self:
        """Return the table with one seat changed."""
        after: Seat = changed(self.seats[seat], **changes)
        return changed(self, seats=(*self.seats[:seat], after, *self.seats[seat + 1 :]))

    def with_names(self, names: Iterable[str]) -> Self:
        """Return the table with other names of its seats."""
        named = (changed(seat, name=name) for seat, name in zip(self.seats, names, strict=True))
        return changed(self, seats=tuple(named))

    def with_bot(self, seat: int) -> Self:
        """Return the table with the game's stand-in bot in a seat."""
        return self.with_seat(seat, kind="bot", bot=stand_in(self.game), session=None)

    def seats_json(self, session: str, online: Collection[str]) -> list[Json]:
        """Return the seats as a session sees them. online: the sessions that are connected."""
        shown: list[Json] = [
            {
                "seat": number,
                "name": seat.name,
                "colour": seat.colour,
                "kind": seat.kind,
                "bot": seat.bot,
                "taken": seat.is_taken,
                "yours": seat.session == session,
                "online": seat.kind == "bot" or seat.session in online,
            }
            for number, seat in enumerate(self.seats)
        ]
        for substitute in self.agreements.substitutes:
            if substitute.user == session:
                shown[substitute.seat]["substitute_until"] = moment_text(substitute.until)
        return shown

    # ------------------------------------------------------------ agreements

    def is_paused_at(self, at: datetime) -> bool:
        """Return whether bots and clocks are paused at a moment."""
        pause = self.agreements.pause
        return self.paused or (pause is not None and pause.holds(at))

    def seats_of_user(self, seat: int) -> frozenset[int]:
        """Return all seats of the session that holds a seat."""
        return self.seats_of(self.seats[seat].session)

    def voters(self, proposal: Proposal) -> frozenset[int]:
        """Return the seats that vote on a proposal, its own among them."""
        held = frozenset(number for number, seat in enumerate(self.seats) if seat.session is not None)
        without = self.agreements.absent if proposal.what in _VOTERS_WITHOUT_ABSENT else frozenset[int]()
        return held - {proposal.about} - without

    def awaited_voters(self) -> frozenset[str]:
        """Return the sessions that have not voted yet on the open proposal."""
        proposal = self.agreements.open
        if proposal is None:
            return frozenset()
        agreed = {self.seats[seat].session for seat in proposal.agreed}
        asked = {self.seats[seat].session for seat in self.voters(proposal)}
        return frozenset(session for session in asked - agreed if session is not None)

    def pace_votes_json(self) -> list[Json]:
        """Return the pace that each seat votes for."""
        return [{"seat": seat, "milliseconds": pace} for seat, pace in sorted(self.pace_votes)]

    def draw_proposals(self) -> tuple[What, ...]:
        """Return a draw, if the game has draws by agreement."""
        return () if game_of(self.game).table_ends.agreement is None else ("draw",)

    def has_same_settings(self, before: Table) -> bool:  # noqa: ARG002
        """Return whether nothing can have changed in options, ``agreements_json`` and the bots' pace."""
        return False

    def agreements_json(self) -> Json:
        """Return the open proposal, what can be proposed, absent and timed-out players, and the pause."""
        agreements, proposal, pause = self.agreements, self.agreements.open, self.agreements.pause
        shown: Json | None = None
        if proposal is not None:
            shown = proposal.to_json() | {"asked": sorted(self.voters(proposal))}
            if proposal.until is not None:
                shown["until"] = moment_text(proposal.until)
        is_running = self.is_started and self.outcome is None
        until = None if pause is None or pause.until is None else moment_text(pause.until)
        return {
            "proposal": shown,
            "may": [*self.proposable(), *self.draw_proposals()],
            "absent": sorted(agreements.absent),
            "timed_out": sorted(self.timed_out_seats()) if is_running else [],
            "substitutes": sorted(one.seat for one in agreements.substitutes),
            "pause": None if pause is None else {"until": until},
        }

    # ------------------------------------------------------------ log and rematch

    @cached_property
    def length(self) -> int:
        """The number of entries in the whole log."""
        return self.log_start + len(self.log)

    def with_short_log(self, entries: int) -> Self:
        """Return the table with only the last entries of its log, once it holds more than twice as many."""
        surplus = len(self.log) - entries
        if surplus <= entries:
            return self
        return changed(self, log=self.log[surplus:], log_start=self.log_start + surplus)

    @cached_property
    def wants_rematch(self) -> bool:
        """Whether all players who are not absent agreed to a rematch that has no table yet."""
        if not self.agreed or self.rematch is not None:
            return False
        asked = self.people - dict(self.absent).keys()
        return bool(asked) and self.agreed >= asked

    def _rematch_json(self) -> Json:
        shown: Json = {"agreed": sorted(self.agreed), "table": self.rematch}
        if self.binding:
            shown["tournament"] = True
        if self.absent:
            shown["absent"] = {str(seat): instead for seat, instead in sorted(self.absent)}
        return shown

    def _kind_json(self) -> Json:
        """Return whether the game is rated, and whether players add parts to the seed, or have."""
        rated = {"rated": True} if self.rated else {}
        if self.joint is None or (self.joint.seed is None and self.outcome is not None):
            return rated
        return {**rated, "deal": "open" if self.joint.seed is None else "drawn"}


def not_due() -> TableError:
    """Return the refusal of an order that the server gives when something is due."""
    return TableError("this is not due", code="table/not-now")


def outcome_json(outcome: Outcome | None) -> Json | None:
    """Return an outcome as JSON."""
    if outcome is None:
        return None
    return {"winners": list(outcome.winners), "reason": outcome.reason, "rule": outcome.rule or None}


def outcome_from_json(value: Json | None) -> Outcome | None:
    """Read what ``outcome_json`` wrote."""
    if value is None:
        return None
    return Outcome(tuple(value["winners"]), value["reason"], value["rule"] or "")
