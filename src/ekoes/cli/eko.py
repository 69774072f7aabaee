"""The commands of Ekö: ``ekoes eko …``."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import partial
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

import ekoes.games.eko
from ekoes.cli.arena import Workers, per_core, pool_for
from ekoes.cli.console import (
    chosen_seed,
    emit,
    emit_json,
    emit_rich,
    label,
    need_extra,
    progress,
    read_data,
    read_position,
    read_text,
    track,
    within,
    words,
)
from ekoes.cli.games import LARGEST_DEPTH, PositionFile, Seed, read_games
from ekoes.errors import NotationError, PositionError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game
from ekoes.games.eko.position.action import action_to_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ekoes.bots import Info
    from ekoes.games.eko.position.position import EkoPosition
    from ekoes.games.eko.puzzles import Puzzle

# from the file: the module of tiles would load numba, for which a help does not wait
_VARIANTS: list[str] = tomllib.loads(files(ekoes.games.eko).joinpath("tiles.toml").read_text("utf-8"))[
    "variants"
]
Variants = Annotated[str, typer.Option(metavar="A,B,…", help=f"Of {', '.join(_VARIANTS)} (E10).")]
Setup = Annotated[str, typer.Option(help="standard (E3.1) or draft (E3.4).")]


def read_eko(file: str) -> EkoPosition:
    """Read a position of Ekö from a file. Raises an error that names the file."""
    return cast("EkoPosition", read_position(file, "eko"))


def new(
    players: Annotated[int, typer.Option(help="2 to 4 (E1.1).", show_default=False)],
    seed: Seed = None,
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
    options: Json = {"players": players, "variants": words(variants), "setup": setup}
    for key, file in (("layout", layout), ("tileset", tileset)):
        if file is not None:
            options[key] = _content(file, key)
    emit_json(game("eko").new(options, chosen_seed(seed)).to_json())


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
    from ekoes.games.eko.game import perft_divide

    position = read_eko(file)
    if depth == 0 or not position.actors():
        emit_json({"depth": depth, "nodes": 1})
        return
    nodes = 0
    for action, below in track(perft_divide(position, depth), "perft", len(position.legal())):
        nodes += below
        if divide:
            emit_json({"action": action_to_json(action), "nodes": below})
    emit_json({"depth": depth, "nodes": nodes})


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
    need_extra("arena")
    from ekoes.games.eko.bots.training import Course, begin_course, draw_course

    course = Course(rounds=rounds, games=games, steps=steps, seed=seed)
    begin_course(course, out)
    with pool_for(workers, None) as pool, progress("games", course.total) as advance:
        for progress_line in course.run(out, pool, advance):
            emit_json(progress_line)
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
    from rich.text import Text

    from ekoes.bots import begin_search, watch

    console = Console(stderr=True)
    with Live(console=console, transient=True, refresh_per_second=_TIMES_A_SECOND) as live:
        search = begin_search(position.game, position, (), memory)
        every = 1 / _TIMES_A_SECOND
        for info in watch(search, seconds=seconds, lines=lines, every=every, threads=threads):
            text = "\n".join(_format_info(position, info))
            live.update(Text(text, no_wrap=True, overflow="ellipsis"))
    return info


def _format_info(position: EkoPosition, info: Info) -> list[str]:
    """Format the state of a search, a line per variation."""
    from ekoes.games.eko.position.action import format_action

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


BoardFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A position as `new` prints it, or placed tiles, [[tile, q, r, rot], …]; - is standard input.",
        show_default=False,
    ),
]
_VERDICTS = {
    ("fair", "wins"): "fair: all shares of the wins lie within a fifth of an equal share",
    ("unclear", "wins"): "unclear: play more games",
    ("unfair", "wins"): "unfair: a share of the wins lies further than a fifth from an equal share",
    ("unfair", "distances"): "unfair: the seats start too unlike far from the capitals",
}
_MEASURES = {
    "capital": "steps to the nearest capital",
    "sites3": "construction spaces within 3 steps",
    "sites6": "construction spaces within 6 steps",
    "opponents": "steps to the nearest opponent",
}
_PLACES = ("first", "second", "third", "fourth")


def fairness(
    file: BoardFile,
    workers: Workers,
    games: Annotated[int | None, typer.Option(min=1, max=1_000_000, help="Games; 1200 if not given.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Equal seeds give equal reports.")] = 1,
    level: Annotated[
        str, typer.Option(help="beginner, greedy or skilled, which takes ten times as long.")
    ] = "greedy",
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Also write the board with its heat map as SVG.")
    ] = None,
) -> None:
    """Judge a board by distances and by games of bots: does the order of turns or a seat decide?"""
    from ekoes.games.eko.fairness import GAMES, LEVELS, deals_for, examine, read_board
    from ekoes.games.eko.position.layout import Layout
    from ekoes.games.eko.svg import heat_svg

    if level not in LEVELS:
        raise NotationError(f"levels are {', '.join(LEVELS)}", key="level")
    with within(label(file)):
        board = read_board(read_data(file))
    total = deals_for(board, games or GAMES) * board.players
    with pool_for(workers, None) as pool, progress("games", total) as advance:
        found = examine(board, total, seed, level, pool, advance)
    if svg is not None:
        svg.write_text(heat_svg(board if isinstance(board, Layout) else board.layout, found["heat"]), "utf-8")
    if as_json:
        emit_json(found)
    else:
        emit_rich(*_tables(found))


def _tables(found: Json) -> list[RenderableType]:
    from rich.table import Table

    shares = Table("wins", "share", "95 %")
    for place, one in enumerate(found["order"]):
        shares.add_row(f"{_PLACES[place]} in turn", *_share(one))
    for seat, one in enumerate(found.get("seats", ())):
        shares.add_row(f"seat {seat}", *_share(one))
    is_dealt = "seats" in found
    heads = [f"seat {n}" if is_dealt else f"{n + 1}. of a deal" for n in range(found["players"])]
    distances = Table("on average of a seat's discs", *heads, "gap")
    for one in found["distances"]:
        words = _MEASURES[one["measure"]] if "site" not in one else f"steps to the capital {one['site']}"
        distances.add_row(words, *(f"{value:.2f}" for value in one["seats"]), f"{one['gap']:.2f}")
    turns, symmetries = found["turns"], found["symmetries"]
    about = (
        f"{found['games']} games by {found['level']}, {found['drawn']} without a winner; "
        f"turns {turns['least']} to {turns['most']}, median {turns['median']:g}"
    )
    classes = " | ".join(" ".join(map(str, seats)) for seats in found["classes"])
    symmetry = (
        f"symmetries of 12: terrain {symmetries['terrain']}, outline {symmetries['outline']}; "
        f"seats alike: {classes}"
    )
    return [_VERDICTS[found["verdict"], found["because"]], about, shares, distances, symmetry]


def _share(one: Json) -> tuple[str, str]:
    return f"{100 * one['share']:.1f} %", f"{100 * one['low']:.1f} … {100 * one['high']:.1f}"


_SAVED_EVERY = 50


def _dig(seed: int, number: int) -> tuple[int, list[Puzzle]]:
    """Play a game of quick bots and return its puzzles."""
    from ekoes.games.eko.puzzles import best_puzzles, play_game

    return number, best_puzzles(play_game((seed << 32) + number))


def puzzles(
    task: Annotated[Literal["mine"], typer.Argument(help="mine: find puzzles.", show_default=False)],  # noqa: ARG001 - one
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
    from ekoes.games.eko.puzzles import Mine, best_puzzles
    from ekoes.records import replay

    with within(str(out)):
        mine = Mine.open(out, seed, most)
    for file in records or ():
        text = read_text(file)
        digest = blake2b(text.encode(), digest_size=8).hexdigest()
        if digest not in mine.records:
            for record in read_games(text, file, "eko"):
                mine.add(best_puzzles(cast("Iterator[EkoPosition]", replay(record))))
            mine.records.append(digest)
    waiting: dict[int, list[Puzzle]] = {}
    numbers = range(mine.games, games)
    with pool_for(workers, None) as pool:
        for number, found in track(pool(partial(_dig, seed), numbers), "games", len(numbers)):
            waiting[number] = found
            while mine.games in waiting:
                mine.add(waiting.pop(mine.games))
                mine.games += 1
                if mine.games % _SAVED_EVERY == 0:
                    mine.save()
    mine.save()
    themes = Counter(puzzle.theme for puzzle in mine.puzzles.values())
    emit_json({"games": mine.games, "puzzles": len(mine.puzzles), **themes})
