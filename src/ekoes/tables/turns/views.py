"""What players and spectators see of a `TurnTable`: state, log, and game record."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, Self

from ekoes.errors import TableError
from ekoes.games.api.contract import Json, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.table import moment_text
from ekoes.records import Decision, GameRecord, Place, rules_text, write_record
from ekoes.tables.plan import clock_json, clock_text
from ekoes.tables.table import outcome_json
from ekoes.tables.turns.state import Entry, TurnState


class TurnViews(TurnState):
    """The views of a turn-based game. Nothing is hidden but conditional moves."""

    __slots__ = ()

    def options_json(self) -> Json:
        """Return the options, with the seed: it determines the first position and nothing else."""
        limit = {} if self.turn_limit is None else {"turn_limit": self.turn_limit}
        clock = {} if self.clock is None else {"clock": clock_json(self.clock)}
        return {**self.options, "seed": self.seed, **limit, **clock, **self._rated_json()}

    def board_json(self) -> Json:
        """Return what stays the same for the whole game."""
        return self.presenter.board(self.position)

    def why_not(self, seat: int, action: Json) -> Json | None:
        """Explain why an action is not possible; None if it is legal. Raises NotationError."""
        refusal = self.position.why_not(seat, game_of(self.game).parse_action(action))
        if refusal is None:
            return None
        return {"code": refusal.code, "rule": refusal.rule, "message": refusal.message}

    def ways(self, of: object) -> Any:  # noqa: ANN401 - as the game returns them
        """Return the paths of a selected piece. Raises NotationError."""
        return self.presenter.ways(self.position, of)

    def timed_keys(self) -> Collection[str]:
        """Return the key of the clocks, if there are any."""
        return () if self.clocks is None else ("left",)

    def shared_state(self, now: datetime) -> Json:
        """Return the part of the state that everybody sees; the position is a spectator's."""
        return self._state(
            self.position,
            asked=list(self.asked),
            held=self.held,
            take_back=sorted({start.turn.player for start in self.starts} & self.people),
            outcome=outcome_json(self.outcome),
            repetition=min(self.repetition, 3),
            draw_offers=sorted(self.offers),
            **self._clocks_json(now),
        )

    def past_state(self, entries: int, then: Self) -> Json:
        """Return the state after some decisions, without choices."""
        last = then.log[entries - then.log_start - 1] if entries else None
        position: Position | None = then.position if last is None else last.position
        if position is None:
            raise TableError("this position lies in the store", code="table/not-found")
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
        look = self.presenter
        return {
            "position": position.view(None),
            "asked_to": look.phase(position),
            "choices": {},
            "players": look.players(position),
            "undo": [],
            "rematch": self._rematch_json(),
            **fields,
        }

    def _clocks_json(self, at: datetime) -> Json:
        left = self.time_left(at)
        if left is None or self.clocks is None:
            return {}
        running = frozenset[int]() if self.agreements.is_paused else self.clocks.running
        away = {"away": sorted(self.clocks.away)} if self.clocks.away else {}
        return {"left": list(left), "running": sorted(running), **away}

    def own_state(self, seats: Collection[int]) -> Json:
        """Return choices, undo and conditional moves of the holder of some seats."""
        look, position = self.presenter, self.position
        return {
            "choices": {str(seat): look.choices(position, seat) for seat in self.asked if seat in seats},
            "undo": [seat for seat in sorted(seats) if self.can_undo(seat)],
            **self.conditional_moves_json(seats),
        }

    def conditional_moves_json(self, seats: Collection[int]) -> Json:
        """Return the conditional moves of the holder of some seats; empty if there are none."""
        if not self.conditional_moves or self.outcome is not None:
            return {}
        own = {str(moves.seat): moves.to_json() for moves in self.conditional_moves if moves.seat in seats}
        return {"lines": own} if own else {}

    def entries_json(self, start: int = 0) -> list[Json]:
        """Return the log from an entry on."""
        return [
            {
                "n": number,
                "turn": entry.turn.number,
                "seat": entry.seat,
                "action": entry.written,
                **entry.about,
                "at": moment_text(entry.at),
                **({} if entry.left is None else {"left": list(entry.left)}),
            }
            for number, entry in enumerate(self.log[start - self.log_start :], start + 1)
        ]

    def record_text(self, made: Self, log: Sequence[Entry], rules: Sequence[str]) -> str:
        """Return the game so far as a record; each time counts from the decision before."""
        names = tuple(seat.name or seat.bot or "" for seat in self.seats)
        limit = self.last_turn
        if limit is not None and log:
            # A limit set when the last person left may be lower than the number of turns played by then.
            limit = max(limit, log[-1].turn.number)
        record = GameRecord(
            game=self.game,
            start=made.position,
            decisions=tuple(_decisions(log)),
            outcome=self.outcome,
            names=names if any(names) else (),
            date=log[0].at.date().isoformat() if log else None,
            seed=self.seed,
            turn_limit=limit,
            tags={} if self.clock is None else {"Clock": clock_text(self.clock)},
            rules=rules_text(rules) or game_of(self.game).rules_version,
        )
        return write_record(record, [Place(entry.turn.number) for entry in log])


def _decisions(log: Sequence[Entry]) -> list[Decision]:
    decisions = []
    previous = None
    for entry in log:
        elapsed = None if previous is None else (entry.at - previous).total_seconds()
        milliseconds = None if elapsed is None else max(0, round(elapsed * 1000))
        decisions.append(Decision(entry.seat, entry.action, milliseconds))
        previous = entry.at
    return decisions
