"""Playing the games of a plan: one game, and the job of a worker that plays many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Self

from pydantic import TypeAdapter

from ekoes.arena.plan import Entrant, Pairing, Plan, Schedule, bot_of
from ekoes.arena.players import BotPlayer, ForfeitError, Past, Player, Program
from ekoes.errors import IllegalActionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Outcome, Position
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.table import Decision, History
from ekoes.records.referee import GameRecord, book_of
from ekoes.records.text import places_of, write_record

FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A forfeit. reason: of ``ForfeitError``; message: its text in one line."""

    seat: int
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game.

    number, opening, layout, variant, seats: as planned. winners: seats. reason, rule: how it ended;
    ``forfeit`` and empty after a forfeit. turns: the number of the last one. asked: the seat of each
    decision; times: how long each took, in microseconds. record: the game as text.
    """

    number: int
    opening: int
    layout: str
    variant: str
    seats: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    rule: str
    turns: int
    asked: tuple[int, ...]
    times: tuple[int, ...]
    record: str
    forfeit: Forfeit | None = None

    @property
    def scores(self) -> tuple[float, ...]:
        """Each seat's share of the one point of a game: the winners share it; without winners, all do."""
        sharing = self.winners or tuple(range(len(self.seats)))
        return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in range(len(self.seats)))


_LINE = TypeAdapter(Result)


def result_line(result: Result) -> str:
    """Write a result as one line, without its end."""
    return _LINE.dump_json(result).decode()


def result_from_line(line: str | bytes) -> Result:
    """Read what ``result_line`` wrote. Raises ValueError for anything else."""
    return _LINE.validate_json(line)


@dataclass(frozen=True, slots=True)
class Step:
    """A decision in a game. before: the position before it."""

    before: Position
    decision: Decision
    microseconds: int


@dataclass
class ArenaGame:
    """Plays one game to its end.

    players: by seat. first: the first position. ``steps`` yields each decision; afterwards ``result`` returns
    the result.
    """

    plan: Plan
    pairing: Pairing
    players: Sequence[Player]
    first: Position
    outcome: Outcome | None = None
    forfeit: Forfeit | None = None
    _steps: list[Step] = field(default_factory=list)

    def steps(self) -> Iterator[Step]:
        """Play the game and yield each decision."""
        position = self.first
        deals, chance = Chance(self.pairing.deals), Chance(self.pairing.chance)
        history = History.of(position, self.plan.longest)
        decisions: list[tuple[int, Any]] = []
        while (outcome := history.outcome(position)) is None:
            seat = position.actors()[0]
            self._past = Past(self.first, decisions, history.begun)
            try:
                step, after = self._decide(position, seat, deals if seat == CHANCE else chance)
            except ForfeitError as error:
                self.forfeit = Forfeit(seat, error.reason, " ".join(str(error).split()))
                break
            self._steps.append(step)
            decisions.append((step.decision.seat, step.decision.action))
            history, position = history.then(position, after), after
            yield step
        self.outcome, self._last = outcome, position

    def _decide(self, position: Position, seat: int, chance: Chance) -> tuple[Step, Position]:
        """Ask a seat, or chance, for a decision. Raises ForfeitError."""
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
        """Return the result of the game."""
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
            turns=book_of(self.plan.game).number(self._last),
            asked=tuple(step.decision.seat for step in decided),
            times=tuple(step.microseconds for step in decided),
            record=self._record(winners),
            forfeit=self.forfeit,
        )

    def _winners(self) -> tuple[int, ...]:
        """Return the winners; after a forfeit, all other seats."""
        if self.forfeit is None:
            return () if self.outcome is None else self.outcome.winners
        return tuple(seat for seat in range(len(self.players)) if seat != self.forfeit.seat)

    def _record(self, winners: tuple[int, ...]) -> str:
        """Write the record; a forfeit of one of two is written as a resignation if the game has one."""
        rule = game_of(self.plan.game).table_ends.resignation if len(winners) == 1 else None
        outcome, tags = self.outcome, {}
        if self.forfeit is not None:
            tags = {"Forfeit": f"seat {self.forfeit.seat}: {self.forfeit.reason}: {self.forfeit.message}"}
            outcome = None if rule is None else Outcome(winners, "resignation", rule)
        record = GameRecord(
            game=self.plan.game,
            start=self.first,
            decisions=tuple(step.decision for step in self._steps),
            outcome=outcome,
            names=tuple(self.plan.players[place].name for place in self.pairing.seats),
            seed=self.pairing.seed,
            turn_limit=self.plan.longest,
            tags=tags,
        )
        return write_record(
            record, places_of(record.game, [*(step.before for step in self._steps), self._last])
        )


def player_of(game: str, entrant: Entrant) -> Player:
    """Return the player of an entrant."""
    if entrant.program is None:
        return BotPlayer(bot_of(game, entrant))
    return Program(entrant.program, level=entrant.level, memory=entrant.memory)


_WARM_DECISIONS = 16


class PlanJob:
    """The base of the jobs of a plan, with its players."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.schedule = Schedule(plan)
        self._players: dict[int, Player] = {}
        self._opening: tuple[int, Position] | None = None

    def __enter__(self) -> Self:
        """Let bots make some decisions that don't count, so that loading is not part of their time."""
        if all(entrant.program is None for entrant in self.plan.players):
            with self.game(0) as first:
                for _ in islice(first.steps(), _WARM_DECISIONS):
                    pass
        return self

    def __exit__(self, *_: object) -> None:
        """Close all players."""
        for player in self._players.values():
            player.close()

    @contextmanager
    def game(self, number: int) -> Iterator[ArenaGame]:
        """Set up a game; a player that forfeits it is started again for the next one."""
        pairing = self.schedule[number]
        players = [self._player(place) for place in pairing.seats]
        game = ArenaGame(self.plan, pairing, players, self._begin(pairing))
        yield game
        if game.forfeit is not None:
            players[game.forfeit.seat].close()

    def _begin(self, pairing: Pairing) -> Position:
        """Return the first position; consecutive games of one opening share it."""
        if self._opening is None or self._opening[0] != pairing.opening:
            position = game_of(self.plan.game).new(pairing.options, pairing.seed)
            self._opening = (pairing.opening, position)
        return self._opening[1]

    def _player(self, place: int) -> Player:
        if place not in self._players:
            self._players[place] = player_of(self.plan.game, self.plan.players[place])
        return self._players[place]


class PlayGames(PlanJob):
    """Plays games and returns their results."""

    def __call__(self, numbers: Sequence[int]) -> list[Result]:
        """Play games by number."""
        return [self._play(number) for number in numbers]

    def _play(self, number: int) -> Result:
        with self.game(number) as game:
            for _ in game.steps():
                pass
            return game.result()
