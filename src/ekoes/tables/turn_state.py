"""The state of a `TurnTable`: what follows from it, what players and spectators see, its stored form.

Also the decisions that players prepare in advance.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from hashlib import blake2b
from itertools import islice
from operator import attrgetter
from typing import Annotated, Any, Literal, Self, TypeVar, cast

import orjson
from pydantic import BeforeValidator, PlainSerializer

from ekoes.errors import IllegalActionError, TableError
from ekoes.games.api.contract import CHANCE, Json, Position, RefusedError, Turn
from ekoes.games.api.reading import unix_milliseconds
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.values import Sorted, Stamp, StoredFields, changed
from ekoes.records import Decision, Place, write_record
from ekoes.tables.clocks import Clocks
from ekoes.tables.orders import SeatDecision
from ekoes.tables.presenter import TurnPresenter
from ekoes.tables.settings import clock_json, clock_text
from ekoes.tables.table import ALWAYS, APART, MOST_ACTIONS, Table, outcome_json

P = TypeVar("P", bound=Position)
_Hex = Annotated[bytes, PlainSerializer(bytes.hex), BeforeValidator(bytes.fromhex)]


@cache
def presenter_of(name: str) -> TurnPresenter[Any, Any]:
    """Return the presenter of a turn-based game."""
    return cast("TurnPresenter[Any, Any]", load(game_of(name).parts.presenter))


def played(position: P, seat: int, action: object) -> P:
    """Return the position after a decision. Raises RefusedError, with the broken rule if it is illegal."""
    try:
        return position.play(seat, action)
    except IllegalActionError:
        refusal = position.why_not(seat, action)
        if refusal is not None:
            raise RefusedError(refusal) from None
        raise


_FIRST, _FIRST_BY_DAYS = timedelta(seconds=60), timedelta(days=1)
"""The time for a first decision in a rated game, live and with days for each turn."""


Suspended = Literal["other", "refused"]
"""Why conditional moves are suspended: others decided differently, or the rules refuse the prepared move."""

MAX_VARIATIONS = 20
_player = attrgetter("turn.player")
_settings = attrgetter(
    "options",
    "agreements",
    "seats",
    "outcome",
    "joint",
    "turn_limit",
    "clock",
    "pace",
    "pace_votes",
    "paused",
)


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a variation. at: a digest of the position before it."""

    seat: int
    action: Json
    notation: str
    at: str


Variation = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ConditionalMoves:
    """The variations that the player of a seat has prepared. suspended: why they are no longer played."""

    seat: int
    variations: tuple[Variation, ...] = ()
    suspended: Suspended | None = None

    def next(self, position: Position) -> Step | None:
        """Return the decision prepared for a position; None if there is none."""
        here = _digest(position)
        for variation in self.variations:
            if (index := self._index(variation, here)) is not None:
                return variation[index]
        return None

    def after(self, position: Position) -> ConditionalMoves:
        """Return the remaining moves once the seat has played a prepared decision."""
        here, left = _digest(position), []
        for variation in self.variations:
            index = self._index(variation, here)
            if index is not None and index + 1 < len(variation):
                left.append(variation[index + 1 :])
        return ConditionalMoves(self.seat, tuple(left))

    def _index(self, variation: Variation, here: str) -> int | None:
        places = (at for at, step in enumerate(variation) if step.seat == self.seat and step.at == here)
        return next(places, None)

    def with_variation(
        self, name: str, position: Position, steps: Sequence[SeatDecision]
    ) -> ConditionalMoves:
        """Return the moves with one more variation from a position on, each decision judged by the rules.

        name: of the game. Raises: RefusedError, IllegalActionError, NotationError; TableError if it does not
        end with a decision of the seat, contradicts another variation, or is one too many.
        """
        variation = self._read(name, position, steps)
        if variation in self.variations:
            return self
        if len(self.variations) == MAX_VARIATIONS:
            raise TableError(
                f"at most {MAX_VARIATIONS} conditional moves can be stored",
                code="table/conditional-moves",
                key="add",
            )
        own = {step.at: step for other in self.variations for step in other if step.seat == self.seat}
        for step in variation:
            if step.seat == self.seat and own.get(step.at, step).action != step.action:
                message = (
                    f"another variation plays {own[step.at].notation} where this one plays {step.notation}"
                )
                raise TableError(message, code="table/variations-differ", key="add")
        return changed(self, variations=(*self.variations, variation))

    def _read(self, name: str, position: Position, steps: Sequence[SeatDecision]) -> Variation:
        rules, presenter = game_of(name), presenter_of(name)
        variation: list[Step] = []
        for one in steps:
            action = rules.parse_action(one.action)
            if one.seat not in position.actors():
                raise TableError("this seat does not decide there", code="table/conditional-moves", key="add")
            after = played(position, one.seat, action)
            notation = presenter.describe(position, action, after)["notation"]
            variation.append(Step(one.seat, rules.action_to_json(action), notation, _digest(position)))
            position = after
        if variation[-1].seat != self.seat:
            raise TableError(
                "conditional moves end with a decision of their own player",
                code="table/conditional-moves",
                key="add",
            )
        return tuple(variation)

    def to_json(self) -> Json:
        """Return the moves as their owner sees them."""
        variations = [
            [{"seat": step.seat, "action": step.action, "notation": step.notation} for step in variation]
            for variation in self.variations
        ]
        return {"variations": variations, **({} if self.suspended is None else {"suspended": self.suspended})}

    def to_state(self) -> Json:
        """Return the moves as stored JSON."""
        places = [[step.at for step in variation] for variation in self.variations]
        return {"seat": self.seat, "at": places, **self.to_json()}

    @classmethod
    def from_state(cls, value: Json) -> ConditionalMoves:
        """Read what ``to_state`` wrote."""
        variations = tuple(
            tuple(Step(**step, at=at) for step, at in zip(steps, places, strict=True))
            for steps, places in zip(value["variations"], value["at"], strict=True)
        )
        return cls(value["seat"], variations, value.get("suspended"))


def _digest(position: Position) -> str:
    text = orjson.dumps(position.to_state(), option=orjson.OPT_SORT_KEYS)
    return blake2b(text, digest_size=9).hexdigest()


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision in the log. about: notation and effects, as the game describes them.

    written: the action as JSON. left: the milliseconds that each seat had left, None for a bot; None
    without a clock. position: after the decision; None if read from the store.
    """

    turn: Turn
    seat: int
    action: Any
    written: Json
    about: Json
    at: datetime
    position: Position | None = None
    left: tuple[int | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class Undoable:
    """The state that an undo restores: the position before a decision, the number of turns begun, the clocks.

    decided: see ``Table``.
    """

    position: Position
    begun: int
    clocks: Clocks | None = None
    decided: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class TurnStart:
    """The state that a takeback of a whole turn restores. length: of the log."""

    turn: Turn
    length: int
    before: Undoable


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState(Table[Position, Entry]):
    """The state of a turn-based game.

    begun: for each turn, what the repetition rule compares. undoable: the decisions of the open turn that
    its player can undo, or the one that ended it where a turn can't be held open. held: the seat whose
    finished turn waits for ``EndTurn``. offers: the seats that offer a draw; offered: those that have offered
    one in this turn. starts: of each player's last turn, where takebacks are possible, since the last chance
    decision. conditional_moves: by seat. since_decision: how many versions the table has had since the last
    decision. first: the seat whose player has to make a first decision, and since when, in the time of the
    game.
    """

    position: Position = field()
    begun: tuple[_Hex, ...] = ()
    undoable: tuple[Undoable, ...] = ()
    held: int | None = None
    offers: Sorted[int] = frozenset()
    offered: Sorted[int] = frozenset()
    clocks: Clocks | None = None
    starts: tuple[TurnStart, ...] = ()
    conditional_moves: tuple[ConditionalMoves, ...] = ()
    since_decision: int = 0
    first: tuple[int, Stamp] | None = None

    @property
    def presenter(self) -> TurnPresenter[Any, Any]:
        """The presenter of the game."""
        return presenter_of(self.game)

    @cached_property
    def turn(self) -> Turn:
        """The turn of the next decision."""
        return presenter_of(self.game).turn(self.position)

    @cached_property
    def asked(self) -> tuple[int, ...]:
        """The seats that can decide now; empty while a seat is free or a turn is held."""
        is_waiting = self.outcome is not None or self.held is not None or not self.is_started
        return () if is_waiting else self.position.actors()

    @cached_property
    def asked_bot(self) -> int | None:
        """The first bot among the seats that can decide."""
        for seat in self.asked:
            if seat >= 0 and self.seats[seat].kind == "bot":
                return seat
        return None

    @cached_property
    def repetition(self) -> int:
        """How often the position at the start of this turn has begun a turn."""
        return self.begun.count(self.begun[-1]) if self.begun else 1

    @property
    def last_turn(self) -> int | None:
        """The number of the last turn that may be played; None: no limit."""
        return self.turn_limit or (None if self.people else game_of(self.game).table_ends.longest)

    def deciding(self) -> tuple[int, ...]:
        """Return the seats for which the game waits."""
        return self.position.actors() if self.held is None else (self.held,)

    def check_version(self, version: int | None) -> None:
        """Raise TableError if the table has decided something since a version."""
        if version is None or not self.version - self.since_decision <= version <= self.version:
            raise TableError(f"the table is at version {self.version}, not {version}", code="table/stale")

    def start_of(self, seat: int) -> TurnStart | None:
        """Return the start of the seat's last turn, None if it can't be taken back."""
        return next((start for start in reversed(self.starts) if start.turn.player == seat), None)

    def conditional_moves_of(self, seat: int) -> ConditionalMoves | None:
        """Return the conditional moves of a seat's player."""
        return next((moves for moves in self.conditional_moves if moves.seat == seat), None)

    @cached_property
    def undo_seat(self) -> int | None:
        """The seat that made the latest decision, in its own turn, and can undo it."""
        if not self.undoable or self.outcome is not None:
            return None
        return presenter_of(self.game).turn(self.undoable[-1].position).player

    def time_left(self, at: datetime) -> tuple[int | None, ...] | None:
        """Return the time that each seat has left, None for bots; None without clocks."""
        if self.clocks is None:
            return None
        left = self.clocks.left_at(self.agreements.game_time(at))
        return tuple(max(0, time) if seat in self.people else None for seat, time in enumerate(left))

    @property
    def berserk(self) -> Collection[int]:
        """The seats that play with half of their time."""
        return () if self.clocks is None else self.clocks.berserk

    def with_berserk(self) -> Self:
        """Return this new table as one where each player may go berserk."""
        may = frozenset(range(len(self.seats)))
        return changed(self, clocks=self.clocks and changed(self.clocks, may_berserk=may))

    @property
    def awaited_first(self) -> int | None:
        """The seat whose player has a limited time for a first decision; None: no one has."""
        if self.decided is None or self.clocks is None or self.binding:
            return None
        late = self.people - set(self.decided) - self.clocks.on_vacation
        return next((seat for seat in self.asked if seat in late), None)

    @property
    def first_ends(self) -> datetime | None:
        """When the time for a first decision is up, in the time of the game; None: it does not run."""
        if self.first is None or self.first[0] != self.awaited_first:
            return None
        has_days = self.clock is not None and self.clock.days is not None
        ends = self.first[1] + (_FIRST_BY_DAYS if has_days else _FIRST)
        runs_out = None if self.clocks is None else self.clocks.deadline
        return ends if runs_out is None else min(ends, runs_out)

    # ------------------------------------------------------------ the interface of Table

    @property
    def aborts_at(self) -> datetime | None:
        """When the game is aborted unless a player makes their first decision before."""
        ends = self.first_ends
        return None if ends is None else self.agreements.wall_time(ends)

    @property
    def tempo(self) -> str:
        """Untimed, live, days for each turn, or imported, as a record does not say how the game was timed."""
        if self.imported:
            return "imported"
        if self.clock is None:
            return "untimed"
        return "live" if self.clock.days is None else "days"

    @cached_property
    def is_busy(self) -> bool:
        """Whether a bot or chance is to decide, or a clock runs."""
        if self.asked_bot is not None or CHANCE in self.asked or self.is_drawn_now:
            return True
        return self.clocks is not None and (self.awaited_first is not None or self.deadline is not None)

    @property
    def deadline(self) -> datetime | None:
        """When the first clock or the time for a first decision runs out."""
        if self.clocks is None:
            return None
        ends = self.clocks.deadline, self.first_ends
        time = min((end for end in ends if end is not None), default=None)
        return None if time is None else self.agreements.wall_time(time)

    @property
    def clock_since(self) -> datetime | None:
        """Since when a clock runs; it does not stop when no one is connected."""
        if self.clocks is None:
            return None
        since = self.clocks.running_since
        if self.first is not None and self.first_ends is not None:
            since = (*since, self.first[1])
        time = min((moment for moment in since if moment is not None), default=None)
        return None if time is None else self.agreements.wall_time(time)

    # ------------------------------------------------------------ views

    def options_json(self) -> Json:
        """Return the options, with the seed once it is drawn: it determines the first position alone."""
        seed = {} if self.joint is not None and self.joint.seed is None else {"seed": self.seed}
        limit = {} if self.turn_limit is None else {"turn_limit": self.turn_limit}
        clock = {} if self.clock is None else {"clock": clock_json(self.clock)}
        imported = {"imported": True} if self.imported else {}
        return {**self.options, **seed, **limit, **clock, **imported, **self._kind_json()}

    def board_json(self) -> Json:
        """Return what stays the same for the whole game."""
        return self.presenter.board(self.position)

    def has_same_settings(self, before: Table) -> bool:
        """Return whether all that options, proposals and the bots' pace depend on has remained."""
        return _settings(self) == _settings(before)

    def timed_keys(self) -> Collection[str]:
        """Return the key of the clocks, if there are any."""
        return () if self.clocks is None else ("left",)

    def shared_state(self, now: datetime) -> Json:
        """Return the part of the state that everybody sees; the position is a spectator's."""
        return self._state(
            self.position,
            asked=list(self.asked),
            held=self.held,
            take_back=sorted(self.people.intersection(map(_player, self.starts))),
            outcome=outcome_json(self.outcome),
            repetition=min(self.repetition, 3),
            draw_offers=sorted(self.offers),
            **({"draw_spent": sorted(self.offered)} if self.offered else {}),
            **self._clocks_json(now),
            **self._abort_json(),
        )

    def past_state(self, entries: int, then: Self) -> Json:
        """Return the state after some decisions, as spectators saw it."""
        last, position = self.entry_and_position(entries, then)
        clocks: Json = {}
        if self.clock is not None:
            stopped = {"left": list(last.left or ()), "running": []} if last else None
            clocks = stopped or then._clocks_json(datetime.min.replace(tzinfo=UTC))
        return self._state(
            position,
            asked=list(position.actors()),
            held=None,
            take_back=[],
            outcome=outcome_json(self.outcome if entries == self.length else position.outcome()),
            repetition=1,
            draw_offers=[],
            **clocks,
        )

    def _state(self, position: Position, **fields: object) -> Json:
        return {
            "position": position.view(None),
            "undo": [],
            "rematch": self._rematch_json(),
            **fields,
        }

    def _clocks_json(self, at: datetime) -> Json:
        if self.clocks is None:
            return {}
        running = frozenset[int]() if self.agreements.is_paused else self.clocks.running
        on_vacation = {"on_vacation": sorted(self.clocks.on_vacation)} if self.clocks.on_vacation else {}
        berserk = {"berserk": sorted(self.berserk)} if self.berserk else {}
        may = {"may_berserk": sorted(may)} if (may := self.clocks.may_berserk) else {}
        left = list(self.time_left(at) or ())
        return {"left": left, "running": sorted(running), **on_vacation, **berserk, **may}

    def own_state(self, seats: Collection[int]) -> Json:
        """Return choices, where the game lists them, undo and conditional moves of the user of some seats."""
        presenter, listed = presenter_of(self.game), {}
        for seat in self.asked:
            if seat in seats and (choices := presenter.choices(self.position, seat)) is not None:
                listed[str(seat)] = choices
        own: Json = {"choices": listed} if listed else {}
        own["undo"] = [self.undo_seat] if self.undo_seat in seats else []
        if self.conditional_moves and (moves := self.conditional_moves_json(seats)):
            own["conditional_moves"] = moves
        return own

    def actions_json(self, seats: Collection[int]) -> Json:
        """Return the legal actions of those of some seats that are to decide."""
        return {
            str(seat): list(islice(self.presenter.actions(self.position, seat), MOST_ACTIONS))
            for seat in self.asked
            if seat in seats
        }

    def conditional_moves_json(self, seats: Collection[int]) -> Json:
        """Return the conditional moves of the user of some seats, by seat."""
        if not self.conditional_moves or self.outcome is not None:
            return {}
        return {str(moves.seat): moves.to_json() for moves in self.conditional_moves if moves.seat in seats}

    def entries_json(self, start: int = 0) -> list[Json]:
        """Return the log from an entry on."""
        return [
            {
                "n": number,
                "turn": entry.turn.number,
                "seat": entry.seat,
                "action": entry.written,
                **entry.about,
                "at": unix_milliseconds(entry.at),
                **({} if entry.left is None else {"left": list(entry.left)}),
            }
            for number, entry in enumerate(self.log[start - self.log_start :], start + 1)
        ]

    def record_text(self, made: Self, log: Sequence[Entry], rules: Sequence[str]) -> str:
        """Return the game so far as a record; each time counts from the decision before."""
        limit = self.last_turn
        if limit is not None and log:
            # A limit set when the last person left may be lower than the number of turns played by then.
            limit = max(limit, log[-1].turn.number)
        tags = {} if self.clock is None else {"Clock": clock_text(self.clock)}
        decisions = _decisions(log)
        record = self._record(made, decisions, log, rules)
        record = replace(record, seed=self.seed, turn_limit=limit, tags=tags)
        return write_record(record, [Place(entry.turn.number) for entry in log])

    # ------------------------------------------------------------ stored state

    def to_state(self) -> Json:
        """Return the whole table as JSON, without its log."""
        return self._common_state(_STORED) | {
            "position": self.position.to_state(),
            "undoable": [_undoable_to_state(one) for one in self.undoable],
            **({} if self.clocks is None else {"times": self.clocks.to_json()}),
            **({"starts": [*map(_start_to_state, self.starts)]} if self.starts else {}),
            **(
                {"conditional_moves": [moves.to_state() for moves in self.conditional_moves]}
                if self.conditional_moves
                else {}
            ),
        }

    @classmethod
    def from_state(cls, value: Json) -> Self:
        """Read what ``to_state`` wrote. Raises EkoesError."""
        read = game_of(value["game"]).from_state

        def undoable(one: Json) -> Undoable:
            decided = tuple(one["decided"]) if "decided" in one else None
            return Undoable(read(one["position"]), one["begun"], _clocks_from_state(one), decided)

        return cls(
            **cls._common_fields(value, _STORED),
            position=read(value["position"]),
            undoable=tuple(map(undoable, value["undoable"])),
            clocks=_clocks_from_state(value),
            starts=tuple(
                TurnStart(Turn(*one["turn"]), one["length"], undoable(one)) for one in value.get("starts", ())
            ),
            conditional_moves=tuple(map(ConditionalMoves.from_state, value.get("conditional_moves", ()))),
        )

    @classmethod
    def entry_to_state(cls, game: str, entry: Entry) -> Json:  # noqa: ARG003
        """Return an entry of the log as JSON, without its position."""
        return {
            "turn": list(entry.turn),
            "seat": entry.seat,
            "action": entry.written,
            "about": entry.about,
            "at": entry.at.isoformat(),
            **({} if entry.left is None else {"left": list(entry.left)}),
        }

    @classmethod
    def entry_from_state(cls, game: str, value: Json) -> Entry:
        """Read what ``entry_to_state`` wrote. Raises NotationError."""
        return Entry(
            turn=Turn(*value["turn"]),
            seat=value["seat"],
            action=game_of(game).parse_action(value["action"]),
            written=value["action"],
            about=value["about"],
            at=datetime.fromisoformat(value["at"]),
            left=tuple(value["left"]) if "left" in value else None,
        )


_STORED = StoredFields(
    TurnState,
    (*APART, "position", "undoable", "clocks", "starts", "conditional_moves"),
    (*ALWAYS, "begun", "held", "offers"),
)


def _start_to_state(one: TurnStart) -> Json:
    return {"turn": list(one.turn), "length": one.length, **_undoable_to_state(one.before)}


def _undoable_to_state(one: Undoable) -> Json:
    return {
        "position": one.position.to_state(),
        "begun": one.begun,
        **({} if one.clocks is None else {"times": one.clocks.to_json()}),
        **({} if one.decided is None else {"decided": list(one.decided)}),
    }


def _clocks_from_state(value: Json) -> Clocks | None:
    return Clocks.from_json(value["times"]) if "times" in value else None


def _decisions(log: Sequence[Entry]) -> list[Decision]:
    decisions = []
    previous = None
    for entry in log:
        elapsed = None if previous is None else (entry.at - previous).total_seconds()
        milliseconds = None if elapsed is None else max(0, round(elapsed * 1000))
        decisions.append(Decision(entry.seat, entry.action, milliseconds))
        previous = entry.at
    return decisions
