"""The command ``ekoes eko fairness``: how fair a board is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ekoes.cli.arena import Workers, pool_for
from ekoes.cli.console import emit, emit_rich, label, progress, read_data, within, write_json
from ekoes.errors import NotationError
from ekoes.games.api.contract import Json

if TYPE_CHECKING:
    from rich.console import RenderableType

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
        emit([write_json(found)])
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
