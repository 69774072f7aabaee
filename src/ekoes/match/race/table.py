"""The table where the quicker hand wins: a position, a stage, and everything that came; immutable."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from ekoes.errors import TableError
from ekoes.games.contract import Json
from ekoes.games.ekko.position import EkkoPosition
from ekoes.match.orders import AnyOrder, DealRound, Tick, Wake
from ekoes.match.race import bots, clock, decide, record, views
from ekoes.match.race.entry import Claim, Entry, Moment, Receipt, Round, Stage
from ekoes.match.race.options import RaceOptions
from ekoes.match.table import Move, Shuffled, Table

__all__ = ["RaceTable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceTable(Table):
    """A game in which intents are judged as they come (K7).

    rules: the options. stage: what the table waits for, since when: since. top_since: when the top
    card came. drew_since: when each seat last drew. ready: who has seen the hand. passed: who has
    let the mirror go by. claim: the mirror that waits for its effect, or for the end of the window.
    withheld: entries of the window, which nobody sees before its end. latest: when the last order
    came.
    """

    rules: RaceOptions
    position: EkkoPosition
    log: tuple[Entry, ...] = ()
    stage: Stage = Stage.WAITING
    since: Moment | None = None
    top_since: Moment | None = None
    drew_since: tuple[Moment | None, ...] = ()
    ready: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()
    claim: Claim | None = None
    withheld: tuple[Entry, ...] = ()
    receipt: Receipt | None = None
    rounds: tuple[Round, ...] = ()
    latest: datetime | None = None

    @property
    def has_window(self) -> bool:
        """Whether claims are being collected and will be judged together (calm mode)."""
        return self.stage is Stage.WINDOW or (self.rules.calm and self.stage is Stage.LEAVING)

    @property
    def decided(self) -> frozenset[int]:
        """Who has passed or claimed, in a window or a reaction time."""
        claimed = {self.claim.seat} if self.claim is not None and self.has_window else set()
        return self.passed | claimed

    @property
    def needs_deal(self) -> bool:
        """Whether a round is to be dealt."""
        return self.is_started and self.stage is Stage.WAITING and self.outcome is None

    def seen(self, card: int) -> EkkoPosition | None:
        """Return the latest position of this round in which a card was the top card (K7.2)."""
        for entry in reversed(self.log):
            if entry.round != self.position.round:
                return None
            if entry.position.round == entry.round and entry.position.top == card:
                return entry.position
        return None

    # ------------------------------------------------------------ orders

    def decide(self, order: AnyOrder, session: str | None, at: datetime) -> RaceTable:  # noqa: ARG002
        """Return the table after an order that changes the game; itself if it comes to nothing."""
        return decide.decided(self, order, at)

    def check_seat_is_free_for(self, session: str | None) -> None:
        """Refuse a browser a second seat, unless the calm mode keeps its hands apart."""
        if not self.rules.calm and any(seat.session == session for seat in self.seats):
            message = "several players at one browser need the calm mode"
            raise TableError(message, code="table/hot-seat", key="seat")

    def vacated(self, seat: int) -> RaceTable:  # noqa: ARG002
        """Return the table as it is: before the first deal a seat leaves nothing behind."""
        return self

    def why_not(self, seat: int, action: Json) -> Json | None:  # noqa: ARG002
        """There is nothing to explain ahead: a card is judged when it comes."""
        raise TableError("no such question is answered in this game", code="table/wrong-order")

    # ------------------------------------------------------------ what happens by itself

    @property
    def length(self) -> int:
        """The number of entries in the log."""
        return len(self.log)

    @property
    def moves_by_itself(self) -> bool:
        """Whether a deal is due, a clock runs, or a bot plays along."""
        if not self.is_started or self.outcome is not None:
            return False
        has_bots = any(seat.kind == "bot" for seat in self.seats)
        return self.needs_deal or has_bots or clock.ends_at(self) is not None

    def next_move(self, now: datetime) -> Move | None:
        """Return the earliest of what the clock makes due and of what the bots will do."""
        if self.needs_deal:
            return Move(now)
        ends = clock.ends_at(self)
        planned = bots.next_intent(self)
        if planned is not None and (ends is None or planned.at < ends):
            return planned
        return None if ends is None else Move(ends)

    def due(self, at: datetime, shuffled: Shuffled) -> tuple[AnyOrder, datetime] | None:
        """Return the deal or the tick that comes before anything else at a moment."""
        if self.needs_deal:
            return DealRound(key=f"deal-{self.version}", order=list(shuffled())), at
        ends = clock.ends_at(self)
        if ends is not None and ends <= at:
            return Tick(key=f"tick-{self.version}"), ends
        return None

    def wake(self) -> AnyOrder | None:
        """Return the order that lets a running clock begin anew."""
        return None if clock.ends_at(self) is None else Wake(key=f"wake-{self.version}")

    # ------------------------------------------------------------ views

    def options_json(self) -> Json:
        """Return the options; the seed stays here, for it is the bots' chance."""
        return dict(self.options)

    def board_json(self) -> Json:
        """There is no board."""
        return {}

    def shared_state(self, now: datetime) -> Json:
        """Return the part of the state that is the same for everybody."""
        return views.shared_state(self, now)

    def own_state(self, seats: Collection[int]) -> Json:
        """Return the hands of the holder of some seats."""
        return views.own_state(self, seats)

    def past_state(self, entries: int) -> Json:
        """Return the state after some entries, as a spectator saw it."""
        return views.past_state(self, entries)

    def entries_json(self, start: int = 0) -> list[Json]:
        """Return the log from its entry ``start`` on."""
        return views.entries_json(self, start)

    def kept_entries(self, before: RaceTable) -> int:
        """Return how many entries stand unchanged: all, for nothing is taken back."""
        return before.length

    def record_text(self) -> str:
        """Write the game as a record, once it is over: it holds every hand."""
        if self.outcome is None:
            message = "the record holds every hand; it can be had when the game is over"
            raise TableError(message, code="table/not-over", rule="K6.4")
        return record.record_text(self)
