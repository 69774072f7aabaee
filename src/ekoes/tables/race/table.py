"""`RaceTable`: a real-time game, in which the first player to act wins the chance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Self

from ekoes.errors import PositionError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer, Json, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.table import Ask, Step, fields_about
from ekoes.games.api.values import changed
from ekoes.records import GameRecord, Place, rules_text, write_record
from ekoes.tables.agreements import Agreements, Proposal, What
from ekoes.tables.bot_request import BotRequest, Secret
from ekoes.tables.orders import AnyOrder, Deal, Intent, Resign, Tick, Wake
from ekoes.tables.plan import ClockPlan, TableOptions, TablePlan
from ekoes.tables.race.presenter import Presenter, presenter
from ekoes.tables.seats import Seat
from ekoes.tables.table import DEFAULT_PACE, Move, Table, outcome_json

LONGEST_DELAY = 60_000
"""The longest delay of a bot at the usual pace, in milliseconds."""
_UNAVAILABLE = ("seed", "turn_limit", "clock", "take_back")
"""Table options that real-time games don't have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceTable(Table):
    """A game in which intents are judged as they arrive.

    play: the game's own state. latest: the time of the latest order; later ones never count as earlier.
    """

    play: Any
    latest: datetime | None = None

    @property
    def presenter(self) -> Presenter:
        """What the game provides for its tables."""
        return presenter(self.game)

    # ------------------------------------------------------------ new tables

    @classmethod
    def about(cls, game: str) -> Json:
        """Describe the options of a table of a game."""
        value = presenter(game).about()
        return value | {"options": value["options"] | fields_about(TableOptions, besides=_UNAVAILABLE)}

    @classmethod
    def check_plan(cls, plan: TablePlan) -> None:
        """Raise PositionError for a seed, a limit of turns, a clock or takebacks."""
        for key in _UNAVAILABLE:
            if getattr(plan.options, key) is not None:
                raise PositionError("this game takes none", code="position/options", key=key)

    @classmethod
    def preview(cls, game: str, options: dict[str, Any], seed: int) -> Json:
        """Check the options and return an empty position: nothing is dealt yet."""
        look = presenter(game)
        state = look.begin(look.settings(options), seed, frozenset())
        return {"seed": seed, "board": {}, "position": look.position(state).view(None)}

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
        look = presenter(game)
        settings = look.settings(options)
        if sum(seat.kind == "here" for seat in seats) > 1:
            settings = look.at_one_browser(settings)
        play = look.begin(settings, seed, _people(seats))
        return cls(game=game, options=settings, seed=seed, seats=seats, play=play)

    @classmethod
    def at_position(
        cls, game: str, options: Json, position: Position, seats: tuple[Seat, ...], at: datetime
    ) -> Self:
        """Return a table whose game stands at a position."""
        look = presenter(game)
        settings = look.settings(options)
        play = look.stands(settings, position, _people(seats), at)
        return cls(game=game, options=settings, seed=0, seats=seats, play=play)

    def with_clock(self, clock: ClockPlan) -> Self:  # noqa: ARG002
        """Raise PositionError: the game has its own clock."""
        raise PositionError("this game takes none", code="position/options", key="clock")

    def with_agreements(self, agreements: Agreements) -> Self:
        """Return this new table with its settings for agreements."""
        play = self.presenter.impatient(self.play) if agreements.absence else self.play
        return changed(self, agreements=agreements, play=play)

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

    def merits(self) -> Sequence[int]:
        """Return a score for each seat."""
        return self.presenter.merits(self.play)

    @property
    def tempo(self) -> str:
        """How fast the game is, in a word."""
        return self.presenter.tempo(self.options)

    def can_act(self, seat: int) -> bool:  # noqa: ARG002 - everybody can, at any time
        """Return whether a round goes on."""
        return self.outcome is None and not self.needs_deal

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

    def _after_order(self, order: AnyOrder, time: datetime) -> Self:
        look, play = self.presenter, self.play
        match order:
            case Intent(seat=seat, action=intent):
                return self._after_step(look.judge(play, seat, intent, time))
            case Resign(seat=seat):
                after = self._after_step(look.resign(play, seat, time))
                return after if after.outcome is not None else after.with_bot(seat)
            case Deal(action=action) if self.needs_deal:
                return self._after_step(look.deal(play, game_of(self.game).parse_action(action), time))
            case Tick() if (ends := look.strikes_at(play)) is not None and ends <= time:
                return self._after_step(look.strike(play, time))
            case Wake():
                return changed(self, play=look.rested(play, time))
            case Deal() | Tick():
                raise TableError("this is not due", code="table/not-now")
            case _:
                raise TableError("no such order is given in this game", code="table/wrong-order")

    def _after_step(self, step: Step | None) -> Self:
        if step is None:
            return self
        outcome = self.presenter.outcome(step.state)
        return changed(self, play=step.state, log=(*self.log, *step.entries), outcome=outcome)

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
        return changed(self, play=self.presenter.rested(self.play, self._game_time(at)))

    # ------------------------------------------------------------ agreed proposals

    def proposable(self) -> tuple[What, ...]:
        """Return a pause, and open hands while they are hidden after each round."""
        pause: tuple[What, ...] = () if self.agreements.is_paused else ("pause",)
        return (*pause, "hands") if self.presenter.may_show(self.play) else pause

    def idle_seats(self) -> Collection[int]:
        """Return the seats of players who have let their time run out turn after turn."""
        return [seat for seat in self.presenter.silent(self.play) if seat in self.people]

    def carry_out(self, proposal: Proposal, at: datetime) -> Self:
        """Return the table after a proposal that all agreed to."""
        match proposal.what:
            case "pause":
                pause = self.agreements.with_pause(self._not_before_latest(at))
                return changed(self, agreements=pause)
            case "draw":
                if game_of(self.game).table_ends.agreement is None:
                    raise TableError("this game knows no draw by agreement", code="table/wrong-order")
                return self._after_step(self.presenter.draw(self.play, self._game_time(at)))
            case "hands":
                play, options = self.presenter.showing(self.play)
                return changed(self, play=play, options=self.options | options)
            case _:
                return self

    def replaced(self, seat: int, at: datetime) -> Self:  # noqa: ARG002
        """Return the table with a bot in a player's seat, going on."""
        return self._after_step(self.presenter.with_people(self.play, self.people, self._game_time(at)))

    returned = replaced

    # ------------------------------------------------------------ clocks, chance and bots

    @property
    def is_busy(self) -> bool:
        """Whether a deal is due, a clock runs, or a bot plays."""
        if not self.is_started or self.outcome is not None:
            return False
        has_bots = len(self.people) < len(self.seats)
        return self.needs_deal or has_bots or self.deadline is not None

    def automatic_order(self, at: datetime, chance: Chance) -> tuple[AnyOrder, datetime] | None:
        """Return the deal or the clock that is due."""
        if self.needs_deal:
            action = game_of(self.game).action_to_json(self.position.chance_action(chance))
            return Deal(key=f"deal-{self.version}", action=action), at
        ends = self.deadline
        if ends is not None and ends <= at:
            return Tick(key=f"tick-{self.version}"), ends
        return None

    @property
    def deadline(self) -> datetime | None:
        """When the running clock runs out."""
        time = self.presenter.strikes_at(self.play)
        return None if time is None else self.agreements.wall_time(time)

    def bot_requests(self, secret: Secret) -> tuple[BotRequest, ...]:
        """Return the requests to each bot: what it would do if no one else acted before."""
        if not self.is_started or self.outcome is not None:
            return ()
        look, requests = self.presenter, []
        for seat, chair in enumerate(self.seats):
            if chair.kind != "bot" or chair.bot is None:
                continue
            for ask in look.asked(self.play, seat):
                key = _key(seat, ask)
                request = BotRequest(
                    key=key,
                    version=self.version,
                    game=self.game,
                    bot=chair.bot,
                    seat=seat,
                    asks=ask.asks,
                    sight=self.position.sight(seat),
                    chance=secret.seed(key),
                )
                requests.append(request)
        return tuple(requests)

    def bot_move(self, request: BotRequest, answer: Answer, now: datetime) -> Move | None:  # noqa: ARG002
        """Return the bot's intent, after the delay it asks for; None if it is no longer wanted.

        A bot's mistake must not stop the game: where others wait for it, the game provides another intent.
        An empty answer is no order.
        """
        look, seat = self.presenter, request.seat
        ask = next((ask for ask in look.asked(self.play, seat) if _key(seat, ask) == request.key), None)
        begins = None if ask is None else self.agreements.wall_time(ask.at)
        if ask is None or begins is None:
            return None
        # Where only bots play no one waits, and other tables need the machine too.
        pace = self.pace if self.people else max(self.pace, DEFAULT_PACE)
        delay = min(max(0, answer.delay), LONGEST_DELAY) * pace // DEFAULT_PACE
        key = f"bot-{seat}-{self.version}"
        actions = (answer.action, look.instead(self.play, ask.asks))
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
        look = self.presenter
        ends = {"outcome": outcome_json(self.outcome), "rematch": self._rematch_json()}
        return look.shared(self.play, self.agreements.game_time(now)) | ends | look.own(self.play, ())

    def own_state(self, seats: Collection[int]) -> Json:
        """Return the part of the state that only the holder of some seats sees."""
        return self.presenter.own(self.play, seats)

    def past_state(self, entries: int, then: Self) -> Json:
        """Return the state after some entries, as everybody saw it; after the game with what was hidden."""
        look = self.presenter
        entry = then.log[entries - then.log_start - 1] if entries else None
        position = then.position if entry is None else entry.position
        if position is None:
            raise TableError("this position lies in the store", code="table/not-found")
        outcome = outcome_json(self.outcome) if entries == self.length else None
        ends = {"outcome": outcome, "rematch": self._rematch_json()}
        return look.own(self.play, ()) | look.past(self.play, position, entries, entry) | ends

    def entries_json(self, start: int = 0) -> list[Json]:
        """Return the log from an entry on, without what only one player may see."""
        told = self.presenter.told
        return [
            {"n": number} | told(entry)
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
        names = tuple(seat.name or seat.bot or "" for seat in self.seats)
        decisions = self.presenter.said(self.play, log)
        record = GameRecord(
            game=self.game,
            start=made.position,
            decisions=tuple(decision for decision, _, _ in decisions),
            outcome=self.outcome,
            names=names if any(names) else (),
            date=log[0].at.date().isoformat() if log else None,
            table=self.presenter.options(self.play),
            rules=rules_text(rules) or game_of(self.game).rules_version,
        )
        return write_record(record, [Place(number, summary) for _, number, summary in decisions])

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
            play=presenter(value["game"]).from_state(value["play"] | clock),
            latest=value["latest"] and datetime.fromisoformat(value["latest"]),
        )

    @classmethod
    def entry_to_state(cls, game: str, entry: Any) -> Json:  # noqa: ANN401 - each game has its own
        """Return an entry of the log as JSON, without its position."""
        return presenter(game).entry_to_state(entry)

    @classmethod
    def entry_from_state(cls, game: str, value: Json) -> Any:  # noqa: ANN401 - each game has its own
        """Read what ``entry_to_state`` wrote."""
        return presenter(game).entry_from_state(value)


def _key(seat: int, ask: Ask) -> str:
    return f"{ask.asks}-{seat}-{ask.number}"


def _people(seats: tuple[Seat, ...]) -> frozenset[int]:
    return frozenset(number for number, seat in enumerate(seats) if seat.kind != "bot")
