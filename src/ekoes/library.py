"""The part that the libraries of both games share: a game is played by decisions, with undo and a record.

Each game has a module beside this one. The positions inside are immutable, so each can be kept.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from time import monotonic
from types import ModuleType
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

import numpy as np

from ekoes.bots import Info, Thought, begin_search, chooser, decide, info_of
from ekoes.errors import IllegalActionError, NotationError, PositionError, RecordError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json, Outcome, Position, Refusal
from ekoes.games.api.parts import Chooser
from ekoes.games.api.reading import parse_json
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.games.api.table import Decision, History
from ekoes.records import GameRecord, read_record, read_records, replay, write_record

_OVER = "The game is over."

P = TypeVar("P", bound=Position)
A = TypeVar("A")


def _check_limits(seconds: float | None, iterations: int | None) -> None:
    if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
        raise ValueError(f"seconds: must be a number above 0, not {seconds!r}")
    if iterations is not None:
        _check_whole(iterations=iterations)


def _check_whole(**numbers: object) -> None:
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
            raise ValueError(f"{name}: must be a whole number from 1 on, not {number!r}")


class Game(Generic[P, A]):
    """A game that is being played: its first position and the decisions since, as python-chess' ``Board``.

    Equal options and seeds give equal games, also of bots.
    """

    name: ClassVar[str]
    _actions: ClassVar[tuple[type, ...]]
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, start: P, *, seed: int = 0, turn_limit: int | None = None) -> None:
        """Begin at a position. seed: of all that chance and bots decide. turn_limit: the last turn."""
        if turn_limit is not None and (type(turn_limit) is not int or turn_limit < 1):
            raise PositionError("must be a whole number from 1 on", key="turn_limit")
        self._positions = [start]
        self._histories = [History.of(start, turn_limit)]
        self._decisions: list[Decision] = []
        self._chance = Chance(seed)

    @classmethod
    def from_json(cls, value: object, *, seed: int = 0) -> Self:
        """Begin at a position in the interchange form: JSON as text, or what it contains.

        Raises: PositionError, LayoutError or NotationError naming rule and key.

        Examples:
            >>> from ekoes.eko import Game
            >>> game = Game(seed=7)
            >>> Game.from_json(game.position.to_json()) == game
            True
        """
        contents = parse_json(value) if isinstance(value, str) else value
        return cls._at(cast("P", game_of(cls.name).from_json(contents)), seed)

    @classmethod
    def from_record(cls, text: str, *, seed: int = 0) -> Self:
        """Read the record of a game, at its last position, with its outcome, such as a resignation.

        Raises: RecordError naming the line.

        Examples:
            >>> from ekoes.eko import Game
            >>> game = Game(seed=7)
            >>> action = game.push("keep")
            >>> Game.from_record(game.record(["Ada", "Bo"])).decisions == game.decisions
            True
        """
        return cls._from(read_record(text), seed)

    @classmethod
    def from_records(cls, text: str, *, seed: int = 0) -> Iterator[Self]:
        """Read the records of a text one by one, each at its last position. Raises RecordError."""
        return (cls._from(record, seed) for record in read_records(text))

    @classmethod
    def _from(cls, record: GameRecord, seed: int) -> Self:
        if record.game != cls.name or record.table is not None:
            what = "a live table" if record.game == cls.name else record.game
            raise RecordError(f"this is a record of {what}, not of a game of {cls.name} in turns")
        self = cls._at(cast("P", record.start), seed, record.turn_limit)
        for decision, after in zip(record.decisions, islice(replay(record), 1, None), strict=True):
            self._add(decision, cast("P", after))
        if self.outcome() is None:  # the players may have ended it
            self._histories[-1] = replace(self._histories[-1], ended=record.outcome)
        return self

    @classmethod
    def _at(cls, start: P, seed: int, turn_limit: int | None = None) -> Self:
        self = cls.__new__(cls)
        Game.__init__(self, start, seed=seed, turn_limit=turn_limit)
        return self

    def _add(self, decision: Decision, after: P) -> None:
        self._histories.append(self._histories[-1].then(self.position, after))
        self._positions.append(after)
        self._decisions.append(decision)

    @property
    def position(self) -> P:
        """The position now; immutable."""
        return self._positions[-1]

    @property
    def positions(self) -> Sequence[P]:
        """The first position, and the one after each decision."""
        return tuple(self._positions)

    @property
    def decisions(self) -> Sequence[Decision]:
        """The decisions so far, each with its seat."""
        return tuple(self._decisions)

    @property
    def turn(self) -> int | None:
        """The seat that decides; -1: chance; None: the game is over."""
        return None if self.outcome() is not None else self.position.actors()[0]

    def copy(self) -> Self:
        """Return an independent copy: the same decisions so far, and the same chance to come.

        Examples:
            >>> from ekoes.eko import Game
            >>> game = Game(seed=7)
            >>> other = game.copy()
            >>> other.push_bot("random") == game.push_bot("random")
            True
        """
        return copy.copy(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return a copy of all that changes, for copies and pickles."""
        return {name: copy.copy(value) for name, value in vars(self).items()}

    def __eq__(self, other: object) -> bool:
        """Games are equal in equal positions, however they got there."""
        return isinstance(other, Game) and self.position == other.position

    def legal(self) -> Sequence[A]:
        """Return the legal decisions; none once the game is over, or where chance decides.

        Examples:
            >>> from ekoes.eko import Game
            >>> game = Game(seed=7)
            >>> [game.text(action) for action in game.legal()[:3]]
            ['swap:a6', 'swap:b7', 'swap:c7']
        """
        seat = self.turn
        return () if seat is None or seat == CHANCE else self.position.legal(seat)

    def is_legal(self, decision: A | str | Mapping[str, Any]) -> bool:
        """Return whether a decision of the seat in turn is legal now. Raises NotationError."""
        return self.why_not(decision) is None

    def outcome(self) -> Outcome | None:
        """Return who has won, why and by which rule; None while the game goes on.

        A position that begins a turn for the third time (E11.6) and a turn limit end it too.
        """
        return self._histories[-1].outcome(self.position)

    @property
    def repetition(self) -> int:
        """How often the position that began this turn has begun one: 1, 2, or 3 at the end (E11.6)."""
        begun = self._histories[-1].begun
        return begun.count(begun[-1]) if begun else 1

    def push(self, decision: A | str | Mapping[str, Any]) -> A:
        """Play a decision of the seat in turn, in notation, as JSON or as one of ``legal()``; return it.

        Raises: NotationError if it can't be read, IllegalActionError naming the rule.
        """
        action = self.parse(decision)
        seat = self._seat()
        self._add(Decision(seat, action), self.position.play(seat, action))
        return action

    def push_chance(self) -> A:
        """Have chance decide, such as a deal; return what it decided. Raises IllegalActionError."""
        if self._seat() != CHANCE:
            raise IllegalActionError(f"chance does not decide now, seat {self.turn} does")
        return self.push(cast("A", self.position.chance_action(self._chance)))

    def push_bot(
        self, player: str | Chooser, *, seconds: float | None = None, iterations: int | None = None
    ) -> A:
        """Have a bot decide for the seat in turn, from what that seat sees; return its decision.

        player: one of ``ekoes.bots.bots(game)``, or an object with ``choose(sight, seat, chance)``. seconds,
        iterations: the first limit reached counts; None and None: the bot's own.

        Raises: NotationError naming the bots, IllegalActionError if chance decides, or naming the rule that
        the bot's decision breaks, ValueError naming a wrong limit.
        """
        _check_limits(seconds, iterations)
        seat, chosen = self._seat(), chooser(self.name, player)
        if seat == CHANCE:
            raise IllegalActionError("chance decides now: push_chance")
        thought = Thought(seconds, iterations, self._histories[-1].begun)
        action: A = decide(chosen, self.position.sight(seat), seat, self._chance, thought)
        return self.push(action)

    def analyse(
        self,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        lines: int = 1,
        threads: int = 1,
        memory: int = 64,
    ) -> Info:
        """Search this position; return each player's chance to win and the best variations.

        seconds, iterations: the first limit reached ends it. lines: how many variations. memory: MiB of the
        tree. Raises: NotationError if positions of this game are not analysed, IllegalActionError if it is
        over, ValueError without a limit, or naming a wrong argument.
        """
        if seconds is None and iterations is None:
            raise ValueError("a search needs a limit: seconds or iterations")
        _check_limits(seconds, iterations)
        _check_whole(lines=lines, threads=threads, memory=memory)
        self._seat()
        search = begin_search(game_of(self.name), self.position, self._histories[-1].begun, memory)
        begun = monotonic()
        search.run(seconds, iterations, threads)
        return info_of(search, lines, begun)

    def peek(self) -> A:
        """Return the last decision. Raises IndexError if there is none."""
        return cast("A", self._decisions[-1].action)

    def pop(self) -> A:
        """Take the last decision back and return it. Raises IndexError if there is none.

        Examples:
            >>> from ekoes.eko import Game
            >>> game = Game(seed=7)
            >>> game.push("keep") == game.pop()
            True
        """
        action: A = self._decisions.pop().action
        self._positions.pop()
        self._histories.pop()
        return action

    def why_not(self, decision: A | str | Mapping[str, Any]) -> Refusal | None:
        """Explain by rule why a decision is illegal now; None if it is legal. Raises NotationError.

        Examples:
            >>> from ekoes.eko import Game
            >>> Game(seed=7).why_not("march").rule
            'E12.1'
        """
        action, outcome = self.parse(decision), self.outcome()
        if outcome is not None:
            return Refusal("game-over", outcome.rule, _OVER)
        return self.position.why_not(self._seat(), action)

    def parse(self, decision: A | str | Mapping[str, Any]) -> A:
        """Read a decision in notation or as JSON. Raises NotationError.

        Examples:
            >>> from ekoes.eko import Game
            >>> game = Game(seed=7)
            >>> game.text(game.parse({"type": "march"}))
            'march'
        """
        if isinstance(decision, str):
            return cast("A", self._notation.parse_action(decision, self.position))
        if isinstance(decision, Mapping):
            return cast("A", game_of(self.name).parse_action(dict(decision)))
        if not isinstance(decision, self._actions):
            what = type(decision).__name__
            raise NotationError(f"a decision is text in notation, JSON, or one of legal(), not {what}")
        return decision

    def text(self, action: A) -> str:
        """Write a decision in the notation of records. Its reader is ``parse``."""
        return cast("str", self._notation.format_action(action, self.position))

    def view(self, seat: int | None) -> Json:
        """Return what a seat may see, as JSON; None: a spectator."""
        return self.position.view(seat)

    def record(self, names: Iterable[str] = ()) -> str:
        """Return the game so far as a record. names: of the players, by seat. Raises RecordError."""
        decisions, rules = tuple(self._decisions), game_of(self.name).rules_version
        return write_record(
            GameRecord(
                self.name,
                self._positions[0],
                decisions,
                self.outcome(),
                names=tuple(names),
                turn_limit=self._histories[0].turn_limit,
                rules=rules,
            )
        )

    def __repr__(self) -> str:
        now = self.outcome() or f"turn of {self.turn}"
        return f"<{self.name} after {len(self._decisions)} decisions, {now}>"

    @property
    def _notation(self) -> ModuleType:
        return cast("ModuleType", load(self.position.game.parts.notation))

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.position.players:
            raise ValueError(f"there is no seat {seat}: seats are 0 to {self.position.players - 1}")

    def _seat(self) -> int:
        outcome = self.outcome()
        if outcome is not None:
            raise IllegalActionError(_OVER, rule=outcome.rule)
        return self.position.actors()[0]
