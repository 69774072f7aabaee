"""Mines puzzles from games of quick bots and from recorded games; equal seeds give equal puzzles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from ekoes.errors import NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.levels import BEGINNER, Level
from ekoes.games.eko.bots.one_turn import GREEDY, Greedy
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.setup import set_up
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.puzzles import Puzzle, find_puzzle, read_puzzles, write_puzzles

_BOTS: tuple[Greedy | Level, ...] = (GREEDY, GREEDY, BEGINNER)
_PLAYERS = (2, 2, 2, 3, 3, 4)
_PLAIN = 60  # percent of games without variants
_RANDOM = 8  # percent of decisions that are drawn at random
_LONGEST = 80  # turns
_ALL = 100


def play_game(seed: int) -> Iterator[EkoPosition]:
    """Yield the positions of a game of quick bots; equal seeds give equal games."""
    chance = Chance(seed)
    players = chance.choice(_PLAYERS)
    variants: list[str] = []
    if chance.below(_ALL) >= _PLAIN:
        variants.append(chance.choice(VARIANTS))
    position = set_up({"players": players, "variants": variants}, chance.bits())
    bots = [chance.choice(_BOTS) for _ in range(players)]
    while position.outcome() is None and position.turn_number <= _LONGEST:
        yield position
        (seat,) = position.actors()
        if chance.below(_ALL) < _RANDOM:
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
