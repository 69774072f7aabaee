"""The commands of Ekö: ``ekoes eko …``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from ekoes.cli.arena import Workers, per_core, pool_for
from ekoes.cli.console import chosen_seed, emit, label, progress, read_data, read_position, words, write_json
from ekoes.cli.games import LARGEST_DEPTH, PositionFile
from ekoes.errors import NotationError, PositionError
from ekoes.games.api.registry import game
from ekoes.games.eko.position.action import action_to_json

if TYPE_CHECKING:
    from rich.console import Group

    from ekoes.bots.analysis import Info
    from ekoes.games.eko.position.position import EkoPosition

Variants = Annotated[str, typer.Option(metavar="A,B,…", help="portals, labyrinth, beacon, moon, … (E10).")]
Setup = Annotated[str, typer.Option(help="standard (E3.1) or draft (E3.4).")]


def read_eko(file: str) -> EkoPosition:
    """Read a position of Ekö from a file. Raises an error that names the file."""
    return cast("EkoPosition", read_position(file, "eko"))


def new(
    players: Annotated[int, typer.Option(help="2 to 4 (E1.1).", show_default=False)],
    seed: Annotated[
        int | None, typer.Option(help="Equal seeds give equal positions; random if not given.")
    ] = None,
    variants: Variants = "",
    setup: Setup = "standard",
    layout: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Placed tiles as JSON, [[tile, q, r, rot], …] (E2.2); - is standard input."
        ),
    ] = None,
    tileset: Annotated[
        str | None, typer.Option(metavar="FILE", help="A custom tile set, as TOML or JSON (E2.3).")
    ] = None,
) -> None:
    """Print a position at its first decision."""
    options: dict[str, Any] = {"players": players, "variants": words(variants), "setup": setup}
    for key, file in (("layout", layout), ("tileset", tileset)):
        if file is not None:
            options[key] = _content(file, key)
    emit([write_json(game("eko").new(options, chosen_seed(seed)).to_json())])


def _content(file: str, key: str) -> object:
    """Read a layout or a tile set. Raises NotationError for null, which as an option means none."""
    value = read_data(file)
    if value is None:
        raise NotationError(f"{label(file)}: null is no {key}", key=key)
    return value


def perft(
    file: PositionFile,
    depth: Annotated[
        int, typer.Option(min=0, max=LARGEST_DEPTH, help="The length of the sequences.", show_default=False)
    ],
    divide: Annotated[bool, typer.Option("--divide", help="Also print a line per first action.")] = False,
) -> None:
    """Count the decision sequences of a length; a game that ends earlier counts once."""
    from ekoes.games.eko.engine import perft_divide

    position = read_eko(file)
    if depth == 0 or not position.actors():
        emit([write_json({"depth": depth, "nodes": 1})])
        return
    nodes = 0
    with progress("perft", len(position.legal())) as advance:
        for action, below in perft_divide(position, depth):
            nodes += below
            if divide:
                emit([write_json({"action": action_to_json(action), "nodes": below})])
            advance(1)
    emit([write_json({"depth": depth, "nodes": nodes})])


def svg(
    file: PositionFile,
    coordinates: Annotated[
        bool, typer.Option("--coordinates", help="Label the spaces with their names.")
    ] = False,
) -> None:
    """Print a position as an SVG picture."""
    from ekoes.games.eko.svg import position_svg

    position = read_eko(file)
    emit([position_svg(position, coordinates=coordinates).rstrip("\n")])


def train(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the games and networks go.", show_default=False)
    ],
    workers: Workers,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of self-play and training.")] = 4,
    games: Annotated[
        int, typer.Option(min=20, help="Games for four players per round; more for fewer players.")
    ] = 500,
    steps: Annotated[int, typer.Option(min=1, help="Search iterations per decision.")] = 12,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Equal seeds give equal games.")] = 1,
) -> None:
    """Alternate self-play and training; resumes an earlier run with the same options."""
    from ekoes.games.eko.bots.training import Course, begin_course, draw_course

    course = Course(rounds=rounds, games=games, steps=steps, seed=seed)
    begin_course(course, out)
    with pool_for(workers, None) as pool, progress("games", course.total) as advance:
        for progress_line in course.run(out, pool, advance):
            emit([write_json(progress_line)])
    draw_course(out)


_TIMES_A_SECOND = 4


def analyse(
    file: PositionFile,
    threads: Annotated[int, per_core("Threads that search.")],
    time: Annotated[float, typer.Option(min=0.01, help="Seconds to search.")] = 5.0,
    lines: Annotated[int, typer.Option(min=1, max=100, help="How many variations to show.")] = 3,
    memory: Annotated[int, typer.Option(min=1, help="Memory for the search tree, in MiB.")] = 128,
) -> None:
    """Search a position and print the best variations with each player's chance to win."""
    position = read_eko(file)
    if not position.actors():
        raise PositionError("the game is over", key="phase")
    info = _watch(position, time, lines, memory, threads)
    emit(_format_info(position, info))


def _watch(position: EkoPosition, seconds: float, lines: int, memory: int, threads: int) -> Info:
    """Show the search live in a terminal. Returns the final result."""
    from rich.console import Console
    from rich.live import Live

    from ekoes.bots.analysis import begin_search, watch

    console = Console(stderr=True)
    with Live(console=console, transient=True, refresh_per_second=_TIMES_A_SECOND) as live:
        search = begin_search(position.game, position, (), memory)
        every = 1 / _TIMES_A_SECOND
        for info in watch(search, seconds=seconds, lines=lines, every=every, threads=threads):
            live.update(_render(position, info))
    return info


def _render(position: EkoPosition, info: Info) -> Group:
    from rich.console import Group
    from rich.text import Text

    return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in _format_info(position, info)))


def _format_info(position: EkoPosition, info: Info) -> list[str]:
    """Format the state of a search, a line per variation."""
    from ekoes.games.eko.notation import format_action

    speed = info.iterations / max(info.seconds, 1e-3)
    searched = f"{info.iterations} decisions searched, {speed:,.0f} a second, depth {info.depth}"
    return [
        f"{_chances(info.value)}  {searched}",
        *(
            f"{_chances(line.value)}  {' '.join(format_action(action, position) for action in line.actions)}"
            for line in info.lines
        ),
    ]


def _chances(value: tuple[float, ...]) -> str:
    """Format each player's chance to win in percent, by seat."""
    return " ".join(f"{100 * chance:5.1f}" for chance in value)
