"""The command ``ekoes eko puzzles``: mines puzzles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ekoes.cli.arena import Workers, pool_for
from ekoes.cli.console import emit, label, progress, read_text, within, write_json
from ekoes.errors import NotationError

if TYPE_CHECKING:
    from ekoes.games.eko.position.position import EkoPosition
    from ekoes.games.eko.puzzles import Puzzle

_SAVED_EVERY = 50


class Task(StrEnum):
    """What to do."""

    MINE = "mine"


def _dig(seed: int, number: int) -> tuple[int, list[Puzzle]]:
    """Play a game of quick bots and return its puzzles."""
    from ekoes.games.eko.puzzle_miner import best_puzzles, play_game

    return number, best_puzzles(play_game((seed << 32) + number))


def puzzles(
    task: Annotated[Task, typer.Argument(help="mine: find puzzles.", show_default=False)],  # noqa: ARG001 - one
    workers: Workers,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file of puzzles.", show_default=False)],
    records: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RECORD]…", help="Game records to look at too.", show_default=False),
    ] = None,
    games: Annotated[
        int, typer.Option(min=0, help="Games of quick bots in all, earlier runs included.")
    ] = 100,
    most: Annotated[
        int, typer.Option(min=1, help="Puzzles of equal theme, number of players and difficulty.")
    ] = 12,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Equal seeds give equal puzzles.")] = 1,
) -> None:
    """Find positions with exactly one solution, proved by exhaustive search; resumes an earlier run.

    Prints the number of puzzles by theme.
    """
    from ekoes.games.eko.puzzle_miner import Mine, best_puzzles

    with within(str(out)):
        mine = Mine.open(out, seed, most)
    for file in records or ():
        text = read_text(file)
        digest = blake2b(text.encode(), digest_size=8).hexdigest()
        if digest not in mine.records:
            with within(label(file)):
                mine.add(best_puzzles(_positions(text)))
            mine.records.append(digest)
    waiting: dict[int, list[Puzzle]] = {}
    numbers = range(mine.games, games)
    with pool_for(workers, None) as pool, progress("games", len(numbers)) as advance:
        for number, found in pool(partial(_dig, seed), numbers):
            waiting[number] = found
            while mine.games in waiting:
                mine.add(waiting.pop(mine.games))
                mine.games += 1
                if mine.games % _SAVED_EVERY == 0:
                    mine.save()
            advance(1)
    mine.save()
    themes = Counter(puzzle.theme for puzzle in mine.puzzles.values())
    emit([write_json({"games": mine.games, "puzzles": len(mine.puzzles), **themes})])


def _positions(text: str) -> Iterator[EkoPosition]:
    """Yield the positions of a recorded game. Raises RecordError, NotationError."""
    from ekoes.records import read_record
    from ekoes.records.referee import replay

    record = read_record(text)
    if record.game != "eko":
        raise NotationError(f"is a game of {record.game}", key="record")
    yield from cast("Iterator[EkoPosition]", replay(record))
