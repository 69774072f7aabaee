"""Puzzles of Ekö: their themes, the proof that a position is one, answers to tries, their file, and mining.

A puzzle is a position at the first decision of a turn (phase ``action``) of the *solver*, with a theme.
Exactly one first decision keeps the theme's aim within reach; it was proved for every legal one by
searching all that can follow in the turn. What depends on a choice by another player (E5.7) is not searched:
such a position is no puzzle. The themes:

- ``win``: the solver wins in this turn, by decisions of their own.
- ``stop``: the solver can't win in this turn. The next player can win in their turn, whatever the solver
  does, except after the solution.
- ``capture``: the solver can't win in this turn, but can capture an Emperor in such a way that the next
  player can't win in their turn.
- ``save``: the solver can't win in this turn. The next player can capture the solver's Emperor in their
  turn, whatever the solver does, except after the solution; nor can that player win after it.

A position that fits several themes has the first of them. A later decision of the turn may have several
right answers. An answer is ``right`` when the aim is reached: at once for ``win`` and ``capture``, at the end
of the turn for ``stop`` and ``save``; ``wrong`` when it is out of reach; else the solver goes on.

difficulty: 1, and 1 more, up to 5, for each of these that holds: the solution has several decisions; it has
at least three; there are at least 60 first decisions; a bot that looks one turn ahead does not play the
solution; nor does one with a short search.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Final, Self

from ekoes.atomic_files import write_atomically
from ekoes.errors import NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Listed, Verdict
from ekoes.games.eko.bots import verdicts
from ekoes.games.eko.bots.levels import BEGINNER, CAPTURE, STRONG, WIN, Guard, Level
from ekoes.games.eko.bots.one_turn import GREEDY, Greedy
from ekoes.games.eko.bots.verdicts import PUZZLE_BUDGET, Theme, judge_puzzle
from ekoes.games.eko.position.action import Action, format_action
from ekoes.games.eko.position.layout import THREAD
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.position_reader import position_from_json
from ekoes.games.eko.position.setup import set_up
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.rules.record import Phase, Whereabouts

THEMES: Final = tuple(theme.name.lower() for theme in Theme)
VERDICTS: tuple[Verdict, ...] = ("wrong", "right", "open", "wrong")
"""The verdict on a try, by the number of the kernel's; what can't be proved counts as wrong."""

_FEWEST = 8  # first decisions
_MANY = 60
_LONG = 3
_HARDEST = 5
_ITERATIONS = 20
_DEEPEST = 24
_READ = 64


class _UnknownError(Exception):
    """A search was not complete."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle. solution: the decisions of the turn, or of its part up to the goal, as notations."""

    name: str
    theme: str
    difficulty: int
    position: EkoPosition
    solution: tuple[str, ...]

    @property
    def seat(self) -> int:
        """The solver."""
        return self.position.player

    def judge(self, now: EkoPosition) -> Verdict:
        """Return the verdict on the position after some decisions of the solver."""
        return VERDICTS[_verdict(self.theme, self.position, now)]

    @classmethod
    def from_json(cls, line: Json) -> Self:
        """Read a line of the file."""
        position, solution = position_from_json(line["position"]), tuple(line["solution"])
        return cls(line["id"], line["theme"], line["difficulty"], position, solution)

    def to_json(self) -> Json:
        """Return the puzzle as a line of the file."""
        return {
            "id": self.name,
            "theme": self.theme,
            "difficulty": self.difficulty,
            "solution": list(self.solution),
            "position": self.position.to_json(),
        }


def find_puzzle(position: EkoPosition) -> Puzzle | None:
    """Return the puzzle that a position is, or None."""
    if position.phase != Phase.ACTION or len(position.codes) < _FEWEST:
        return None
    try:
        theme = _theme(position)
        solutions = list(islice(_promising(theme, position, position), 2)) if theme else []
        line = _line(theme, position, solutions[0]) if theme and len(solutions) == 1 else None
    except _UnknownError:
        return None
    if theme is None or line is None:
        return None
    text = json.dumps([theme, position.to_json()], sort_keys=True)
    name = blake2b(text.encode(), digest_size=5).hexdigest()
    there, notations = position, []
    for action in line:
        notations.append(format_action(action, there))
        there = there.play(position.player, action)
    return Puzzle(name, theme, _difficulty(position, line), position, tuple(notations))


def _promising(theme: str, start: EkoPosition, now: EkoPosition) -> Iterator[Action]:
    """Yield the decisions that keep the aim within reach."""
    for action in now.legal():
        if _judge(theme, start, now.play(start.player, action)) != "wrong":
            yield action


def _theme(position: EkoPosition) -> str | None:
    """Return the theme that a position may have if its solution is unique."""
    seat = position.player
    if _first(position, WIN) is not None:
        return "win"
    if _is_lost(position, WIN):
        return "stop"
    if _first(position, CAPTURE) is not None:
        return "capture"
    if position.plain.whereabouts[seat] == Whereabouts.BOARD and _is_lost(position, seat):
        return "save"
    return None


def _is_lost(position: EkoPosition, goal: int) -> bool:
    """Return whether the next player reaches a goal after all first decisions, or all but one."""
    saving = (action for action in position.legal() if not _loses(position, goal, action))
    return len(list(islice(saving, 2))) < 2


def _judge(theme: str, start: EkoPosition, now: EkoPosition) -> Verdict:
    """Return the verdict on a position. Raises _UnknownError if it can't be proved."""
    verdict = _verdict(theme, start, now)
    if verdict == verdicts.Verdict.UNKNOWN:
        raise _UnknownError
    return VERDICTS[verdict]


def _verdict(theme: str, start: EkoPosition, now: EkoPosition) -> int:
    layout, of_theme = now.layout, THEMES.index(theme)
    return judge_puzzle(layout.record, start.states, now.states, THREAD.work, of_theme, Guard(now).scratch)


def _first(position: EkoPosition, goal: int) -> Action | None:
    """Return the first decision of a turn that reaches a goal."""
    guard = Guard(position, PUZZLE_BUDGET, goal)
    found = guard.win()
    if found is None and not guard.is_exact:
        raise _UnknownError
    return found


def _loses(position: EkoPosition, goal: int, action: Action | None = None) -> bool:
    guard = Guard(position, PUZZLE_BUDGET, goal)
    lost = guard.loses(action)
    if not guard.is_exact:
        raise _UnknownError
    return lost


def _line(theme: str, start: EkoPosition, action: Action) -> list[Action] | None:
    """Return the solution from its first decision on, the shortest if it attacks; None if it is not sound."""
    line, now = [action], start.play(start.player, action)
    while _judge(theme, start, now) == "open":
        line.append(_next(theme, start, now))
        now = now.play(start.player, line[-1])
    if theme == "capture" and now.actors() == (start.player,):
        return None if _loses(now, WIN) else line
    if theme in ("capture", "save") and now.outcome() is None and _first(now, WIN) is not None:
        return None
    return line


def _next(theme: str, start: EkoPosition, now: EkoPosition) -> Action:
    if theme in ("win", "capture"):
        goal = WIN if theme == "win" else CAPTURE
        shorter = (Guard(now, PUZZLE_BUDGET, goal, deep).win() for deep in range(1, _DEEPEST))
        return next(action for action in shorter if action is not None)
    return next(_promising(theme, start, now))


def _difficulty(position: EkoPosition, line: Sequence[Action]) -> int:
    seat, chance = position.player, Chance(position.turn_number)
    hard = (
        len(line) > 1,
        len(line) >= _LONG,
        len(position.codes) >= _MANY,
        GREEDY.choose(position, seat, chance) != line[0],
        STRONG.think(position, seat, chance, iterations=_ITERATIONS) != line[0],
    )
    return min(_HARDEST, 1 + sum(hard))


# ---------------------------------------------------------------- the file


def write_puzzles(path: Path, header: Json, puzzles: Iterable[Puzzle]) -> None:
    """Write a file of puzzles, ordered by name: a line of JSON each after the header, compressed."""
    lines = [header, *(puzzle.to_json() for puzzle in sorted(puzzles, key=lambda one: one.name))]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    write_atomically(path, gzip.compress(text.encode(), mtime=0))


def read_puzzles(data: bytes) -> tuple[Json, list[Puzzle]]:
    """Read a file of puzzles: its header and the puzzles. Raises NotationError."""
    try:
        header, *lines = _decompressed(data)
        return header, [Puzzle.from_json(line) for line in lines]
    except (OSError, EOFError, ValueError, TypeError, KeyError) as error:
        raise NotationError(f"is no file of puzzles: {error}", key="puzzles") from None


def _decompressed(data: bytes) -> list[Json]:
    return [json.loads(line) for line in gzip.decompress(data).splitlines()]


@cache
def _lines() -> dict[str, Json]:
    """Return the lines of the package's file by the names of the puzzles."""
    data = files("ekoes.games.eko").joinpath("puzzles.jsonl.gz").read_bytes()
    return {line["id"]: line for line in _decompressed(data)[1:]}


def listed() -> dict[str, Listed]:
    """Return the puzzles of the package by name."""
    return {name: Listed(line["theme"], line["difficulty"]) for name, line in _lines().items()}


@lru_cache(_READ)
def puzzle(name: str) -> Puzzle:
    """Return a puzzle of the package."""
    return Puzzle.from_json(_lines()[name])


# ---------------------------------------------------------------- mining

_BOTS: tuple[Greedy | Level, ...] = (GREEDY, GREEDY, BEGINNER)
_PLAYERS = (2, 2, 2, 3, 3, 4)
_PLAIN = 60  # percent of games without variants
_RANDOM = 8  # percent of decisions that are drawn at random
_LONGEST = 80  # turns
_PERCENT = 100


def play_game(seed: int) -> Iterator[EkoPosition]:
    """Yield the positions of a game of quick bots; equal seeds give equal games, and so equal puzzles."""
    chance = Chance(seed)
    players = chance.choice(_PLAYERS)
    variants: list[str] = []
    if chance.below(_PERCENT) >= _PLAIN:
        variants.append(chance.choice(VARIANTS))
    position = set_up({"players": players, "variants": variants}, chance.bits())
    bots = [chance.choice(_BOTS) for _ in range(players)]
    while position.outcome() is None and position.turn_number <= _LONGEST:
        yield position
        (seat,) = position.actors()
        if chance.below(_PERCENT) < _RANDOM:
            action = chance.choice(position.legal())
        else:
            action = bots[seat].choose(position, seat, chance)
        position = position.play(seat, action)


def best_puzzles(positions: Iterable[EkoPosition]) -> list[Puzzle]:
    """Return the puzzles of a game: of each theme the hardest, so that they differ."""
    best: dict[str, Puzzle] = {}
    for position in positions:
        puzzle = find_puzzle(position)
        if puzzle is not None and (
            puzzle.theme not in best or puzzle.difficulty > best[puzzle.theme].difficulty
        ):
            best[puzzle.theme] = puzzle
    return list(best.values())


@dataclass(slots=True)
class Mine:
    """The puzzles of a file, and what was looked at for them.

    games: how many games of bots. records: the digests of recorded games. most: puzzles of one kind: theme,
    number of players and difficulty.
    """

    path: Path
    seed: int
    most: int
    games: int = 0
    records: list[str] = field(default_factory=list)
    puzzles: dict[str, Puzzle] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path, seed: int, most: int) -> Self:
        """Read what was mined before, if anything. Raises NotationError for another seed."""
        mine = cls(path, seed, most)
        if path.exists():
            header, found = read_puzzles(path.read_bytes())
            if header["seed"] != seed:
                raise NotationError(f"was begun with the seed {header['seed']}", key="seed")
            mine.games, mine.records = header["games"], header["records"]
            mine.puzzles = {puzzle.name: puzzle for puzzle in found}
        return mine

    def add(self, found: Iterable[Puzzle]) -> None:
        """Add puzzles while there are too few of their kind."""
        kinds = Counter(map(_kind, self.puzzles.values()))
        for puzzle in found:
            if puzzle.name not in self.puzzles and kinds[_kind(puzzle)] < self.most:
                self.puzzles[puzzle.name] = puzzle
                kinds[_kind(puzzle)] += 1

    def save(self) -> None:
        """Write the file."""
        header = {"version": 1, "seed": self.seed, "games": self.games, "records": self.records}
        write_puzzles(self.path, header, self.puzzles.values())


def _kind(puzzle: Puzzle) -> tuple[str, int, int]:
    return puzzle.theme, puzzle.position.players, puzzle.difficulty
