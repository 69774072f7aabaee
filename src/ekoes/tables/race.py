"""`RaceTable`: a real-time game, in which the first player to act wins the chance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Generic, Self, cast

from ekoes.bots import BotRequest, Secret
from ekoes.errors import PositionError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer, Json, Outcome
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.table import Ask
from ekoes.games.api.values import Stamp, StoredFields, changed
from ekoes.records import Place, write_record
from ekoes.tables.orders import AnyOrder, Deal, Intent, Resign, Tick, What
from ekoes.tables.presenter import E, RacePresenter, State
from ekoes.tables.settings import Agreements, ClockPlan, Proposal, Seat
from ekoes.tables.table import (
    ALWAYS,
    APART,
    DEFAULT_PACE,
    MOST_ACTIONS,
    Move,
    P,
    Table,
    not_due,
    outcome_json,
)


def presenter_of(name: str) -> RacePresenter[Any, Any, Any]:
    """Return the presenter of a real-time game."""
    return cast("RacePresenter[Any, Any, Any]", load(game_of(name).parts.presenter))


LONGEST_DELAY = 60_000
"""The longest delay of a bot at the usual pace, in milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceTable(Table[P, E], Generic[P, State, E]):
    """A game in which intents are judged as they arrive.

    play: the game's own state. latest: the time of the latest order; later ones never count as earlier.
    """

    play: State
    latest: Stamp | None = None

    @property
    def presenter(self) -> RacePresenter[P, State, E]:
        """The presenter of the game."""
        return presenter_of(self.game)

    # ------------------------------------------------------------ new tables

    unavailable = ("seed", "turn_limit", "clock", "take_back")

    @classmethod
    def new(
        cls,
        game: str,
        options: Json,
        seed: int,
        seats: tuple[Seat, ...],
        turn_limit: int | None,  # noqa: ARG003
    ) -> Self:
        """Return a table before its first deal."""
        presenter = presenter_of(game)
        settings = presenter.settings(options)
        if sum(seat.kind == "here" for seat in seats) > 1:
            settings = presenter.at_one_browser(settings)
        play = presenter.begin(settings, seed, _people(seats))
        return cls(game=game, options=settings, seed=seed, seats=seats, play=play)

    def redrawn(self, seed: int) -> Self:
        """Return this table before its game with another first position."""
        play = self.presenter.begin(self.options, seed, _people(self.seats))
        return changed(self, seed=seed, play=play).with_agreements(self.agreements)

    def with_clock(self, clock: ClockPlan) -> Self:  # noqa: ARG002
        """Raise PositionError: the game has its own clock."""
        raise PositionError("this game does not have this option", code="position/options", key="clock")

    def with_agreements(self, agreements: Agreements) -> Self:
        """Return this new table with its settings for agreements."""
        play = self.play.counting_timed_out_turns() if agreements.absence else self.play
        return changed(self, agreements=agreements, play=play)

    @property
    def first_seat(self) -> int:
        """The seat that deals or begins the first round."""
        return self.presenter.first(self.play)

    def turned(self, places: int) -> Self:
        """Return this new table with its players, people and bots, seated so many places further on."""
        return Table.turned(self, places).redrawn(self.seed)

    # ------------------------------------------------------------ state of the game

    @property
    def position(self) -> P:
        """The position now."""
        position: P = self.play.position
        return position

    @property
    def needs_deal(self) -> bool:
        """Whether chance has to decide before anything else."""
        return self.is_started and self.outcome is None and self.play.needs_deal

    def merits(self) -> Sequence[int]:
        """Return a score for each seat: more is better."""
        return self.presenter.merits(self.play)

    @property
    def tempo(self) -> str:
        """How fast the game is, or that it was imported, in a word."""
        return "imported" if self.imported else self.presenter.tempo(self.options)

    # ------------------------------------------------------------ rated games

    @property
    def awaited_first(self) -> int | None:
        """The seat in turn whose player has not decided yet; None: there is none."""
        seat = self.play.in_turn if self.can_abort else None
        return None if seat not in self.people or seat in (self.decided or ()) else seat

    @property
    def aborts_at(self) -> datetime | None:
        """When the clock would decide for a player who has not decided yet."""
        return None if self.awaited_first is None else self.deadline

    # ------------------------------------------------------------ orders

    def apply(self, order: AnyOrder, at: datetime) -> Self:
        """Return the table after an order; itself if the order comes too late to change anything."""
        self.check_started(order)
        at = self._not_before_latest(at)
        after = self._after_order(order, self.agreements.game_time(at))
        return self if after is self else changed(after, latest=at)

    def ended(self, outcome: Outcome, at: datetime) -> Self:
        """Return the table with its game ended by the players."""
        play, entries = self.presenter.ended(self.play, outcome, self._game_time(at)).taken()
        return changed(self, play=play, log=(*self.log, *entries), outcome=outcome)

    def _after_order(self, order: AnyOrder, time: datetime) -> Self:
        presenter, play = self.presenter, self.play
        match order:
            case Intent(seat=seat, action=intent):
                return self._after_decision(presenter.judge(play, seat, intent, time))
            case Resign(seat=seat) if self.is_drawn_now and len(self.seats) > 2:
                return self.with_bot(seat)  # the log begins with the deal
            case Resign(seat=seat):
                left = presenter.resign(play, seat, time)
                if left.outcome is None and self.people == {seat}:
                    left = presenter.ended(left, self.left_by(seat), time)
                after = self._after_event(left)
                return after if after.outcome is not None else after.with_bot(seat)
            case Deal(action=action) if self.needs_deal:
                return self._after_event(presenter.deal(play, game_of(self.game).parse_action(action), time))
            case Tick() if (ends := play.ends_at()) is not None and ends <= time:
                return self._after_decision(presenter.time_out(play, time))
            case Deal() | Tick():
                raise not_due()
            case _:
                raise TableError("this game has no such order", code="table/wrong-order")

    def _after_event(self, after: State) -> Self:
        if after is self.play:
            return self
        play, entries = after.taken()
        return changed(self, play=play, log=(*self.log, *entries), outcome=play.outcome)

    def _after_decision(self, state: State) -> Self:
        """Return the table after an event, its decisions noted; the clock's only after a player's own."""
        after = self._after_event(state)
        for entry in after.log[len(self.log) :]:
            if not entry.by_clock or entry.seat in (after.decided or ()):
                after = after.with_decision(entry.seat)
        return after

    def _not_before_latest(self, at: datetime) -> datetime:
        return at if self.latest is None else max(at, self.latest)

    def _game_time(self, at: datetime) -> datetime:
        return self.agreements.game_time(self._not_before_latest(at))

    def check_can_sit(self, session: str | None) -> None:
        """Raise TableError if a session would see what is hidden at two seats."""
        if self.seats_of(session):
            try:
                self.presenter.at_one_browser(self.options)
            except TableError as error:
                raise TableError(error.message, code=error.code, rule=error.rule, key="seat") from None

    def resumed(self, at: datetime) -> Self:
        """Return the table with clocks and bots restarted as they stood when the server went down."""
        return changed(self, play=self.play.with_clocks_from(self._game_time(at)))

    # ------------------------------------------------------------ agreed proposals

    def proposable(self) -> tuple[What, ...]:
        """Return a pause, except in a tournament, and open hands while they are hidden after each round."""
        pause: tuple[What, ...] = () if self.binding or self.agreements.is_paused else ("pause",)
        return (*pause, "hands") if self.presenter.may_show(self.play) else pause

    def timed_out_seats(self) -> Collection[int]:
        """Return the seats of players who have let their time run out turn after turn."""
        return [seat for seat in self.play.timed_out_seats if seat in self.people]

    def carry_out(self, proposal: Proposal, at: datetime) -> Self:
        """Return the table after a proposal that all agreed to."""
        if proposal.what != "hands":
            return Table.carry_out(self, proposal, self._not_before_latest(at))
        play, options = self.presenter.showing(self.play)
        return changed(self, play=play, options=self.options | options)

    def with_other_player(self, seat: int, at: datetime) -> Self:  # noqa: ARG002
        """Return the table going on with a bot in a player's seat, or with the player back in it."""
        return self._after_event(self.presenter.with_people(self.play, self.people, self._game_time(at)))

    # ------------------------------------------------------------ clocks, chance and bots

    @property
    def is_busy(self) -> bool:
        """Whether a deal is due, a clock runs, or a bot plays."""
        if not self.is_started or self.outcome is not None:
            return self.is_drawn_now
        has_bots = len(self.people) < len(self.seats)
        return self.needs_deal or has_bots or self.deadline is not None

    def automatic_order(self, at: datetime, chance: Chance) -> tuple[AnyOrder, datetime] | None:
        """Return what is due: the deal, or the clock, which aborts a game that a player has not begun."""
        if self.needs_deal:
            return self._deal(chance), at
        ends = self.deadline
        if ends is None or ends > at:
            return None
        seat = self.awaited_first
        return Tick(key=f"tick-{self.version}") if seat is None else self._abort(seat), ends

    @property
    def deadline(self) -> datetime | None:
        """When the running clock runs out."""
        time = self.play.ends_at()
        return None if time is None else self.agreements.wall_time(time)

    def bot_requests(self, secret: Secret) -> tuple[BotRequest, ...]:
        """Return the requests to each bot: what it would do if no one else acted before."""
        if not self.is_started or self.outcome is not None:
            return ()
        presenter, requests = self.presenter, []
        for number, seat in enumerate(self.seats):
            if seat.kind != "bot" or seat.bot is None:
                continue
            for ask in presenter.asked(self.play, number):
                key = _key(number, ask)
                request = BotRequest(
                    key=key,
                    version=self.version,
                    game=self.game,
                    bot=seat.bot,
                    seat=number,
                    asks=ask.asks,
                    sight=self.position.sight(number),
                    chance=secret.seed(key),
                )
                requests.append(request)
        return tuple(requests)

    def bot_move(self, request: BotRequest, answer: Answer, now: datetime) -> Move | None:  # noqa: ARG002
        """Return the bot's intent, after the delay it asks for; None if it is no longer wanted.

        A bot's mistake must not stop the game: where others wait for it, the game provides another intent.
        An empty answer is no order.
        """
        presenter, seat = self.presenter, request.seat
        ask = next((ask for ask in presenter.asked(self.play, seat) if _key(seat, ask) == request.key), None)
        begins = None if ask is None else self.agreements.wall_time(ask.at)
        if ask is None or begins is None:
            return None
        # Where only bots play no one waits, and other tables need the machine too.
        pace = self.pace if self.people else max(self.pace, DEFAULT_PACE)
        delay = min(max(0, answer.delay), LONGEST_DELAY) * pace // DEFAULT_PACE
        key = f"bot-{seat}-{self.version}"
        actions = (answer.action, presenter.fallback(self.play, ask.asks))
        orders = [Intent(key=key, seat=seat, action=action) for action in actions if action]
        return Move(begins + timedelta(milliseconds=delay), *orders) if orders else None

    # ------------------------------------------------------------ views

    def options_json(self) -> Json:
        """Return the options; the seed is secret."""
        imported = {"imported": True} if self.imported else {}
        return self.options | imported | self._kind_json()

    def timed_keys(self) -> Collection[str]:
        """Return the keys of the shared state that depend on the time."""
        return self.presenter.timed

    def shared_state(self, now: datetime) -> Json:
        """Return the part of the state that everybody sees."""
        presenter = self.presenter
        ends = {"outcome": outcome_json(self.outcome), "rematch": self._rematch_json(), **self._abort_json()}
        return (
            presenter.shared_state(self.play, self.agreements.game_time(now))
            | ends
            | presenter.own_state(self.play, ())
        )

    def own_state(self, seats: Collection[int]) -> Json:
        """Return the part of the state that only the user of some seats sees."""
        return self.presenter.own_state(self.play, seats)

    def actions_json(self, seats: Collection[int]) -> Json:
        """Return the intents of those of some seats that are to decide."""
        if self.outcome is not None or not self.is_started:
            return {}
        each = {seat: self.presenter.actions(self.play, seat) for seat in sorted(seats)}
        return {str(seat): actions[:MOST_ACTIONS] for seat, actions in each.items() if actions}

    def past_state(self, entries: int, then: Self) -> Json:
        """Return the state after some entries, as everybody saw it; after the game with what was hidden."""
        presenter = self.presenter
        entry, position = self.entry_and_position(entries, then)
        outcome = outcome_json(self.outcome) if entries == self.length else None
        ends = {"outcome": outcome, "rematch": self._rematch_json()}
        return (
            presenter.own_state(self.play, ())
            | presenter.past_state(self.play, position, entries, entry)
            | ends
        )

    def entries_json(self, start: int = 0) -> list[Json]:
        """Return the log from an entry on, without what only one player may see."""
        public_entry = self.presenter.public_entry
        return [
            {"n": number} | public_entry(entry)
            for number, entry in enumerate(self.log[start - self.log_start :], start + 1)
        ]

    def record_text(self, made: Self, log: Sequence[E], rules: Sequence[str]) -> str:
        """Write a finished game as a record. Raises TableError before: it shows every hand."""
        if self.outcome is None:
            message = "the record holds every hand; it can be had when the game is over"
            raise TableError(message, code="table/not-over", rule=self.presenter.secrecy)
        return self.open_record_text(made, log, rules)

    def open_record_text(self, made: Self, log: Sequence[E], rules: Sequence[str]) -> str:
        """Write a game as a record, finished or not; not for its players. Times count from the first deal."""
        said = self.presenter.in_order_of_arrival(self.play, log)
        decisions = (decision for decision, _, _ in said)
        record = replace(self._record(made, decisions, log, rules), table=self.play.options)
        return write_record(record, [Place(number, summary) for _, number, summary in said])

    # ------------------------------------------------------------ stored state

    def to_state(self) -> Json:
        """Return the whole table as JSON, without its log; the start of clocks under a key of its own."""
        play = self.presenter.to_state(self.play)
        clock = {"clock": play.pop("clock")} if "clock" in play else {}
        return self._common_state(_STORED) | {"play": play} | clock

    @classmethod
    def from_state(cls, value: Json) -> Self:
        """Read what ``to_state`` wrote. Raises EkoesError."""
        clock = {"clock": value["clock"]} if "clock" in value else {}
        return cls(
            **cls._common_fields(value, _STORED),
            play=presenter_of(value["game"]).from_state(value["play"] | clock),
        )

    @classmethod
    def entry_to_state(cls, game: str, entry: E) -> Json:
        """Return an entry of the log as JSON, without its position."""
        return presenter_of(game).entry_to_state(entry)

    @classmethod
    def entry_from_state(cls, game: str, value: Json) -> E:
        """Read what ``entry_to_state`` wrote."""
        entry: E = presenter_of(game).entry_from_state(value)
        return entry


# A race has no time control, the field `clock`: its turn clock is stored under that key.
_STORED = StoredFields(RaceTable, (*APART, "play", "clock"), (*ALWAYS, "latest"))


def _key(seat: int, ask: Ask) -> str:
    return f"{ask.asks}-{seat}-{ask.number}"


def _people(seats: tuple[Seat, ...]) -> frozenset[int]:
    return frozenset(number for number, seat in enumerate(seats) if seat.kind != "bot")
