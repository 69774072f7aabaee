"""Makes the openings of bots: ``python -m tools.openings [--games N] [--seed S] [--workers W]``.

On each named layout, and for two to four players on a new random board each time, bots of ``greedy`` play as
many games; what they played in the opening is counted. There ``beginner`` chooses one decision in four, so
that others than the one that ``greedy`` prefers are tried. Equal arguments give an equal file.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ekoes.arena.pool import local_pool
from ekoes.atomic_files import write_atomically
from ekoes.cli.console import track
from ekoes.games.api.chance import Chance
from ekoes.games.api.parts import OpeningEntry, Score
from ekoes.games.api.table import Decision, History
from ekoes.games.eko.fairness import LEVEL, LEVELS, named_layouts
from ekoes.games.eko.game import TURN_LIMIT
from ekoes.games.eko.openings import FILE, ROUNDS, entries, place
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.setup import deal, random_layout
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, MOST_PLAYERS

PATH = Path(__file__).parents[1] / "src/ekoes/games/eko" / FILE
GAMES, SEED = 1200, 1
FEWEST = 2
"""Games in which something was played before it is stored."""
_VARIED = 4
"""One in so many decisions of the opening is one of ``beginner``."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The opening of a game. winners: by place in the order of turns."""

    players: int
    entries: list[OpeningEntry]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """The job of a worker: plays game ``n`` on board ``n % len(boards)``.

    boards: layouts, or the number of players of random ones.
    """

    boards: tuple[Layout | int, ...]
    seed: int

    def __call__(self, n: int) -> Opened:
        """Play a game."""
        board, chance = self.boards[n % len(self.boards)], Chance(Chance(self.seed).bits() + n)
        layout = board if isinstance(board, Layout) else random_layout(board, (), chance)
        start = deal(layout, chance.below(layout.players), chance)
        decisions, end = _played(start, chance)
        won = () if (outcome := end.outcome()) is None else outcome.winners
        return Opened(
            start.players, entries(start, decisions), tuple(sorted(place(start, seat) for seat in won))
        )


def _played(position: EkoPosition, chance: Chance) -> tuple[list[Decision], EkoPosition]:
    """Return the decisions of a game and its last position (E11)."""
    decisions, history = list[Decision](), History.of(position, TURN_LIMIT)
    while history.outcome(position) is None:
        is_opening = position.turn_number <= ROUNDS * position.players
        is_varied = is_opening and chance.below(_VARIED) == 0
        (seat,) = position.actors()
        action = LEVELS["beginner" if is_varied else LEVEL](position, seat, chance)
        decisions.append(Decision(seat, action))
        before, position = position, position.play(seat, action)
        history = history.then(before, position)
    return decisions, position


def counted(games: Iterable[Opened]) -> list[Any]:
    """Return the lines of the file: moment, games that came to it, ``[gist, games, *wins]`` of each gist."""
    scores: dict[str, dict[str, Score]] = defaultdict(lambda: defaultdict(Score))
    came = Counter[str]()
    for game in games:
        for moment, gist in game.entries:
            scores[moment][gist].add(game.winners, game.players)
        came.update({moment for moment, _ in game.entries})
    return [
        [
            moment,
            came[moment],
            [
                [gist, score.games, *score.wins]
                for gist, score in sorted(found.items())
                if score.games >= FEWEST
            ],
        ]
        for moment, found in sorted(scores.items())
        if came[moment] >= FEWEST
    ]


def main(games: int, seed: int, workers: int) -> None:
    """Write the file."""
    boards = (
        *(Layout(one.players, one.tiles) for one in named_layouts()),
        *range(FEWEST_PLAYERS, MOST_PLAYERS + 1),
    )
    numbers = range(games * len(boards))
    games_of_bots = local_pool(workers)(Play(boards, seed), numbers)
    lines = counted(track(games_of_bots, "games", len(numbers)))
    header = {"level": LEVEL, "games": games, "seed": seed}
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in (header, *lines))
    write_atomically(PATH, gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=GAMES, help="on each board")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    main(given.games, given.seed, given.workers)
