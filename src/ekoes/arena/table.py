"""One game at the arena's table: players are asked, chance decides, and what would never end is ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ekoes.arena.choice import ForfeitError, Past
from ekoes.arena.plan import Plan
from ekoes.arena.players import Player
from ekoes.arena.result import Forfeit, Result
from ekoes.arena.schedule import Pairing
from ekoes.errors import IllegalActionError
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE, Outcome, Position
from ekoes.games.recording import Decision
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load
from ekoes.record.book import book_of
from ekoes.record.game_record import GameRecord
from ekoes.record.write import places_of, write_record

__all__ = ["FORFEIT", "Ends", "Step", "Table"]

FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Step:
    """A decision at the table. before: where it was asked for."""

    before: Position
    decision: Decision
    microseconds: int


@dataclass
class Table:
    """A game that is played to its end.

    players: by seat. first: the position that it begins with. steps: yields each decision as it falls;
    afterwards ``result`` tells the rest.
    """

    plan: Plan
    pairing: Pairing
    players: Sequence[Player]
    first: Position
    outcome: Outcome | None = None
    forfeit: Forfeit | None = None
    _positions: list[Position] = field(default_factory=list)
    _steps: list[Step] = field(default_factory=list)
    _decisions: list[tuple[int, Any]] = field(default_factory=list)

    def steps(self) -> Iterator[Step]:
        """Play."""
        book, position = book_of(self.plan.game), self.first
        deals, chance = Chance(self.pairing.deals), Chance(self.pairing.chance)
        ends = Ends(self.plan, book.number(position))
        self._positions, self._past = [position], Past(position, self._decisions, ends.seen)
        while (outcome := position.outcome() or ends.reached(book.number(position), position)) is None:
            seat = position.actors()[0]
            try:
                step, position = self._decide(position, seat, deals if seat == CHANCE else chance)
            except ForfeitError as error:
                self.forfeit = Forfeit(seat, error.reason, " ".join(str(error).split()))
                break
            self._positions.append(position)
            self._steps.append(step)
            self._decisions.append((step.decision.seat, step.decision.action))
            yield step
        self.outcome = outcome

    def _decide(self, position: Position, seat: int, chance: Chance) -> tuple[Step, Position]:
        """Let a seat decide. Raises ForfeitError."""
        if seat == CHANCE:
            action = position.chance_action(chance)
            return Step(position, Decision(seat, action), 0), position.play(seat, action)
        entrant = self.plan.players[self.pairing.seats[seat]]
        limit = self.plan.limit(entrant, chance.bits())
        choice = self.players[seat].choose(position, seat, limit, self._past)
        try:
            after = position.play(seat, choice.action)
        except IllegalActionError as error:
            raise ForfeitError("illegal", str(error)) from error
        return Step(position, Decision(seat, choice.action), round(choice.seconds * 1e6)), after

    def result(self) -> Result:
        """Return what became of the game."""
        outcome, winners = self.outcome, self._winners()
        decided = [step for step in self._steps if step.decision.seat != CHANCE]
        return Result(
            number=self.pairing.number,
            opening=self.pairing.opening,
            layout=self.pairing.layout.name,
            variant=self.pairing.variant.name,
            seats=self.pairing.seats,
            winners=winners,
            reason=FORFEIT if outcome is None else outcome.reason,
            rule="" if outcome is None else outcome.rule,
            turns=book_of(self.plan.game).number(self._positions[-1]),
            asked=tuple(step.decision.seat for step in decided),
            times=tuple(step.microseconds for step in decided),
            record=self._record(winners),
            forfeit=self.forfeit,
        )

    def _winners(self) -> tuple[int, ...]:
        """Return who won: of a forfeit, all others."""
        if self.forfeit is None:
            return () if self.outcome is None else self.outcome.winners
        return tuple(seat for seat in range(len(self.players)) if seat != self.forfeit.seat)

    def _record(self, winners: tuple[int, ...]) -> str:
        """Write the record: a forfeit is a resignation in it, where the game knows that."""
        rule = game_of(self.plan.game).table_ends.resignation
        outcome, tags = self.outcome, {}
        if self.forfeit is not None:
            tags = {"Forfeit": f"seat {self.forfeit.seat}: {self.forfeit.reason}: {self.forfeit.told}"}
            outcome = None if rule is None else Outcome(winners, "resignation", rule)
        record = GameRecord(
            game=self.plan.game,
            start=self._positions[0],
            decisions=tuple(step.decision for step in self._steps),
            outcome=outcome,
            names=tuple(self.plan.players[place].name for place in self.pairing.seats),
            seed=self.pairing.seed,
            turn_limit=self.plan.longest,
            tags=tags,
        )
        return write_record(record, places_of(record.game, self._positions))


class Ends:
    """Watches for what a table ends, and the rules of play alone would not."""

    def __init__(self, plan: Plan, number: int) -> None:
        """Begin to watch. number: of the turn at the first position."""
        game = game_of(plan.game)
        self.ends, self.longest, self.number = game.table_ends, plan.longest, number
        self.seen: list[bytes] = []
        self.presenter: Any = None if self.ends.repetition is None else load(game.parts.presenter)

    def reached(self, number: int, position: Position) -> Outcome | None:
        """Return how the table ends the game where a turn begins. number: of the turn."""
        if number == self.number:
            return None
        self.number = number
        if self.ends.repetition is not None and self._is_repeated(position):
            return Outcome((), "repetition", self.ends.repetition)
        if self.longest is not None and self.ends.turn_limit is not None and number > self.longest:
            return Outcome((), "turn-limit", self.ends.turn_limit)
        return None

    def _is_repeated(self, position: Position) -> bool:
        identity = self.presenter.identity(position)
        if identity is None:
            return False
        self.seen.append(identity)
        return self.seen.count(identity) >= self.ends.repetitions
