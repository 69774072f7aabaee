"""``ekoes eko train``: learn the weights of the search from games that it plays against itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ekoes.cli.arena.files import Workers, hands
from ekoes.cli.console import emit, progress, write_json
from ekoes.cli.shared.contest import Seed

__all__ = ["command"]


def command(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where games and weights go.", show_default=False)],
    workers: Workers,
    rounds: Annotated[int, typer.Option(min=1, help="How often it learns from better games.")] = 4,
    games: Annotated[int, typer.Option(min=20, help="Games of four; of fewer players more.")] = 500,
    steps: Annotated[int, typer.Option(min=1, help="Steps of the search for a decision.")] = 12,
    seed: Seed = 1,
) -> None:
    """Play and learn in turns; what an earlier run with the same options has done is not done again."""
    from ekoes.games.eko.bots.training.course import Course, begin_course, draw_course

    course = Course(rounds=rounds, games=games, steps=steps, seed=seed)
    begin_course(course, out)
    with hands(workers, None) as playing, progress("games", course.total) as advance:
        for told in course.run(out, playing, advance):
            emit([write_json(told)])
    draw_course(out)
