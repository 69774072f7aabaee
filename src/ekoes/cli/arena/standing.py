"""What is shown while a run goes on: who leads, and what is left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ekoes.arena.plan import Plan
from ekoes.arena.result import Result

__all__ = ["standing"]

_SHOWN = 4
"""Players whose score is shown beside the bar."""


@contextmanager
def standing(plan: Plan, total: int) -> Iterator[Callable[[Result], None]]:
    """Show a bar on standard error, if it is a terminal. Yields what is told each game that counts."""
    if not sys.stderr.isatty():
        yield lambda _result: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        scores = _Scores(plan)

        def show(result: Result) -> None:
            scores.add(result)
            bar.update(task, advance=1, description=scores.told())

        yield show


class _Scores:
    """The scores so far."""

    def __init__(self, plan: Plan) -> None:
        self.names = [entrant.name for entrant in plan.players]
        self.points = [0.0] * len(self.names)
        self.games = [0] * len(self.names)

    def add(self, result: Result) -> None:
        for place, score in zip(result.seats, result.scores, strict=True):
            self.points[place] += score
            self.games[place] += 1

    def told(self) -> str:
        """Return the best with their shares."""
        shares = sorted(
            (
                (points / games, name)
                for points, games, name in zip(self.points, self.games, self.names, strict=True)
                if games
            ),
            reverse=True,
        )
        return "  ".join(f"{name} {100 * share:.1f} %" for share, name in shares[:_SHOWN])
