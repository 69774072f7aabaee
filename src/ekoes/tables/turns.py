# ruff: noqa: SLF001 - methods of a frozen table call private ones of its successor
"""`TurnTable`: what orders, agreed proposals, chance, clocks and bots do in a turn-based game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Self

from ekoes.bots import DECISION, BotRequest, Secret
from ekoes.errors import PositionError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Answer, Json, Outcome, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.values import changed
from ekoes.records import GameRecord
from ekoes.tables.clocks import Clocks
from ekoes.tables.orders import (
    MOST_LAG,
    Act,
    AnyOrder,
    AwaitFirst,
    Berserk,
    Deal,
    Draw,
    EditConditionalMoves,
    EndTurn,
    Lag,
    PassTurn,
    PlayConditionalMove,
    Resign,
    StandStill,
    SuspendConditionalMoves,
    Tick,
    Undo,
    Vacation,
    What,
)
from ekoes.tables.settings import ClockPlan, Proposal, Seat
from ekoes.tables.table import Move, not_due
from ekoes.tables.turn_state import (
    ConditionalMoves,
    Entry,
    TurnStart,
    TurnState,
    Undoable,
    played,
    presenter_of,
)

_LAG_STEP = 50
"""Milliseconds by which a player's lag must change before the table stores it."""


class TurnTable(TurnState):
    """A game in which one player decides after the other."""

    __slots__ = ()

    # ------------------------------------------------------------ new tables

    @classmethod
    def new(
        cls, game: str, options: Json, seed: int, seats: tuple[Seat, ...], turn_limit: int | None
    ) -> Self:
        """Return a table before its first decision."""
        settings = presenter_of(game).settings(options)
        position = game_of(game).new(settings, seed)
        return cls._at(game, settings, position, seats, seed, turn_limit)

    @classmethod
    def of_record(cls, record: GameRecord, seats: tuple[Seat, ...]) -> Self:
        """Return a table at the first position of a record."""
        settings = presenter_of(record.game).settings({"players": record.start.players})
        return cls._at(record.game, settings, record.start, seats, record.seed or 0, record.turn_limit)

    @classmethod
    def _at(
        cls,
        game: str,
        settings: Json,
        position: Position,
        seats: tuple[Seat, ...],
        seed: int,
        turn_limit: int | None,
    ) -> Self:
        begins = presenter_of(game).identity(position)
        return cls(
            game=game,
            options=settings,
            seed=seed,
            turn_limit=turn_limit,
            seats=seats,
            position=position,
            begun=() if begins is None else (begins,),
        )

    def redrawn(self, seed: int) -> Self:
        """Return this table before its game with another first position; clocks stand as before."""
        fresh = type(self).new(self.game, self.options, seed, self.seats, self.turn_limit)
        clocks = self.clocks and changed(self.clocks, turn=fresh.turn)
        return changed(self, seed=seed, position=fresh.position, begun=fresh.begun, clocks=clocks)

    def with_clock(self, clock: ClockPlan) -> Self:
        """Return this new table with a clock. Raises PositionError if no one can lose the game by time."""
        if clock.up == "lose" and len(self.seats) == 2 and game_of(self.game).table_ends.time is None:
            message = "this game can't be lost on time: use 'bot' or 'pass'"
            raise PositionError(message, code="position/options", key="clock")
        return changed(self, clock=clock, clocks=Clocks.new(clock, len(self.seats), self.turn))

    @property
    def first_seat(self) -> int:
        """The seat of the first turn."""
        return self.turn.player

    # ------------------------------------------------------------ orders

    def with_next_version(self, before: Self) -> Self:
        """Return this table with the next version, one more since the last decision unless this is one."""
        has_moved = self.position is not before.position or self.held != before.held
        is_decided = has_moved or self.outcome is not None
        since = 0 if is_decided else before.since_decision + 1
        return changed(self, version=before.version + 1, since_decision=since)

    def apply(self, order: AnyOrder, at: datetime) -> Self:
        """Return the table after an order whose sender may give it."""
        match order:
            case Act() | Undo() | EndTurn() | Resign() | Draw():
                self.check_version(order.version)
                self.check_started(order)
                after = self._ordered(order, at)
            case Deal() | Tick() | PassTurn() | PlayConditionalMove():
                after = self._automatic(order, at)
            case AwaitFirst(seat=seat) if seat == self.awaited_first:
                return changed(self, first=(seat, self.agreements.game_time(at)))
            case EditConditionalMoves():
                return self._with_prepared(order)
            case SuspendConditionalMoves(seat=seat, why=why):
                moves = self.conditional_moves_of(seat)
                return self if moves is None else self._with_moves(seat, changed(moves, suspended=why))
            case Berserk(seat=seat):
                self._check_berserk(seat, self.agreements.game_time(at))
                return self._with_all_clocks(lambda clocks: clocks.with_berserk(seat))
            case Lag() | StandStill() | Vacation() if self.clocks is not None:
                return self._with_clock_order(order, self.agreements.game_time(at))
            case _:
                raise TableError("this game has no such order", code="table/wrong-order")
        return after._with_clocks_switched(at)

    def _ordered(self, order: Act | Undo | EndTurn | Resign | Draw, at: datetime) -> Self:
        match order:
            case Act():
                return self._act(order, at)
            case Undo(seat=seat):
                return self._undo(seat, at)
            case EndTurn(seat=seat):
                if self.held != seat:
                    raise TableError("your turn does not wait for its end", code="table/not-held")
                return self._turn_ended(self, held=None)
            case Resign(seat=seat):
                if self.people == {seat} and len(self.seats) > 2:
                    return self.ended(self.left_by(seat), at)
                return self._lost(seat, "resignation", game_of(self.game).table_ends.resignation)
            case Draw(seat=seat, offer=offer):
                if game_of(self.game).table_ends.agreement is None:
                    raise TableError("this game has no draw by agreement", code="table/wrong-order")
                if offer:
                    return self._draw_offered(seat)
                is_own = seat in self.offers
                return changed(self, offers=self.offers - {seat} if is_own else frozenset())

    def _draw_offered(self, seat: int) -> Self:
        """Return the table with a seat's offer of a draw, the only one of this turn unless all agree."""
        if seat in self.offers:
            return self
        offers, offered = self.offers | {seat}, self.offered | {seat}
        after = changed(self, offers=offers, offered=offered)._drawn_if_all_offer()
        if seat in self.offered and after.outcome is None:
            raise TableError("you have offered a draw in this turn already", code="table/draw-offered")
        return after

    def _automatic(self, order: Deal | Tick | PassTurn | PlayConditionalMove, at: datetime) -> Self:
        match order:
            case Tick():
                return self._time_up(at)
            case Deal(action=action):
                is_due = CHANCE in self.asked
                seat = CHANCE
            case PassTurn(seat=seat, action=action):
                is_due = self._expired_seat(at) == seat and self.held is None
            case PlayConditionalMove(seat=seat, action=action):
                moves = self.conditional_moves_of(seat)
                step = None if moves is None or moves.suspended else moves.next(self.position)
                is_due = seat in self.asked and step is not None and step.action == action
        if not is_due:
            raise not_due()
        after = self._decide(seat, action, at)
        if seat == CHANCE:  # hidden information may have become public
            return after._turn_ended(self, undoable=(), starts=())
        return after._turn_ended(self, undoable=())

    def _act(self, order: Act, at: datetime) -> Self:
        if self.held is not None:
            raise TableError("the turn is finished and waits for its end to be confirmed", code="table/held")
        after = self._decide(order.seat, order.action, at)
        has_ended = after.turn != self.turn and after.outcome is None
        if order.hold and has_ended and after.undoable and self.presenter.can_hold(self.position):
            return changed(after, held=order.seat)
        return after._turn_ended(self)

    def _decide(self, seat: int, action_json: Json, at: datetime) -> Self:
        """Return the table after a decision, its turn not ended yet. Raises RefusedError, NotationError."""
        rules, presenter, before, turn = game_of(self.game), presenter_of(self.game), self.position, self.turn
        action = rules.parse_action(action_json)
        position = played(before, seat, action)
        begins = presenter.identity(position) if presenter.turn(position) != turn else None
        written, about = rules.action_to_json(action), presenter.describe(before, action, position)
        undoable = Undoable(before, len(self.begun), self.clocks, self.decided)
        return changed(
            self,
            position=position,
            begun=self.begun if begins is None else (*self.begun, begins),
            undoable=(*self.undoable, undoable) if seat == turn.player else (),
            starts=self._starts_after(seat, undoable) if self.agreements.take_back else self.starts,
            log=(*self.log, Entry(turn, seat, action, written, about, at, position, self.time_left(at))),
            outcome=position.outcome(),
            conditional_moves=self._moves_after(seat, written) if self.conditional_moves else (),
            clocks=self.clocks and self.clocks.after_decision(seat),
        ).with_decision(seat)

    def _starts_after(self, seat: int, before: Undoable) -> tuple[TurnStart, ...]:
        turn, starts = self.turn, self.starts
        if seat != turn.player or (starts and starts[-1].turn == turn):
            return starts
        # An earlier start stays until the next turn: this first decision may be undone.
        latest = {start.turn.player: start for start in starts}
        return (*latest.values(), TurnStart(turn, self.length, before))

    def _turn_ended(self, before: Self, **fields: object) -> Self:
        """Return the table with the effects of a turn's end, if one has ended since an earlier table."""
        turn, ends = self.turn, game_of(self.game).table_ends
        if self.outcome is None and (before.held is not None or turn != before.turn):
            can_hold = before.held is not None or presenter_of(self.game).can_hold(before.position)
            undoable = () if can_hold else self.undoable[-1:]
            offers = self.offers - {turn.player}
            fields = {"undoable": undoable, "offers": offers, "offered": frozenset()} | fields
            if (outcome := ends.outcome(self.begun, turn.number, self.last_turn)) is not None:
                fields["outcome"] = outcome
        return changed(self, **fields) if fields else self

    def _undo(self, seat: int, at: datetime) -> Self:
        """Return the table before the latest decision; the player's clock has run on since then."""
        if seat != self.undo_seat:
            message = "there is no decision of your own turn to take back"
            raise TableError(message, code="table/nothing-to-undo")
        latest = self.undoable[-1]
        if latest.clocks is not None and latest.clocks.expired(self.agreements.game_time(at)):
            raise TableError("the time for taking it back is over", code="table/nothing-to-undo")
        return self._restored(latest, self.length - 1, undoable=self.undoable[:-1])

    def _restored(self, before: Undoable, length: int, **fields: object) -> Self:
        """Return the table as it was when its log had a length."""
        restored = {
            "position": before.position,
            "begun": self.begun[: before.begun],
            "undoable": (),
            "log": self.log[: max(0, length - self.log_start)],
            "log_start": min(length, self.log_start),
            "held": None,
            "clocks": before.clocks,
            "decided": before.decided,
            "starts": tuple(start for start in self.starts if start.length < length),
        }
        return changed(self, **restored | fields)

    def ended(self, outcome: Outcome, at: datetime) -> Self:
        """Return the table with its game ended by the players."""
        return changed(self, held=None, outcome=outcome)._with_clocks_switched(at)

    def _lost(self, seat: int, reason: str, rule: str | None) -> Self:
        """Return the table after a player resigns or has no time left: of two, the other wins."""
        if rule is not None and len(self.seats) == 2:
            return changed(self, held=None, outcome=Outcome((1 - seat,), reason, rule))
        return self.with_bot(seat)._without_player(seat)

    def vacated(self, seat: int) -> Self:
        """Return the table without a seat's offer of a draw and conditional moves."""
        return changed(self, offers=self.offers - {seat})._with_moves(seat, None)

    def _without_player(self, seat: int) -> Self:
        after = self.vacated(seat)
        if after.held == seat:
            after = after._turn_ended(self, held=None)
        return after._drawn_if_all_offer()

    def _drawn_if_all_offer(self) -> Self:
        rule = game_of(self.game).table_ends.agreement
        if rule is not None and self.outcome is None and self.people and self.offers >= self.people:
            return changed(self, held=None, outcome=Outcome((), "agreement", rule))
        return self

    # ------------------------------------------------------------ agreed proposals

    def proposable(self) -> tuple[What, ...]:
        """Return a pause, and correspondence where clocks run; nothing that delays a tournament."""
        if self.binding:
            return ()
        is_live = self.clock is not None and self.clock.days is None
        pause: tuple[What, ...] = () if self.agreements.is_paused else ("pause",)
        return (*pause, "adjourn") if is_live else pause

    def check_takeback(self, seat: int) -> None:
        """Raise TableError if a seat's last turn can't be taken back, as after a chance decision."""
        if not self.agreements.take_back:
            raise TableError("takebacks are off at this table", code="table/no-take-back")
        if self.start_of(seat) is None:
            message = "you have no turn behind you, or something hidden has come to light since"
            raise TableError(message, code="table/nothing-to-take-back")

    def carry_out(self, proposal: Proposal, at: datetime) -> Self:
        """Return the table after a proposal that all agreed to."""
        match proposal.what:
            case "take_back":
                after = self._taken_back(proposal.by, at)
            case "adjourn" if self.clock is not None:
                after = self._adjourned(ClockPlan(days=proposal.days, up=self.clock.up))
            case _:
                return TurnState.carry_out(self, proposal, at)
        return after._with_clocks_switched(at)

    def _taken_back(self, seat: int, at: datetime) -> Self:
        """Return the table before a seat's last turn; the player's clock has run on since then."""
        start = self.start_of(seat)
        if start is None:
            raise TableError("there is no turn to take back", code="table/nothing-to-take-back")
        clocks = start.before.clocks
        if clocks is not None and clocks.expired(self.agreements.game_time(at)):
            raise TableError("the time for taking it back is over", code="table/nothing-to-take-back")
        return self._restored(start.before, start.length, offers=frozenset(), offered=frozenset())

    def _adjourned(self, plan: ClockPlan) -> Self:
        """Return the table with days for each turn; no player counts as absent any more."""
        fresh = Clocks.new(plan, len(self.seats), self.clocks.turn if self.clocks else self.turn)
        lags = self.clocks.lags if self.clocks else fresh.lags
        agreements = changed(self.agreements, absence=0, absent=frozenset())
        after = changed(self, clock=plan, agreements=agreements)
        return after._with_all_clocks(lambda clocks: changed(fresh, lags=lags, turn=clocks.turn))

    def with_other_player(self, seat: int, at: datetime) -> Self:
        """Return the table going on with a bot in a player's seat, or with the player back in it."""
        after = self if seat in self.people else self._without_player(seat)
        return after._with_clocks_switched(at)

    # ------------------------------------------------------------ conditional moves

    def _with_prepared(self, order: EditConditionalMoves) -> Self:
        """Return the table with one more variation of a seat, or one less. Raises EkoesError."""
        if self.clock is None or self.clock.days is None:
            raise TableError("conditional moves need days per turn", code="table/conditional-moves")
        self.check_started()
        self.check_version(order.version)
        moves = self.conditional_moves_of(order.seat) or ConditionalMoves(order.seat)
        if order.add is None:
            left = tuple(one for number, one in enumerate(moves.variations) if number != order.drop)
            return self._with_moves(order.seat, changed(moves, variations=left))
        if order.seat in self.asked:
            raise TableError(
                "conditional moves can't be changed in your turn", code="table/conditional-moves"
            )
        return self._with_moves(order.seat, moves.with_variation(self.game, self.position, order.add))

    def _moves_after(self, seat: int, action: Json) -> tuple[ConditionalMoves, ...]:
        """Return the remaining conditional moves after a decision of a seat."""
        own = self.conditional_moves_of(seat)
        if own is None:
            return self.conditional_moves
        step = None if own.suspended else own.next(self.position)
        is_as_prepared = step is not None and step.action == action
        return self._with_moves(seat, own.after(self.position) if is_as_prepared else None).conditional_moves

    def _with_moves(self, seat: int, moves: ConditionalMoves | None) -> Self:
        others = [one for one in self.conditional_moves if one.seat != seat]
        own = [moves] if moves is not None and moves.variations else []
        after = tuple(sorted((*others, *own), key=lambda one: one.seat))
        return self if after == self.conditional_moves else changed(self, conditional_moves=after)

    # ------------------------------------------------------------ clocks

    def _with_clocks_switched(self, at: datetime) -> Self:
        """Return the table with the clocks of the players to move running."""
        if self.clock is None or self.clocks is None:
            return self
        turn, running = self.clocks.turn, []
        if self.outcome is None:
            turn = self.turn if self.held is None else self.presenter.turn(self.undoable[-1].position)
            awaited = self.asked if self.held is None else (self.held,)
            running = [seat for seat in awaited if seat in self.people] if self.length else []
        clocks = self.clocks.switched(self.clock, running, turn, self.agreements.game_time(at))
        return self if clocks is self.clocks else changed(self, clocks=clocks)

    def _with_clock_order(self, order: Lag | StandStill | Vacation, time: datetime) -> Self:
        match order:
            case Lag(seat=seat, milliseconds=milliseconds):
                return changed(self, clocks=self.clocks and self.clocks.with_lag(seat, milliseconds))
            case StandStill(milliseconds=milliseconds):
                after = self._with_all_clocks(lambda clocks: clocks.without_downtime(milliseconds, time))
                if self.first is None:
                    return after
                since = self.first[1] + timedelta(milliseconds=milliseconds)
                return changed(after, first=(self.first[0], min(since, time)))
            case Vacation(seat=seat, begins=begins):
                return changed(self, first=None)._with_all_clocks(
                    lambda clocks: clocks.with_vacation(seat, time, begins=begins)
                )

    def _check_berserk(self, seat: int, at: datetime) -> None:
        clocks = self.clocks
        if clocks is None or seat not in clocks.may_berserk:
            raise TableError("only before one's first decision in an arena", code="table/no-berserk")
        if clocks.left_at(at)[seat] <= clocks.left[seat] // 2:
            raise TableError("half of the time is gone: this would lose", code="table/no-berserk")

    def _with_all_clocks(self, change: Callable[[Clocks], Clocks]) -> Self:
        """Return the table with its clocks changed, and those stored for undo and takeback."""

        def after(one: Undoable) -> Undoable:
            return one if one.clocks is None else changed(one, clocks=change(one.clocks))

        return changed(
            self,
            clocks=self.clocks and change(self.clocks),
            undoable=tuple(map(after, self.undoable)),
            starts=tuple(changed(start, before=after(start.before)) for start in self.starts),
        )

    def _expired_seat(self, at: datetime) -> int:
        """Return the first seat whose time is up. Raises TableError if there is none."""
        expired = () if self.clocks is None else self.clocks.expired(self.agreements.game_time(at))
        if not expired:
            raise not_due()
        return expired[0]

    def _time_up(self, at: datetime) -> Self:
        """Return the table after a player's time is up; a held turn only ends."""
        seat = self._expired_seat(at)
        if self.held == seat:
            return self._turn_ended(self, held=None)
        if self.clock is not None and self.clock.up == "lose":
            return self._lost(seat, "time", game_of(self.game).table_ends.time)
        return self.with_bot(seat)._without_player(seat)

    def lag_order(self, seat: int, milliseconds: int) -> Lag | None:
        """Return the order that sets a player's lag, if it differs from what the table knows."""
        if self.clocks is None or self.outcome is not None:
            return None
        rounded = min(milliseconds, MOST_LAG) // _LAG_STEP * _LAG_STEP
        if self.clocks.lags[seat] == rounded:
            return None
        return Lag(key=f"lag-{self.version}-{seat}", seat=seat, milliseconds=rounded)

    def vacation_order(self, seat: int, *, begins: bool) -> Vacation | None:
        """Return the order that begins or ends a player's vacation, with days for each turn."""
        has_days = self.clock is not None and self.clock.days is not None
        if not has_days or self.clocks is None or self.outcome is not None:
            return None
        if (seat in self.clocks.on_vacation) == begins:
            return None
        return Vacation(key=f"vacation-{self.version}-{seat}", seat=seat, begins=begins)

    # ------------------------------------------------------------ chance and bots

    def automatic_order(self, at: datetime, chance: Chance) -> tuple[AnyOrder, datetime] | None:
        """Return a chance decision, a conditional move, or what follows from a player's time being up.

        The time is now, not when the clock ran out: no other clock runs before the order is applied.
        """
        if CHANCE in self.asked:
            return self._deal(chance), at
        if self.conditional_moves and (prepared := self._prepared_order()) is not None:
            return prepared, at
        if self.clock is None or self.clocks is None:
            return None
        if (first := self._first_order(at)) is not None:
            return first, at
        expired = self.clocks.expired(self.agreements.game_time(at))
        if not expired:
            return None
        if self.clock.up != "pass" or self.held is not None:
            return Tick(key=f"tick-{self.version}"), at
        seat = expired[0]
        action = game_of(self.game).action_to_json(self.presenter.least(self.position, seat))
        return PassTurn(key=f"pass-{self.version}", seat=seat, action=action), at

    def _first_order(self, at: datetime) -> AnyOrder | None:
        """Return the order that starts the time for a first decision, or aborts the game after it."""
        seat, ends = self.awaited_first, self.first_ends
        if seat is None:
            return None
        if ends is None:
            return AwaitFirst(key=f"first-{self.version}", seat=seat)
        if ends <= self.agreements.game_time(at):
            return self._abort(seat)
        return None

    def _prepared_order(self) -> AnyOrder | None:
        """Return a seat's prepared decision for this position, or the order that suspends its moves."""
        for moves in self.conditional_moves:
            if moves.seat in self.asked and moves.suspended is None:
                break
        else:
            return None
        key, step = f"line-{self.version}-{moves.seat}", moves.next(self.position)
        if step is None:
            return SuspendConditionalMoves(key=key, seat=moves.seat, why="other")
        if self.position.why_not(step.seat, game_of(self.game).parse_action(step.action)) is not None:
            return SuspendConditionalMoves(key=key, seat=moves.seat, why="refused")
        return PlayConditionalMove(key=key, seat=step.seat, action=step.action)

    def bot_requests(self, secret: Secret) -> tuple[BotRequest, ...]:
        """Return the request to the first bot that is to decide, seeded by secret, version and seat."""
        seat = self.asked_bot
        if seat is None:
            return ()
        key = f"{self.version}-{seat}"
        request = BotRequest(
            key=key,
            version=self.version,
            game=self.game,
            bot=self.seats[seat].bot or "",
            seat=seat,
            asks=DECISION,
            sight=self.position.sight(seat),
            chance=secret.seed(key),
            seen=self.begun,
        )
        return (request,)

    def bot_move(self, request: BotRequest, answer: Answer, now: datetime) -> Move | None:
        """Return the bot's decision, after the table's pace."""
        if answer.action is None:
            return None
        key, version = f"bot-{request.version}", request.version
        order = Act(key=key, version=version, seat=request.seat, action=answer.action)
        return Move(now + timedelta(milliseconds=self.pace), order)
