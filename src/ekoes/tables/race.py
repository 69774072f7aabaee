"""`RaceTable`: a real-time game, in which the first player to act wins the chance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, Self, cast

from ekoes.bots import Bot, BotRequest, Secret
from ekoes.errors import PositionError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer, Json, Outcome, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.table import Ask, Decision
from ekoes.games.api.values import changed
from ekoes.records import Place, write_record
from ekoes.tables.orders import AnyOrder, Deal, Intent, Resign, Tick, Wake, What
from ekoes.tables.settings import Agreements, ClockPlan, Proposal, Seat
from ekoes.tables.table import DEFAULT_PACE, MOST_ACTIONS, Move, Table, outcome_json


class Presenter(Protocol):
    """How a table plays and shows one game. All states and entries are of that game."""

    secrecy: str
    """The rule that hides the record, which shows every hand, until the game is over."""
    timed: Collection[str]
    """The keys of ``shared_state`` that depend on the time."""

    # ------------------------------------------------------------ new games

    def about(self) -> Json:
        """Describe the options of a table of this game."""

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options of a new game and return them complete, as JSON. Raises EkoesError."""

    def at_one_browser(self, settings: Json) -> Json:
        """Return the settings for several players at one browser. Raises TableError if there are none."""

    def begin(self, settings: Json, seed: int, people: frozenset[int]) -> Any:  # noqa: ANN401
        """Return the state before the first deal. people: the seats that people hold or may take."""

    def first(self, state: Any) -> int:  # noqa: ANN401
        """Return the seat that the first deal is drawn for: the dealer, or who begins."""

    def stands(self, settings: Json, position: Any, people: frozenset[int], at: datetime) -> Any:  # noqa: ANN401
        """Return the state of a game that starts from a position. Raises EkoesError."""

    def position(self, state: Any) -> Position:  # noqa: ANN401
        """Return the current position."""

    def outcome(self, state: Any) -> Outcome | None:  # noqa: ANN401
        """Return the outcome by the rules or by a resignation; None while the game is running."""

    def merits(self, state: Any) -> Sequence[int]:  # noqa: ANN401
        """Return a score for each seat: more is better."""

    def tempo(self, settings: Json) -> str:
        """Return how fast the game is, in a word."""

    # ------------------------------------------------------------ events, which return the next state

    def taken(self, state: Any) -> tuple[Any, tuple[Any, ...]]:  # noqa: ANN401
        """Return a state without the log entries of the latest event, and these entries.

        Each has ``seat``, ``at``, ``by_clock`` (whether the clock decided for the player) and ``position``
        (after it; None if read from storage).
        """

    def needs_deal(self, state: Any) -> bool:  # noqa: ANN401
        """Return whether a chance decision (``Position.chance_action``) is due before anything else."""

    def deal(self, state: Any, action: Any, at: datetime) -> Any:  # noqa: ANN401
        """Apply a chance decision. Raises IllegalActionError."""

    def judge(self, state: Any, seat: int, intent: Json, at: datetime) -> Any:  # noqa: ANN401
        """Judge a player's intent; the same state if it has no effect any more. Raises EkoesError."""

    def resign(self, state: Any, seat: int, at: datetime) -> Any:  # noqa: ANN401
        """Remove a player: of two, the other wins; else a bot plays on."""

    def ended(self, state: Any, outcome: Outcome, at: datetime) -> Any:  # noqa: ANN401
        """End the game with an outcome that is not by the rules of play."""

    def with_people(self, state: Any, people: frozenset[int], at: datetime) -> Any:  # noqa: ANN401
        """Continue with people at other seats: a bot has replaced a player, or a player is back."""

    def counting_timed_out_turns(self, state: Any) -> Any:  # noqa: ANN401
        """Return the state before the first deal, with short waits for players who time out."""

    def timed_out_seats(self, state: Any) -> Collection[int]:  # noqa: ANN401
        """Return the players who let their time run out turn after turn: others need not wait for them."""

    def may_show(self, state: Any) -> bool:  # noqa: ANN401
        """Return whether hands stay hidden after each round but could be shown."""

    def showing(self, state: Any) -> tuple[Any, Json]:  # noqa: ANN401
        """Return the state with open hands after each round from now on, and the options for that."""

    def in_turn(self, state: Any) -> int | None:  # noqa: ANN401
        """Return the seat for which the running clock will decide, None if for no one."""

    def ends_at(self, state: Any) -> datetime | None:  # noqa: ANN401
        """Return when the running clock runs out, None if none runs."""

    def time_out(self, state: Any, at: datetime) -> Any:  # noqa: ANN401
        """Apply what is due when the clock runs out."""

    def with_clocks_from(self, state: Any, at: datetime) -> Any:  # noqa: ANN401
        """Return the state with its clocks restarted after the server was down."""

    # ------------------------------------------------------------ bots

    def asked(self, state: Any, seat: int) -> Iterable[Ask]:  # noqa: ANN401
        """Return the requests to the bot of a seat: what it would do if no one else acted before."""

    def answer(self, player: Bot, sight: Any, seat: int, asks: str, chance: Chance) -> Json | None:  # noqa: ANN401
        """Return the intent of a bot without a ``plan`` method, by ``Bot.choose``; None: nothing."""

    def fallback(self, state: Any, asks: str) -> Json | None:  # noqa: ANN401
        """Return a replacement for an illegal or missing answer if others wait for one, else None."""

    # ------------------------------------------------------------ views

    def shared_state(self, state: Any, now: datetime) -> Json:  # noqa: ANN401
        """Return the part of the state that everybody sees."""

    def own_state(self, state: Any, seats: Collection[int]) -> Json:  # noqa: ANN401
        """Return the part that only the user of some seats sees; without seats, the same keys empty."""

    def actions(self, state: Any, seat: int) -> list[Json]:  # noqa: ANN401
        """Return the intents of a seat if it is to decide; they depend only on what its player sees."""

    def past_state(self, state: Any, position: Any, entries: int, entry: Any) -> Json:  # noqa: ANN401
        """Return the public state after some entries. position: the position at that time.

        state: the current one. entry: the last of these entries, None if there is none.
        """

    def public_entry(self, entry: Any) -> Json:  # noqa: ANN401
        """Return the public part of an entry."""

    # ------------------------------------------------------------ records and stores

    def options(self, state: Any) -> Any:  # noqa: ANN401
        """Return the options of the table as the game's book writes them (``Book.table_tags``)."""

    def in_order_of_arrival(
        self,
        state: Any,  # noqa: ANN401
        entries: Sequence[Any],
    ) -> Sequence[tuple[Decision, int, str | None]]:
        """Return the whole log for a record, in order of arrival.

        Each decision comes with the number of its turn or round, and the note after it.
        """

    def to_state(self, state: Any) -> Json:  # noqa: ANN401
        """Return a state as stored JSON, complete; equal states give equal JSON.

        The start of clocks is under the key ``clock`` and nowhere else.
        """

    def from_state(self, value: Json) -> Any:  # noqa: ANN401
        """Read what ``to_state`` wrote."""

    def entry_to_state(self, entry: Any) -> Json:  # noqa: ANN401
        """Return an entry as stored JSON: complete, but without its position."""

    def entry_from_state(self, value: Json) -> Any:  # noqa: ANN401
        """Read what ``entry_to_state`` wrote."""


def presenter_of(name: str) -> Presenter:
    """Return the presenter of a real-time game."""
    return cast("Presenter", load(game_of(name).parts.presenter))


LONGEST_DELAY = 60_000
"""The longest delay of a bot at the usual pace, in milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceTable(Table):
    """A game in which intents are judged as they arrive.

    play: the game's own state. latest: the time of the latest order; later ones never count as earlier.
    """

    play: Any
    latest: datetime | None = None

    @property
    def presenter(self) -> Presenter:
        """The presenter of the game."""
        return presenter_of(self.game)

    # ------------------------------------------------------------ new tables

    unavailable = ("seed", "turn_limit", "clock", "take_back")

    @classmethod
    def new(
        cls,
        game: str,
        options: dict[str, Any],
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

    @classmethod
    def at_position(
        cls, game: str, options: Json, position: Position, seats: tuple[Seat, ...], at: datetime
    ) -> Self:
        """Return a table whose game stands at a position."""
        presenter = presenter_of(game)
        settings = presenter.settings(options)
        play = presenter.stands(settings, position, _people(seats), at)
        return cls(game=game, options=settings, seed=0, seats=seats, play=play)

    def with_clock(self, clock: ClockPlan) -> Self:  # noqa: ARG002
        """Raise PositionError: the game has its own clock."""
        raise PositionError("this game does not have this option", code="position/options", key="clock")

    def with_agreements(self, agreements: Agreements) -> Self:
        """Return this new table with its settings for agreements."""
        play = self.presenter.counting_timed_out_turns(self.play) if agreements.absence else self.play
        return changed(self, agreements=agreements, play=play)

    @property
    def first_seat(self) -> int:
        """The seat that deals or begins the first round."""
        return self.presenter.first(self.play)

    def turned(self, places: int) -> Self:
        """Return this new table with its players, people and bots, seated so many places further on."""
        after = Table.turned(self, places)
        play = self.presenter.begin(self.options, self.seed, _people(after.seats))
        return changed(after, play=play).with_agreements(self.agreements)

    # ------------------------------------------------------------ state of the game

    @property
    def position(self) -> Any:  # noqa: ANN401 - each game has its own
        """The position now."""
        return self.presenter.position(self.play)

    @property
    def needs_deal(self) -> bool:
        """Whether chance has to decide before anything else."""
        return self.is_started and self.outcome is None and self.presenter.needs_deal(self.play)

    @property
    def hint_state(self) -> Any:  # noqa: ANN401 - each game has its own
        """The game's own state."""
        return self.play

    @property
    def tempo(self) -> str:
        """How fast the game is, in a word."""
        return self.presenter.tempo(self.options)

    def can_act(self, seat: int) -> bool:  # noqa: ARG002 - everybody can, at any time
        """Return whether a round goes on."""
        return self.outcome is None and not self.needs_deal

    # ------------------------------------------------------------ rated games

    @property
    def awaited_first(self) -> int | None:
        """The seat in turn whose player has not decided yet; None: there is none."""
        seat = self.presenter.in_turn(self.play) if self.can_abort else None
        return None if seat not in self.people or seat in (self.decided or ()) else seat

    @property
    def aborts_at(self) -> datetime | None:
        """When the clock would decide for a player who has not decided yet."""
        return None if self.awaited_first is None else self.deadline

    # ------------------------------------------------------------ orders

    def order_for(self, seat: int, action: Json) -> Intent:
        """Return the order by which a seat plays an action now."""
        return Intent(key="now", seat=seat, action=action)

    def apply(self, order: AnyOrder, at: datetime) -> Self:
        """Return the table after an order; itself if the order comes too late to change anything."""
        if not self.is_started:
            raise TableError("a seat is still free", code="table/not-started")
        at = self._not_before_latest(at)
        after = self._after_order(order, self.agreements.game_time(at))
        return self if after is self else changed(after, latest=at)

    def ended(self, outcome: Outcome, at: datetime) -> Self:
        """Return the table with its game ended by the players."""
        play, entries = self.presenter.taken(self.presenter.ended(self.play, outcome, self._game_time(at)))
        return changed(self, play=play, log=(*self.log, *entries), outcome=outcome)

    def _after_order(self, order: AnyOrder, time: datetime) -> Self:
        presenter, play = self.presenter, self.play
        match order:
            case Intent(seat=seat, action=intent):
                return self._after_decision(presenter.judge(play, seat, intent, time))
            case Resign(seat=seat):
                after = self._after_event(presenter.resign(play, seat, time))
                return after if after.outcome is not None else after.with_bot(seat)
            case Deal(action=action) if self.needs_deal:
                return self._after_event(presenter.deal(play, game_of(self.game).parse_action(action), time))
            case Tick() if (ends := presenter.ends_at(play)) is not None and ends <= time:
                return self._after_decision(presenter.time_out(play, time))
            case Wake():
                return changed(self, play=presenter.with_clocks_from(play, time))
            case Deal() | Tick():
                raise TableError("this is not due", code="table/not-now")
            case _:
                raise TableError("this game has no such order", code="table/wrong-order")

    def _after_event(self, after: Any) -> Self:  # noqa: ANN401 - a state of the game
        if after is self.play:
            return self
        play, entries = self.presenter.taken(after)
        return changed(self, play=play, log=(*self.log, *entries), outcome=self.presenter.outcome(play))

    def _after_decision(self, state: Any) -> Self:  # noqa: ANN401 - a state of the game
        """Return the table after an event with the decisions in it noted; the first one is a player's own."""
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
        return changed(self, play=self.presenter.with_clocks_from(self.play, self._game_time(at)))

    # ------------------------------------------------------------ agreed proposals

    def proposable(self) -> tuple[What, ...]:
        """Return a pause, but in a tournament, and open hands while they are hidden after each round."""
        pause: tuple[What, ...] = () if self.binding or self.agreements.is_paused else ("pause",)
        return (*pause, "hands") if self.presenter.may_show(self.play) else pause

    def timed_out_seats(self) -> Collection[int]:
        """Return the seats of players who have let their time run out turn after turn."""
        return [seat for seat in self.presenter.timed_out_seats(self.play) if seat in self.people]

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
            return False
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
        time = self.presenter.ends_at(self.play)
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
        return self.options | self._rated_json()

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

    def record_text(self, made: Self, log: Sequence[Any], rules: Sequence[str]) -> str:
        """Write a finished game as a record. Raises TableError before: it shows every hand."""
        if self.outcome is None:
            message = "the record holds every hand; it can be had when the game is over"
            raise TableError(message, code="table/not-over", rule=self.presenter.secrecy)
        return self.open_record_text(made, log, rules)

    def open_record_text(self, made: Self, log: Sequence[Any], rules: Sequence[str]) -> str:
        """Write a game as a record, finished or not; not for its players. Times count from the first deal."""
        said = self.presenter.in_order_of_arrival(self.play, log)
        decisions = (decision for decision, _, _ in said)
        record = self._record(made, decisions, log, rules, table=self.presenter.options(self.play))
        return write_record(record, [Place(number, summary) for _, number, summary in said])

    # ------------------------------------------------------------ stored state

    def to_state(self) -> Json:
        """Return the whole table as JSON, without its log; the start of clocks under a key of its own."""
        play = self.presenter.to_state(self.play)
        clock = {"clock": play.pop("clock")} if "clock" in play else {}
        latest = self.latest and self.latest.isoformat()
        return self._common_state() | {"play": play, "latest": latest} | clock

    @classmethod
    def from_state(cls, value: Json) -> Self:
        """Read what ``to_state`` wrote. Raises EkoesError."""
        clock = {"clock": value["clock"]} if "clock" in value else {}
        return cls(
            **cls._common_fields(value),
            play=presenter_of(value["game"]).from_state(value["play"] | clock),
            latest=value["latest"] and datetime.fromisoformat(value["latest"]),
        )

    @classmethod
    def entry_to_state(cls, game: str, entry: Any) -> Json:  # noqa: ANN401 - each game has its own
        """Return an entry of the log as JSON, without its position."""
        return presenter_of(game).entry_to_state(entry)

    @classmethod
    def entry_from_state(cls, game: str, value: Json) -> Any:  # noqa: ANN401 - each game has its own
        """Read what ``entry_to_state`` wrote."""
        return presenter_of(game).entry_from_state(value)


def _key(seat: int, ask: Ask) -> str:
    return f"{ask.asks}-{seat}-{ask.number}"


def _people(seats: tuple[Seat, ...]) -> frozenset[int]:
    return frozenset(number for number, seat in enumerate(seats) if seat.kind != "bot")
